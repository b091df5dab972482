"""The parts of pages that are template tags."""

import re

import pytest
from django.template import Context, Template
from django.urls import NoReverseMatch

from krru.data.folder import BASE_DIR
from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.kinds import Part, Topic

KEYS = (
    '<input type="hidden" name="csrfmiddlewaretoken" value="one" autocomplete="off">'
    '<input type="hidden" name="idempotency_key" value="two" autocomplete="off">'
)
PARTS = {
    '{% button "big" %}Aus{% endbutton %}': '<button class="button button-big">Aus</button>',
    '{% button hx_post="director"|url:slug more="wide" %}Aus{% endbutton %}': (
        '<button class="button wide" hx-post="/t/abend/leitung/" type="button">Aus</button>'
    ),
    '{% button hx_post="/aus/" data_queue="out" unless="Nein." why="no-out" %}Aus{% endbutton %}': (
        '<button aria-describedby="no-out" class="button" type="button" disabled>Aus</button>'
    ),
    '{% button sheet="/wer/" %}Wer{% endbutton %}': (
        '<button aria-haspopup="dialog" class="button" hx-get="/wer/" hx-target="#sheet"'
        ' type="button">Wer</button>'
    ),
    '{% button href="club-settings"|url %}Verein{% endbutton %}': (
        '<a class="button" href="/verein/">Verein</a>'
    ),
    '{% form "row" post="/los/" %}Los{% endform %}': (
        '<form action="/los/" class="row" hx-post="/los/" method="post">'
        f'{KEYS}Los<div class="refusal-slot"></div></form>'
    ),
    '{% form action="/los/" %}Los{% endform %}': (
        f'<form action="/los/" method="post">{KEYS}Los</form>'
    ),
    '{% form hx_post="/los/" %}Los{% endform %}': (
        '<form hx-post="/los/">Los<div class="refusal-slot"></div></form>'
    ),
    '{% row_link "/wer/" opens=True %}Wer{% endrow_link %}': (
        '<li><a aria-haspopup="dialog" class="list-link" href="/wer/" hx-get="/wer/"'
        ' hx-target="#sheet">Wer<svg class="icon" aria-hidden="true">'
        '<use href="/static/tournaments/icons.svg#chevron-right"></use></svg></a></li>'
    ),
    '{% text_field "why" _("Grund") name="reason" note=_("Kurz.") %}': (
        '<div class="field"><label class="field-label" for="why">Grund</label>'
        '<input autocomplete="off" id="why" name="reason">'
        '<p class="field-help">Kurz.</p></div>'
    ),
    '{% text_field "" _("Grund") name="reason" autocomplete=None %}': (
        '<label class="field"><span class="field-label">Grund</span><input name="reason"></label>'
    ),
    '{% select_field "who" _("Wer") "who" choices "b" %}': (
        '<div class="field"><label class="field-label" for="who">Wer</label>'
        '<select id="who" name="who"><option value="a">A</option>'
        '<option value="b" selected>B</option></select></div>'
    ),
    '{% more _("Mehr") "card" %}Alles{% endmore %}': (
        '<details class="card more"><summary><svg class="icon" aria-hidden="true">'
        '<use href="/static/tournaments/icons.svg#chevron-right"></use></svg>Mehr</summary>'
        "Alles</details>"
    ),
    '{% table_head "-#" _("Name") sign %}': (
        '<thead><tr><th scope="col">Name</th><th scope="col" class="number">&lt;</th></tr></thead>'
    ),
    '{% styles "events" "parts/posts" %}': (
        '<link rel="stylesheet" href="/static/tournaments/css/pages/events.css">\n'
        '  <link rel="stylesheet" href="/static/tournaments/css/parts/posts.css">'
    ),
}


@pytest.mark.parametrize("text", PARTS)
def test_a_part_becomes_html(text):
    given = {
        "slug": "abend",
        "sign": "<",
        "csrf_token": "one",
        "form_key": "two",
        "choices": ["aA", "bB"],
    }
    assert Template(text).render(Context(given)) == PARTS[text]


@pytest.mark.parametrize(
    "file", sorted(BASE_DIR.glob("templates/**/*.html")), ids=lambda file: file.stem
)
def test_every_form_that_is_posted_brings_its_keys(file):
    text = file.read_text("utf-8")
    forms = re.findall(r'<form[^>]*\bmethod="post".*?</form>', text, re.DOTALL)
    assert [form for form in forms if "{% form_keys %}" not in form] == []
    assert "{% csrf_token %}" not in text


def test_each_form_of_a_page_has_a_key_of_its_own():
    page = Template("{% form_keys %}{% form_keys %}").render(Context())
    assert len(set(re.findall(r'idempotency_key" value="([0-9a-f-]{36})"', page))) == 2


def test_an_address_that_does_not_exist_is_no_silent_gap():
    with pytest.raises(NoReverseMatch):
        Template('{% button href="nowhere"|url:1 %}Weg{% endbutton %}').render(Context())


# --- Pages are told the names of all that the stream may tell; no script has a list of its own


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
def test_a_page_with_a_stream_is_told_every_name(dora):
    event = f.make_running_event(3)
    for name in ("tournament", "director", "desk", "floor", "screen"):
        text = dora.get(url_of(event, name)).content.decode()
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
