"""What the hall is told of its times: the call to the start, the end of late entry, closing."""

from datetime import timedelta

import pytest

from clock.models import Level
from clock.selectors import clock_levels
from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.due_money import closing_items
from tournaments.dashboard.selectors.items import DueKind, Urgency
from tournaments.event.selectors.event import closing_of, event_accepts_late
from tournaments.event.selectors.labels import late_until
from tournaments.event.services.clock import (
    clock_pause,
    clock_plan_start,
    clock_start,
    start_announce,
    start_called,
)
from tournaments.event.services.lifecycle import event_cancel, event_copy, event_end, event_update
from tournaments.models import Action, ClosingCall, Event
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.places import closing_announce
from tournaments.play.services.stacks import stacks_count
from tournaments.post.selectors.announcements import announcement_payload
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
    f.refuses("not_due", start_called, event, -4, starts_at=f.START)
    assert calls(event) == [(f.after(-5), f.after(-5))]
    # One that was moved is called for its new time.
    f.drive(event_update, event, -4, settings={"starts_at": f.after(30)})
    at(26)
    assert [due for due, _ in calls(event)] == [f.after(-5), f.after(25)]
    assert describe(f.last_action(event)) == "Fünf Minuten bis zum Beginn"


@pytest.mark.parametrize("case", [-1, 20, "started meanwhile", "other settings"])
def test_a_late_worker_stamps_the_instant_it_was_due(at, case):
    event = f.make_seated_event(3)
    if case == "started meanwhile":
        f.drive(clock_start, event, -2)
    elif case == "other settings":
        f.drive(event_update, event, -4, settings={"capacity": 70})
    minute = case if isinstance(case, int) else 1
    at(minute)
    assert calls(event) == [(f.after(-5), f.after(minute))]
    assert log_first_fault(event) is None


@pytest.mark.parametrize(
    "case",
    ["cancelled", "started", "moved off", "moved near", "made late", "a sample", "long past"],
)
def test_nobody_is_called_for_what_was_not_planned(at, case):
    if case in ("made late", "a sample"):
        late = {"at": f.after(-3)} if case == "made late" else {"is_sample": True}
        event = f.make_event(**late)
    else:
        event = f.make_seated_event(3)
    if case == "cancelled":
        f.drive(event_cancel, event, -10)
    elif case == "started":
        f.drive(clock_start, event, -10)
    elif case == "moved off":
        f.drive(event_update, event, -10, settings={"starts_at": f.after(30)})
    elif case == "moved near":
        f.drive(event_update, event, -30, settings={"starts_at": f.after(90)})
        f.drive(event_update, event, -3, settings={"starts_at": f.START})
    at(61 if case == "long past" else -1)
    assert calls(event) == []


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
    f.refuses("already_called", start_announce, event, -29)
    at(-29)
    assert calls(event) == [(begins - timedelta(minutes=5), f.after(-29))]
    f.undo(event, action, at=f.after(-28))
    assert (f.fresh(event).starts_at, f.fresh(event).clock.starts_at) == (f.START, f.START)
    f.drive(clock_start, event, -1)
    f.refuses("already_started", start_announce, event, 1)


def test_s5_planned_late_the_call_is_due_and_made_by_the_director():
    event = f.make_seated_event(3)
    assert DueKind.START_CALL not in due(event, -6)
    assert DueKind.START_CALL not in due(event, -4)
    f.drive(event_update, event, -30, settings={"starts_at": f.after(-27)})
    assert DueKind.START_CALL in due(event, -29)
    f.drive(start_announce, event, -29)
    assert DueKind.START_CALL not in due(event, -28.9)
    # After the planned time it can be called anew.
    f.drive(start_announce, event, 20)
    assert f.fresh(event).starts_at == f.after(25) + timedelta(seconds=5)


@pytest.fixture
def with_breaks():
    """Levels of 20 minutes; the second and the fourth row are breaks."""
    made = f.make_seated_event(4)
    rows = Level.objects.filter(clock=made.clock, position__in=[1, 3])
    rows.update(kind="break", small_blind=0, big_blind=0, big_bet=0)
    return f.fresh(made)


def set_break(event, number):
    f.drive(event_update, event, -60, settings={"late_registration_break": number})


def begun(event, **settings):
    f.drive(event_update, event, -60, settings=settings)
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def open_until(event):
    """Return the minute with which it closes."""
    minutes = [minute for minute in range(0, 200, 5) if event_accepts_late(event, f.after(minute))]
    assert minutes == list(range(0, 5 * len(minutes), 5))
    return 5 * len(minutes)


def test_it_ends_with_the_level_or_with_the_break(with_breaks):
    event = begun(with_breaks, name="Abend")
    for level, pause, closes, words in (
        (1, 0, 20, "bis zum Ende von Stufe 1"),
        (2, 0, 60, "bis zum Ende von Stufe 2"),
        (0, 1, 40, "bis zum Ende der 1. Pause (nach Stufe 1)"),
        (0, 2, 80, "bis zum Ende der 2. Pause (nach Stufe 2)"),
        (9, 1, 40, "bis zum Ende der 1. Pause (nach Stufe 1)"),  # the break counts
        (0, 0, 0, ""),
    ):
        settings = {"late_registration_level": level, "late_registration_break": pause}
        f.drive(event_update, event, 0, settings=settings)
        event = f.fresh(event)
        assert (open_until(event), late_until(event)) == (closes, words)


def test_who_comes_in_the_last_break_is_let_in_and_nobody_after_it(with_breaks):
    event = begun(with_breaks, late_registration_break=1)
    f.register(event, "Zeno", by=f.ZENO, at=f.after(39))
    f.refuses("closed", f.register, event, "Zenobia", by=f.ZENO, at=f.after(40))


def test_a_break_that_the_schedule_has_not_is_refused(with_breaks):
    for left, number, sentence in (
        ([1, 3], 3, "Der Blindplan hat nur 2 Pausen."),
        ([1], 2, "Der Blindplan hat nur eine Pause."),
        ([], 1, "Der Blindplan hat keine Pause."),
    ):
        breaks = Level.objects.filter(clock=with_breaks.clock, kind="break")
        breaks.exclude(position__in=left).delete()
        assert f.refuses("bad_late_break", set_break, with_breaks, number) == sentence


def test_the_setting_is_taken_back_copied_and_outlives_a_schedule_without_the_break(with_breaks):
    set_break(with_breaks, 2)
    command = ClubCommand(club=with_breaks.club, by=SYSTEM, at=f.ARRIVAL)
    made = event_copy(command, source=f.fresh(with_breaks))
    assert Event.objects.get(pk=made.payload["event"]).late_registration_break == 2
    f.undo(with_breaks, at=f.after(-59))
    assert f.fresh(with_breaks).late_registration_break == 0
    set_break(with_breaks, 2)
    Level.objects.filter(clock=with_breaks.clock, position=3).update(kind="play", big_blind=2)
    with_breaks = begun(with_breaks, name="Anders")
    assert open_until(with_breaks) == 40


@pytest.fixture
def eight():
    return f.make_running_event(8, seats=8)


def announce_closing(event, minute=1, **own):
    return f.drive(closing_announce, event, minute, **own)


def kinds(event, minute):
    return [item.kind for item in closing_items(f.fresh(event), f.after(minute))]


def length(event):
    return clock_levels(event.clock)[0].duration.total_seconds() / 60


def test_it_is_announced_two_levels_ahead_on_the_screens_until_it_is_taken_back(eight):
    announce_closing(eight)
    f.assert_logged(eight, "closing.announced", number=3, stays=True)
    closing = closing_of(f.fresh(eight), f.after(2))
    assert (closing.number, closing.is_over) == (3, False)
    assert closing.ends_at == f.after(3 * length(eight))
    told = announcement_payload(f.fresh(eight), f.after(30))
    assert told["standing"].startswith("Sperrstunde: Gespielt wird bis zum Ende von Stufe 3.")
    f.undo(eight, at=f.after(31))
    assert closing_of(f.fresh(eight), f.after(32)) is None
    assert announcement_payload(f.fresh(eight), f.after(33))["standing"] == ""


def test_it_is_refused_where_it_says_nothing_or_too_few_levels_are_left(eight):
    levels = clock_levels(eight.clock)
    late = sum(level.duration.total_seconds() / 60 for level in levels[:-1]) + 1
    f.refuses("no_levels", announce_closing, eight, late)
    announce_closing(eight)
    f.refuses("already_announced", announce_closing, eight, 2)
    with f.refused("not_started", planned := f.make_seated_event(4)):
        announce_closing(planned)
    assert ClosingCall.objects.count() == 1


def test_after_the_last_level_the_clock_is_stopped_stacks_are_counted_and_rank(eight):
    announce_closing(eight)
    assert kinds(eight, 2) == []
    over = 3 * length(eight) + 1
    assert kinds(eight, over) == [DueKind.CLOCK_RUNS]
    f.drive(clock_pause, eight, over)
    assert kinds(eight, over) == [DueKind.CLOSING_COUNT]
    entries, each = f.entries_of(eight), eight.starting_stack
    stacks = {entry.pk: each for entry in entries}
    stacks[entries[0].pk], stacks[entries[1].pk] = 2 * each - 1, 1
    f.drive(stacks_count, eight, over + 1, table=f.table_of(eight, 1), stacks=stacks)
    assert kinds(eight, over + 2) == [DueKind.CLOSING_END]
    f.drive(event_end, eight, over + 3, stacks=stacks)
    places = places_of(f.fresh(eight))
    assert places[entries[0].pk] == 1
    assert places[entries[1].pk] == len(entries)
    assert {places[entry.pk] for entry in entries[2:]} == {2}
    assert announcement_payload(f.fresh(eight), f.after(over + 10))["standing"] == ""


def test_it_is_proposed_while_it_can_still_be_announced_in_time(eight):
    for wrong in ("24:00", "abc", "7:5", "2330", "٢٣:٣٠"):
        f.refuses("bad_closing_time", event_update, eight, 2, settings={"closing_time": wrong})
    # Play begins at 19:00 in the hall; nobody is out after ten minutes.
    f.drive(event_update, eight, 2, settings={"closing_time": "06:00"})
    assert kinds(eight, 10) == []
    f.drive(event_update, eight, 3, settings={"closing_time": "20:30"})
    early, late = (closing_items(f.fresh(eight), f.after(minute)) for minute in (4, 25))
    assert [item.kind for item in (*early, *late)] == [DueKind.CLOSING_PROPOSED] * 2
    assert (early[0].urgency, late[0].urgency) == (Urgency.LATER, Urgency.SOON)
    assert "Sperrstunde ist um 20:30" in early[0].note
