"""An evening as pictures: whatever happened, nothing lies outside, and nobody is lost."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tournaments.seasons.domain.review import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MOST_HUNTERS,
    MOST_ROWS,
    RADIUS,
    RIGHT,
    TOP,
    WIDTH,
    curve_of,
    evening_hours,
    heads_of,
    hunt_of,
    left_at,
    rows_of,
    steps_of,
)

minutes = st.floats(-600, 2000, allow_nan=False)


@given(st.lists(minutes, max_size=30), st.data(), st.floats(1, 1500))
def test_the_curve_ends_with_who_was_left(ins, data, end):
    outs = data.draw(st.lists(minutes, max_size=len(ins)))
    steps = steps_of(ins, outs, end)
    assert steps[-1][1] == len(ins) - len(outs)
    assert left_at(steps, end) == len(ins) - len(outs)
    assert all(0 <= at <= end for at, _left in steps)
    assert steps == sorted(steps)


@given(st.lists(minutes, min_size=1, max_size=30), st.floats(1, 1500), st.integers(0, 59))
def test_the_curve_stays_in_its_picture(ins, end, first):
    curve = curve_of(steps_of(ins, ins[1:], end), end, first)
    if curve is None:
        return
    assert all(TOP <= y <= HEIGHT - BOTTOM for y, _left in curve.levels)
    assert all(LEFT <= x <= WIDTH - RIGHT for x, _at in curve.marks)
    assert curve.area.startswith(curve.line)


@given(st.integers(0, 5000))
def test_the_table_has_both_ends_and_few_rows(end):
    rows = rows_of(end)
    assert (rows[0], rows[-1]) == (0, end)
    assert len(rows) <= MOST_ROWS
    assert rows == sorted(set(rows))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30))
def test_every_disc_has_its_place(numbers):
    hunt = hunt_of([("Anna", [("BB", False)] * number) for number in numbers])
    discs = [(disc.x, disc.y) for row in hunt.rows for disc in row.discs]
    assert len(discs) == len(set(discs)) == sum(numbers[:MOST_HUNTERS])
    assert all(RADIUS <= x <= WIDTH - RADIUS for x, _y in discs)
    assert all(RADIUS <= y <= hunt.height - RADIUS for _x, y in discs)
    for before, row in zip(hunt.rows, hunt.rows[1:], strict=False):
        assert max(disc.y for disc in before.discs) + RADIUS < row.y - 10


@given(st.sets(st.tuples(st.integers(1, 8), st.integers(10, 30)), max_size=60))
def test_heads_sum_to_those_who_were_knocked_out(pairs):
    heads = heads_of(sorted(pairs))
    assert sum(heads.values()) == Fraction(len({taken for _by, taken in pairs}))


@given(st.sets(st.integers(0, 23), min_size=1))
def test_hours_hold_all_that_were_and_none_twice(hours):
    found = evening_hours(hours)
    assert hours <= set(found)
    assert len(found) == len(set(found)) <= 24
