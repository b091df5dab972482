"""Cards; poker hands, against pokerkit, by count, and by the rule books' own words."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.cards import card_from_code, deck, seat_cards
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.hands import Category, best_hand, category_of, value_of
from tournaments.rulings.domain.pots import Contest

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
ORACLES = {
    Game.HOLDEM: pokerkit.StandardHighHand,
    Game.OMAHA: pokerkit.OmahaHoldemHand,
    Contest.OMAHA5: pokerkit.OmahaHoldemHand,
    Game.STUD: pokerkit.StandardHighHand,
}
DEALT = {Game.HOLDEM: (2, 5), Game.OMAHA: (4, 5), Contest.OMAHA5: (5, 5), Game.STUD: (7, 0)}


def cards(codes):
    return [card_from_code(code) for code in codes.split()]


def kind(codes):
    return category_of(value_of(cards(codes)))


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


def test_s24_krru_3_0_the_ten_examples_are_what_they_are_called_and_rank_in_this_order():
    assert {hand: kind(hand) for hand in EXAMPLES} == EXAMPLES
    assert all(low < high for low, high in pairwise(value_of(cards(one)) for one in EXAMPLES))


@pytest.mark.parametrize(
    ("hand", "wanted"),
    [
        ("5s 4h 3d 2c As", Category.STRAIGHT),  # WIESBADEN: the ace is also low
        ("5d 4d 3d 2d Ad", Category.STRAIGHT_FLUSH),
        ("3s 2h Ad Kc Qs", Category.HIGH_CARD),  # STEFFEN: never in the middle
        ("2s Ah Kd Qc Js", Category.HIGH_CARD),
        ("4s 3h 2d Ac Ks", Category.HIGH_CARD),
    ],
)
def test_wiesbaden_and_steffen_the_ace_is_high_or_low(hand, wanted):
    assert kind(hand) is wanted


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


def test_all_rule_books_suits_decide_nothing():
    assert value_of(cards("As Ks 9s 4s 3s")) == value_of(cards("Ac Kc 9c 4c 3c"))


def test_home_and_steffen_a_board_is_bettered_by_a_card_of_ones_own():
    board = cards("9s Th Jd Qc Ks")
    playing, higher = (best_hand(Game.HOLDEM, cards(own), board) for own in ("7d 2c", "Ad 2h"))
    assert codes(playing.cards) == "KsQcJdTh9s"
    assert codes(higher.cards) == "AdKsQcJdTh"
    assert higher.value > playing.value
    board, own = cards("8s 8h 8d 8c Ks"), ("Ad 2c", "Kd 3c", "Qd Qc")
    ace, king, queen = (best_hand(Game.HOLDEM, cards(two), board) for two in own)
    assert ace.value > king.value == queen.value


def test_wiesbaden_omaha_takes_exactly_two_of_the_own_cards_and_three_of_the_board():
    board = cards("As Ks Qs Js 2d")
    one_spade = best_hand(Game.OMAHA, cards("Ts 3h 4h 5c"), board)
    two_spades = best_hand(Game.OMAHA, cards("Ts 3s 4h 5c"), board)
    assert category_of(one_spade.value) is Category.HIGH_CARD
    assert codes(two_spades.cards) == "AsKsQsTs3s"
    four = best_hand(Game.OMAHA, cards("9s 9h 9d 9c"), cards("As Kd 7h 4c 2s"))
    assert category_of(four.value) is Category.PAIR


@given(st.lists(st.sampled_from(deck()), min_size=7, max_size=7, unique=True), st.randoms())
def test_seven_cards_are_worth_their_best_five_in_any_order(held, rng):
    best = max(value_of(five) for five in combinations(held, 5))
    hand = best_hand(Game.STUD, held, [])
    assert value_of(held) == best == hand.value == value_of(hand.cards)
    assert value_of(rng.sample(held, len(held))) == best
    assert set(hand.cards) <= set(held)


def showdowns(rng, game, count):
    """Yield showdowns of random players, and what pokerkit makes of them."""
    own, shared = DEALT[game]
    for _ in range(count):
        players = rng.randint(2, 52 // 7 if game is Game.STUD else 6)
        dealt = rng.sample(deck(), players * own + shared)
        board, dealt = dealt[:shared], dealt[shared:]
        yield board, [dealt[own * one : own * (one + 1)] for one in range(players)]


def agree(game, count, seed):
    """Compare who is ahead of whom, who is even, and what each holds."""
    rng, oracle = Random(seed), ORACLES[game]
    for board, hands in showdowns(rng, game, count):
        ours = [best_hand(game, held, board) for held in hands]
        theirs = [oracle.from_game(codes(held), codes(board)) for held in hands]
        for one, other in combinations(range(len(hands)), 2):
            said = (ours[one].value > ours[other].value, ours[one].value == ours[other].value)
            assert said == (theirs[one] > theirs[other], theirs[one] == theirs[other])
        for mine, held in zip(ours, theirs, strict=True):
            assert pokerkit.StandardHighHand(codes(mine.cards)).entry == held.entry
            assert category_of(mine.value) in LABELS[held.entry.label]


LABELS = {
    pokerkit.Label.HIGH_CARD: {Category.HIGH_CARD},
    pokerkit.Label.ONE_PAIR: {Category.PAIR},
    pokerkit.Label.TWO_PAIR: {Category.TWO_PAIR},
    pokerkit.Label.THREE_OF_A_KIND: {Category.THREE},
    pokerkit.Label.STRAIGHT: {Category.STRAIGHT},
    pokerkit.Label.FLUSH: {Category.FLUSH},
    pokerkit.Label.FULL_HOUSE: {Category.FULL_HOUSE},
    pokerkit.Label.FOUR_OF_A_KIND: {Category.FOUR},
    pokerkit.Label.STRAIGHT_FLUSH: {Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH},
}


@pytest.mark.parametrize("game", list(ORACLES))
@pytest.mark.parametrize("count", [30, pytest.param(7_000, marks=pytest.mark.long)])
def test_showdowns_are_decided_as_pokerkit_decides_them(game, count):
    agree(game, count, seed=15)


def test_the_hands_of_a_deck_of_four_ranks_come_out_by_category():
    """Ranks two to six and all suits: 15,504 hands, counted by hand."""
    low = [card for card in deck() if card.rank <= 6]
    found = Counter(category_of(value_of(five)) for five in combinations(low, 5))
    assert found == {
        Category.STRAIGHT_FLUSH: 4,
        Category.FOUR: 80,
        Category.FULL_HOUSE: 480,
        Category.STRAIGHT: 1_020,
        Category.THREE: 1_920,
        Category.TWO_PAIR: 4_320,
        Category.PAIR: 7_680,
    }


@pytest.mark.long
def test_all_2_598_960_hands_of_five_cards_come_out_by_category():
    found = Counter(category_of(value_of(five)) for five in combinations(deck(), 5))
    assert found == FIVE_CARD_COUNTS


def test_the_deck_has_52_cards_in_its_order():
    assert len(set(deck())) == 52
    assert [card.code for card in deck()[::13]] == ["As", "Ah", "Ad", "Ac"]
    assert [card.code for card in deck()[:13]] == [f"{rank}s" for rank in "AKQJT98765432"]


def test_a_code_names_its_card():
    for card in deck():
        assert card_from_code(card.code) == card
        assert card.code.isascii()
        assert len(card.code) == 2


@pytest.mark.parametrize("code", ["", "1s", "10s", "KS", "ks", "Kx", "K♠"])
def test_what_is_no_code_is_refused(code):
    with pytest.raises(ValueError, match="No card"):
        card_from_code(code)


@pytest.mark.parametrize(
    ("codes", "winner"),
    [
        (["Ah", "As", "Ad", "Ac"], "As"),
        (["Ah", "Ad", "Ac"], "Ah"),
        (["Ad", "Ac", "Ks"], "Ad"),
        (["2c", "2d", "3c"], "3c"),
        (["Ts", "9s", "Jc"], "Jc"),
        (["2c"], "2c"),
    ],
)
def test_krru_3_0_highest_card_deals_first_and_suits_break_ties(codes, winner):
    for order in permutations(codes):
        assert max(map(card_from_code, order)).code == winner


def test_home_seat_cards_run_from_the_ace_low_for_2_to_10_seats():
    labels = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    for count in range(2, 11):
        assert [rank.label for rank in seat_cards(count)] == labels[:count]
    for count in (-1, 0, 1, 11):
        with pytest.raises(ValueError, match="2 to 10"):
            seat_cards(count)
