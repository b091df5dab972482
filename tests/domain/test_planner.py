"""A schedule from a wish: whatever is wished, it holds what it promises or says why not."""

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clock.domain import Level, LevelKind, validate_levels
from tests.domain.cases import fixture, of_rules
from tournaments.event.domain.chips import pieces_from, total
from tournaments.event.domain.dealing import Need, dealt_to, most_players
from tournaments.event.domain.planning import blind_steps
from tournaments.event.domain.planning.planner import (
    TOLERANCE,
    CannotBeHad,
    Wish,
    evening_planned,
    leaving_by_set,
)
from tournaments.forecast.domain.end import end_foreseen, evening_foreseen, plain_length

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


OF_MANY = {3: 337, 7: 35, 250: 66, 50: 488, 1000: 488, 20: 384, 100: 257, 5000: 540}
OF_FEW = {7: 92, 5: 570, 1000: 223}
LONG = Wish(players=84, stack=5000, minutes=259, level_minutes=25, depth=150, percent=200)
SLOW = Wish(players=34, stack=1500, minutes=453, level_minutes=12, depth=150, percent=130)


@given(wishes, sets, st.booleans())
# The smallest chips are not dealt, so that blinds are made anew of the others.
@example(replace(LONG, break_every=4, break_minutes=10), OF_MANY, True)
# No step is near enough to climb on to after the expected end.
@example(replace(SLOW, break_every=2, break_minutes=10), OF_FEW, False)
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
    wish = Wish(players=10, stack=100, minutes=210, percent=170, break_every=4)
    found = evening_planned(wish, STEFFEN)
    assert (found.dealt.sets, found.levels[0].big_blind) == (1, 2)
    assert next(value for row in found.levels for value in row.colour_up) == 1
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
    pause = Level(id=2, kind=LevelKind.BREAK)
    rows = [Level(id=1, big_blind=25), pause, Level(id=3, big_blind=100)]
    assert leaving_by_set(rows, {25: 80, 100: 30}, [25, 100], chips=3000, sets=1) == {1: (25,)}
    assert leaving_by_set(rows, {25: 80, 100: 29}, [25, 100], chips=3000, sets=1) == {}


@given(st.sets(st.sampled_from((1, 2, 5, 7, 10, 25, 100)), min_size=1), st.integers(1, 5000))
def test_every_step_is_paid_with_the_smallest_chip(values, most):
    for step in blind_steps.steps_payable(sorted(values), 1, most):
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
    first, second = (
        blind_steps.unit_reached(rows, Fraction(chips)),
        blind_steps.unit_reached(rows, Fraction(chips + more)),
    )
    assert second is None or first <= second


def test_the_end_of_a_schedule_that_is_too_short_is_not_foreseen():
    rows = [Level(id=1, duration=20 * MINUTE, big_blind=10)]
    assert blind_steps.end_of(rows, 5000).expected is None
    assert blind_steps.end_of([Level(id=1, hands=10, big_blind=10)], 20).expected is None
    assert blind_steps.end_of(rows, 100).expected == 10 * MINUTE


# --- An end that is that of the forecast


WISH = Wish(players=20, stack=5000, minutes=270, break_every=4)


@pytest.mark.parametrize(("players", "minutes"), [(8, 210), (20, 270), (60, 300)])
def test_the_forecast_of_the_plan_says_the_wished_end(players, minutes):
    wish = replace(WISH, players=players, minutes=minutes)
    found = evening_foreseen(wish, CASE)
    assert found.end == end_foreseen(found.evening.levels, wish)
    assert abs(found.end.minutes - minutes) <= 10
    assert found.end.low < found.end.minutes < found.end.high


def test_a_club_that_plays_slowly_gets_a_quicker_schedule():
    usual, slow = (evening_foreseen(WISH, CASE, pace).evening.levels for pace in (1.0, 0.8))
    assert slow[11].big_blind > usual[11].big_blind


def test_amounts_that_are_not_plain_are_taken_only_where_the_others_do_not_do():
    wish = replace(WISH, players=8, level_minutes=15, percent=140)
    odd = evening_foreseen(wish, CASE)
    assert not odd.evening.is_plain
    assert abs(odd.end.minutes - wish.minutes) <= 10
    minutes = plain_length(wish, CASE)
    assert evening_foreseen(replace(wish, level_minutes=minutes), CASE).evening.is_plain


@pytest.mark.parametrize(
    ("own", "code", "minutes"),
    [
        ({"minutes": 150, "players": 20}, "too_steep", 12),
        ({"minutes": 330, "players": 8, "percent": 140}, "too_slow", None),
        ({"players": 1}, "no_play", None),
        ({"stack": 10_010}, "no_stack", None),
    ],
)
def test_what_cannot_be_had_says_why_and_with_which_levels_it_could(own, code, minutes):
    wish = replace(WISH, **own)
    with pytest.raises(CannotBeHad, match=code):
        evening_foreseen(wish, CASE)
    assert plain_length(wish, CASE) == minutes


# --- How deep stacks are, as a picture


def rows_of(*bigs):
    return [Level(id=n, duration=20 * MINUTE, big_blind=big) for n, big in enumerate(bigs)]


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=20, unique=True).map(sorted),
    st.integers(2, 300),
    st.integers(10, 20_000),
)
def test_the_curve_begins_with_the_stack_and_stays_in_the_picture(bigs, players, stack):
    points = blind_steps.depths(rows_of(*bigs), players=players, stack=stack)
    assert points == sorted(points, key=lambda one: one.at)
    for point in points:
        assert 0 <= blind_steps.height_of(point.big_blinds) <= blind_steps.HEIGHT
        assert point.big_blinds * bigs[0] >= stack / bigs[-1]
    if points:
        assert blind_steps.path_of(points, points[-1].at).count("L") == len(points) - 1
        assert f"{blind_steps.WIDTH} " in blind_steps.path_of(points, points[-1].at)


def test_a_schedule_without_lengths_has_no_curve():
    assert blind_steps.depths([Level(id=1, hands=9, big_blind=2)], players=8, stack=100) == []
    assert blind_steps.path_of([], MINUTE) == ""
    assert blind_steps.depth_at([], MINUTE) is None
    assert blind_steps.depth_at([blind_steps.Depth(at=MINUTE, big_blinds=5.0)], MINUTE) is None


# --- Plans and stacks against answers from outside the program, by the id of each case


def pieces_in(row, name):
    return {int(value): count for value, count in row[name].items()}


@pytest.mark.parametrize("row", of_rules("planner"))
def test_a_plan_begins_as_deep_as_wished(row):
    wish = Wish(**row["wish"])
    evening = evening_foreseen(wish, pieces_in(row, "chip_set")).evening
    first = evening.levels[0]
    assert abs(wish.stack / first.big_blind - row["wished_big_blinds"]) <= 0.1 * wish.depth
    assert evening.dealt.sets <= row["possible"]["sets"]
    plan = [f"{one.small_blind}/{one.big_blind}" for one in evening.levels if not one.is_break]
    assert " ".join(plan[:9]) == row["possible"]["begins"]


@pytest.mark.parametrize("row", of_rules("chips"))
def test_a_case_that_suffices_is_enough(row):
    need = Need(stack=row["stack"], small_blind=row["small_blind"], big_blind=row["big_blind"])
    have, players = pieces_in(row, "set"), row["players"]
    dealt = dealt_to(have, players, need)
    assert dealt.sets == row.get("expect_sets", 1)
    assert sum(value * count for value, count in dealt.pieces.items()) == need.stack
    assert all(count * players <= have[value] for value, count in dealt.pieces.items())
    # Everyone can post both blinds without change.
    assert sum(v * n for v, n in dealt.pieces.items() if v <= need.small_blind) >= need.big_blind
    assert most_players(have, need) >= players
