"""A schedule from a wish: whatever is wished, it holds what it promises or says why not."""

from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import Level, LevelKind, validate_levels
from tests.domain.cases import fixture
from tournaments.event.domain.chips import pieces_from, total
from tournaments.event.domain.planning.blind_steps import end_of, steps_payable, unit_reached
from tournaments.event.domain.planning.planner import (
    TOLERANCE,
    CannotBeHad,
    Wish,
    evening_planned,
    leaving_by_set,
)

MINUTE = timedelta(minutes=1)
STEFFEN = pieces_from(fixture("chips.json")["chip_sets"][0]["pieces"])
CASE = {25: 400, 100: 400, 500: 200, 1000: 200, 5000: 100}
sets = st.dictionaries(
    st.sampled_from((1, 2, 3, 5, 7, 10, 20, 25, 50, 100, 250, 500, 1000, 5000)),
    st.integers(20, 600),
    min_size=1,
    max_size=8,
)
wishes = st.builds(
    Wish,
    players=st.integers(2, 120),
    stack=st.sampled_from((100, 150, 200, 300, 1000, 1500, 5000, 10_000, 20_000)),
    minutes=st.integers(60, 600),
    level_minutes=st.sampled_from((8, 10, 12, 15, 20, 25, 30)),
    depth=st.sampled_from((25, 50, 100, 150)),
    percent=st.sampled_from((130, 150, 170, 200)),
    break_every=st.integers(2, 6) | st.just(0),
    break_minutes=st.sampled_from((5, 10, 15)),
    ante_from=st.integers(0, 5),
)


@given(wishes, sets, st.booleans())
def test_a_wish_is_met_in_all_it_says_or_refused_with_a_reason(wish, have, is_fine):
    try:
        found = evening_planned(wish, have, is_fine=is_fine)
    except CannotBeHad:
        return
    rows = found.levels
    play = [row for row in rows if not row.is_break]
    in_play = {value for value in have if value >= min(found.dealt.pieces)}
    assert not validate_levels(rows, in_play)
    for row in rows:  # told anew, without the function that made it
        in_play -= set(row.colour_up)
        assert not any(amount % min(in_play) for amount in row.amounts)
    for one, following in pairwise(play):
        assert one.big_blind < following.big_blind <= one.big_blind * Fraction(wish.percent, 100)
        assert one.small_blind <= following.small_blind
    assert abs(found.end.expected - wish.minutes * MINUTE) <= TOLERANCE
    assert len(rows) <= 100
    _is_as_wished(wish, rows, play)
    assert total(found.dealt.pieces) == wish.stack
    for value, count in found.dealt.pieces.items():
        assert count * wish.players <= have[value] * found.dealt.sets


def _is_as_wished(wish, rows, play):
    assert {row.duration for row in play} == {wish.level_minutes * MINUTE}
    done = 0
    for row in rows:
        done += not row.is_break
        if row.is_break:
            assert wish.break_every
            assert done % wish.break_every == 0
            assert row.duration == wish.break_minutes * MINUTE
    expected = (len(play) - 1) // wish.break_every if wish.break_every else 0
    assert sum(row.is_break for row in rows) == expected
    for number, row in enumerate(play, start=1):
        assert row.ante == (row.big_blind if 0 < wish.ante_from <= number else 0)


def test_an_evening_with_the_chips_of_steffen():
    found = evening_planned(
        Wish(players=10, stack=100, minutes=210, percent=170, break_every=4), STEFFEN
    )
    assert found.dealt.sets == 1
    assert found.levels[0].big_blind == 2
    left = [value for row in found.levels for value in row.colour_up]
    assert left[0] == 1
    assert found.end.early < found.end.expected < found.end.late


@pytest.mark.parametrize(
    ("own", "have", "code"),
    [
        ({"players": 1}, CASE, "no_play"),
        ({"percent": 100}, CASE, "no_play"),
        ({"minutes": 30}, CASE, "too_short"),
        ({"minutes": 1300}, CASE, "too_many_levels"),
        ({"minutes": 60}, CASE, "too_steep"),
        ({"players": 2, "minutes": 600, "percent": 200}, {100: 400}, "too_slow"),
        ({"stack": 10_010}, CASE, "no_stack"),
        ({"stack": 1000}, {}, "no_stack"),
        ({"percent": 104}, CASE, "too_coarse"),
        ({"stack": 100}, CASE, "too_shallow"),
    ],
)
def test_what_cannot_be_had_says_why(own, have, code):
    wish = Wish(**{"players": 20, "stack": 10_000, "minutes": 240} | own)
    with pytest.raises(CannotBeHad) as reason:
        evening_planned(wish, have)
    assert reason.value.code == code


def test_chips_stay_that_the_larger_ones_cannot_replace():
    rows = [
        Level(id=1, big_blind=25),
        Level(id=2, kind=LevelKind.BREAK),
        Level(id=3, big_blind=100),
    ]
    assert leaving_by_set(rows, {25: 80, 100: 30}, [25, 100], chips=3000, sets=1) == {1: (25,)}
    assert leaving_by_set(rows, {25: 80, 100: 29}, [25, 100], chips=3000, sets=1) == {}


@given(st.sets(st.sampled_from((1, 2, 5, 7, 10, 25, 100)), min_size=1), st.integers(1, 5000))
def test_every_step_is_paid_with_the_smallest_chip(values, most):
    for step in steps_payable(sorted(values), 1, most):
        assert step.small_blind % min(values) == step.big_blind % min(values) == 0
        assert step.big_blind <= 3 * step.small_blind <= 3 * step.big_blind
        assert step.big_blind <= most


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=9),
    st.integers(1, 10_000),
    st.integers(1, 10_000),
)
def test_more_chips_never_end_the_evening_earlier(grown, chips, more):
    units = [sum(grown[: n + 1]) for n in range(len(grown))]
    rows = [Level(id=n, duration=20 * MINUTE, big_blind=unit) for n, unit in enumerate(units)]
    first, second = unit_reached(rows, Fraction(chips)), unit_reached(rows, Fraction(chips + more))
    assert second is None or first <= second


def test_the_end_of_a_schedule_that_is_too_short_is_not_foreseen():
    rows = [Level(id=1, duration=20 * MINUTE, big_blind=10)]
    assert end_of(rows, 5000).expected is None
    assert end_of([Level(id=1, hands=10, big_blind=10)], 20).expected is None
    assert end_of(rows, 100).expected == 10 * MINUTE
