"""Rulings: written down with question and answer, found again, refused, taken back."""

import pytest

from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.selectors.log import describe
from tournaments.log.selectors.log_search import Search, actions_found
from tournaments.models import Ruling
from tournaments.rulings.domain.pots import Unruled
from tournaments.rulings.selectors.labels import NOS, sentence_of
from tournaments.rulings.selectors.rulings import rulings_found
from tournaments.rulings.services.rulings import ruling_note

pytestmark = pytest.mark.django_db

SIDE_POT = "topic=pots&players=3&put=70&put=140&put=140&all_in=1"


def note(event, minute=1, by=SYSTEM, **own):
    usual = {"decided": "Hauptpot 210, Side Pot 140", "address": SIDE_POT}
    return f.drive(ruling_note, event, minute, by=by, **{**usual, **own})


def test_a_ruling_is_found_again_with_its_answer_by_who_decided_and_where():
    event = f.make_running_event(12)
    arno = f.make_arno(event)
    won = f"{SIDE_POT}&won=0.1&won=1.2&won=1.3"
    note(event, by=arno, table=f.table_of(event, 2), asked="Wem gehört der Side Pot?", address=won)
    f.assert_logged(event, "ruling.noted", table=2, topic="pots")
    assert "Entscheidung an Tisch 2: Hauptpot 210" in describe(f.last_action(event))
    assert f.last_action(event).payload["answer"]["gets"] == [210, 70, 70]
    assert f.last_action(event).payload["question"]["won"] == ["0.1", "1.2", "1.3"]
    [found] = rulings_found(event, "hauptpot 2")
    assert (found.by, found.row.table.number, found.address) == (arno.device.name, 2, won)
    assert found.answered == [
        "Hauptpot: 210. Gewinnen können Spieler 1, Spieler 2, Spieler 3.",
        "Side Pot 1: 140. Gewinnen können Spieler 2, Spieler 3.",
        "Spieler 1 bekommt 210.", "Spieler 2 bekommt 70.", "Spieler 3 bekommt 70.",
    ]  # fmt: skip
    assert rulings_found(event, "Vierling") == []
    for search in (Search(words="gehört"), Search(words="Hauptpot"), Search(table=2)):
        kinds = [action.kind for action in actions_found(event, search)]
        assert "ruling.noted" in kinds
    assert "ruling.noted" not in [one.kind for one in actions_found(event, Search(table=1))]
    f.undo(event)
    assert rulings_found(event) == []


def test_a_ruling_from_before_answers_were_kept_is_answered_from_its_question():
    event = f.make_running_event(6)
    note(event)
    action = f.last_action(event)
    payload = {
        name: action.payload[name] for name in action.payload.keys() - {"answer", "question"}
    }
    type(action).objects.filter(pk=action.pk).update(payload=payload)
    [found] = rulings_found(event)
    assert found.address == ""
    assert "Side Pot 1: 140" in found.answered[1]


def test_a_long_round_is_kept_step_by_step_and_its_chips_one_by_one():
    event = f.make_running_event(6)
    bets = "topic=bets&players=3&game=holdem&limit=no_limit&rule=largest_raise&cap=event"
    bets += "&small_blind=5&big_blind=10&heads_up=0&steps=" + ",".join(map(str, range(20, 999, 10)))
    note(event, address=f"{bets}&chips=1000+500")
    [found] = rulings_found(event)
    assert found.address.endswith(",990&chips=1000,500")
    assert found.answered[0] == "Eine volle Erhöhung auf 2.470."


def test_rulings_stand_the_latest_first_and_without_a_table_or_a_name():
    event = f.make_running_event(6)
    note(event, 1, address="", decided="Neu gegeben", asked="Karte offen?")
    note(event, 2, table=f.table_of(event, 1))
    assert [one.decided for one in rulings_found(event)] == [
        "Hauptpot 210, Side Pot 140", "Neu gegeben",
    ]  # fmt: skip
    assert "Entscheidung: Neu gegeben" in describe(Ruling.objects.first().made_by)
    note(event, 3, address=f"{SIDE_POT}&name=Petra+Muster")
    assert rulings_found(event)[0].address == SIDE_POT
    assert "name" not in f.last_action(event).payload["question"]
    note(event, 4, decided="", address="topic=stud&players=2&contest=stud&limit=no_limit&open=1"
         "&hand=As&hand=Kd")  # fmt: skip
    assert describe(f.last_action(event)) == "Entscheidung: Spieler 1 muss eröffnen."


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("no_decision", {"decided": "  ", "address": ""}),
        ("long_words", {"decided": "x" * 301}),
        ("long_words", {"asked": "x" * 301}),
        ("bad_question", {"address": "topic=weather"}),
        ("bad_question", {"address": "topic=other"}),
        ("bad_question", {"address": "topic=bets"}),
        ("bad_question", {"address": f"{SIDE_POT}&won=99.1"}),
        ("bad_question", {"address": "topic=stud&players=2&contest=Petra+Muster&hand=As&hand=Kd"}),
        ("unruled", {"address": "topic=pots&players=2&put=70&put=140"}),
        ("unruled", {"address": "topic=pots&players=2&put=Petra+Muster&put=140"}),
    ],
)
def test_what_cannot_be_a_ruling_is_refused(code, own):
    event = f.make_running_event(6)
    f.refuses(code, note, event, **own)


ABOUT = {
    "card": "As", "player": 2, "there": 1, "most": 2, "put": 80, "stack": 50, "to": 9, "least": 10,
    "owes": 30, "amount": 210, "unit": 25, "call": 10, "typed": "x",
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(NOS))
def test_every_no_is_one_clear_sentence_with_its_numbers(code):
    said = sentence_of(Unruled(code, **ABOUT))
    assert said.endswith((".", "?"))
    assert "%" not in said
    assert "None" not in said
