"""Cards: their codes and order, and those that stand for seats."""

from itertools import permutations

import pytest

from tournaments.event.domain.cards import card_from_code, deck, seat_cards


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
