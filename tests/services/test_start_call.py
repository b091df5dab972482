"""The five-minute call: written down once, at the instant it was due, whenever somebody comes."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.test_races import at_once
from tournaments.changes.access import SYSTEM
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.services.clock import (
    clock_plan_start,
    clock_start,
    start_announce,
    start_called,
)
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Action
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.tasks import starts_call

pytestmark = pytest.mark.django_db


@pytest.fixture
def at(monkeypatch):
    """Let the task run, so many minutes after the planned start."""

    def run(minute):
        monkeypatch.setattr("django.utils.timezone.now", lambda: f.after(minute))
        starts_call()

    return run


def calls(event):
    rows = Action.objects.filter(event=event, kind="announcement.start_called")
    return [(row.at, row.recorded_at) for row in rows.order_by("sequence")]


def test_the_call_is_written_down_once_when_it_is_due(at):
    event = f.make_event()
    at(-5.01)
    assert calls(event) == []
    at(-5)
    at(-4)
    assert calls(event) == [(f.after(-5), f.after(-5))]
    assert describe(Action.objects.get(event=event, kind="announcement.start_called")) == (
        "Fünf Minuten bis zum Beginn"
    )


@pytest.mark.parametrize("minute", [-1, 20])
def test_a_late_worker_stamps_the_instant_it_was_due(at, minute):
    event = f.make_event()
    at(minute)
    assert calls(event) == [(f.after(-5), f.after(minute))]
    assert log_first_fault(event) is None


def test_a_start_in_between_changes_nothing(at):
    event = f.make_seated_event(3)
    f.drive(clock_start, event, -2)
    at(1)
    assert calls(event) == [(f.after(-5), f.after(1))]


@pytest.mark.parametrize("case", ["cancelled", "started", "moved off", "moved near", "made late"])
def test_nobody_is_called_for_what_was_not_planned(at, case):
    event = f.make_event(at=f.after(-3)) if case == "made late" else f.make_seated_event(3)
    if case == "cancelled":
        f.drive(event_cancel, event, -10)
    elif case == "started":
        f.drive(clock_start, event, -10)
    elif case == "moved off":
        f.drive(event_update, event, -10, settings={"starts_at": f.after(30)})
    elif case == "moved near":
        f.drive(event_update, event, -30, settings={"starts_at": f.after(90)})
        f.drive(event_update, event, -3, settings={"starts_at": f.START})
    at(-1)
    assert calls(event) == []


def test_one_that_was_moved_is_called_for_its_new_time(at):
    event = f.make_event()
    at(-5)
    f.drive(event_update, event, -4, settings={"starts_at": f.after(30)})
    at(26)
    assert [due for due, _ in calls(event)] == [f.after(-5), f.after(25)]


def test_other_settings_changed_late_do_not_matter(at):
    event = f.make_event()
    f.drive(event_update, event, -4, settings={"capacity": 70})
    at(-1)
    assert len(calls(event)) == 1


def test_a_sample_calls_nobody(at):
    event = f.make_event(is_sample=True)
    at(-5)
    assert calls(event) == []


def test_an_evening_long_past_calls_nobody(at):
    event = f.make_event()
    at(61)
    assert calls(event) == []


@pytest.mark.django_db(transaction=True)
def test_two_workers_write_it_down_once():
    event = f.make_event()

    def call():
        made = {"event": event, "by": SYSTEM, "at": f.after(-5), "recorded_at": f.after(-4)}
        return call_service(start_called, **made, starts_at=f.START)

    found = at_once(call, call)
    assert sorted(isinstance(one, Action) for one in found) == [False, True]
    assert "not_due" in found


# The director has it made


def due(event, minute):
    event = f.fresh(event)
    now = f.after(minute)
    return {item.kind for item in due_items(event, now, advice=floor_advice(event, now))}


def test_s5_started_early_the_log_says_that_nobody_was_called():
    event = f.make_seated_event(3)
    action = f.drive(clock_start, event, -10)
    assert describe(action) == "Uhr gestartet, ohne Aufruf fünf Minuten vorher"
    called = f.make_seated_event(3, name="Gerufen")
    assert describe(f.drive(clock_start, called, -4)) == "Uhr gestartet"


def test_s5_the_director_has_the_call_made_and_the_screens_count_five_minutes(at):
    event = f.make_seated_event(3)
    f.drive(clock_plan_start, event, -40, by_itself=True)
    action = f.drive(start_announce, event, -30)
    f.assert_logged(event, "start.announced", settings=["starts_at"])
    begins = f.after(-25) + timedelta(seconds=5)
    assert (f.fresh(event).starts_at, f.fresh(event).clock.starts_at) == (begins, begins)
    with f.refused("already_called", event):
        f.drive(start_announce, event, -29)
    at(-29)
    assert calls(event) == [(begins - timedelta(minutes=5), f.after(-29))]
    f.undo(event, action, at=f.after(-28))
    assert (f.fresh(event).starts_at, f.fresh(event).clock.starts_at) == (f.START, f.START)
    f.drive(clock_start, event, -1)
    with f.refused("already_started", event):
        f.drive(start_announce, event, 1)


def test_s5_planned_late_the_call_is_due_and_made_by_the_director():
    event = f.make_seated_event(3)
    assert DueKind.START_CALL not in due(event, -6)
    assert DueKind.START_CALL not in due(event, -4)
    f.drive(event_update, event, -30, settings={"starts_at": f.after(-27)})
    assert DueKind.START_CALL in due(event, -29)
    f.drive(start_announce, event, -29)
    assert DueKind.START_CALL not in due(event, -28.9)


def test_s5_after_the_planned_time_it_can_be_called_anew():
    event = f.make_seated_event(3)
    f.drive(start_announce, event, 20)
    assert f.fresh(event).starts_at == f.after(25) + timedelta(seconds=5)
