"""Chips: the source's own table, stacks against trying every one, and chips that leave play."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clock.domain import Level, LevelKind, smallest_chips, validate_levels
from tests.domain.cases import fixture
from tournaments.event.domain.chips import (
    colour_up_plan,
    distribution_for,
    distributions_from,
    pieces_from,
    race_at,
    race_changes,
    race_won,
    total,
)
from tournaments.event.domain.dealing import (
    Need,
    best_pieces,
    measure,
    missing_pieces,
    most_players,
    sets_needed,
)
from tournaments.event.selectors.event import average_stack

(STEFFEN,) = fixture("chips.json")["chip_sets"]
SET = pieces_from(STEFFEN["pieces"])
DISTRIBUTIONS = distributions_from(STEFFEN["distributions"])

# The table as printed, cell by cell; blank cells are read "as 2-6".
PRINTED = {
    100: {
        (2, 6): {1: 25, 5: 11, 10: 2},
        (7, 7): {1: 20, 5: 12, 10: 2},
        (8, 10): {1: 15, 5: 11, 10: 3},
    },
    200: {
        (2, 6): {1: 20, 5: 16, 10: 10},
        (7, 7): {1: 20, 5: 16, 10: 10},
        (8, 10): {1: 15, 5: 12, 10: 10, 25: 1},
    },
    300: {
        (2, 6): {1: 20, 5: 16, 10: 10, 25: 4},
        (7, 7): {1: 20, 5: 16, 10: 10, 25: 4},
        (8, 10): {1: 15, 5: 12, 10: 10, 25: 5},
    },
}


def test_steffen_the_set_and_every_cell_of_the_table():
    assert SET == {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    found = {stack: {} for stack in PRINTED}
    for row in DISTRIBUTIONS:
        found[row.stack][row.min_players, row.max_players] = row.pieces
    assert found == PRINTED
    assert len(DISTRIBUTIONS) == 9


def test_steffen_every_column_sums_and_fits():
    for stack, players in product((100, 200, 300), range(2, 11)):
        dealt = distribution_for(DISTRIBUTIONS, stack, players)
        assert total(dealt.pieces) == stack
        assert dealt.pieces == distribution_for(DISTRIBUTIONS, stack, dealt.max_players).pieces
        assert all(count * dealt.max_players <= SET[value] for value, count in dealt.pieces.items())


@pytest.mark.parametrize(("stack", "players"), [(100, 1), (100, 11), (150, 6)])
def test_no_distribution_is_made_up(stack, players):
    assert distribution_for(DISTRIBUTIONS, stack, players) is None


@pytest.mark.parametrize(
    "wrong",
    [
        *({"value": value, "count": 5} for value in (0, True, 2.5, "5")),
        *({"value": 5, "count": -1}, {"count": 5}, {"value": 1, "count": 1}),
    ],
)
def test_pieces_are_positive_whole_numbers_and_come_once(wrong):
    with pytest.raises(ValueError, match="No pieces"):
        pieces_from([{"value": 1, "count": 9}, wrong])


@pytest.mark.parametrize("wrong", [{"stack": 101}, {"min_players": 7}])
def test_a_distribution_is_worth_its_stack_and_has_players(wrong):
    row = {**STEFFEN["distributions"][0], **wrong}
    with pytest.raises(ValueError, match="No distribution"):
        distributions_from([row])


@given(st.integers(0, 10**9), st.integers(1, 10_112))
def test_the_average_is_rounded_down(chips, players):
    average = average_stack(chips, players)
    assert average * players <= chips < (average + 1) * players
    assert average_stack(chips, 0) is None


# --- Stacks from any set


FIRST_BLINDS = {100: (1, 1), 200: (1, 1), 300: (1, 2)}
small_sets = st.dictionaries(st.integers(1, 12), st.integers(0, 9), min_size=1, max_size=4)
needs = st.builds(
    lambda stack, small, more: Need(stack=stack, small_blind=small, big_blind=small + more),
    st.integers(1, 45),
    st.integers(1, 5),
    st.integers(0, 5),
)


def need_of(stack: int) -> Need:
    small, big = FIRST_BLINDS[stack]
    return Need(stack=stack, small_blind=small, big_blind=big)


def every_stack(have: dict[int, int], players: int, stack: int):
    """Yield all stacks of this worth that can be dealt to so many, by trying every count."""
    values = sorted(have)
    for counts in product(*(range(have[value] // players + 1) for value in values)):
        pieces = {value: count for value, count in zip(values, counts, strict=True) if count}
        if total(pieces) == stack:
            yield pieces


def test_steffen_is_reproduced_or_bettered_under_the_stated_measure():
    for row in DISTRIBUTIONS:
        need = need_of(row.stack)
        found = best_pieces(SET, row.max_players, need)
        assert total(found) == row.stack
        assert measure(found, need) <= measure(row.pieces, need)
    assert best_pieces(SET, 10, need_of(300)) == {1: 15, 5: 12, 10: 10, 25: 5}


@given(small_sets, st.integers(1, 4), needs)
@settings(deadline=None)
def test_no_stack_is_better_than_the_one_found(have, players, need):
    all_there_are = [measure(pieces, need) for pieces in every_stack(have, players, need.stack)]
    found = best_pieces(have, players, need)
    if found is None:
        assert not all_there_are
    else:
        assert total(found) == need.stack
        assert all(count * players <= have[value] for value, count in found.items())
        assert measure(found, need) == min(all_there_are)


@given(small_sets, st.integers(1, 3), needs)
@settings(deadline=None)
def test_what_is_missing_is_enough_and_nothing_less_is(have, players, need):
    values = [value for value in have if have[value]]
    have = {value: have[value] for value in values}
    missing = missing_pieces(have, players, need)
    if missing is None:
        assert not any(every_stack(dict.fromkeys(have, need.stack), 1, need.stack))
        return
    more = {value: have[value] + missing.get(value, 0) for value in have}
    assert best_pieces(more, players, need) is not None
    fewest = min(
        sum(max(0, count * players - have[value]) for value, count in pieces.items())
        for pieces in every_stack({v: need.stack // v for v in have}, 1, need.stack)
    )
    assert sum(missing.values()) == fewest


@given(small_sets, needs)
@settings(deadline=None)
def test_one_player_more_is_too_many(have, need):
    most = most_players(have, need)
    alone = best_pieces(have, 1, need)
    if alone is None:
        assert most == 0
        return
    posts_not = measure(alone, need)[0]
    assert measure(best_pieces(have, most, need), need)[0] == posts_not
    beyond = best_pieces(have, most + 1, need)
    assert beyond is None or measure(beyond, need)[0] > posts_not


@given(small_sets, st.integers(1, 12), needs)
@settings(deadline=None)
def test_as_many_sets_as_it_takes_and_no_more(have, players, need):
    sets = sets_needed(have, players, need)
    if sets is None:
        assert best_pieces({v: n * players * 45 for v, n in have.items()}, players, need) is None
        return

    def posts_not(number: int) -> bool | None:
        pieces = best_pieces({v: n * number for v, n in have.items()}, players, need)
        return pieces and measure(pieces, need)[0]

    assert posts_not(sets) == posts_not(sets + 50)
    assert sets == 1 or posts_not(sets - 1) is None or posts_not(sets - 1) > posts_not(sets)


def level(small: int, big: int, number: int = 0) -> Level:
    return Level(id=number, small_blind=small, big_blind=big)


BREAK = Level(id=99, kind=LevelKind.BREAK)


def test_chips_leave_in_the_first_break_in_which_nobody_needs_them():
    levels = [level(1, 2), level(5, 10), BREAK, level(25, 50), level(50, 75), BREAK, level(50, 100)]
    assert colour_up_plan(levels, [1, 5, 10, 25]) == {2: (1, 5, 10)}
    assert colour_up_plan([level(1, 2), level(2, 3)], [1, 5]) == {}
    assert colour_up_plan([level(25, 50)], [1, 25]) == {}


amounts = st.lists(st.sampled_from([1, 2, 4, 5, 10, 15, 25, 50, 75, 100]), min_size=1, max_size=8)


@given(amounts, st.sets(st.integers(0, 9)), st.sampled_from([[1, 5, 25, 100], [1, 5, 10, 25, 100]]))
def test_with_the_plan_every_amount_can_still_be_paid(blinds, breaks, values):
    levels = []
    for index, small in enumerate(sorted(blinds)):
        levels += [BREAK] * (index in breaks) + [level(small, 2 * small)]
    plan = colour_up_plan(levels, values)
    marked = [
        replace(row, id=index, colour_up=plan.get(index, ())) for index, row in enumerate(levels)
    ]
    assert "unpayable" not in {found.code for found in validate_levels(marked, values)}
    assert None not in smallest_chips(marked, values)


seats = st.dictionaries(st.integers(1, 10), st.integers(0, 4), max_size=10)


@given(seats, st.randoms(use_true_random=False), st.sets(st.integers(1, 10)))
def test_tda_2024_24_at_most_one_chip_each_and_nobody_is_raced_out(odd, chance, broke):
    race = race_at(odd, old=5, new=25)
    ranked = list(race.odd)
    chance.shuffle(ranked)
    won = race_won(race, ranked, sorted(broke))
    assert set(won.values()) <= {0, 1}
    assert all(won[seat] == 1 for seat in race.odd if seat in broke)
    assert sum(won.values()) >= min(race.chips, len(race.odd))
    change = sum(race_changes(race, won).values())
    if not broke & set(race.odd):
        worth = sum(odd.values()) * 5
        assert change == race.chips * 25 - worth
        assert -25 < 2 * change <= 25


@pytest.mark.parametrize(
    ("odd", "old", "new"), [({1: 5}, 5, 25), ({1: -1}, 5, 25), ({1: 1}, 10, 25), ({1: 1}, 25, 5)]
)
def test_what_is_no_race_is_refused(odd, old, new):
    with pytest.raises(ValueError, match=r"race|whole chip"):
        race_at(odd, old=old, new=new)


def test_a_race_needs_the_rank_of_every_seat():
    with pytest.raises(ValueError, match="other seats"):
        race_won(race_at({1: 2, 2: 3}, old=5, new=25), [1])
