from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.cards import Card, Rank, Suit, card_from_code, deck, seat_cards

CARDS = st.sampled_from(deck())


def test_the_deck_has_52_cards_in_its_order():
    assert len(set(deck())) == 52
    assert [card.code for card in deck()[::13]] == ["As", "Ah", "Ad", "Ac"]
    assert [card.code for card in deck()[:13]] == [f"{rank}s" for rank in "AKQJT98765432"]


@given(CARDS)
def test_a_code_names_its_card(card):
    assert card_from_code(card.code) == card
    assert card.code.isascii()
    assert len(card.code) == 2


def test_a_card_is_read_as_printed():
    assert str(Card(Rank.TEN, Suit.DIAMONDS)) == "10♦"
    assert "".join(suit.symbol for suit in reversed(Suit)) == "♠♥♦♣"


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


@given(st.lists(CARDS, min_size=1, unique=True))
def test_krru_3_0_no_tie_is_possible(cards):
    best = max(cards)
    assert all(
        best.rank > other.rank or (best.rank == other.rank and best.suit > other.suit)
        for other in cards
        if other is not best
    )


@pytest.mark.parametrize("count", range(2, 11))
def test_home_seat_cards_run_from_the_ace_low(count):
    labels = [rank.label for rank in seat_cards(count)]
    assert labels == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"][:count]


@pytest.mark.parametrize("count", [-1, 0, 1, 11])
def test_home_seat_cards_are_for_2_to_10_seats(count):
    with pytest.raises(ValueError, match="2 to 10"):
        seat_cards(count)
