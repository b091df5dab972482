"""What a ruling was about, in words: the cards or bets, and what follows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.rulings.domain.betting_round import Round
from tournaments.rulings.domain.contests import Contest
from tournaments.rulings.domain.desk import Topic, stakes_of
from tournaments.rulings.domain.turns import Deed, Step
from tournaments.rulings.selectors.desk_words import CONTESTS, GAMES, LIMITS, UI
from tournaments.rulings.selectors.words import HANDS
from tournaments.seating.domain.cards import card_from_code

Data = Mapping[str, Any]


def asked_lines(topic: Topic, question: Data) -> list[str]:
    """Return what was on the table, a line for each player or step."""
    return list(_ASKED.get(topic, _nothing)(question))


def answer_lines(answer: Data) -> list[str]:
    """Return whose hand was what, and the pots."""
    found = [
        f"{_player(place)}: {HANDS[hand['category']]} {_symbols(hand['cards'])}"
        for place, hand in enumerate(answer.get("hands", ()))
        if hand
    ]
    for at, pot in enumerate(answer.get("pots", ())):
        name = UI["side_pot"] % {"number": at} if at else str(UI["main_pot"])
        found += [f"{name}: {pot['amount']}"] if pot["amount"] else []
    for place, amount in enumerate(answer.get("gets", ())):
        found += [UI["gets"] % {"player": _player(place), "amount": amount}] if amount else []
    return found


def _player(place: int) -> str:
    return str(UI["player"] % {"player": place + 1})


def _symbols(codes: Sequence[str]) -> str:
    return " ".join(card_from_code(code).symbol for code in codes)


def _nothing(_question: Data) -> Iterator[str]:
    return iter(())


def _bets(question: Data) -> Iterator[str]:
    blinds = f"{question['small_blind']}/{question['big_blind']}"
    yield f"{GAMES[question['game']]}, {LIMITS[question['limit']]}, {blinds}"
    yield _("Setzrunde %(round)s") % {"round": question["round"]}
    if question["pot"]:
        yield f"{UI['pot_before']}: {question['pot']}"
    for place, stack in enumerate(question["players"]):
        if stack:
            yield _("%(player)s hat %(stack)s.") % {"player": _player(place), "stack": stack}
    yield from _steps(question)
    put = question.get("put")
    if put:
        declared = f" ({UI['declared']})" if put.get("declared") else ""
        yield f"{UI['put_to']}: {put['to']}{declared}"


def _steps(question: Data) -> Iterator[str]:
    found = Round(stakes_of(question), question["round"], question["pot"], question["players"])
    for deed, to in question["steps"]:
        place = found.options().player
        did = f"{UI['bets_to']} {to}" if deed == Deed.BET else UI[deed]
        yield f"{_player(place)}: {did}"
        found.take(Step(Deed(deed), to))


def _pots(question: Data) -> Iterator[str]:
    for place, row in enumerate(question["players"]):
        yield f"{_player(place)}: {_put(row)}"
    yield from _beside(question)


def _put(row: Data) -> str:
    is_out = row.get("folded") or row.get("dead")
    marks = [UI["all_in"]] * bool(row.get("all_in")) + [UI["out"]] * bool(is_out)
    return ", ".join(map(str, [*([row["put"]] if "put" in row else []), *marks]))


def _beside(question: Data) -> Iterator[str]:
    if question.get("dead"):
        yield f"{UI['dead']}: {question['dead']}"
    if question.get("unit", 1) > 1:
        yield f"{UI['unit']}: {question['unit']}"


def _showdown(question: Data) -> Iterator[str]:
    yield str(CONTESTS[Contest(question["game"])])
    if question["board"]:
        yield f"{UI['board']}: {_symbols(question['board'])}"
    for place, row in enumerate(question["players"]):
        held = ", ".join(filter(None, [_symbols(row["cards"]), _put(row)]))
        yield f"{_player(place)}: {held}"
    if question.get("aside"):
        yield f"{UI['aside']}: {_symbols(question['aside'])}"
    raiser = question.get("last_raiser")
    if raiser is not None:
        yield _("Zuletzt erhöht hat %(player)s.") % {"player": _player(raiser)}
    yield from _beside(question)


def _stud(question: Data) -> Iterator[str]:
    is_razz = question.get("game") == Contest.RAZZ
    # From the fourth card on the limit decides nothing: it may be anything.
    limit = next((text for kind, text in LIMITS.items() if kind == question.get("limit")), None)
    game = CONTESTS[Contest.RAZZ if is_razz else Contest.STUD]
    yield ", ".join(map(str, filter(None, [game, limit])))
    for place, codes in enumerate(question["players"]):
        yield f"{_player(place)}: {_symbols(codes)}"


_ASKED: Mapping[Topic, Callable[[Data], Iterator[str]]] = {
    Topic.BETS: _bets,
    Topic.POTS: _pots,
    Topic.SHOWDOWN: _showdown,
    Topic.STUD: _stud,
}
