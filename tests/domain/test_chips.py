import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import fixture
from tournaments.event.domain.chips import (
    Distribution,
    distribution_for,
    distributions_from,
    pieces_from,
    total,
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


def test_steffen_the_set():
    assert SET == {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}


def test_steffen_every_cell_of_the_table():
    found = {stack: {} for stack in PRINTED}
    for row in DISTRIBUTIONS:
        found[row.stack][row.min_players, row.max_players] = row.pieces
    assert found == PRINTED
    assert len(DISTRIBUTIONS) == 9


@pytest.mark.parametrize("stack", [100, 200, 300])
@pytest.mark.parametrize("players", range(2, 11))
def test_steffen_every_column_sums_and_fits(stack, players):
    dealt = distribution_for(DISTRIBUTIONS, stack, players)
    assert total(dealt.pieces) == stack
    assert dealt.pieces == distribution_for(DISTRIBUTIONS, stack, dealt.max_players).pieces
    assert all(count * dealt.max_players <= SET[value] for value, count in dealt.pieces.items())


@pytest.mark.parametrize(
    ("stack", "players", "value"), [(100, 6, 1), (100, 10, 1), (200, 10, 1), (300, 10, 1),
                                    (300, 10, 25), (200, 10, 10), (300, 10, 10)]
)  # fmt: skip
def test_steffen_used_up_exactly(stack, players, value):
    dealt = distribution_for(DISTRIBUTIONS, stack, players).pieces
    assert dealt[value] * players == SET[value]


def test_steffen_the_hundreds_are_never_dealt():
    assert all(100 not in row.pieces for row in DISTRIBUTIONS)


@pytest.mark.parametrize(("stack", "players"), [(100, 1), (100, 11), (150, 6)])
def test_no_distribution_is_made_up(stack, players):
    with pytest.raises(ValueError, match="No distribution"):
        distribution_for(DISTRIBUTIONS, stack, players)


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": 0, "count": 5},
        {"value": 5, "count": -1},
        {"value": True, "count": 5},
        {"value": 2.5, "count": 5},
        {"value": "5", "count": 5},
        {"count": 5},
        {"value": 1, "count": 1},
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


def test_a_distribution_is_a_value():
    row = Distribution(min_players=2, max_players=3, stack=1, pieces={1: 1})
    assert row == Distribution(min_players=2, max_players=3, stack=1, pieces={1: 1})


@given(st.integers(0, 10**9), st.integers(1, 10_112))
def test_the_average_is_rounded_down(chips, players):
    average = average_stack(chips, players)
    assert average * players <= chips < (average + 1) * players


def test_nobody_left_has_no_average():
    assert average_stack(3700, 0) is None
