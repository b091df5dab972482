"""What the clock showed at an instant that is past, whatever happened since."""

from datetime import timedelta

import pytest

from clock.domain import Level, LevelKind
from tests import factories as f
from tournaments.models import Action
from tournaments.selectors.clockwork import clock_at
from tournaments.services.clock import (
    clock_pause,
    clock_start,
)
from tournaments.services.lifecycle import event_schedule_set

pytestmark = pytest.mark.django_db
BREAK = Level(id=0, kind=LevelKind.BREAK, duration=timedelta(minutes=10))


@pytest.fixture
def event():
    return f.make_running_event(3)


def test_a_past_instant_answers_with_what_the_screens_showed(event):
    f.drive(clock_pause, event, 5)
    f.undo(event, at=f.after(8))
    assert not clock_at(event, f.after(6)).state.is_running
    assert clock_at(event, f.after(9)).state.is_running
    assert clock_at(event, f.after(30)).state.level.number == 2
    assert not clock_at(event, f.after(-1)).state.has_started


def test_before_another_plan_was_chosen_the_old_one_answers():
    event = f.make_seated_event(3)
    f.drive(event_schedule_set, event, -20, schedule=f.ScheduleTemplate.objects.get(name="T200"),
            level_minutes=7)  # fmt: skip
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    assert clock_at(event, f.after(-30)).state.level.duration == timedelta(minutes=20)
    assert clock_at(event, f.after(-10)).state.level.duration == timedelta(minutes=7)
    f.undo(event, at=f.after(1))
    f.undo(event, Action.objects.get(event=event, kind="event.schedule_set"), at=f.after(2))
    event = f.fresh(event)
    assert clock_at(event, f.after(0.5)).state.is_running
    assert clock_at(event, f.after(3)).state.level.duration == timedelta(minutes=20)
