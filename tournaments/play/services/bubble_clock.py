"""The clock in hand-for-hand: stopped; rounds take minutes off; breaks run in full.

A break reached by a round begins when every table has reported that round. The clock stops at its
end, whatever the break setting, and the next round takes its minutes off the next level.
"""

from __future__ import annotations

from datetime import timedelta

from clock.domain import ActionKind, Level
from clock.models import ClockAction
from clock.selectors import clock_anchor, clock_levels, clock_state
from tournaments.changes.audit import Change, any_of, follows_change, kind_in, kind_is
from tournaments.event.services.clock import clock_go_on, clock_put, clock_take, level_after
from tournaments.models import Event, HandForHand, HandReport
from tournaments.play.selectors.bubble import round_current, tables_awaited
from tournaments.seating.services.locks import TABLE_HALTED
from tournaments.seating.services.tables import TABLE_CLOSED

DRIVEN = (ActionKind.STARTED, ActionKind.PAUSED, ActionKind.LAST_HANDS_SET)
STOPS_BEFORE = "stops_before"  # log field of the report that started a break


def begin_break(change: Change) -> None:
    """Start the break the rounds have reached, once all tables are done; stop at its end."""
    clock = change.event.clock
    state, stops = clock_state(clock, change.at), clock_anchor(clock).stops_after_break
    if not state.level.is_break or state.is_waiting or (state.is_running and stops):
        return
    clock_put(change, state.level.id, state.elapsed, is_running=True, stops=True)
    change.record(**{STOPS_BEFORE: stops})


@follows_change(any_of(kind_is("moves_many"), kind_in(TABLE_CLOSED, TABLE_HALTED)))
def begin_break_without_report(change: Change) -> None:
    """Begin the break if the last awaited table will not report any more.

    Such a table was broken, closed, halted or redrawn.
    """
    current = round_current(change.event)
    if current is None or tables_awaited(change.event, current):
        return
    state = clock_state(change.event.clock, change.at)
    if not state.is_running and not state.elapsed:  # otherwise the clock was operated since
        begin_break(change)


def take_minutes(change: Change, row: HandForHand) -> Level | None:
    """Take a round's minutes off the level; return the level reached, if a new one."""
    event = change.event
    taken = timedelta(minutes=event.rule_set.hand_for_hand_minutes)
    state = clock_state(event.clock, change.at)
    if not state.is_waiting:
        return clock_take(change, taken)
    level, rest = level_after(clock_levels(event.clock), state.level.id, taken)
    clock_put(change, level.id, rest, is_running=False, stops=_stops_then(row))
    return level


def stands_for(event: Event, row: HandForHand) -> bool:
    """Tell whether the clock was stopped for hand-for-hand and not operated since."""
    stopped = row.made_by.payload.get("clock_action")
    driven = ClockAction.objects.filter(clock=event.clock, pk__gt=stopped or 0, kind__in=DRIVEN)
    return stopped is not None and not driven.exists()


def go_on(change: Change, row: HandForHand) -> None:
    """Restart the clock after hand-for-hand; a break goes on or ends as usual."""
    clock = change.event.clock
    state = clock_state(clock, change.at)
    if not state.level.is_break:
        clock_go_on(change)
        return
    stops, level, elapsed = _stops_then(row), state.level, state.elapsed
    if state.is_waiting:
        level, elapsed = level_after(clock_levels(clock), level.id, timedelta())
    clock_put(change, level.id, elapsed, is_running=True, stops=stops)


def _stops_then(row: HandForHand) -> bool:
    """Return whether the clock stopped after breaks before hand-for-hand."""
    rows = HandReport.objects.live().filter(round__hand_for_hand=row)
    report = rows.filter(made_by__payload__has_key=STOPS_BEFORE).order_by("-pk").first()
    if report is None:
        return clock_anchor(row.event.clock).stops_after_break
    return bool(report.made_by.payload[STOPS_BEFORE])
