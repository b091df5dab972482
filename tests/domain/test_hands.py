"""Cards; poker hands, against pokerkit, by count, and by the rule books' own words."""

from collections import Counter
from itertools import combinations, pairwise, permutations
from random import Random

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import LimitKind
from tests.domain.test_showdown import player, showdown
from tournaments.event.domain.cards import card_from_code, deck, seat_cards
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.hands import (
    Category,
    Hand,
    best_hand,
    best_low,
    category_of,
    deuce_value,
    first_to_act,
    low_value,
    opener,
    value_of,
)
from tournaments.rulings.domain.pots import (
    HALVED,
    HOLE,
    STUDS,
    Contest,
    Pot,
    Unruled,
    board_of,
    halves_of,
)
from tournaments.rulings.domain.showdown import winners_of

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


# --- Low hands and halved pots: against pokerkit, and by the games' common rules


LOW_ORACLES = {
    Contest.RAZZ: pokerkit.RegularLowHand,
    Contest.TRIPLE_DRAW: pokerkit.StandardLowHand,
    Contest.OMAHA_HILO: pokerkit.OmahaEightOrBetterLowHand,
    Contest.OMAHA5_HILO: pokerkit.OmahaEightOrBetterLowHand,
    Contest.STUD_HILO: pokerkit.EightOrBetterLowHand,
}
BOARD = "3s 7d 8h Qs Jc"


def lows_agree(contest, hands, seed):
    """Compare who is ahead, who is even and who has no low hand, in showdowns of so many hands."""
    rng, own, shared = Random(seed), HOLE[contest], board_of(contest)
    compared = lows = 0
    while compared < hands:
        # Few ranks make low hands, pairs and equal hands often enough.
        pack = [card for card in deck() if rng.random() < 0.5 or not 10 <= card.rank <= 13]
        players = min(rng.randint(2, 6), (len(pack) - shared) // own)
        dealt = rng.sample(pack, players * own + shared)
        board, dealt = dealt[:shared], dealt[shared:]
        held = [dealt[own * one : own * (one + 1)] for one in range(players)]
        ours = [best_low(contest, one, board) for one in held]
        theirs = [LOW_ORACLES[contest].from_game_or_none(codes(one), codes(board)) for one in held]
        assert [one is None for one in ours] == [one is None for one in theirs]
        both = [pair for pair in zip(ours, theirs, strict=True) if pair[0] is not None]
        for (mine, said), (other, told) in combinations(both, 2):
            assert (mine.value > other.value, mine.value == other.value) == (
                said > told,
                said == told,
            )
        for mine, said in both:
            assert type(said)(codes(mine.cards)).entry == said.entry
        compared, lows = compared + players, lows + len(both)
    assert lows > compared / 5


@pytest.mark.parametrize("contest", LOW_ORACLES)
@pytest.mark.parametrize("hands", [150, pytest.param(20_000, marks=pytest.mark.long)])
def test_s24_low_hands_are_ranked_as_pokerkit_ranks_them(contest, hands):
    lows_agree(contest, hands, seed=15)


@given(st.lists(st.sampled_from(deck()), min_size=5, max_size=5, unique=True), st.randoms())
def test_the_order_and_in_razz_the_suits_of_cards_do_not_matter(five, rng):
    mixed = rng.sample(five, 5)
    assert low_value(five) == low_value(mixed)
    assert deuce_value(five) == deuce_value(mixed)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (low_value, "5s 4s 3s 2s As > 6s 4d 3s 2s As > As Ad 2s 3s 4s"),
        (deuce_value, "7s 5d 4s 3s 2s > 8s 5d 4s 3s 2s > As 5d 4s 3s 2s > 2s 2d 3s 4s 5s"),
        (deuce_value, "2s 2d 3s 4s 5s > 6s 5d 4s 3s 2s > 7s 5s 4s 3s 2s"),
    ],
    ids=["razz: the ace is low", "deuce to seven: it is high", "straights and flushes count"],
)
def test_low_hands_from_the_best_one_down(value, told):
    values = [value(cards(held)) for held in told.split(" > ")]
    assert values == sorted(set(values), reverse=True)


def test_hi_lo_without_a_hand_to_eight_the_high_one_takes_all():
    players = [player("As Ad Kh 4c", put=50), player("Kd Kc 9h 9c", put=50)]
    found = showdown(*players, game="omaha_hilo", board="Qs Jd 8h 7s 2c")
    assert found["lows"][0]["cards"] == ["8h", "7s", "4c", "2c", "As"]
    assert (found["low_winners"], found["gets"]) == ([[0]], [100, 0])
    found = showdown(*players, game="omaha_hilo", board="Qs Jd Ts 9s 2c")
    assert (found["lows"], found["low_winners"]) == ([None, None], [[]])
    assert sorted(found["gets"]) == [0, 100]


def test_omaha_hi_lo_takes_other_two_cards_for_the_low_hand_than_for_the_high_one():
    found = showdown(player("Qd Qh As 2d"), player("Kd Kh 9c 9d"), game="omaha_hilo", board=BOARD)
    assert found["hands"][0]["cards"][:3] == ["Qs", "Qh", "Qd"]
    assert found["lows"][0]["cards"] == ["8h", "7d", "3s", "2d", "As"]


def test_tda_2024_20c_the_odd_chip_of_a_halved_pot_goes_to_the_high_hand():
    players = [player("Qd Qh Kc 9c", put=25), player("As 2d Kd Th", put=25)]
    found = showdown(*players, game="omaha_hilo", board=BOARD, dead=5, unit=5)
    assert (found["winners"], found["low_winners"]) == ([[0]], [[1]])
    assert found["gets"] == [30, 25]
    assert found["pots"][0]["shares"] == [[0, 30, 0]]
    assert found["pots"][0]["low_shares"] == [[1, 25, 0]]


def test_tda_2024_20_a_quartered_low_half_gives_its_odd_chip_left_of_the_button():
    hands = ("As 2d Kd Th", "Qd Qh Kc 9c", "Ad 2h Kh 6c")
    players = [player(hand, put=21) for hand in hands]
    found = showdown(*players, game="omaha_hilo", board=BOARD)
    assert found["low_winners"] == [[0, 2]]
    assert found["gets"] == [16, 32, 15]


@pytest.mark.parametrize(
    ("contest", "hands", "winners"),
    [
        (Contest.RAZZ, ("8h Ac", "8s Ad"), (1, 0)),
        (Contest.STUD_HILO, ("8h Ac", "8s Ad"), (1, 0)),
        (Contest.TRIPLE_DRAW, ("8h Ac", "8s Ad"), (0, 1)),
        # The ace is the lowest card of a low hand, whatever its suit.
        (Contest.RAZZ, ("7c As", "7d Ac"), (1, 0)),
    ],
)
def test_tda_2024_20b_in_stud_games_the_odd_chip_goes_to_the_highest_card_by_suit(
    contest, hands, winners
):
    ranked = {place: Hand(5, tuple(cards(held))) for place, held in enumerate(hands)}
    assert winners_of(Pot(11, (0, 1)), ranked, contest, is_low=True) == winners


def test_tda_2024_20d_who_is_even_both_ways_shares_the_whole_pot_evenly():
    high, low = halves_of(Pot(7, (0, 1)), [0, 1], [1, 0])
    assert ([share.amount for share in high], low) == ([4, 3], ())


def test_s23_a_side_pot_is_halved_among_those_who_can_win_it():
    short = player("As 2d 9s 9h", put=40, all_in=True)
    players = [short, player("Ad 4h Kd Th", put=100), player("Qd Qh Kc 9c", put=100)]
    found = showdown(*players, game="omaha_hilo", board=BOARD)
    assert [pot["amount"] for pot in found["pots"]] == [120, 120]
    assert (found["winners"], found["low_winners"]) == ([[2], [2]], [[0], [1]])
    assert found["gets"] == [60, 60, 120]


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


def test_who_may_still_win_the_low_half_must_show():
    players = [player("Qd Qh Kc 9c"), player("As 2d Kd Th"), player("9d 9s Kh 4h")]
    assert showdown(*players, game="omaha_hilo", board=BOARD, last_raiser=0)["free"] == [2]


@pytest.mark.parametrize("game", ["razz", "triple_draw", "stud_hilo"])
@pytest.mark.parametrize(("board", "code"), [("", "few_cards"), ("5s 6s", "many_board")])
def test_a_card_in_the_middle_of_a_draw_game_and_missing_ones_are_said(game, board, code):
    with pytest.raises(Unruled) as refused:
        showdown(player("As 2d"), player("Ks Kd"), game=game, board=board)
    assert refused.value.code == code


def test_s25_in_razz_the_highest_open_card_opens_and_the_lowest_board_acts_first():
    shown = cards("2h Kc Ad Ks")
    assert {opener(shown, limit, is_razz=True) for limit in LimitKind} == {3}
    assert opener(cards("As 2c"), LimitKind.SPLIT_LIMIT, is_razz=True) == 1
    assert first_to_act([cards("Ah 5d"), cards("4s 2d"), cards("2s 2c")], is_razz=True) == (1,)
    assert first_to_act([cards("Ah 5d"), cards("As 5c")], is_razz=True) == (0, 1)
    asked = {"game": "razz", "limit": "split_limit", "players": [["As"], ["2c"]]}
    assert answer(Topic.STUD, asked) == {"first": [1], "is_forced": True}
