"""What the director does with the clock, settings and rules while play goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from clock.selectors import clock_levels, clock_state
from tournaments.event.services.clock import (
    clock_adjust,
    clock_jump,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
    clock_stop_after_breaks,
)
from tournaments.event.services.clock_hands import (
    clock_counting_table,
    clock_hand,
    clock_last_hands,
)
from tournaments.event.services.clock_time import clock_put_back, clock_set
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.services.schedule.running_level import clock_break_now, level_correct
from tournaments.practice.simulation.deeds.deed import deed
from tournaments.practice.simulation.evening import ARBITER, Evening
from tournaments.rules.services.rules import event_rules_change
from tournaments.undo.services.undo import action_undo


def _runs(evening: Evening) -> bool:
    """Tell whether the clock runs in a level of play; in hand-for-hand it stands for a reason."""
    evening.clock.settle(evening.now)
    row = evening.clock.rows[evening.clock.at]
    return evening.clock.since is not None and not row.is_break


def _takes_a_minute(evening: Evening) -> bool:
    """Tell whether a level by time has so much left that nothing comes between."""
    clock = evening.clock
    length = clock.rows[clock.at].length
    if not _runs(evening) or length is None or clock.since is None:
        return False
    return length - clock.elapsed - (evening.now - clock.since) > timedelta(minutes=1)


@deed(clock_pause, clock_start, often=2)
def stop_for_a_while(evening: Evening) -> bool:
    """Stop the clock for some minutes."""
    if not _runs(evening):
        return False
    evening.do(clock_pause)
    evening.clock.pause(evening.now)
    evening.refused("not_running", clock_pause)
    evening.now += timedelta(minutes=evening.rng.randrange(1, 9))
    evening.checker.levels(evening.clock, evening.now)
    evening.do(clock_start)
    evening.clock.start(evening.now)
    return True


@deed(clock_adjust, often=2)
def shift(evening: Evening) -> bool:
    """Give the players a minute, or take some time."""
    seconds = evening.rng.choice([-90, 60, 120])
    if not _runs(evening):
        return False
    evening.do(clock_adjust, seconds=seconds)
    evening.clock.give(evening.now, seconds)
    evening.checker.levels(evening.clock, evening.now)
    return True


@deed(clock_set)
def set_the_time(evening: Evening) -> bool:
    """Leave the level another time than it has."""
    if not _takes_a_minute(evening):
        return False
    seconds = evening.rng.randrange(120, 900)
    evening.do(clock_set, seconds=seconds)
    evening.read_clock()
    left = clock_state(evening.event.clock, evening.now).remaining
    evening.checker.expect(left == timedelta(seconds=seconds), "the time left", left, seconds)
    return True


@deed(clock_put_back)
def the_computer_was_off(evening: Evening) -> bool:
    """The computer is off for some minutes while nobody plays; the clock is put back."""
    if not _takes_a_minute(evening):
        return False
    before = clock_state(evening.event.clock, evening.now)
    since = evening.now
    evening.now += timedelta(minutes=4)
    evening.do(clock_put_back, since=since)
    evening.read_clock()
    after = clock_state(evening.event.clock, evening.now)
    same = (after.level.id, after.elapsed) == (before.level.id, before.elapsed)
    evening.checker.expect(same, "the clock put back", after, before)
    return True


@deed(clock_break_now, level_correct, action_undo)
def change_the_running_level(evening: Evening) -> bool:
    """Begin a break, or raise the ante of the level that is on; that was a mistake."""
    if not _takes_a_minute(evening):
        return False
    before = clock_state(evening.event.clock, evening.now)
    if evening.rng.random() < 0.5:
        action = evening.do(clock_break_now, minutes=5)
        state = clock_state(evening.event.clock, evening.now)
        evening.checker.expect(state.level.is_break, "a break", state.level)
    else:
        action = evening.do(level_correct, amounts={"ante": before.level.ante + 1})
    evening.undo(action)
    evening.read_clock()
    after = clock_state(evening.event.clock, evening.now)
    same = (after.level.number, after.level.amounts) == (before.level.number, before.level.amounts)
    evening.checker.expect(same, "the level put back", after.level, before.level)
    return True


@deed(clock_next_level, clock_previous_level, action_undo, often=2)
def press_the_wrong_key(evening: Evening) -> bool:
    """Go a level on or back, and take that back at once."""
    if not _takes_a_minute(evening):
        return False
    state = clock_state(evening.event.clock, evening.now)
    can_go_back = not state.is_last and state.index > 0 and evening.rng.random() < 0.5
    wrong = clock_previous_level if state.is_last or can_go_back else clock_next_level
    evening.undo(evening.do(wrong))
    shown = clock_state(evening.event.clock, evening.now)
    evening.checker.expect(shown.level == state.level, "the level", shown.level, state.level)
    evening.read_clock()
    return True


@deed(clock_jump, action_undo)
def jump(evening: Evening) -> bool:
    """Put the clock to the beginning of some level; that was a mistake."""
    if not _takes_a_minute(evening):
        return False
    here = evening.clock.shown(evening.now)
    levels = [level for level in clock_levels(evening.event.clock) if not level.is_break]
    level = evening.rng.choice(levels).id
    action = evening.do(clock_jump, level=level)
    evening.clock.go(evening.now, level)
    evening.checker.levels(evening.clock, evening.now)
    evening.undo(action)
    evening.read_clock()
    shown = evening.clock.shown(evening.now)
    evening.checker.expect(shown == here, "the level put back", shown, here)
    return True


@deed(clock_last_hands, clock_hand, clock_start)
def call_last_hands(evening: Evening) -> bool:
    """Stop the clock for two more hands, count them, and go on after all."""
    if not _takes_a_minute(evening):
        return False
    evening.do(clock_last_hands, hands=2)
    evening.clock.pause(evening.now)
    for left in (1, 0):
        evening.do(clock_hand, by=ARBITER)
        state = clock_state(evening.event.clock, evening.now)
        evening.checker.expect(state.last_hands == left, "the last hands", state.last_hands, left)
    evening.do(clock_start)
    evening.clock.start(evening.now)
    return True


@deed(clock_stop_after_breaks)
def set_what_follows_a_break(evening: Evening) -> bool:
    """Say that the clock stands after a break, or that it goes on."""
    if not _takes_a_minute(evening):
        return False
    stops = not evening.clock.stops_after_break
    evening.do(clock_stop_after_breaks, stops=stops)
    evening.clock.stops_after_break = stops
    evening.refused("nothing_changed", clock_stop_after_breaks, stops=stops)
    return True


@deed(clock_counting_table)
def name_the_counting_table(evening: Evening) -> bool:
    """Name another table whose hands the clock counts."""
    evening.reload()
    now = evening.event.clock.counting_table
    others = [number for number in sorted(evening.books.tables) if number != now]
    if not others:
        return False
    evening.do(clock_counting_table, table=others[0])
    evening.refused("nothing_changed", clock_counting_table, table=others[0])
    evening.reload()
    return True


@deed(schedule_edit)
def prolong_the_last_level(evening: Evening) -> bool:
    """Change a level that has not begun; what has begun stays as it is."""
    levels = clock_levels(evening.event.clock)
    based_on = [level.id for level in levels]
    *others, last = levels
    if not _takes_a_minute(evening) or evening.clock.shown(evening.now) == last.id:
        return False
    first = replace(levels[0], big_blind=levels[0].big_blind + 1)
    evening.refused("level_has_begun", schedule_edit, levels=[first, *levels[1:]],
                    based_on=based_on)  # fmt: skip
    length = (last.duration or timedelta()) + timedelta(minutes=5)
    action = evening.do(
        schedule_edit, levels=[*others, replace(last, duration=length)], based_on=based_on
    )
    if evening.rng.random() < 0.5:
        evening.undo(action)
    evening.read_clock()
    return True


@deed(event_update, event_rules_change)
def change_the_settings(evening: Evening) -> bool:
    """Make one more place, and let a tap hold for longer."""
    capacity = evening.event.capacity
    evening.do(event_update, settings={"capacity": capacity + 1})
    minutes = evening.event.rule_set.tap_holds_minutes
    evening.do(event_rules_change, rules={"tap_holds_minutes": minutes + 1})
    evening.reload()
    found = (evening.event.capacity, evening.event.rule_set.tap_holds_minutes)
    evening.checker.expect(found == (capacity + 1, minutes + 1), "what was set", found)
    return True
