"""Somebody sets the computer's clock while the evening runs, with injected clocks.

A `Computer` has a wall clock, a boot clock and processes that know the server's time; it can be
set, put to sleep and started anew. What is checked is what the hall sees.
"""

from datetime import timedelta

import pytest

from clock.models import ClockAction, TimeBase
from clock.selectors import clock_state
from clock.servertime import ServerTime
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.event.selectors.clock import clock_at
from tournaments.event.services.clock import clock_adjust, clock_pause, clock_start
from tournaments.event.services.ending import event_end
from tournaments.models import Action
from tournaments.timekeeping import time_follow

pytestmark = pytest.mark.django_db
HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


class Computer:
    def __init__(self, commit):
        self.wall, self.on_for, self.boots, self._commit = f.START, timedelta(days=3), 1, commit
        self.processes = []
        self.process()

    def process(self):
        """Start a process of the program."""
        made = ServerTime(lambda: self.wall, lambda: self.on_for)
        self.processes.append(made)
        self.look(made)
        return made

    def look(self, *times):
        for one in times or self.processes:
            with self._commit(execute=True):
                time_follow(one, f"boot-{self.boots}")

    def passes(self, span):
        """Time goes on, for the awake and the sleeping."""
        self.wall, self.on_for = self.wall + span, self.on_for + span

    def set(self, step):
        """Set the wall clock; the processes have not looked yet."""
        self.wall += step

    def starts_anew(self):
        self.on_for, self.boots, self.processes = timedelta(), self.boots + 1, []
        return self.process()

    @property
    def now(self):
        return self.processes[0].now()


@pytest.fixture
def event():
    return f.make_running_event(3)


@pytest.fixture
def computer(django_capture_on_commit_callbacks, event):
    return Computer(django_capture_on_commit_callbacks)


def left(event, now):
    return clock_state(event.clock, max(now, f.fresh(event).log_recorded_at)).remaining


def corrections(event):
    return list(Action.objects.filter(event=event, kind="clock.corrected").order_by("sequence"))


def press(service, event, computer, **own):
    """Do something at the clock now, as a page does."""
    at = max(computer.now, f.fresh(event).log_recorded_at)
    return call_service(service, event=event, by=f.SYSTEM, at=at, **own)


def test_set_forward_an_hour_the_time_left_stays(computer, event):
    computer.passes(7 * MINUTE)
    computer.set(HOUR)
    assert left(event, computer.now) == 13 * MINUTE
    assert computer.now == f.after(7)
    computer.look()
    assert computer.now == f.after(67)
    assert left(event, computer.now) == 13 * MINUTE
    (action,) = corrections(event)
    assert (action.at, action.payload["step_ms"]) == (f.after(67), 3_600_000)
    assert "+1:00:00" in describe(action)
    computer.passes(13 * MINUTE - SECOND)
    assert left(event, computer.now) == SECOND
    computer.passes(SECOND)
    assert clock_state(event.clock, computer.now).level.number == 2
    assert log_first_fault(event) is None


def test_set_back_an_hour_the_time_left_stays(computer, event):
    """Nothing was written down for an hour: the time follows."""
    computer.passes(65 * MINUTE)
    before = clock_state(event.clock, computer.now)
    computer.set(-HOUR)
    assert left(event, computer.now) == before.remaining
    computer.look()
    assert computer.now == f.after(5)
    after = clock_state(event.clock, computer.now)
    assert (after.remaining, after.level) == (before.remaining, before.level)
    assert corrections(event)[0].payload["step_ms"] == -3_600_000


def test_set_back_behind_what_was_written_down_the_time_goes_on(computer, event):
    computer.passes(25 * MINUTE)
    press(clock_adjust, event, computer, seconds=60)
    computer.passes(MINUTE)
    expected = left(event, computer.now)
    computer.set(-HOUR)
    computer.look()
    assert (computer.now, left(event, computer.now)) == (f.after(26), expected)
    assert corrections(event) == []
    computer.passes(2 * MINUTE)
    computer.look()
    assert left(event, computer.now) == expected - 2 * MINUTE
    press(clock_pause, event, computer)
    assert ClockAction.objects.latest("at").at == f.after(28)
    assert computer.processes[0].ahead() == HOUR
    press(event_end, event, computer)
    computer.look()
    assert computer.now == f.after(-32)


def test_set_right_again_the_time_is_as_before(computer, event):
    computer.passes(5 * MINUTE)
    press(clock_adjust, event, computer, seconds=60)
    computer.set(-HOUR)
    computer.look()
    computer.passes(MINUTE)
    computer.set(HOUR)
    computer.look()
    assert (computer.now, corrections(event)) == (f.after(6), [])


def test_back_a_little_the_time_follows_as_soon_as_it_may(computer, event):
    computer.passes(5 * MINUTE)
    press(clock_adjust, event, computer, seconds=-60)
    computer.set(-10 * SECOND)
    computer.look()
    assert computer.now == f.after(5)
    computer.passes(10 * SECOND)
    computer.look()
    assert computer.now == computer.wall
    assert left(event, computer.now) == 14 * MINUTE - 10 * SECOND
    assert len(corrections(event)) == 1


def test_a_clock_that_stands_has_nothing_to_lose(computer, event):
    computer.passes(5 * MINUTE)
    press(clock_pause, event, computer)
    computer.set(HOUR)
    computer.look()
    assert (left(event, computer.now), corrections(event)) == (15 * MINUTE, [])
    press(clock_start, event, computer)
    computer.passes(MINUTE)
    assert left(event, computer.now) == 14 * MINUTE


def test_a_computer_that_slept_is_no_step(computer, event):
    """Wall and boot clock both went on, and so did the evening in the hall."""
    computer.passes(3 * HOUR)
    computer.look()
    assert corrections(event) == []
    assert clock_state(event.clock, computer.now).elapsed == timedelta()
    assert clock_state(event.clock, computer.now).level.number == 10


def test_a_second_off_is_no_step(computer, event):
    computer.set(SECOND)
    computer.look()
    assert (computer.now, corrections(event)) == (computer.wall, [])


def test_clocks_that_drift_apart_are_no_step(computer, event):
    """Two crystals, 50 s apart after an evening: nothing is corrected, after a restart neither."""
    for _ in range(100):
        computer.passes(5 * MINUTE)
        computer.wall += SECOND / 2
        computer.look()
    assert (computer.now, corrections(event)) == (computer.wall, [])
    fresh = computer.process()
    assert (fresh.now(), corrections(event)) == (computer.wall, [])
    computer.set(HOUR)
    computer.look()
    assert len(corrections(event)) == 1


def test_two_processes_correct_once(computer, event):
    other = computer.process()
    computer.passes(7 * MINUTE)
    computer.set(HOUR)
    assert other.now() == computer.now == f.after(7)
    computer.look()
    computer.look()
    assert len(corrections(event)) == 1
    assert other.now() == computer.now == computer.wall
    assert left(event, other.now()) == 13 * MINUTE
    assert TimeBase.objects.count() == 1


def test_set_while_the_program_did_not_run(computer, event):
    computer.passes(7 * MINUTE)
    computer.processes.clear()
    computer.passes(2 * MINUTE)
    computer.set(HOUR)
    fresh = computer.process()
    assert fresh.now() == computer.wall
    assert left(event, fresh.now()) == 11 * MINUTE
    assert len(corrections(event)) == 1


def test_after_a_start_with_a_clock_set_back_the_time_goes_on_from_what_was_written(
    computer, event
):
    computer.passes(25 * MINUTE)
    press(clock_adjust, event, computer, seconds=60)
    computer.set(-HOUR)
    fresh = computer.starts_anew()
    assert fresh.now() == f.after(25)
    computer.passes(MINUTE)
    computer.look()
    assert left(event, fresh.now()) == 15 * MINUTE
    assert corrections(event) == []


def test_a_start_after_the_time_went_back_is_not_in_the_future(computer, event):
    """Checked in, the clock of the computer is put right, and the evening begins: it runs."""
    press(event_end, event, computer)
    planned = f.make_seated_event(3, name="Zweiter Abend")
    f.register(planned, "Spät Dran", at=f.after(10))
    computer.passes(12 * MINUTE)
    computer.set(-HOUR)
    computer.look()
    assert computer.now == computer.wall
    press(clock_start, planned, computer)
    computer.look()
    begun = left(planned, computer.now)
    computer.passes(MINUTE)
    computer.look()
    assert begun - left(planned, computer.now) == MINUTE


def test_an_evening_forgotten_long_ago_holds_nobody_back(computer, event):
    computer.passes(13 * HOUR)
    computer.set(-timedelta(days=2))
    computer.look()
    assert computer.now == computer.wall


def test_the_correction_can_be_taken_back(computer, event):
    computer.passes(7 * MINUTE)
    computer.set(10 * MINUTE)
    computer.look()
    f.undo(event, corrections(event)[0], at=computer.now)
    assert left(event, computer.now) == 3 * MINUTE


def test_what_was_shown_before_a_step_stays(computer, event):
    computer.passes(7 * MINUTE)
    computer.set(HOUR)
    computer.look()
    assert clock_at(f.fresh(event), f.after(6)).state.remaining == 14 * MINUTE


def test_looking_costs_nothing_while_the_clocks_agree(computer, django_assert_num_queries):
    computer.passes(MINUTE)
    with django_assert_num_queries(0):
        time_follow(computer.processes[0], "boot-1")
