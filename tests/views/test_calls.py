"""The count for a player on the arbiter's phone: what the sheet offers, shows and refuses."""

import pytest

from clock.domain import instant_ms
from tests import factories as f
from tests.pressing import HTMX, done, refused, sheet, shows, url_of
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.models import ClockCall
from tournaments.play.services.calls import clock_call_start

pytestmark = [pytest.mark.django_db, pytest.mark.running(6, seats=6)]


@pytest.fixture
def petra(event):
    return f.entries_of(event)[0]


@pytest.fixture
def dora(client, event):
    return f.sign_browser_in(client, Role.DIRECTOR, event)


def made(event, petra):
    action = f.drive(clock_call_start, event, 5, entry=petra)
    return ClockCall.objects.get(made_by=action)


def test_one_tap_starts_the_count_or_the_watch_before_it(client, dora, event, petra):
    words = sheet(client, event, "floor-player", petra.pk)
    assert "Clock erst nach 30 Sekunden" in words
    start = url_of(event, "floor-call-start", petra.pk)
    html = text_of(client.post(start, headers=HTMX))
    row = ClockCall.objects.get()
    shows(
        html,
        "data-call ",
        f'data-ends-at="{instant_ms(row.began_at) + 10_000}"',
        "Hat gehandelt",
        but=("Check",),
    )
    refused(client, event, "floor-call-over", row.pk, outcome="dead", sentence="läuft noch")
    done(client, event, "floor-call-stop", row.pk)
    client.post(start, {"watch": "1"}, headers=HTMX)
    assert ClockCall.objects.latest("pk").has_watch


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


def test_an_open_count_is_found_again_until_it_is_taken_back(client, dora, event, petra):
    row = made(event, petra)
    found = url_of(event, "floor-call", row.pk)
    assert found in text_of(client.get(url_of(event, "floor-table", 1)))
    assert found in text_of(client.get(url_of(event, "floor-player", petra.pk)))
    other = f.entries_of(event)[1]
    assert "Erst sagen, wie es ausging" in sheet(client, event, "floor-player", other.pk)
    f.undo(event)
    assert client.get(found).status_code == 404


def test_krru_an_arbiter_reads_who_may(client, event, petra):
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Das macht die Turnierleitung: Clock" in sheet(client, event, "floor-player", petra.pk)
    refused(client, event, "floor-call-start", petra.pk, sentence="nur die Turnierleitung")
    assert not ClockCall.objects.exists()
