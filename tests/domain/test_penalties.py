"""Penalties in hands, and when stacks have to be asked for."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.play.domain.ranking import stacks_matter
from tournaments.seating.domain.penalties import (
    HandsPenalty,
    Served,
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


def test_tda_2024_71_a_round_is_a_hand_for_each_player_at_the_table():
    assert hands_of_rounds(1, 10) == 10
    assert hands_of_rounds(3, 6) == 18
    for rounds, players in ((0, 9), (1, 0), (-1, 9)):
        with pytest.raises(ValueError, match="penalty in rounds"):
            hands_of_rounds(rounds, players)


def test_tda_2024_71_the_hand_under_way_does_not_count():
    two = [penalty(5, 2)]
    assert left(two, 4) == [2]
    assert left(two, 5) == [2]
    assert left(two, 4, 6) == [1]


def test_tda_2024_71_the_last_hand_is_missed_until_the_next_begins():
    two = [penalty(0, 2)]
    assert penalties_served(two, [at(1), at(2)]) == (Served(left=0, is_in_hand=True),)
    assert penalties_served(two, [at(1), at(2), at(3)]) == (Served(left=0, is_in_hand=False),)


def test_a_second_penalty_is_served_after_the_first():
    both = [penalty(3, 2), penalty(0, 1)]
    assert left(both, 1) == [2, 0]
    assert left(both, 1, 4) == [1, 0]
    assert left([penalty(0, 2), penalty(1, 2)], 2, 3, 4) == [0, 1]


def test_hands_that_staff_counted_are_taken_off():
    assert left([penalty(0, 3, served=1)], 1) == [1]
    assert left([penalty(0, 1, served=4)], 1) == [0]
    assert not penalties_served([penalty(0, 1, served=1)], [])[0].sits_out


def test_a_warning_is_no_hand():
    assert penalties_served([penalty(0, 0)], [at(1)]) == (Served(left=0),)


def test_no_penalty_has_less_than_no_hands():
    for wrong in (penalty(0, -1), penalty(0, 1, served=-1)):
        with pytest.raises(ValueError, match="less than no hands"):
            penalties_served([wrong], [])


def test_only_hands_count_that_were_dealt_where_he_sat():
    stays = [Stay(table=1, since=at(0), until=at(5)), Stay(table=2, since=at(5))]
    hands = [(2, at(7)), (1, at(4)), (1, at(5)), (2, at(5)), (3, at(6)), (2, at(1))]
    assert hands_during(stays, hands) == [at(4), at(5), at(7)]
    assert hands_during([], hands) == []


@given(PENALTIES, st.lists(MINUTES, max_size=12))
def test_every_hand_is_counted_at_most_once_and_nothing_falls_below_zero(rows, minutes):
    penalties = [penalty(*row) for row in rows]
    begun = [at(minute) for minute in minutes]
    before = [max(0, row.hands - row.served) for row in penalties]
    found = penalties_served(penalties, begun)
    counted = sum(before) - sum(row.left for row in found)
    assert 0 <= counted <= len(begun)
    assert all(0 <= row.left <= most for row, most in zip(found, before, strict=True))
    assert sum(row.is_in_hand for row in found) <= 1


@given(PENALTIES, st.lists(MINUTES, max_size=12), MINUTES)
def test_a_further_hand_never_adds_to_what_is_left(rows, minutes, further):
    penalties = [penalty(*row) for row in rows]
    before, after = left(penalties, *minutes), left(penalties, *minutes, further)
    assert sum(before) - sum(after) in (0, 1)


@given(st.lists(MINUTES, max_size=12), st.integers(1, 5))
def test_enough_hands_end_every_penalty(minutes, hands):
    later = [21 + each for each in range(hands + 1)]
    (found,) = penalties_served([penalty(0, hands)], [at(each) for each in (*minutes, *later)])
    assert not found.sits_out


@pytest.mark.parametrize(
    ("left", "out", "paid", "asked"),
    [
        (40, 2, 5, False),
        (5, 2, 5, False),
        (4, 2, 5, True),
        (3, 3, 5, True),
        (4, 1, 5, False),
        (1, 2, 1, False),
        (9, 2, 0, False),
        (8, 2, 0, True),
    ],
)
def test_stacks_are_asked_for_only_where_a_place_that_matters_hangs_on_them(left, out, paid, asked):
    assert stacks_matter(left=left, out=out, paid=paid, final_table=9) is asked


def test_stacks_matter_of_somebody():
    with pytest.raises(ValueError, match="Nobody"):
        stacks_matter(left=1, out=0, paid=1, final_table=9)
