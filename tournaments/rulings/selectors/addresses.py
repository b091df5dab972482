"""Read a question from the facts in an address: one question, one address.

A `press` changes facts before they are read: a deed, a card, or `name:value` for anything else.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.utils.datastructures import MultiValueDict

from tournaments.changes.domain import numbers
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.betting_round import Deed
from tournaments.rulings.domain.desk import MOST_CHIPS, MOST_PLAYERS, MOST_STEPS, Topic
from tournaments.rulings.domain.pots import HOLE, STUDS, Contest, Unruled, board_of

AMOUNTS = ("small_blind", "big_blind", "big_bet", "bring_in")
CODES = ("game", "limit", "rule", "cap")
_STAKES = ("put", "all_in", "folded", "dead", "unit")
FACTS: Mapping[Topic, tuple[str, ...]] = {
    Topic.BETS: (
        "players", *CODES, *AMOUNTS, "heads_up", "dead_small_blind", "straddle", "low", "high",
        "round", "pot", "stack", "steps", "to", "chips", "declared",
    ),
    Topic.POTS: ("players", *_STAKES, "won"),
    Topic.SHOWDOWN: ("players", "contest", "board", "hand", "aside", "out", *_STAKES, "last"),
    Topic.STUD: ("players", "contest", "limit", "open", "hand"),
}  # fmt: skip
OF_EVENING = frozenset({*AMOUNTS, "dead"})
CARDS = frozenset({Topic.SHOWDOWN, Topic.STUD})
BOARD, ASIDE = "board", "aside"
MOST_ASIDE = 10
_DEEDS = frozenset(deed.value for deed in Deed) | {"back"}


class Facts(MultiValueDict[str, str]):
    """The facts of an address, each with one or several values."""

    def text(self, name: str) -> str:
        """Return the last value of a fact; empty without one."""
        return ["", *self.getlist(name)][-1]

    def urlencode(self) -> str:
        return urlencode([(name, one) for name, all_ in self.lists() for one in all_], safe=",")


def whole(typed: str, empty: int = 0) -> int:
    """Return a typed number of chips.

    :raises Unruled: If it is no number, or above every bound.
    """
    typed = typed.strip()
    number = numbers.whole(typed, most=MOST_CHIPS) if typed else empty
    if number is None:
        raise Unruled("no_number", typed=typed[:20], most=MOST_CHIPS)
    return number


def question_of(topic: Topic, facts: Facts) -> dict[str, Any]:
    """Return the question of these facts, for `domain.desk.answer`.

    :raises Unruled: If a number is invalid.
    :raises ValueError: If the facts make no question.
    """
    try:
        return _READ[topic](facts)
    except KeyError as error:
        raise ValueError(f"Not a question about {topic}: {error!r}") from error


def _number(facts: Facts, name: str, empty: int = 0) -> int:
    return whole(facts.text(name), empty)


def _flag(facts: Facts, name: str) -> bool:
    """Tell whether a fact is set; other values are ignored, so addresses hold no names."""
    return {"": False, "0": False, "1": True}[facts.text(name)]


def _count(facts: Facts) -> int:
    # One too many is refused with the question.
    return min(_number(facts, "players", 2), MOST_PLAYERS + 1)


def _row(facts: Facts, name: str, count: int) -> list[str]:
    """Return the typed values for each player."""
    return [*facts.getlist(name)[:count], *[""] * count][:count]


def _marked(facts: Facts, name: str) -> set[int]:
    """Return the places of marked players; addresses count from 1."""
    return {whole(number) - 1 for number in facts.getlist(name)}


def _bets(facts: Facts) -> dict[str, Any]:
    count = _count(facts)
    question: dict[str, Any] = {
        **{name: facts.text(name) for name in CODES},
        **{name: _number(facts, name) for name in AMOUNTS},
        "spread": [_number(facts, "low"), _number(facts, "high")],
        "event_heads_up": _flag(facts, "heads_up"),
        "dead_small_blind": _flag(facts, "dead_small_blind"),
        "straddle": 0 if facts.text("game") == Game.STUD else _number(facts, "straddle"),
        "round": _number(facts, "round", 1),
        "pot": _number(facts, "pot"),
        "players": [whole(stack) or None for stack in _row(facts, "stack", count)],
        "steps": [_step(deed) for deed in steps_of(facts)],
    }
    chips = [whole(chip) for chip in _parted(facts, "chips")]
    if chips or facts.text("to"):
        to = _number(facts, "to") or None
        question["put"] = {"to": to, "chips": chips, "declared": _flag(facts, "declared")}
    return question


def steps_of(facts: Facts) -> list[str]:
    """Return the players' deeds; a bet is given by its amount."""
    return _parted(facts, "steps")[: MOST_STEPS + 1]


def _parted(facts: Facts, name: str) -> list[str]:
    return [part for part in re.split(r"[\s,+]+", " ".join(facts.getlist(name))) if part]


def _step(deed: str) -> list[Any]:
    return [deed, 0] if deed in _DEEDS else [Deed.BET.value, whole(deed)]


def _stakes(facts: Facts, count: int) -> list[dict[str, Any]]:
    all_in, folded = _marked(facts, "all_in"), _marked(facts, "folded")
    return [
        {"put": whole(put), "all_in": place in all_in, "folded": place in folded}
        for place, put in enumerate(_row(facts, "put", count))
    ]


def _pots(facts: Facts) -> dict[str, Any]:
    won: dict[int, list[int]] = {}
    for one in facts.getlist("won"):
        pot, _dot, player = one.partition(".")
        won.setdefault(whole(pot), []).append(whole(player) - 1)
    if won and max(won) > MOST_PLAYERS:
        raise ValueError("There are no so many pots.")
    return {
        "players": _stakes(facts, _count(facts)),
        "dead": _number(facts, "dead"),
        "unit": _number(facts, "unit", 1),
        "winners": [sorted(won.get(pot, [])) for pot in range(max(won) + 1)] if won else [],
    }


def cards_in(text: str) -> list[str]:
    """Return the codes of adjacent cards.

    >>> cards_in("As Kd9c")
    ['As', 'Kd', '9c']
    """
    text = text.replace(" ", "")
    return [text[at : at + 2] for at in range(0, len(text), 2)][:60]


def _showdown(facts: Facts) -> dict[str, Any]:
    count = _count(facts)
    stakes, dead = _stakes(facts, count), _marked(facts, "out")
    has_stakes = any(row["put"] for row in stakes)
    rows = [
        {
            **(stake if has_stakes else {}),
            "cards": cards_in(hand),
            "dead": place in dead or stake["folded"],
        }
        for place, (stake, hand) in enumerate(zip(stakes, _row(facts, "hand", count), strict=True))
    ]
    last = _number(facts, "last")
    return {
        "game": facts.text("contest"),
        "board": cards_in(facts.text("board")),
        "players": rows,
        "last_raiser": last - 1 if 1 <= last <= count else None,
        "dead": _number(facts, "dead") if has_stakes else 0,
        "unit": _number(facts, "unit", 1),
        "aside": cards_in(facts.text("aside")),
    }


def _stud(facts: Facts) -> dict[str, Any]:
    hands = _row(facts, "hand", _count(facts))
    return {
        "game": facts.text("contest"),
        "limit": facts.text("limit"),
        "open": _number(facts, "open", 1),
        "players": [cards_in(hand) for hand in hands],
    }


_READ: Mapping[Topic, Callable[[Facts], dict[str, Any]]] = {
    Topic.BETS: _bets,
    Topic.POTS: _pots,
    Topic.SHOWDOWN: _showdown,
    Topic.STUD: _stud,
}


def facts_of(topic: Topic, facts: Facts) -> Facts:
    """Return a topic's facts in fixed order; composite facts are split."""
    told = Facts({"topic": [topic.value]})
    for name in FACTS[topic]:
        values = _parted(facts, name) if name in {"steps", "chips"} else facts.getlist(name)
        # An emptied amount means none, not the event's.
        if any(values) or (values and name in OF_EVENING):
            told.setlist(name, values)
    return told


def address_of(topic: Topic, facts: Facts) -> str:
    """Return the facts of a question in the form of an address."""
    told = facts_of(topic, facts)
    for name in ("steps", "chips"):
        if name in told:
            told[name] = ",".join(told.getlist(name))
    return told.urlencode()


# --- Presses


def press(topic: Topic, facts: Facts, what: str) -> None:
    """Change the facts by one press."""
    name, _colon, value = what.partition(":")
    if topic is Topic.BETS and name in _DEEDS:
        done = steps_of(facts)
        amount = value or facts.text("to")
        done = done[:-1] if name == "back" else [*done, amount if name == Deed.BET else name]
        facts["steps"] = ",".join(filter(None, done))
        _drop(facts, "to", "chips", "declared")
    elif name == "take":
        _take_back(facts, value)
    elif len(what) == 2 and topic in CARDS:
        slots, slot = slots_of(topic, facts), open_slot(topic, facts)
        if slot is not None and all(what not in lying for lying, _room in slots.values()):
            _put(facts, slot, [*slots[slot][0], what])
            facts["slot"] = slot
    elif value:
        facts[name] = value
        # Deeds and cards do not carry over to another game.
        _drop(facts, *({"contest": ("hand", "board", "slot")}.get(name, ("steps", "won"))))


def _drop(facts: Facts, *names: str) -> None:
    for name in names:
        facts.pop(name, None)


def slots_of(topic: Topic, facts: Facts) -> dict[str, tuple[list[str], int]]:
    """Return the content and size of each slot for cards."""
    count = min(_number(facts, "players", 2), MOST_PLAYERS)
    hands = [cards_in(hand) for hand in _row(facts, "hand", count)]
    if topic is Topic.STUD:
        return {str(place): (hand, _number(facts, "open", 1)) for place, hand in enumerate(hands)}
    contest = Contest(facts.text("contest"))
    board = cards_in(facts.text("board"))
    own = HOLE[contest] - (len(board) if contest in STUDS else 0)
    room = 1 if contest in STUDS else board_of(contest)
    return {
        **({BOARD: (board, room)} if room else {}),
        **{str(place): (hand, own) for place, hand in enumerate(hands)},
        ASIDE: (cards_in(facts.text("aside")), MOST_ASIDE),
    }


def open_slot(topic: Topic, facts: Facts) -> str | None:
    """Return the slot for the next card: the pressed one, or the first with room.

    In stud a community card is rare: its slot comes last.
    """
    slots = slots_of(topic, facts)
    with_room = [name for name, (lying, room) in slots.items() if len(lying) < room]
    if facts.text("slot") in with_room:
        return facts.text("slot")
    is_rare = facts.text("contest") in STUDS
    return next(
        (name for name in with_room if name != ASIDE and not (is_rare and name == BOARD)), None
    )


def _take_back(facts: Facts, card: str) -> None:
    for name in (BOARD, ASIDE):
        _put(facts, name, [one for one in cards_in(facts.text(name)) if one != card])
    hands = [[one for one in cards_in(hand) if one != card] for hand in facts.getlist("hand")]
    facts.setlist("hand", ["".join(hand) for hand in hands])


def _put(facts: Facts, slot: str, cards: Sequence[str]) -> None:
    if slot in {BOARD, ASIDE}:
        facts[slot] = "".join(cards)
        return
    hands = _row(facts, "hand", min(_number(facts, "players", 2), MOST_PLAYERS))
    hands[int(slot)] = "".join(cards)
    facts.setlist("hand", hands)
