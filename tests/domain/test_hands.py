"""Cards; poker hands, against pokerkit, by count, and by the rule books' own words."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.cards import card_from_code, deck, seat_cards
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.hands import (
    Category,
    best_hand,
    best_low,
    category_of,
    deuce_value,
    low_value,
    value_of,
)
from tournaments.rulings.domain.pots import HALVED, HOLE, STUDS, Contest, board_of

FIVE_CARD_COUNTS = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.PAIR: 1_098_240,
    Category.HIGH_CARD: 1_302_540,
}


def cards(codes):
    return [card_from_code(code) for code in codes.split()]


def codes(held):
    return "".join(card.code for card in held)


# KRRU 3.0: the ten examples, from the lowest on.
EXAMPLES = {
    "As 3d 7h 9c Jd": Category.HIGH_CARD,
    "Tc Th 2s 5d 9c": Category.PAIR,
    "Jd Js 8c 8s 3h": Category.TWO_PAIR,
    "Qc Qh Qs 2d 7h": Category.THREE,
    "7s 6d 5h 4c 3h": Category.STRAIGHT,
    "3s Qs Ts Ks 7s": Category.FLUSH,
    "2c 2s 2d Ah Ac": Category.FULL_HOUSE,
    "4h 4d 4c 4s 9s": Category.FOUR,
    "Jc Tc 9c 8c 7c": Category.STRAIGHT_FLUSH,
    "Ah Kh Qh Jh Th": Category.ROYAL_FLUSH,
}
ACES = {
    "5s 4h 3d 2c As": Category.STRAIGHT,  # WIESBADEN: the ace is also low
    "5d 4d 3d 2d Ad": Category.STRAIGHT_FLUSH,
    "3s 2h Ad Kc Qs": Category.HIGH_CARD,  # STEFFEN: never in the middle
    "2s Ah Kd Qc Js": Category.HIGH_CARD,
    "4s 3h 2d Ac Ks": Category.HIGH_CARD,
}


def test_s24_krru_3_0_the_ten_examples_are_what_they_are_called_and_rank_in_this_order():
    told = EXAMPLES | ACES
    assert {hand: category_of(value_of(cards(hand))) for hand in told} == told
    assert all(low < high for low, high in pairwise(value_of(cards(one)) for one in EXAMPLES))


@pytest.mark.parametrize(
    ("high", "low"),
    [
        ("6s 5h 4d 3c 2s", "5s 4h 3d 2c As"),  # WIESBADEN: then the lowest straight
        ("9s 8h 7d 6c 5s", "8s 7h 6d 5c 4s"),  # HOME
        ("Ks Kh Qd 9c 2s", "Kd Kc Jd 9s 8h"),  # STEFFEN: kickers
        ("Ks Kh Qd 9c 3s", "Kd Kc Qs 9s 2h"),
        ("7s 7h 7d Ac 2s", "7s 7h 7d Kc Qs"),
        ("9s 9h 4d 4c As", "9d 9c 4s 4h Ks"),
        ("9s 9h 5d 5c 2s", "9d 9c 4s 4h Ks"),
        ("6s 6h 6d Kc Ks", "6s 6h 6d Qc Qs"),
        ("As Js 9s 4s 3s", "Ah Jh 9h 4h 2h"),
    ],
)
def test_the_higher_of_two_hands_of_one_kind(high, low):
    assert value_of(cards(high)) > value_of(cards(low))


def test_home_and_steffen_a_board_is_bettered_by_a_card_of_ones_own():
    board = cards("9s Th Jd Qc Ks")
    playing, higher = (best_hand(Contest.HOLDEM, cards(own), board) for own in ("7d 2c", "Ad 2h"))
    assert codes(playing.cards) == "KsQcJdTh9s"
    assert codes(higher.cards) == "AdKsQcJdTh"
    board, own = cards("8s 8h 8d 8c Ks"), ("Ad 2c", "Kd 3c", "Qd Qc")
    ace, king, queen = (best_hand(Contest.HOLDEM, cards(two), board) for two in own)
    assert ace.value > king.value == queen.value


@given(st.lists(st.sampled_from(deck()), min_size=7, max_size=7, unique=True), st.randoms())
def test_seven_cards_are_worth_their_best_five_in_any_order(held, rng):
    best = max(value_of(five) for five in combinations(held, 5))
    hand = best_hand(Contest.STUD, held, [])
    assert best == hand.value == value_of(hand.cards)
    assert best_hand(Contest.STUD, rng.sample(held, 7), []) == hand
    assert set(hand.cards) <= set(held)


@given(st.lists(st.sampled_from(deck()), min_size=5, max_size=5, unique=True), st.randoms())
def test_the_order_of_cards_does_not_matter_to_a_low_hand(five, rng):
    mixed = rng.sample(five, 5)
    assert low_value(five) == low_value(mixed)
    assert deuce_value(five) == deuce_value(mixed)


ORACLES = {
    Contest.HOLDEM: (best_hand, pokerkit.StandardHighHand),
    Contest.OMAHA: (best_hand, pokerkit.OmahaHoldemHand),
    Contest.OMAHA5: (best_hand, pokerkit.OmahaHoldemHand),
    Contest.STUD: (best_hand, pokerkit.StandardHighHand),
    Contest.RAZZ: (best_low, pokerkit.RegularLowHand),
    Contest.TRIPLE_DRAW: (best_low, pokerkit.StandardLowHand),
    Contest.OMAHA_HILO: (best_low, pokerkit.OmahaEightOrBetterLowHand),
    Contest.OMAHA5_HILO: (best_low, pokerkit.OmahaEightOrBetterLowHand),
    Contest.STUD_HILO: (best_low, pokerkit.EightOrBetterLowHand),
}


@pytest.mark.parametrize("contest", ORACLES)
@pytest.mark.parametrize("hands", [150, pytest.param(20_000, marks=pytest.mark.long)])
def test_s24_hands_are_ranked_as_pokerkit_ranks_them(contest, hands):
    """Compare who is ahead, who is even, who has no low hand, and what each holds."""
    best, oracle = ORACLES[contest]
    rng, own, shared = Random(15), HOLE[contest], board_of(contest)
    compared = found = 0
    while compared < hands:
        # Few ranks make low hands, pairs and equal hands often enough.
        pack = [card for card in deck() if rng.random() < 0.5 or not 10 <= card.rank <= 13]
        players = min(rng.randint(2, 6), (len(pack) - shared) // own)
        dealt = rng.sample(pack, players * own + shared)
        board, dealt = dealt[:shared], dealt[shared:]
        held = [dealt[own * one : own * (one + 1)] for one in range(players)]
        ours = [best(contest, one, board) for one in held]
        theirs = [oracle.from_game_or_none(codes(one), codes(board)) for one in held]
        assert [one is None for one in ours] == [one is None for one in theirs]
        both = [pair for pair in zip(ours, theirs, strict=True) if pair[0] is not None]
        for (mine, said), (other, told) in combinations(both, 2):
            order = (mine.value > other.value, mine.value == other.value)
            assert order == (said > told, said == told)
        for mine, said in both:
            assert type(said)(codes(mine.cards)).entry == said.entry
        compared, found = compared + players, found + len(both)
    assert found > compared / 5


@pytest.mark.long
def test_all_2_598_960_hands_of_five_cards_come_out_by_category():
    found = Counter(category_of(value_of(five)) for five in combinations(deck(), 5))
    assert found == FIVE_CARD_COUNTS


def test_the_deck_has_52_cards_in_its_order_and_a_code_names_each():
    assert [card.code for card in deck()[::13]] == ["As", "Ah", "Ad", "Ac"]
    assert [card.code for card in deck()[:13]] == [f"{rank}s" for rank in "AKQJT98765432"]
    assert [card_from_code(card.code) for card in deck()] == list(deck())
    assert len({card.code for card in deck()}) == 52


@pytest.mark.parametrize("code", ["", "1s", "10s", "KS", "ks", "Kx", "K♠"])
def test_what_is_no_code_is_refused(code):
    with pytest.raises(ValueError, match="No card"):
        card_from_code(code)


@pytest.mark.parametrize("codes", ["As Ah Ad Ac", "Ad Ac Ks", "3c 2d 2c", "Jc Ts 9s"])
def test_krru_3_0_highest_card_deals_first_and_suits_break_ties(codes):
    for order in permutations(cards(codes)):
        assert max(order) == cards(codes)[0]


def test_home_seat_cards_run_from_the_ace_low_for_2_to_10_seats():
    labels = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    for count in range(2, 11):
        assert [rank.label for rank in seat_cards(count)] == labels[:count]
    for count in (-1, 0, 1, 11):
        with pytest.raises(ValueError, match="2 to 10"):
            seat_cards(count)


@pytest.mark.parametrize("contest", sorted(HALVED | STUDS))
def test_nothing_of_a_halved_pot_is_lost_and_nobody_gets_what_he_cannot_win(contest):
    rng, own, shared = Random(7), HOLE[contest], board_of(contest)
    for _ in range(60):
        dealt = [card.code for card in rng.sample(deck(), 3 * own + shared)]
        puts = sorted(rng.randint(1, 90) for _ in range(3))
        rows = [
            {"cards": dealt[own * at : own * (at + 1)], "put": put, "all_in": True}
            for at, put in enumerate(puts)
        ]
        asked = {"game": contest.value, "board": dealt[3 * own :], "players": rows}
        found = answer(Topic.SHOWDOWN, asked)
        assert sum(found["gets"]) + found["back"] == sum(puts)
        for pot in found["pots"]:
            shares = [*pot["shares"], *pot.get("low_shares", [])]
            assert sum(amount for _, amount, _ in shares) == pot["amount"]
            assert {place for place, _, _ in shares} <= set(pot["players"])
