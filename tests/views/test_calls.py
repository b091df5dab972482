"""The count for a player on the arbiter's phone: what the sheet offers, shows and refuses."""

import pytest

from clock.domain import instant_ms
from tests import factories as f
from tests.pressing import HTMX, done, refused, sheet, url_of
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.models import ClockCall
from tournaments.play.services.calls import clock_call_start

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(6, seats=6)


@pytest.fixture
def petra(event):
    return f.entries_of(event)[0]


@pytest.fixture
def dora(client, event):
    return f.sign_browser_in(client, Role.DIRECTOR, event)


def made(event, petra):
    action = clock_call_start(Command(event=event, by=SYSTEM, at=f.after(5)), entry=petra)
    return ClockCall.objects.get(made_by=action)


def test_one_tap_starts_the_count(client, dora, event, petra):
    assert "Clock" in sheet(client, event, "floor-player", petra.pk)
    answer = client.post(url_of(event, "floor-call-start", petra.pk), headers=HTMX)
    html = text_of(answer)
    row = ClockCall.objects.get()
    assert "data-call " in html
    assert f'data-ends-at="{instant_ms(row.began_at) + 10_000}"' in html
    assert "Hat gehandelt" in html
    assert "Check" not in html
    refused(client, event, "floor-call-over", row.pk, outcome="dead", sentence="läuft noch")
    done(client, event, "floor-call-stop", row.pk)


def test_the_watch_comes_first_when_asked_for(client, dora, event, petra):
    assert "Clock erst nach 30 Sekunden" in sheet(client, event, "floor-player", petra.pk)
    client.post(url_of(event, "floor-call-start", petra.pk), {"watch": "1"}, headers=HTMX)
    assert ClockCall.objects.get().has_watch


def test_what_it_came_to_is_tapped_once_the_time_is_out(client, dora, event, petra):
    row = made(event, petra)
    refused(client, event, "floor-call-over", row.pk, outcome="check", sentence="kein Ausgang")
    refused(client, event, "floor-call-over", row.pk, sentence="kein Ausgang")
    assert "Hand tot" in done(client, event, "floor-call-over", row.pk, outcome="dead")
    assert "schon eingetragen" in sheet(client, event, "floor-call", row.pk)
    refused(client, event, "floor-call-stop", row.pk, sentence="schon eingetragen")


def test_tda_offers_the_check(client):
    event = f.make_running_event(4, preset="tda-2024")
    f.sign_browser_in(client, Role.ARBITER, event)
    row = made(event, f.entries_of(event)[0])
    assert "Check" in sheet(client, event, "floor-call", row.pk)
    done(client, event, "floor-call-over", row.pk, outcome="check")


def test_an_open_count_is_found_again_at_the_table_and_on_the_sheet(client, dora, event, petra):
    row = made(event, petra)
    found = url_of(event, "floor-call", row.pk)
    assert found in text_of(client.get(url_of(event, "floor-table", 1)))
    assert found in text_of(client.get(url_of(event, "floor-player", petra.pk)))
    other = f.entries_of(event)[1]
    assert "Erst sagen, wie es ausging" in sheet(client, event, "floor-player", other.pk)


def test_krru_an_arbiter_reads_who_may(client, event, petra):
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Das macht die Turnierleitung: Clock" in sheet(client, event, "floor-player", petra.pk)
    refused(client, event, "floor-call-start", petra.pk, sentence="nur die Turnierleitung")
    assert not ClockCall.objects.exists()


def test_the_director_hands_it_to_arbiters_in_the_rules(client, dora, event):
    page = text_of(client.get(url_of(event, "event-rules")))
    assert 'name="arbiters_may_call_clock"' in page
    assert not f.fresh(event).lets_arbiters_call_clock


def test_what_was_taken_back_is_gone(client, dora, event, petra):
    row = made(event, petra)
    f.undo(event)
    assert client.get(url_of(event, "floor-call", row.pk)).status_code == 404
