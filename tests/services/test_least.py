"""A least number of registrations: announced, decided in time, told to all."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests import factories as f
from tests.pressing import press, text_of, url_of
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due_before import before_items
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Message
from tournaments.post.selectors.announcements import said_by
from tournaments.seating.selectors.balancing import FloorAdvice

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.planned(least_entries=3, least_hours=2, capacity=9),
]
HOUR = 60


def due(event, minute):
    """Return kind and title of the first item, so many minutes after the start."""
    first, *_others = before_items(f.fresh(event), f.after(minute), [], FloorAdvice())
    return first.kind.value, first.title


def test_it_is_told_before_decided_in_time_and_told_to_all(client, event):
    f.register(event, "Anna")
    assert due(event, -27 * HOUR)[0] == "desk"
    assert due(event, -3 * HOUR)[1].endswith("fehlen noch 2 Anmeldungen")
    f.register(event, "Bert")
    short = ("least", "Nur 2 von mindestens 3 sind angemeldet")
    assert due(event, -HOUR) == short
    f.register(event, "Cleo")
    assert due(event, -HOUR) == ("least_met", "Es findet statt: 3 sind angemeldet")
    assert "Bisher:" not in text_of(client.get(url_of(event, "tournament")))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert (
        press(client, event, "announce", stock="Es findet statt: 3 sind angemeldet.").status_code
        == 200
    )
    assert said_by(Message.objects.get().made_by) == "Es findet statt: 3 sind angemeldet."
    assert due(event, -HOUR)[0] == "desk"


@pytest.mark.parametrize(
    ("ahead", "told"),
    [(3, "mindestens 3 angemeldet sind. Bisher: 1."), (1, "Ob es stattfindet, sagt die ")],
)
def test_the_page_tells_how_many_are_missing_then_who_decides(client, ahead, told):
    starts_at = timezone.now() + timedelta(hours=ahead)
    event = f.make_event(starts_at=starts_at, least_entries=3, least_hours=2, capacity=9)
    f.register(event, "Anna")
    poster = text_of(client.get(url_of(event, "tournament")))
    assert told in poster
    assert ("Bisher:" in poster) is (ahead > 2)


def test_nothing_is_asked_without_a_least_number_or_once_play_began(event):
    begun = f.make_running_event(4, least_entries=9, capacity=9)
    assert due(begun, 1)[0] != "least"
    f.drive(event_update, event, -HOUR, settings={"least_entries": 0})
    assert due(event, -HOUR)[0] == "desk"


@pytest.mark.parametrize("wrong", [{"least_entries": 10}, {"least_hours": 241}])
def test_more_than_there_is_room_for_is_refused(event, wrong):
    f.refuses(f"bad_{next(iter(wrong))}", event_update, event, -HOUR, settings=wrong)
