"""Pages are told the names of all that the stream may tell; no script has a list of its own."""

import re

import pytest

from krru.data.folder import BASE_DIR
from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import Role
from tournaments.changes.kinds import Part, Topic

NAMES = {*map(str, Topic), *map(str, Part)}
SCRIPTS = [
    path
    for folder in ("clock/static/clock", "tournaments/static/tournaments/js")
    for path in sorted((BASE_DIR / folder).rglob("*.js"))
]
TRIGGER = re.compile(r"krru:([a-z_]+) from:body")
# What the scripts tell each other, and a person's own page.
OF_SCRIPTS = {"reached", "own", "acted", "close", "change", "level", "hall"}


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["tournament", "director", "desk", "floor", "screen"])
def test_a_page_with_a_stream_is_told_every_name(client, name):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.DIRECTOR)
    text = client.get(url_of(event, name)).content.decode()
    (told,) = re.findall(r'data-topics="([^"]*)"', text)
    assert "data-stream=" in text
    assert sorted(told.split()) == sorted(NAMES)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_script_lists_names(path):
    lists = re.findall(r"\[([^\[\]]*)\]", path.read_text("utf-8"))
    listed = [set(re.findall(r'"([a-z]+)"', one)) & NAMES for one in lists]
    assert max(map(len, listed), default=0) < len(NAMES) / 2


def test_what_templates_wait_for_can_be_told():
    templates = (BASE_DIR / "templates").rglob("*.html")
    waited = {name for path in templates for name in TRIGGER.findall(path.read_text("utf-8"))}
    assert {"tables", "places", "list"} <= waited
    assert waited - OF_SCRIPTS <= NAMES
