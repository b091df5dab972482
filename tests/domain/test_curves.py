"""The picture of how deep stacks are, and the table behind it."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from clock.domain import Level
from tournaments.event.domain.planning.blind_steps import (
    HEIGHT,
    WIDTH,
    Depth,
    depth_at,
    depths,
    height_of,
    path_of,
)

MINUTE = timedelta(minutes=1)


def rows(*bigs):
    return [Level(id=n, duration=20 * MINUTE, big_blind=big) for n, big in enumerate(bigs)]


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=20, unique=True).map(sorted),
    st.integers(2, 300),
    st.integers(10, 20_000),
)
def test_the_curve_begins_with_the_stack_and_stays_in_the_picture(bigs, players, stack):
    points = depths(rows(*bigs), players=players, stack=stack)
    assert points == sorted(points, key=lambda one: one.at)
    for point in points:
        assert 0 <= height_of(point.big_blinds) <= HEIGHT
        assert point.big_blinds * bigs[0] >= stack / bigs[-1]
    if points:
        assert path_of(points, points[-1].at).count("L") == len(points) - 1
        assert f"{WIDTH} " in path_of(points, points[-1].at)


def test_at_the_end_one_has_all_the_chips():
    points = depths(rows(10, 20, 40, 80), players=8, stack=100)
    assert round(points[-1].big_blinds) == 20


def test_a_schedule_without_lengths_has_no_curve():
    assert depths([Level(id=1, hands=9, big_blind=2)], players=8, stack=100) == []
    assert path_of([], MINUTE) == ""
    assert depth_at([], MINUTE) is None
    assert depth_at([Depth(at=MINUTE, big_blinds=5.0)], MINUTE) is None
