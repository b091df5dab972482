"""Late registration: until the end of a level, or of a break, as the settings have it."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.dashboard.selectors.clock import clock_items
from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.selectors.labels import late_until
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Levels of 20 minutes; the second and the fourth row are breaks."""
    made = f.make_seated_event(4)
    rows = Level.objects.filter(clock=made.clock, position__in=[1, 3])
    rows.update(kind="break", small_blind=0, big_blind=0, big_bet=0)
    return f.fresh(made)


def begin(event, **settings):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings=settings)
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    return f.fresh(event)


def open_until(event):
    """Return the minute with which it closes."""
    minutes = [minute for minute in range(0, 200, 5) if event_accepts_late(event, f.after(minute))]
    assert minutes == list(range(0, 5 * len(minutes), 5))
    return 5 * len(minutes)


@pytest.mark.parametrize(
    ("settings", "closes", "words"),
    [
        ({"late_registration_level": 1}, 20, "bis zum Ende von Stufe 1"),
        ({"late_registration_level": 2}, 60, "bis zum Ende von Stufe 2"),
        ({"late_registration_break": 1}, 40, "bis zum Ende der 1. Pause (nach Stufe 1)"),
        ({"late_registration_break": 2}, 80, "bis zum Ende der 2. Pause (nach Stufe 2)"),
        # The break counts, whatever the level says.
        ({"late_registration_break": 1, "late_registration_level": 9}, 40,
         "bis zum Ende der 1. Pause (nach Stufe 1)"),
        ({}, 0, ""),
    ],
)  # fmt: skip
def test_it_ends_with_the_level_or_with_the_break(event, settings, closes, words):
    event = begin(event, name="Abend", **settings)
    assert open_until(event) == closes
    assert late_until(event) == words


def test_who_comes_in_the_last_break_is_let_in_and_nobody_after_it(event):
    event = begin(event, late_registration_break=1)
    f.register(event, "Zeno", by=f.ZENO, at=f.after(39))
    with f.refused("closed", event):
        f.register(event, "Zenobia", by=f.ZENO, at=f.after(40))


def test_the_director_is_told_when_it_ends(event):
    event = begin(event, late_registration_break=1)
    (item,) = [item for item in clock_items(event, f.after(15)) if "Nachmelden" in item.title]
    assert item.title == "Nachmelden noch 25 min"
    assert item.note == "Schluss ist mit dem Ende der 1. Pause (nach Stufe 1)."


def test_a_break_that_the_schedule_has_not_is_refused(event):
    said = {"event": event, "by": SYSTEM, "at": f.ARRIVAL}
    with f.refused("bad_late_break", event) as caught:
        call_service(event_update, **said, settings={"late_registration_break": 3})
    assert str(caught.value) == "Der Blindplan hat nur 2 Pausen."
    Level.objects.filter(clock=event.clock, position=3).delete()
    with f.refused("bad_late_break", event) as caught:
        call_service(event_update, **said, settings={"late_registration_break": 2})
    assert str(caught.value) == "Der Blindplan hat nur eine Pause."
    Level.objects.filter(clock=event.clock, position=1).delete()
    with f.refused("bad_late_break", event) as caught:
        call_service(event_update, **said, settings={"late_registration_break": 1})
    assert str(caught.value) == "Der Blindplan hat keine Pause."


def test_the_setting_is_taken_back_and_copied(event):
    event_update(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"late_registration_break": 1}
    )
    made = event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL), source=f.fresh(event))
    assert Event.objects.get(pk=made.payload["event"]).late_registration_break == 1
    f.undo(event)
    assert f.fresh(event).late_registration_break == 0


def test_a_schedule_that_lost_its_break_stops_no_other_setting(event):
    event_update(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"late_registration_break": 2}
    )
    Level.objects.filter(clock=event.clock, position=3).update(kind="play", big_blind=2)
    event = begin(event, name="Anders")
    assert open_until(event) == 40
