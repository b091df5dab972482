"""Rulings: written down with what they are about, found again, refused, taken back."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.selectors.log import describe
from tournaments.log.selectors.log_search import Search, actions_found
from tournaments.models import Ruling
from tournaments.rulings.domain.unruled import Unruled
from tournaments.rulings.selectors.asked_words import asked_lines
from tournaments.rulings.selectors.rulings import rulings_found
from tournaments.rulings.selectors.words import NOS, sentence_of
from tournaments.rulings.services.rulings import ruling_note

pytestmark = pytest.mark.django_db

SIDE_POT = {"players": [{"put": 70, "all_in": True}, {"put": 140}, {"put": 140}]}


def note(event, minute=1, by=SYSTEM, **own):
    usual = {"topic": "pots", "decided": "Hauptpot 210, Side Pot 140", "question": SIDE_POT}
    return f.drive(ruling_note, event, minute, by=by, **{**usual, **own})


def test_a_ruling_is_found_again_with_its_answer_by_who_decided_and_where():
    event = f.make_running_event(12)
    arno = f.make_arno(event)
    won = {**SIDE_POT, "winners": [[0], [1, 2]]}
    note(event, by=arno, table=f.table_of(event, 2), asked="Wem gehört der Side Pot?", question=won)
    f.assert_logged(event, "ruling.noted", table=2, topic="pots")
    assert "Entscheidung an Tisch 2: Hauptpot 210" in describe(f.last_action(event))
    [found] = rulings_found(event, "hauptpot 2")
    assert (found.by, found.row.table.number) == (arno.device.name, 2)
    assert found.about == ["Spieler 1: 70, All-in", "Spieler 2: 140", "Spieler 3: 140"]
    assert found.follows == [
        "Hauptpot: 210", "Side Pot 1: 140", "Spieler 1 bekommt 210.", "Spieler 2 bekommt 70.",
        "Spieler 3 bekommt 70.",
    ]  # fmt: skip
    assert rulings_found(event, "Vierling") == []


BLINDS = {"small_blind": 5, "big_blind": 10, "round": 1, "pot": 0}
RAISED = {
    "game": "holdem", "limit": "no_limit", "rule": "double_bet", "cap": "last_round", **BLINDS,
    "players": [None, 80, None], "steps": [["bet", 24], ["fold", 0]], "put": {"to": 30},
}  # fmt: skip
SHOWN = {
    "game": "holdem", "board": ["Kd", "Qd", "7c", "4c", "2h"], "last_raiser": 1, "aside": ["Td"],
    "players": [{"cards": ["As", "Ah"]}, {"cards": ["9s", "9h"]}, {"cards": [], "dead": True}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("topic", "question", "about"),
    [
        ("bets", RAISED, [
            "Texas, No Limit, 5/10", "Setzrunde 1", "Spieler 2 hat 80.", "Spieler 1: Setzt auf 24",
            "Spieler 2: Passt", "Liegt jetzt vor ihm: 30",
        ]),
        ("showdown", SHOWN, [
            "Texas", "Mitte: K♦ Q♦ 7♣ 4♣ 2♥", "Spieler 1: A♠ A♥", "Spieler 2: 9♠ 9♥",
            "Spieler 3: gepasst oder tot", "Aus dem Spiel: 10♦", "Zuletzt erhöht hat Spieler 2.",
        ]),
        ("stud", {"game": ["?"], "players": [["2d", "3d"], ["2c", "4c"]]},
         ["Stud", "Spieler 1: 2♦ 3♦", "Spieler 2: 2♣ 4♣"]),
        ("stud", {"limit": "split_limit", "players": [["2d"], ["2c"]]},
         ["Stud, Split-Limit", "Spieler 1: 2♦", "Spieler 2: 2♣"]),
    ],
)  # fmt: skip
def test_the_cards_or_bets_of_a_ruling_are_told_with_it(topic, question, about):
    assert asked_lines(topic, question) == about


def test_rulings_stand_the_latest_first_and_without_a_table():
    event = f.make_running_event(6)
    note(event, 1, topic="other", question=None, decided="Neu gegeben", asked="Karte offen?")
    note(event, 2, table=f.table_of(event, 1))
    assert [one.decided for one in rulings_found(event)] == [
        "Hauptpot 210, Side Pot 140", "Neu gegeben",
    ]  # fmt: skip
    assert "Entscheidung: Neu gegeben" in describe(Ruling.objects.first().made_by)


def test_the_log_finds_a_ruling_by_its_words_and_its_table():
    event = f.make_running_event(12)
    note(event, table=f.table_of(event, 2), asked="Wem gehört er?")
    for search in (Search(words="gehört"), Search(words="Hauptpot"), Search(table=2)):
        kinds = [action.kind for action in actions_found(event, search)]
        assert "ruling.noted" in kinds
    assert "ruling.noted" not in [one.kind for one in actions_found(event, Search(table=1))]


def test_a_ruling_can_be_taken_back():
    event = f.make_running_event(6)
    note(event)
    f.undo(event)
    assert rulings_found(event) == []


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("no_decision", {"decided": "  "}),
        ("long_words", {"decided": "x" * 301}),
        ("long_words", {"asked": "x" * 301}),
        ("bad_question", {"topic": "weather"}),
        ("bad_question", {"question": {}}),
        ("bad_question", {"question": {**SIDE_POT, "name": "Petra Muster"}}),
        ("bad_question", {"question": {**SIDE_POT, "more": list(range(6000))}}),
        ("unruled", {"question": {"players": [{"put": 70}, {"put": 140}]}}),
    ],
)
def test_what_cannot_be_a_ruling_is_refused(code, own):
    event = f.make_running_event(6)
    with f.refused(code, event):
        note(event, **own)


def test_a_player_writes_no_ruling():
    event = f.make_running_event(6)
    with f.refused("not_allowed", event):
        call_service(ruling_note, event=event, at=f.after(1), by=Actor(role=Role.PLAYER),
                     topic="other", decided="Ich gewinne")  # fmt: skip


ABOUT = {
    "card": "As", "player": 2, "there": 1, "most": 2, "put": 80, "stack": 50, "to": 9, "least": 10,
    "owes": 30, "amount": 210, "unit": 25, "call": 10,
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(NOS))
def test_every_no_is_one_clear_sentence_with_its_numbers(code):
    said = sentence_of(Unruled(code, **ABOUT))
    assert said.endswith((".", "?"))
    assert "%" not in said
    assert "None" not in said


def test_the_same_card_twice_is_said_with_its_sign():
    assert sentence_of(Unruled("twice", card="As")).startswith("A♠ ist zweimal dabei")
