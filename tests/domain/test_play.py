"""While hands are played: penalties, stacks that are asked for, and heads counted at the bubble."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.play.domain.bubble import (
    Hindrance,
    TableHeads,
    hindrance_to_money,
    is_near_the_money,
    may_burst_in_a_hand,
)
from tournaments.seating.domain.penalties import (
    HandsPenalty,
    Stay,
    hands_during,
    hands_of_rounds,
    penalties_served,
)

EVENING = datetime(2026, 1, 1, 19, tzinfo=UTC)
MINUTES = st.integers(0, 20)
PENALTIES = st.lists(st.tuples(MINUTES, st.integers(0, 5), st.integers(0, 3)), max_size=4)


def at(minute):
    return EVENING + timedelta(minutes=minute)


def penalty(minute, hands, served=0):
    return HandsPenalty(given_at=at(minute), hands=hands, served=served)


def left(penalties, *minutes):
    return [found.left for found in penalties_served(penalties, [at(each) for each in minutes])]


@pytest.mark.parametrize(
    ("penalties", "begun", "hands_left"),
    [
        # The hand under way does not count.
        ([penalty(5, 2)], [4], [2]),
        ([penalty(5, 2)], [5], [2]),
        ([penalty(5, 2)], [4, 6], [1]),
        # A second penalty is served after the first.
        ([penalty(3, 2), penalty(0, 1)], [1], [2, 0]),
        ([penalty(3, 2), penalty(0, 1)], [1, 4], [1, 0]),
        ([penalty(0, 2), penalty(1, 2)], [2, 3, 4], [0, 1]),
        # Hands that staff counted are taken off; a warning is no hand.
        ([penalty(0, 3, served=1)], [1], [1]),
        ([penalty(0, 1, served=4)], [1], [0]),
        ([penalty(0, 0)], [1], [0]),
    ],
)
def test_tda_2024_71_how_many_hands_are_left(penalties, begun, hands_left):
    assert left(penalties, *begun) == hands_left


def test_tda_2024_71_a_penalty_has_rounds_players_and_hands():
    assert not penalties_served([penalty(0, 1, served=1)], [])[0].sits_out
    for rounds, players in ((0, 9), (1, 0), (-1, 9)):
        with pytest.raises(ValueError, match="penalty in rounds"):
            hands_of_rounds(rounds, players)
    for wrong in (penalty(0, -1), penalty(0, 1, served=-1)):
        with pytest.raises(ValueError, match="less than no hands"):
            penalties_served([wrong], [])


def test_only_hands_count_that_were_dealt_where_he_sat():
    stays = [Stay(table=1, since=at(0), until=at(5)), Stay(table=2, since=at(5))]
    hands = [(2, at(7)), (1, at(4)), (1, at(5)), (2, at(5)), (3, at(6)), (2, at(1))]
    assert hands_during(stays, hands) == [at(4), at(5), at(7)]
    assert hands_during([], hands) == []


@given(PENALTIES, st.lists(MINUTES, max_size=12), MINUTES)
def test_every_hand_is_counted_at_most_once_and_nothing_falls_below_zero(rows, minutes, further):
    penalties = [penalty(*row) for row in rows]
    begun = [at(minute) for minute in minutes]
    before = [max(0, row.hands - row.served) for row in penalties]
    found = penalties_served(penalties, begun)
    counted = sum(before) - sum(row.left for row in found)
    assert 0 <= counted <= len(begun)
    assert all(0 <= row.left <= most for row, most in zip(found, before, strict=True))
    assert sum(row.is_in_hand for row in found) <= 1
    more = left(penalties, *minutes, further)
    assert sum(before) - counted - sum(more) in (0, 1)


@given(st.lists(MINUTES, max_size=12), st.integers(1, 5))
def test_enough_hands_end_every_penalty(minutes, hands):
    later = [21 + each for each in range(hands + 1)]
    (found,) = penalties_served([penalty(0, hands)], [at(each) for each in (*minutes, *later)])
    assert not found.sits_out


# --- The bubble


def heads(players, counted=None, *, is_fresh=True, number=1):
    return TableHeads(number=number, players=players, counted=counted, is_fresh=is_fresh)


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
