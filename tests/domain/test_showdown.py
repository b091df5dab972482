"""Showdowns and stud: who wins which pot, who shows, who opens; and the desk's questions."""

import pytest

from clock.domain import LimitKind
from tests.domain.cases import of_rules
from tournaments.event.domain.cards import card_from_code
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.hands import Hand, first_to_act, opener
from tournaments.rulings.domain.pots import Contest, Pot, Unruled
from tournaments.rulings.domain.showdown import need_not_show, winners_of
from tournaments.rulings.selectors.answers import lines_of

SHORT = {"put": 70, "all_in": True}
FIFTY = {"put": 50, "all_in": True}
BOARD = "Ah Kd 9c 4s 2h"


def cards(codes):
    return [card_from_code(code) for code in codes.split()]


def player(codes, **own):
    return {"cards": codes.split(), **own}


def showdown(*players, game="holdem", board=BOARD, **own):
    question = {"game": game, "board": board.split(), "players": list(players), **own}
    return answer(Topic.SHOWDOWN, question)


PAIRS = [player("As 3c"), player("Ks Kh"), player("Qs Qh")]
NINES = [player("As Ac", put=9), player("Ks Qc", put=9), player("Js Jc", put=9)]
HIGH, LOW = player("2c 7d Ah As Js 3d 4h"), player("5c 6d 9h 8c 3s 2s Kc")
THIRD = player("Qc Qd Th Td Ts 6s 6h")
STUD = {"game": "stud", "board": ""}
QUEENS, DEUCE = "Qd Qh Kc 9c", "As 2d Kd Th"
HI_LO = {"game": "omaha_hilo", "board": "3s 7d 8h Qs Jc"}
TO_EIGHT = [player("As Ad Kh 4c", put=50), player("Kd Kc 9h 9c", put=50)]
TO_SHOW = [player(QUEENS), player(DEUCE), player("9d 9s Kh 4h")]


@pytest.mark.parametrize(
    ("players", "own", "told"),
    [
        # KRRU 3.0, HOME: the best hand wins the pot, and equal ones share.
        (PAIRS, {}, {"winners": [[1]]}),
        (PAIRS, {"aside": ["Qd"]}, {"winners": [[1]]}),
        ([player("3c 2d"), player("4c 5d")], {"board": "As Ks Qs Js Ts"}, {"winners": [[0, 1]]}),
        ([player("As", dead=True), *PAIRS[1:]], {}, {"winners": [[1]], "order": [1, 2]}),
        # S23: each pot goes to the best of those who can win it.
        (
            [player("Ac As", **SHORT), player("Kc Ks", put=140), player("Qc Qs", put=140)],
            {},
            {"winners": [[0], [1]], "gets": [210, 140, 0]},
        ),
        (
            [
                player("Ac As", **FIFTY),
                player("Kc 3s", put=125, all_in=True),
                player("Ks 3c", put=125),
                player("2c 2d", put=60, folded=True),
            ],
            {},
            {"winners": [[0], [1, 2]], "gets": [200, 80, 80, 0]},
        ),
        # HOME: an excess that nobody called goes back before anything is won.
        (
            [player("Ac As", **SHORT), player("Kc Ks", put=90)],
            {},
            {"winners": [[0]], "gets": [140, 0], "back": 20},
        ),
        # The hand of somebody all-in may be dead.
        (
            [player("As 3c", **FIFTY, dead=True), *(player(f"{r}s {r}h", put=50) for r in "KQ")],
            {},
            {"winners": [[1]], "gets": [0, 150, 0]},
        ),
        # TDA 2024 17: a player beaten for all pots need not show.
        ([PAIRS[2], *PAIRS[:2]], {"last_raiser": 1}, {"order": [1, 2, 0], "free": [0]}),
        # TDA 2024 16: at an all-in no hand is laid down unseen.
        (NINES, {}, {"free": [1, 2]}),
        ([{**NINES[0], "all_in": True}, *NINES[1:]], {}, {"free": []}),
        ([{**NINES[0], "stack": 9}, *NINES[1:]], {}, {"free": []}),
        ([*NINES[:2], player("Js Jc", put=5, all_in=True, dead=True)], {}, {"free": [1]}),
        # TDA 2024 17: in stud the best open board shows first, and in razz the lowest.
        ([HIGH, LOW], STUD, {"order": [0, 1]}),
        ([HIGH, LOW], {"game": "stud_hilo", "board": ""}, {"order": [0, 1]}),
        ([HIGH, LOW], {"game": "razz", "board": ""}, {"order": [1, 0]}),
        ([HIGH, LOW], STUD | {"last_raiser": 1}, {"order": [1, 0]}),
        ([{**HIGH, "dead": True}, LOW, THIRD], STUD, {"order": [2, 1]}),
        # STUD: a card in the middle stands for the seventh of all.
        (
            [player("9c 9d 4h 5h 6h 7c"), player("As Ks Qs Js 2d 3d")],
            {"game": "stud", "board": "Ts"},
            {"winners": [[1]]},
        ),
        # Hi-lo: without a hand to eight the high one takes all.
        (TO_EIGHT, HI_LO | {"board": "Qs Jd 8h 7s 2c"}, {"low_winners": [[0]], "gets": [100, 0]}),
        (
            TO_EIGHT,
            HI_LO | {"board": "Qs Jd Ts 9s 2c"},
            {"lows": [None, None], "low_winners": [[]], "gets": [100, 0]},
        ),
        # TDA 2024 20-C: the odd chip of a halved pot goes to the high hand.
        (
            [player(QUEENS, put=25), player(DEUCE, put=25)],
            HI_LO | {"dead": 5, "unit": 5},
            {"winners": [[0]], "low_winners": [[1]], "gets": [30, 25]},
        ),
        # TDA 2024 20: the odd chip of a quartered low half goes left of the button.
        (
            [player(DEUCE, put=21), player(QUEENS, put=21), player("Ad 2h Kh 6c", put=21)],
            HI_LO,
            {"low_winners": [[0, 2]], "gets": [16, 32, 15]},
        ),
        # S23: a side pot is halved among those who can win it.
        (
            [
                player("As 2d 9s 9h", put=40, all_in=True),
                player("Ad 4h Kd Th", put=100),
                player(QUEENS, put=100),
            ],
            HI_LO,
            {"winners": [[2], [2]], "low_winners": [[0], [1]], "gets": [60, 60, 120]},
        ),
        # A player with a chance at the low half must show.
        (TO_SHOW, HI_LO | {"last_raiser": 0}, {"free": [2]}),
    ],
)
def test_who_wins_and_who_shows(players, own, told):
    found = showdown(*players, **own)
    assert {name: found[name] for name in told} == told


def test_omaha_hi_lo_takes_other_two_cards_for_the_low_hand_than_for_the_high_one():
    dead = player("Kd Kh 9c 9d", dead=True)
    found = showdown(player("Qd Qh As 2d"), player("Ks Kc Th Td"), dead, **HI_LO)
    high, low = found["hands"][0], found["lows"][0]
    assert (high["category"], high["cards"][:3]) == ("three", ["Qs", "Qh", "Qd"])
    assert (low["category"], low["cards"]) == ("low", ["8h", "7d", "3s", "2d", "As"])
    assert found["hands"][2] is found["lows"][1] is None


@pytest.mark.parametrize(
    ("contest", "value", "hands", "winners"),
    [
        (Contest.HOLDEM, 5, ("Kh 2c", "Ks 2d"), (0, 1)),
        (Contest.STUD, 5, ("Kh 2c", "Ks 2d"), (1, 0)),
        (Contest.RAZZ, -5, ("8h Ac", "8s Ad"), (1, 0)),
        (Contest.STUD_HILO, -5, ("8h Ac", "8s Ad"), (1, 0)),
        (Contest.TRIPLE_DRAW, -5, ("8h Ac", "8s Ad"), (0, 1)),
        # The ace is the lowest card of a low hand, whatever its suit.
        (Contest.RAZZ, -5, ("7c As", "7d Ac"), (1, 0)),
    ],
)
def test_tda_2024_20_odd_chips_go_left_of_the_button_and_in_stud_games_by_suit(
    contest, value, hands, winners
):
    ranked = {place: Hand(value, tuple(cards(held))) for place, held in enumerate(hands)}
    assert winners_of(Pot(11, (0, 1)), ranked, contest) == winners


def test_tda_2024_17_who_can_win_a_side_pot_must_show():
    side = [Pot(30, (0, 1, 2)), Pot(20, (1, 2))]
    hands = {0: Hand(9, ()), 1: Hand(3, ()), 2: Hand(2, ())}
    assert need_not_show([0, 1, 2], side, hands) == (2,)
    assert need_not_show([0, 2, 1], side, hands) == ()


TWO = [player("As 3c"), player("Ks Kh")]
ALL_DEAD = [player(hand, put=90, dead=True) for hand in ("Kc Ks", "Qc Qs")]
FOLDED = [player("As 3c", **FIFTY, folded=True), player("Ks Kh", put=50)]


@pytest.mark.parametrize(
    ("code", "players", "own", "about"),
    [
        ("twice", [TWO[0], player("As Kh")], {}, {"card": "As"}),
        ("twice", [player("Ah 3c"), TWO[1]], {}, {"card": "Ah"}),
        ("twice", TWO, {"aside": ["As"]}, {"card": "As"}),
        ("twice", TWO, {"aside": ["Ah"]}, {"card": "Ah"}),
        ("many_cards", [player("As 3c 5d"), TWO[1]], {}, {"player": 1, "there": 3, "most": 2}),
        ("few_cards", [TWO[0], player("Ks")], {}, {"player": 2, "there": 1, "most": 2}),
        ("few_cards", TWO, {"game": "razz", "board": ""}, {"player": 1, "there": 2, "most": 7}),
        ("few_board", TWO, {"board": "Ah Kd 9c"}, {"there": 3, "most": 5}),
        ("many_board", TWO, {"board": BOARD + " 5d"}, {"there": 6, "most": 5}),
        ("many_board", TWO, {"game": "triple_draw", "board": "5d"}, {"there": 1, "most": 0}),
        ("many_board", TWO, {"game": "stud_hilo", "board": "5d 6d"}, {"there": 2, "most": 1}),
        ("few_players", TWO[:1], {}, {}),
        ("few_players", ALL_DEAD, {}, {}),
        ("many_players", TWO[:1] * 11, {}, {"most": 10}),
        ("folded_all_in", FOLDED, {}, {"player": 1}),
        ("raiser_folded", [*TWO, player("Qs Qh", dead=True)], {"last_raiser": 2}, {"player": 3}),
    ],
)
def test_the_same_card_twice_and_wrong_numbers_of_cards_are_said(code, players, own, about):
    with pytest.raises(Unruled) as refused:
        showdown(*players, **own)
    assert (refused.value.code, refused.value.about) == (code, about)


@pytest.mark.parametrize(
    ("limit", "opens"),
    [
        (LimitKind.SPLIT_LIMIT, 1),
        (LimitKind.SPREAD_LIMIT, 1),
        (LimitKind.POT_LIMIT, 3),
        (LimitKind.NO_LIMIT, 3),
    ],
)
def test_s25_stud_the_lowest_card_opens_by_suit_and_in_pot_and_no_limit_the_highest(limit, opens):
    assert opener(cards("2h 2c Ad As"), limit) == opens


@pytest.mark.parametrize(
    ("boards", "first"),
    [
        (["Ah Kd", "2s 2d", "Qs Qd"], 2),
        (["Ah Kd Qc", "As Kh Jd"], 0),
        (["Ah Kd", "As Kh"], 1),  # TDA 2024 RP-10: of equal hands the highest card by suit
        (["7s 7h", "7d 7c"], 0),
        (["9s 9d 2c 2h", "3s 3d 3c 4h"], 1),
        (["Ks Qs Js Ts", "2c 2d 5h 7d"], 1),  # four to a flush and to a straight are no hand
    ],
)
def test_stud_from_the_fourth_card_the_highest_open_hand_acts_first(boards, first):
    assert first_to_act([cards(board) for board in boards]) == (first,)


def test_s25_in_razz_the_highest_open_card_opens_and_the_lowest_board_acts_first():
    shown = cards("2h Kc Ad Ks")
    assert {opener(shown, limit, is_razz=True) for limit in LimitKind} == {3}
    assert opener(cards("As 2c"), LimitKind.SPLIT_LIMIT, is_razz=True) == 1
    assert first_to_act([cards("Ah 5d"), cards("4s 2d"), cards("2s 2c")], is_razz=True) == (1,)
    assert first_to_act([cards("Ah 5d"), cards("As 5c")], is_razz=True) == (0, 1)
    asked = {"game": "razz", "limit": "split_limit", "players": [["As"], ["2c"]]}
    assert answer(Topic.STUD, asked) == {"first": [1], "is_forced": True}


@pytest.mark.parametrize(
    ("code", "boards"),
    [
        ("twice", ["As Kd", "As Qd"]),
        ("few_open", ["As Kd", "2c"]),
        ("few_open", ["As", ""]),
        ("many_open", ["As Kd 2c 3c 4c", "5c 6c 7c 8c 9c"]),
        ("few_players", ["As Kd"]),
    ],
)
def test_open_cards_that_cannot_be_are_said(code, boards):
    players = [held.split() for held in boards]
    with pytest.raises(Unruled) as refused:
        answer(Topic.STUD, {"players": players, "limit": "split_limit"})
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("topic", "question"),
    [
        (Topic.BETS, {}),
        (Topic.STUD, []),
        (Topic.POTS, {"players": [{"put": "7"}, {"put": 1}]}),
        (Topic.POTS, {"players": [{"put": 1.5}, {"put": 1}]}),
        (Topic.POTS, {"players": [{"put": True}, {"put": 1}]}),
        (Topic.SHOWDOWN, {"game": "holdem", "board": ["Xx"], "players": []}),
        (Topic.SHOWDOWN, {"game": "chess", "board": [], "players": []}),
    ],
)
def test_what_is_no_question_is_none(topic, question):
    with pytest.raises(ValueError, match=r".") as refused:
        answer(topic, question)
    assert not isinstance(refused.value, Unruled)


# --- Answers of the rule books, not worked out by the program: `rule` says where each is from


def told_of(row):
    """Return the fields of the answer that a case expects, in its form."""
    found = answer(Topic(row["topic"]), row["question"])
    verdict = found.get("verdict") or {}
    pots = [[pot["amount"], pot["players"]] for pot in found.get("pots", ())]
    beside = {"verdict": verdict.get("verdict"), "vleast": verdict.get("least"), "pots": pots}
    return {name: {**found, **beside}[name] for name in row["expect"]}


@pytest.mark.parametrize("row", of_rules("rulings"))
def test_an_answer_is_that_of_the_rule_book(row):
    assert told_of(row) == row["expect"], row["rule"]


# What the sentences of a case say, and what they must not.
SAID = {
    "T1": (["erhöhen: Spieler 1.", "passen dürfen: Spieler 3."], "darf deshalb nicht"),
    "T2": (["erhöhen: Spieler 1, Spieler 2."], "Nur mitgehen"),
    "T3": (["gelten als voller Call: Es kostet 8.000."], "Leitung"),
    "T4": (["Die Leitung entscheidet: voller Call auf 8.000, oder die 2.000 bleiben"], "gelten"),
}


@pytest.mark.parametrize("row", of_rules("words"))
def test_a_sentence_says_what_the_rule_book_says(row):
    question = row["question"]
    said = " ".join(lines_of(Topic.BETS, question, answer(Topic.BETS, question)))
    wanted, never = SAID[row["id"]]
    assert all(part in said for part in wanted), said
    assert never not in said
