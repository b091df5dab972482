"""A big screen whose tournament is gone turns to the one of the evening."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.models import Event, Screen
from tournaments.practice.services.sample import sample_remove
from tournaments.screens.selectors.faces import event_of_evening
from tournaments.screens.services.screens import screen_claim, screen_make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def now(monkeypatch):
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(5))


def gone(client):
    return client.get(reverse("screen", args=["fort"]))


def test_the_address_of_a_tournament_that_is_gone_leads_to_the_clock_of_the_evening(client):
    assert 'content="30; url=/t/fort/screen/"' in gone(client).text
    event = f.make_running_event(10)
    answer = gone(client)
    assert answer.status_code == 404
    assert f"Gleich kommt die Uhr von „{event.name}“" in answer.text
    assert f"url={reverse('screen', args=[event.slug])}" in answer.text


def test_the_evening_is_what_runs_then_what_begins_then_a_sample():
    club = f.house()
    assert event_of_evening(club, f.START) is None
    sample = f.make_running_event(10)
    Event.objects.update(is_sample=True, slug="beispiel")
    assert event_of_evening(club, f.after(5)) == sample
    planned = f.make_event(starts_at=f.START + timedelta(hours=3))
    assert event_of_evening(club, f.after(5)) == planned
    Event.objects.filter(pk=planned.pk).update(starts_at=f.START + timedelta(days=3))
    assert event_of_evening(club, f.after(5)) == sample
    assert event_of_evening(club, f.after(5), but=sample) is None


def test_a_paired_screen_of_a_removed_sample_shows_what_runs(
    client, django_capture_on_commit_callbacks
):
    sample = f.make_running_event(10)
    Event.objects.update(is_sample=True, slug="beispiel")
    screen = screen_make(club=sample.club, secret="geheim", at=f.START)
    made = {"club": sample.club, "by": SYSTEM, "at": f.START}
    call_service(screen_claim, **made, code=screen.code, name="Beamer", event=sample)
    evening = f.make_running_event(10)
    before = Screen.objects.get().version
    with django_capture_on_commit_callbacks(execute=True):
        sample_remove(
            ClubCommand(club=sample.club, by=SYSTEM, at=f.after(9)),
            event=Event.objects.get(pk=sample.pk),
        )
    row = Screen.objects.get()
    assert (row.event, row.version) == (evening, before + 1)
