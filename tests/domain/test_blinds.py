"""Button and blinds of the next hand: cases worked out by hand, and whole evenings of hands."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import case
from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.button import (
    Positions,
    TableView,
    between,
    hand_from,
    next_big_blind,
    next_hand,
    next_hand_of,
    ring,
)

MOVING, DEAD = ButtonRule.MOVING, ButtonRule.DEAD
CASES = [
    pytest.param(row, rule, id=f"{rule}: {row['case']} ({row['source']})")
    for row in case("button")["hands"]
    for rule in ButtonRule
    if row["rule"] in (rule, "both")
]


def positions(seats):
    return Positions(**dict(zip(("button", "small_blind", "big_blind"), seats, strict=True)))


@pytest.mark.parametrize(("row", "rule"), CASES)
def test_krru_3_and_tda_2024_10_32_34_the_next_hand(row, rule):
    hand = next_hand(
        seats=row["seats"],
        players=set(row["players"]),
        last=positions(row["last"]),
        rule=rule,
        newcomers=set(row["newcomers"]),
    )
    assert hand.positions == positions(row["next"])
    dead = {hand.button} if hand.is_button_dead else set()
    dead |= {hand.small_blind} if hand.is_small_blind_dead else set()
    assert dead == set(row["dead"])
    assert hand.waits == set(row["waits"])


# --- Whole evenings: hands with busts and newcomers, from a first button


@st.composite
def evenings(draw):
    """A table, its first button, and after each hand who goes out and who sits down."""
    seats = draw(st.integers(2, 10))
    players = draw(st.sets(st.integers(1, seats), min_size=2))
    change = st.tuples(
        st.sets(st.integers(1, seats), max_size=2), st.sets(st.integers(1, seats), max_size=2)
    )
    changes = draw(st.lists(change, min_size=1, max_size=25))
    return seats, players, draw(st.sampled_from(sorted(players))), changes


def play(evening, rule):
    """Yield the hand before, the next one, and who sits there, as long as two are left."""
    seats, players, button, changes = evening
    last = hand_from(seats, players, button)
    for out, come in changes:
        dealt = players - last.waits
        stay = players - (out & dealt)
        newcomers = come - players
        players = stay | newcomers
        if len(players) < 2:
            return
        made = next_hand(
            seats=seats, players=players, last=last.positions, rule=rule, newcomers=newcomers
        )
        yield last, made, players, newcomers, seats
        last = made


@pytest.mark.parametrize("rule", ButtonRule)
@given(evening=evenings())
def test_krru_3_and_tda_2024_10_32_34_what_holds_of_every_hand(rule, evening):
    for last, hand, players, newcomers, seats in play(evening, rule):
        passed = between(seats, last.big_blind, hand.big_blind)
        assert hand.big_blind in players
        assert hand.big_blind != last.big_blind or last.big_blind in newcomers, "posts twice"
        if rule is DEAD or len(players) == 2:
            assert not passed & players, "the big blind goes to the next player"
        if rule is MOVING:
            assert {hand.button, hand.small_blind} <= players, "no post is ever dead"
            assert not hand.is_button_dead
            assert not hand.is_small_blind_dead
        elif len(players) > 2:
            assert hand.small_blind == last.big_blind
            assert hand.is_small_blind_dead == (hand.small_blind not in players)
            assert hand.is_button_dead == (hand.button not in players)
        dealt = players - hand.waits
        if len(dealt) == 2:
            assert hand.button == hand.small_blind
            assert {hand.small_blind, hand.big_blind} == dealt
        else:
            order = ring(seats, dealt | {hand.button, hand.small_blind}, hand.button - 1)
            assert order[:2] == (hand.button, hand.small_blind)
            assert ring(seats, dealt, hand.small_blind)[0] == hand.big_blind


@pytest.mark.parametrize("rule", ButtonRule)
@given(evening=evenings())
def test_tda_2024_10_who_waits_sits_between_button_and_small_blind_and_once_only(rule, evening):
    waited = frozenset()
    for _last, hand, players, newcomers, seats in play(evening, rule):
        dealt = players - hand.waits
        assert len(dealt) >= 2
        assert {hand.big_blind} | (players & {hand.button, hand.small_blind}) <= dealt
        assert hand.waits <= players & (newcomers | waited)
        assert not hand.waits & (waited - newcomers), "nobody waits for two hands"
        if hand.button != hand.small_blind:
            assert hand.waits <= between(seats, hand.button, hand.small_blind)
        waited = hand.waits


@pytest.mark.parametrize("rule", ButtonRule)
@given(seats=st.integers(2, 10), data=st.data())
def test_in_a_round_everybody_posts_each_blind_once(rule, seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=2))
    hand = hand_from(seats, players, data.draw(st.sampled_from(sorted(players))))
    posted = []
    for _hand in range(len(players)):
        posted.append((hand.small_blind, hand.big_blind))
        hand = next_hand(seats=seats, players=players, last=hand.positions, rule=rule)
    for blind in zip(*posted, strict=True):
        assert sorted(blind) == sorted(players)


# --- What is known of a hand


def test_krru_3_the_first_hand_has_the_blinds_after_the_button():
    assert hand_from(9, {1, 4, 6}, 6).positions == positions((6, 1, 4))
    assert hand_from(9, {1, 4}, 4).positions == positions((4, 4, 1))
    gone = hand_from(9, {1, 4}, 9)
    assert gone.positions == positions((9, 1, 4))
    assert gone.is_button_dead


@pytest.mark.parametrize("players", [set(), {3}])
def test_a_hand_takes_two(players):
    with pytest.raises(ValueError, match="two players"):
        hand_from(9, players, 1)
    with pytest.raises(ValueError, match="two players"):
        next_hand(seats=9, players=players, last=positions((1, 2, 3)), rule=DEAD)


def view(players, button=None, **own):
    return TableView(1, 9, {seat: 100 + seat for seat in players}, button, **own)


def test_a_table_tells_its_next_hand_by_its_own_rule_if_it_has_one():
    known = view([1, 2, 5, 8], button=1, small_blind=2, big_blind=3)
    assert next_hand_of(known).positions == positions((2, 5, 8))
    dead = replace(known, rule=DEAD)
    assert next_hand_of(dead).positions == positions((2, 3, 5))
    assert next_big_blind(dead) == 5
    assert next_hand_of(view([1, 2, 3])) is None
    assert next_hand_of(view([4], 4)) is None
    assert next_big_blind(view([4], 4)) == 4


def test_with_only_the_button_known_newcomers_count_as_newcomers():
    table = view([1, 2, 4], 1).joined_by(199, 3)
    assert table.newcomers == {3}
    hand = next_hand_of(table)
    assert (hand.positions, hand.waits) == (positions((2, 4, 1)), {3})
    assert next_hand_of(view([5], 5).joined_by(199, 6)).big_blind == 6
    assert next_hand_of(table.left_by(3)) == next_hand_of(view([1, 2, 4], 1))
    everybody = frozenset({1, 2, 4})
    assert next_hand_of(view([1, 2, 4], 1, newcomers=everybody)) is not None
