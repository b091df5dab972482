"""Until when somebody may enter late: whatever the schedule, never in what comes after it."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from clock.domain import Level, LevelKind
from tournaments.event.domain.latecomers import breaks_planned, last_late_position

MINUTES = timedelta(minutes=20)


def schedule(breaks):
    """Return levels, a break where `breaks` says so."""
    levels, number = [], 0
    for at, is_break in enumerate(breaks):
        number += not is_break
        kind = LevelKind.BREAK if is_break else LevelKind.PLAY
        levels.append(
            Level(id=at, kind=kind, duration=MINUTES, number=None if is_break else number)
        )
    return levels


schedules = st.lists(st.booleans(), max_size=12).map(schedule)
numbers = st.integers(0, 14)


@given(schedules, numbers)
def test_a_level_ends_with_that_level_and_not_with_the_break_after_it(levels, number):
    at = last_late_position(levels, level=number)
    if at is None:
        assert not number or not [level for level in levels if level.number]
    else:
        assert levels[at].number == min(number, max(level.number or 0 for level in levels))


@given(schedules, numbers, numbers)
def test_a_break_comes_before_the_level(levels, number, level):
    at = last_late_position(levels, level=level, pause=number)
    if not number:
        assert at == last_late_position(levels, level=level)
    elif at is None:
        assert not breaks_planned(levels)
    else:
        assert levels[at].is_break
        assert len(breaks_planned(levels[: at + 1])) == min(number, len(breaks_planned(levels)))
