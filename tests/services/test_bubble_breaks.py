"""Hand-for-hand across a break: when it begins, what it waits for, what the clock does after it."""

from datetime import timedelta

import pytest

from clock.selectors import clock_anchor, clock_state
from tests import factories as f
from tests.bubble import begin, elapsed, end, make_event, release, report, report_all
from tournaments.dashboard.selectors.due_before import clock_items
from tournaments.dashboard.selectors.due_play import bubble_items, clock_stands_rightly
from tournaments.dashboard.selectors.items import DueKind
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.play.selectors.bubble import bubble_of
from tournaments.rules.services.rules import event_rules_change
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.chairs import table_halt

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_a_break():
    """Hand-for-hand whose first hand leads into a break of 15 minutes, and is being played."""
    event = make_event()
    lead_into_a_break(event)
    return event


def lead_into_a_break(event):
    row = list(event.clock.levels.order_by("position"))[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    begin(event, 19)
    report_all(event, 0, 19)
    release(event, 0, 20)


def clock_at(event, minute):
    state = clock_state(f.fresh(event).clock, f.after(minute))
    return state.level.number, state.elapsed, state.is_running


def test_rp8_across_a_break_each_hand_takes_its_minutes_all_the_same(at_a_break):
    event = at_a_break
    report_all(event, 1, 22, tables=(1, 2))
    assert not clock_at(event, 24)[2]
    assert bubble_items(f.fresh(event), f.after(24)) == []
    assert not clock_due(event, 24)
    report(event, 3, 1, 25)
    assert clock_at(event, 30)[1:] == (timedelta(minutes=5), True)
    assert bubble_items(f.fresh(event), f.after(30)) == []
    f.refuses("break", release, event, 1, 39)
    assert clock_at(event, 45)[1:] == (timedelta(minutes=15), False)
    (item,) = bubble_items(f.fresh(event), f.after(45))
    assert item.kind is DueKind.ROUND
    assert not clock_due(event, 45)
    released = release(event, 1, 46)
    assert clock_at(event, 50) == (2, timedelta(minutes=2), False)
    assert not clock_anchor(f.fresh(event).clock).stops_after_break
    report_all(event, 2, 51)
    release(event, 2, 52)
    assert clock_at(event, 55) == (2, timedelta(minutes=4), False)
    report_all(event, 3, 56)
    end(event, 57)
    assert clock_at(event, 58) == (2, timedelta(minutes=5), True)
    f.refuses("needed", f.undo, event, released)


def clock_due(event, minute):
    """Return what asks to start the clock."""
    now = f.after(minute)
    event = f.fresh(event)
    items = [item for item in clock_items(event, now) if item.kind is DueKind.CLOCK_STANDS]
    return [item for item in items if not clock_stands_rightly(event, item, now)]


def table_3_goes(event, how, minute):
    """Let the table that was awaited last go without a report."""
    table = f.table_of(event, 3)
    if how == "broken":
        return f.drive(table_break, event, minute, table=table)
    if how == "halted":
        return f.drive(table_halt, event, minute, table=table)
    return f.out(event, f.at_table(event, 3)[0], at=f.after(minute))


@pytest.mark.parametrize("how", ["broken", "halted", "emptied"])
def test_a_break_does_not_wait_for_a_table_that_goes_instead_of_reporting(how):
    event = make_event(15, 6)
    f.out(event, *f.at_table(event, 3)[:3])
    lead_into_a_break(event)
    report_all(event, 1, 22, tables=(1, 2))
    assert bubble_of(event).awaited == [3]
    table_3_goes(event, how, 25)
    assert bubble_of(event).awaited == []
    assert clock_at(event, 30)[1:] == (timedelta(minutes=5), True)
    f.undo(event, at=f.after(31))
    assert clock_at(event, 33)[1:] == (timedelta(), False)
    gone = table_3_goes(event, how, 35)
    f.drive(clock_pause, event, 40)
    f.out(event, f.at_table(event, 1)[0], at=f.after(41))
    assert clock_at(event, 42)[1:] == (timedelta(minutes=5), False)
    f.drive(clock_start, event, 43)
    if how == "emptied":
        f.undo(event, gone, at=f.after(44))  # an out is taken back whatever the clock did since
        assert bubble_of(event).awaited == [3]
        assert clock_at(event, 45)[2]
    else:
        f.refuses("not_latest", f.undo, event, gone, at=f.after(44))


def test_a_house_whose_hands_take_no_minutes_lets_the_level_stand():
    event = make_event()
    f.drive(event_rules_change, event, 1, rules={"hand_for_hand_minutes": 0})
    begin(event, 19)
    report_all(event, 0, 19)
    released = release(event, 0, 20)
    assert elapsed(event, 30) == timedelta(minutes=19)
    assert "clock_action" not in released.payload
    report_all(event, 1, 30)
    end(event, 31)
    assert clock_at(event, 32) == (2, timedelta(), True)


def test_a_break_that_a_report_began_is_taken_back_with_it(at_a_break):
    report_all(at_a_break, 1, 22)
    f.undo(at_a_break, at=f.after(23))
    assert clock_at(at_a_break, 30)[1:] == (timedelta(), False)
    assert bubble_of(at_a_break).awaited == [3]
    report(at_a_break, 3, 1, 31)
    assert clock_at(at_a_break, 33)[1:] == (timedelta(minutes=2), True)


@pytest.mark.parametrize("minute", [30, 50])
def test_hand_for_hand_ended_in_a_break_or_after_it_lets_the_clock_run_as_ever(at_a_break, minute):
    event = at_a_break
    report_all(event, 1, 25)
    end(event, minute)
    assert clock_at(event, minute + 1)[2]
    assert clock_at(event, 55)[0] == 2
    assert not clock_anchor(f.fresh(event).clock).stops_after_break
