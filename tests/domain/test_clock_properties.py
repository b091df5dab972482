"""What holds for every schedule, every history and every instant."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from clock.domain import (
    MOST_EXTRA,
    ActionKind,
    ClockAction,
    Level,
    LevelKind,
    anchor_of,
    anchor_settled,
    anchor_without,
    edited,
    levels_begun,
    restoring,
    state_from,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
# What these may say follows from what came before: an edit states where the clock is, a correction
# how far the time stepped.
KINDS = [kind for kind in ActionKind if kind not in {ActionKind.EDITED, ActionKind.CORRECTED}]
SHOWN = ("level", "elapsed", "remaining", "is_running", "hands", "last_hands", "is_waiting")
spans = st.integers(0, 90 * 60_000).map(lambda n: timedelta(milliseconds=n))


@st.composite
def schedules(draw):
    count = draw(st.integers(1, 6))
    levels = []
    for number in range(count):
        duration = draw(st.none() | spans)
        hands = draw(st.integers(0, 3)) if duration is None else None
        added = draw(st.none() | spans.map(lambda span: NOON + span))
        kind = draw(st.sampled_from(LevelKind))
        levels.append(Level(id=number, kind=kind, duration=duration, hands=hands, added_at=added))
    return levels


@st.composite
def histories(draw):
    levels = draw(schedules())
    actions, at = [], NOON
    for _ in range(draw(st.integers(0, 8))):
        at += draw(spans)
        kind, is_running = draw(st.sampled_from(KINDS)), draw(st.booleans())
        # While last hands are played the clock stands; nothing else can be restored.
        runs = kind is ActionKind.RESTORED and is_running
        actions.append(
            ClockAction(
                kind=kind,
                at=at,
                shift=draw(spans) - draw(spans),
                level_id=draw(st.sampled_from(levels)).id,
                elapsed=draw(spans),
                is_running=is_running,
                last_hands=None if runs else draw(st.none() | st.integers(0, 3)),
                stops_after_break=draw(st.booleans()),
            )
        )
    return levels, actions, at


@given(histories(), spans, spans)
def test_asking_on_the_way_and_an_edit_that_changes_nothing_change_nothing(history, first, second):
    """An action that does nothing moves the anchor, never what is shown."""
    levels, actions, at = history
    now = at + first + second
    shown = state_from(anchor_of(actions, levels), levels, now)
    idle = ClockAction(kind=ActionKind.ADJUSTED, at=at + first)
    assert state_from(anchor_of([*actions, idle], levels), levels, now) == shown
    anchor = anchor_settled(anchor_of(actions, levels), levels, at + first)
    edit = edited(anchor, at + first, anchor.level_id)
    assert state_from(anchor_of([*actions, edit], levels), levels, now) == shown


@given(histories(), spans)
def test_time_stays_within_its_level_and_the_next_change_happens_when_it_is_said_to(history, later):
    levels, actions, at = history
    anchor = anchor_of(actions, levels)
    state = state_from(anchor, levels, at + later)
    assert state.elapsed >= -MOST_EXTRA
    if state.level.duration is not None:
        assert state.elapsed <= state.level.duration
        assert state.remaining == state.level.duration - state.elapsed
    change = state.next_change_at
    if change is not None:
        before = state_from(anchor, levels, change - timedelta(microseconds=1))
        assert before.index == state.index
        after = state_from(anchor, levels, change)
        assert after.index > state.index
        assert after.level_began_at == change


@given(histories(), spans)
def test_undo_shows_from_now_on_what_would_be_without(history, later):
    levels, actions, at = history
    if not actions:
        return
    now = at + later
    without = anchor_of(actions[:-1], levels)
    back = restoring(anchor_without(actions, levels, len(actions) - 1, now), now)
    undone = anchor_of([*actions, back], levels)
    for instant in (now, now + timedelta(minutes=45)):
        one, other = state_from(undone, levels, instant), state_from(without, levels, instant)
        assert (one.index, one.elapsed, one.hands) == (other.index, other.elapsed, other.hands)
        assert (one.is_running, one.has_started) == (other.is_running, other.has_started)


@given(histories(), spans, st.integers(0, 8), spans, spans)
def test_a_step_of_the_time_changes_nothing_but_the_time(history, step, cut, wait, later):
    """The computer's clock is set forward; what is shown goes on as if nobody had."""
    levels, actions, at = history
    levels = [replace(level, added_at=None) for level in levels]
    before, after = actions[:cut], actions[cut:]
    stepped_at = min([before[-1].at + wait if before else NOON, *(one.at for one in after[:1])])
    correction = ClockAction(kind=ActionKind.CORRECTED, at=stepped_at + step, shift=step)
    moved = [replace(one, at=one.at + step) for one in after]
    expected = state_from(anchor_of(actions, levels), levels, max(at, stepped_at) + later)
    now = max(at, stepped_at) + step + later
    shown = state_from(anchor_of([*before, correction, *moved], levels), levels, now)
    for name in SHOWN:
        assert getattr(shown, name) == getattr(expected, name), name
    assert levels_begun([*before, correction, *moved], levels, now) == levels_begun(
        actions, levels, max(at, stepped_at) + later
    )
