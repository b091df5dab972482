"""Showdowns and stud: who wins which pot, who shows, who opens; and the desk's questions."""

import pytest

from clock.domain import LimitKind
from tests.domain.cases import of_rules
from tournaments.event.domain.cards import card_from_code
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.hands import Hand, first_to_act, opener
from tournaments.rulings.domain.pots import Pot, Unruled
from tournaments.rulings.domain.showdown import need_not_show, show_order, winners_of
from tournaments.rulings.selectors.answers import lines_of

SHORT = {"put": 70, "all_in": True}
BOARD = "Ah Kd 9c 4s 2h"


def cards(codes):
    return [card_from_code(code) for code in codes.split()]


def player(codes, **own):
    return {"cards": codes.split(), **own}


def showdown(*players, game="holdem", board=BOARD, **own):
    question = {"game": game, "board": board.split(), "players": list(players), **own}
    return answer(Topic.SHOWDOWN, question)


def wrong(code, ask, *args, **kwargs):
    with pytest.raises(Unruled) as refused:
        ask(*args, **kwargs)
    assert refused.value.code == code
    return refused.value.about


def test_krru_3_0_and_home_the_best_hand_wins_the_pot_and_equal_ones_share():
    found = showdown(player("As 3c"), player("Ks Kh"), player("Qs Qh"))
    assert found["winners"] == [[1]]
    assert [hand["category"] for hand in found["hands"]] == ["pair", "three", "pair"]
    found = showdown(player("3c 2d"), player("4c 5d"), board="As Ks Qs Js Ts")
    assert (found["winners"], found["hands"][0]["category"]) == ([[0, 1]], "royal_flush")
    found = showdown(player("As", dead=True), player("Qs Qh"), player("Js Jh"))
    assert (found["winners"], found["hands"][0]) == ([[1]], None)


@pytest.mark.parametrize(
    ("players", "winners", "gets"),
    [
        (
            [player("Ac As", **SHORT), player("Kc Ks", put=140), player("Qc Qs", put=140)],
            [[0], [1]],
            [210, 140, 0],
        ),
        (
            [
                player("Ac As", put=50, all_in=True),
                player("Kc 3s", put=125, all_in=True),
                player("Ks 3c", put=125),
                player("2c 2d", put=60, folded=True),
            ],
            [[0], [1, 2]],
            [200, 80, 80, 0],
        ),
        # HOME: an excess that nobody called goes back before anything is won.
        ([player("Ac As", **SHORT), player("Kc Ks", put=90)], [[0]], [140, 0]),
    ],
)
def test_s23_each_pot_goes_to_the_best_among_those_who_can_win_it(players, winners, gets):
    found = showdown(*players)
    assert (found["winners"], found["gets"]) == (winners, gets)
    assert sum(found["gets"]) + found["back"] == sum(each["put"] for each in players)


def test_tda_2024_20_odd_chips_in_holdem_go_left_of_the_button_and_in_stud_by_suit():
    ranked = {0: Hand(5, tuple(cards("Kh 2c"))), 1: Hand(5, tuple(cards("Ks 2d")))}
    assert winners_of(Pot(11, (0, 1)), ranked, Game.HOLDEM) == (0, 1)
    assert winners_of(Pot(11, (0, 1)), ranked, Game.STUD) == (1, 0)


def test_home_the_last_to_raise_shows_first_and_without_one_the_first_left_of_the_button():
    assert show_order(4, last_raiser=2) == [2, 3, 0, 1]
    assert show_order(4, last_raiser=None, folded=[0]) == [1, 2, 3]
    assert wrong("raiser_folded", show_order, 3, last_raiser=1, folded=[1]) == {"player": 2}


def test_tda_2024_17_who_is_beaten_for_all_his_pots_need_not_show():
    found = showdown(player("Qs Qh"), player("As 3c"), player("Ks Kh"), last_raiser=1)
    assert (found["order"], found["free"]) == ([1, 2, 0], [0])
    side = [Pot(30, (0, 1, 2)), Pot(20, (1, 2))]
    hands = {0: Hand(9, ()), 1: Hand(3, ()), 2: Hand(2, ())}
    assert need_not_show([0, 1, 2], side, hands) == (2,)
    assert need_not_show([0, 2, 1], side, hands) == ()


def test_tda_2024_16_at_an_all_in_nobody_lays_a_hand_down_unseen():
    hands = [player("As Ac", put=9), player("Ks Qc", put=9), player("Js Jc", put=9)]
    assert showdown(*hands)["free"] == [1, 2]
    for own in ({"all_in": True}, {"stack": 9}):
        assert showdown({**hands[0], **own}, *hands[1:])["free"] == []
    gone = player("Js Jc", put=5, all_in=True, dead=True)
    assert showdown(*hands[:2], gone)["free"] == [1]


def test_tda_2024_17_in_stud_the_best_open_board_shows_first_and_in_razz_the_lowest():
    high, low = player("2c 7d Ah As Js 3d 4h"), player("5c 6d 9h 8c 3s 2s Kc")
    for game, first in (("stud", 0), ("stud_hilo", 0), ("razz", 1)):
        assert showdown(high, low, game=game, board="")["order"][0] == first
    dead = {**high, "dead": True}
    third = player("Qc Qd Th Td Ts 6s 6h")
    assert showdown(dead, low, third, game="stud", board="")["order"] == [2, 1]
    assert showdown(high, low, game="stud", board="", last_raiser=1)["order"] == [1, 0]


def test_stud_a_card_in_the_middle_stands_for_the_seventh_of_all():
    found = showdown(
        player("As Ks Qs Js 2d 3d"), player("9c 9d 4h 5h 6h 7c"), game="stud", board="Ts"
    )
    assert found["hands"][0]["category"] == "royal_flush"


@pytest.mark.parametrize(
    ("code", "players", "board", "about"),
    [
        ("twice", ["As 3c", "As Kh"], BOARD, {"card": "As"}),
        ("twice", ["Ah 3c", "Ks Kh"], BOARD, {"card": "Ah"}),
        ("many_cards", ["As 3c 5d", "Ks Kh"], BOARD, {"player": 1, "there": 3, "most": 2}),
        ("few_cards", ["As 3c", "Ks"], BOARD, {"player": 2, "there": 1, "most": 2}),
        ("few_board", ["As 3c", "Ks Kh"], "Ah Kd 9c", {"there": 3, "most": 5}),
        ("many_board", ["As 3c", "Ks Kh"], BOARD + " 5d", {"there": 6, "most": 5}),
        ("few_players", ["As 3c"], BOARD, {}),
        ("many_players", ["As 3c"] * 11, BOARD, {"most": 10}),
    ],
)
def test_the_same_card_twice_and_wrong_numbers_of_cards_are_said(code, players, board, about):
    said = wrong(code, showdown, *[player(held) for held in players], board=board)
    assert said == about


def test_the_hand_of_somebody_all_in_may_be_dead_but_he_cannot_fold_nor_all_be_dead():
    shorter, other = {"put": 50, "all_in": True}, player("Ks Kh", put=50)
    found = showdown(player("As 3c", **shorter, dead=True), other, player("Qs Qh", put=50))
    assert (found["winners"], found["gets"]) == ([[1]], [0, 150, 0])
    said = wrong("folded_all_in", showdown, player("As 3c", **shorter, folded=True), other)
    assert said == {"player": 1}
    dead = player("Kc Ks", put=90, dead=True)
    with pytest.raises(Unruled):
        showdown(dead, player("Qc Qs", put=90, dead=True))


def test_a_card_out_of_play_is_in_no_hand():
    hands = [player("As 3c"), player("Ks Kh")]
    assert showdown(*hands, aside=["Qd"])["winners"] == showdown(*hands)["winners"]
    for code in ("As", "Ah"):
        assert wrong("twice", showdown, *hands, aside=[code]) == {"card": code}


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
    wrong(code, answer, Topic.STUD, {"players": players, "limit": "split_limit"})


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
