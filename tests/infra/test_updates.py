"""The look for a newer release, against a server on loopback."""

import json
import threading
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from krru import __version__, tasks
from krru.background import updates
from krru.data.folder import Trouble
from krru.observing import health
from krru.web.outgoing import MOST_BYTES
from tests import factories as f
from tests.outside import Outside, served
from tests.views.pages import text_of
from tournaments.changes.access import Role

pytestmark = pytest.mark.django_db

NOTES = "https://example.org/notes"


def told(*versions, **more):
    return [{"tag_name": version, "html_url": NOTES, **more} for version in versions]


class Project(Outside):
    """A project's page of releases."""

    def __init__(self):
        super().__init__()
        self.status, self.headers, self.body = 200, {}, json.dumps(told("v99.1.0")).encode()
        self.waits = threading.Event()
        self.waits.set()

    def answer(self, path, headers, body):
        super().answer(path, headers, body)
        self.waits.wait(60)
        return self.status, self.headers, self.body


@pytest.fixture
def project(settings):
    f.house()
    with served(Project()) as server:
        settings.RELEASES_URL = f"{server.url}/releases.json"
        yield server
        server.waits.set()


def home(client, role):
    f.sign_browser_in(client, role)
    return text_of(client.get("/"))


def test_a_newer_one_is_told_to_the_director_alone_and_asked_for_once_a_day(project, client):
    updates.check(f.after(0))
    said = "Version 99.1.0 ist erschienen."
    assert said in home(client, Role.DIRECTOR)
    assert NOTES in home(client, Role.DIRECTOR)
    assert said not in home(client, Role.DESK)
    assert said not in text_of(Client().get("/"))
    updates.check(f.after(23 * 60))
    assert len(project.heard) == 1
    updates.check(f.after(24 * 60))
    assert len(project.heard) == 2
    # A clock that was a year ahead does not end the looking.
    updates.check(f.after(0) - timedelta(days=365))
    assert len(project.heard) == 3
    path, headers, body = project.heard[0]
    assert (path, body) == ("/releases.json", b"")
    own = {"Host", "Accept-Encoding", "Content-Length"}
    assert {n: v for n, v in headers.items() if n not in own} == {
        "User-Agent": "krru",
        "Accept": "application/json",
    }


def test_off_nothing_is_asked_nor_told(project, client, settings):
    updates.check(f.after(0))
    settings.RELEASES_URL = ""
    tasks.updates_due()
    assert "ist erschienen" not in home(client, Role.DIRECTOR)
    assert len(project.heard) == 1
    with pytest.raises(Trouble, match="KRRU_RELEASES_URL"):
        call_command("newest")


@pytest.mark.parametrize(
    "answer",
    [
        told(__version__),
        told("0.0.9", f"v{__version__}"),
        told("99.0.0", draft=True),
        told("99.0.0", prerelease=True),
        told("0.0.1")[0],
        told("99.0.0rc1", "1"),
    ],
)
def test_none_newer_says_nothing(project, client, answer):
    project.body = json.dumps(answer).encode()
    updates.check(f.after(0))
    assert len(project.heard) == 1
    assert "ist erschienen" not in home(client, Role.DIRECTOR)


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"<html>"),
        (200, b"[" * 100_000),
        (200, b'[{"tag_name": "v99.0.0"}, "' + b"x" * MOST_BYTES + b'"]'),
        (200, b"[]"),
        (200, b'{"tag_name": null}'),
        (404, b""),
        (302, json.dumps(told("99.0.0")).encode()),
    ],
)
def test_what_fails_stands_in_the_state_alone(project, client, monkeypatch, status, body):
    monkeypatch.setattr(health, "WRITE_PATIENCE_S", 0)  # the test's own transaction writes
    project.status, project.body = status, body
    project.headers = {"Location": f"{project.url}/elsewhere"}
    updates.check(f.after(0))
    assert health.report()["updates_problem"] == updates.last_problem() != ""
    assert "ist erschienen" not in home(client, Role.DIRECTOR)
    assert [path for path, *_rest in project.heard] == ["/releases.json"]
    with pytest.raises(Trouble, match="Keine Auskunft"):
        call_command("newest")


def test_a_project_that_does_not_answer_is_left_after_a_while(project, monkeypatch):
    monkeypatch.setattr(updates, "PATIENCE_SECONDS", 0.2)
    project.waits.clear()
    updates.check(f.after(0))
    assert updates.last_problem()


@pytest.mark.parametrize("url", ["http://example.org/x", "file:///etc/passwd", "http://[", "x"])
def test_only_https_or_this_machine_is_asked(project, settings, url):
    settings.RELEASES_URL = url
    updates.check(f.after(0))
    assert updates.last_problem()


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://notes.test/\ud800"])
def test_notes_that_are_no_page_get_no_link(project, client, url):
    project.body = json.dumps({"tag_name": "99.0.0", "html_url": url}).encode()
    updates.check(f.after(0))
    text = home(client, Role.DIRECTOR)
    assert "Version 99.0.0 ist erschienen." in text
    assert url.partition(":")[2][:9] not in text
    said = StringIO()
    call_command("newest", stdout=said)
    assert said.getvalue() == "Version 99.0.0 ist erschienen.\n"
