"""Low hands and halved pots: against pokerkit, and by the games' common rules."""

from itertools import combinations
from random import Random

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import LimitKind
from tests.domain.test_hands import cards, player, showdown
from tournaments.event.domain.cards import deck
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.hands import (
    Hand,
    best_low,
    deuce_value,
    first_to_act,
    low_value,
    opener,
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

LOW_ORACLES = {
    Contest.RAZZ: pokerkit.RegularLowHand,
    Contest.TRIPLE_DRAW: pokerkit.StandardLowHand,
    Contest.OMAHA_HILO: pokerkit.OmahaEightOrBetterLowHand,
    Contest.OMAHA5_HILO: pokerkit.OmahaEightOrBetterLowHand,
    Contest.STUD_HILO: pokerkit.EightOrBetterLowHand,
}
BOARD = "3s 7d 8h Qs Jc"


def codes(held):
    return "".join(card.code for card in held)


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
