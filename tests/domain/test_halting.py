import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.button import TableView, clockwise, next_big_blind
from tournaments.seating.domain.seating import TableCount, blinds_affected, far_short


def counts(*sizes, seats=9):
    return [TableCount(number, players, seats) for number, players in enumerate(sizes, start=1)]


@pytest.mark.parametrize(
    ("rows", "short"),
    [
        (counts(), {}),
        (counts(9, 7, 7), {}),
        (counts(9, 6, 7), {2: 3}),
        (counts(9, 5, 6), {2: 4, 3: 3}),
        (counts(4, 9, 0), {1: 5}),  # where nobody sits nothing is played
        ([TableCount(1, 9, 9), TableCount(2, 6, 6)], {}),  # nobody can be moved there
    ],
)
def test_tda_2024_11d_three_or_more_short_of_the_fullest(rows, short):
    assert far_short(rows, 3) == short


def view(players, button, seats=9):
    return TableView(1, seats, {seat: 100 + seat for seat in players}, button)


@pytest.mark.parametrize(
    ("players", "button", "emptied", "affected"),
    [
        ([1, 2, 5, 6], 1, [3], True),  # the big blind passes over seat 3
        ([1, 2, 3, 6], 1, [5], True),  # button 2, small blind 3, big blind 6
        ([1, 2, 3, 4, 6], 1, [5], False),  # the big blind is on seat 4, before it
        ([1, 2, 3, 4, 6], 1, [9], False),
        ([1, 2, 3, 4, 5], 1, [2], False),  # somebody sits there again
        ([2, 5, 8], 5, [6, 9], True),
    ],
)
def test_tda_2024_11d_a_table_halts_once_its_blinds_are_affected(
    players, button, emptied, affected
):
    assert blinds_affected(view(players, button), emptied) is affected


def test_unknown_where_the_button_is_somebody_has_to_look():
    assert blinds_affected(view([1, 2, 3], None), [4]) is None
    assert blinds_affected(view([], 3), [4]) is None


@given(st.integers(3, 10), st.data())
def test_affected_means_an_empty_seat_up_to_the_big_blind(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=2))
    button = data.draw(st.integers(1, seats))
    emptied = data.draw(st.sets(st.integers(1, seats))) - players
    table = view(players, button, seats)
    round_ = clockwise(table, button)
    passed = round_[: round_.index(next_big_blind(table)) + 1]
    assert blinds_affected(table, emptied) is bool(emptied.intersection(passed))


def test_a_small_blind_that_is_out_halts_nothing():
    """Case X2: next hand small blind 3, big blind 4, nothing is missing but the button."""
    players = dict.fromkeys((1, 3, 4, 5, 6, 7))
    table = TableView(
        1, 9, {seat: 100 + seat for seat in players},
        button=1, small_blind=2, big_blind=3, rule=ButtonRule.DEAD,
    )  # fmt: skip
    assert blinds_affected(table, [2]) is False
    assert blinds_affected(table.left_by(4), [4]) is True
