"""What was met on phones and laptops and had no test of its own; each by its words on the page."""

import re

import pytest

from tests import factories as f
from tests.pressing import done, url_of, words_of
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_end

pytestmark = pytest.mark.django_db


def test_lists_are_printed_from_the_halls_menu(client):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.DIRECTOR)
    page = client.get(url_of(event, "director")).text
    of_hall = re.split(r">\s*(?:Saal|Turnier)\s*<", page)[1]
    assert url_of(event, "papers") in of_hall


def test_two_of_one_name_are_told_apart_at_the_desk(client):
    event = f.make_event()
    f.register(event, "Hans Müller", email="hans@example.org")
    f.register(event, "Hans Müller", is_namesake=True)
    f.register(event, "Anna Lang", email="anna@example.org")
    f.sign_browser_in(client, Role.DESK, event)
    shown = words_of(client, event, "desk")
    assert "hans@example.org" in shown
    assert re.search(r"Hans Müller.{0,40} angemeldet \d\d\.\d\d\. \d\d:\d\d", shown)
    assert "anna@example.org" not in shown


def test_what_was_entered_last_is_said_to_be_this_phones_not_this_tables(client):
    event = f.make_running_event(10, seats=6)
    f.sign_browser_in(client, Role.ARBITER, event)
    entry = f.at_table(event, 2)[0]
    done(client, event, "floor-out", entry.pk)
    shown = words_of(client, event, "floor-table-panel", 1)
    assert "Auf diesem Gerät zuletzt eingetragen" in shown
    assert entry.registration.person.name in shown


def test_after_the_end_a_page_says_results_and_nobody_is_asked_to_register(client):
    event = f.make_running_event(3)
    assert "Zwischenstand" in words_of(client, event, "results")
    for entry in f.entries_of(event)[:2]:
        f.out(event, entry, at=f.after(30))
    f.drive(event_end, event, 40)
    shown = words_of(client, event, "results")
    assert "Zwischenstand" not in shown
    assert "Ergebnis" in shown
    page = text_of(client.get(url_of(event, "tournament")))
    assert re.search(r"> ?Vorbei ?</h2>", page)
    assert not re.search(r"> ?Anmelden ?<", page)
