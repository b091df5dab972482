import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.play.domain.bubble import (
    HeadState,
    Hindrance,
    TableHeads,
    bubble_margin,
    hindrance_to_money,
    is_near_the_money,
    may_burst_in_a_hand,
)


def heads(players, counted=None, *, is_fresh=True, number=1):
    return TableHeads(number=number, players=players, counted=counted, is_fresh=is_fresh)


@pytest.mark.parametrize(
    ("table", "state"),
    [
        (heads(7), HeadState.OPEN),
        (heads(7, 7), HeadState.AGREES),
        (heads(7, 6), HeadState.DIFFERS),
        (heads(7, 7, is_fresh=False), HeadState.OPEN),
        (heads(7, 6, is_fresh=False), HeadState.OPEN),
        (heads(0, 0), HeadState.AGREES),
    ],
)
def test_a_count_says_something_only_while_nobody_came_or_went(table, state):
    assert table.state is state


@pytest.mark.parametrize(
    ("left", "paid", "tables", "is_round_open", "found"),
    [
        (7, 0, [heads(7, 7)], False, Hindrance.PAID_PLACES_UNKNOWN),
        (8, 7, [heads(8, 8)], False, Hindrance.TOO_MANY_LEFT),
        (7, 7, [heads(7, 7)], True, Hindrance.ROUND_OPEN),
        (7, 7, [heads(4, 4), heads(3, 2)], False, Hindrance.TABLES_DIFFER),
        (7, 7, [heads(4), heads(3, 2)], False, Hindrance.TABLES_DIFFER),
        (7, 7, [heads(4, 4), heads(3)], False, Hindrance.TABLES_OPEN),
        (7, 7, [heads(4, 4), heads(2, 2)], False, Hindrance.SOMEBODY_SITS_NOWHERE),
        (7, 7, [heads(4, 4), heads(3, 3)], False, None),
        (5, 7, [heads(5, 5)], False, None),
    ],
)
def test_star_sydney_what_stands_in_the_way(left, paid, tables, is_round_open, found):
    assert hindrance_to_money(left, paid, tables, is_round_open=is_round_open) is found


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), max_size=6), st.integers(0, 40))
def test_star_sydney_never_in_the_money_but_with_every_head_counted(tables, paid):
    rows = [heads(players, counted) for players, counted in tables]
    left = sum(players for players, _counted in tables)
    is_free = hindrance_to_money(left, paid, rows) is None
    assert is_free == (0 < paid >= left and all(players == counted for players, counted in tables))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 9))
def test_heads_are_counted_before_a_hand_can_reach_the_money(left, paid, tables):
    is_near = is_near_the_money(left, paid, seats_per_table=9, tables=tables)
    if may_burst_in_a_hand(left, paid, tables):
        assert is_near
    if paid == 0:
        assert not is_near
    assert bubble_margin(9, tables) >= tables
