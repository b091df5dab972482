"""The facts of an evening made again from its log alone, and compared with the tables.

A log entry notes the facts it makes (`Change.note`). What it voids follows: an entry that is seated
anew leaves the seat of before, as one does that is out; an undo voids what was made, and revives
what was voided. Pure: rows of the log and of the tables come in as values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tournaments.play.domain.eliminations import instant_from
from tournaments.play.domain.ranking import Beside, Out, Ruling, TieRules, places

Value = int | str | None
DISQUALIFICATION = "disqualification"


class Of(StrEnum):
    """What a noted list holds. An instant is in microseconds since 1970, a table its number."""

    ENTRIES = "entries"
    """entry, registration, number"""
    SEATS = "seats"
    """entry, table, seat"""
    OUTS = "outs"
    """entry, way, at, sequence, group, round, stack at the start of the hand, table, seat"""
    CHIPS = "chips"
    """entry, reason, amount: None while it is not counted"""
    RULINGS = "rulings"
    """entry, beside whom, how"""
    COUNTS = "counts"
    """entry, chips that were counted"""
    POSTINGS = "postings"
    """registration, account, cents; where money lies also the number of its drawer, its means"""
    PURCHASES = "purchases"
    """registration, entry, what, how many, cents"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A log entry: its number and row, what it takes back, and the facts it notes."""

    number: int
    row: int
    undoes: int | None = None
    facts: Mapping[str, Sequence[Sequence[Value]]]


@dataclass(frozen=True, slots=True)
class Known:
    """A fact that holds, and the number of the entry that made it."""

    of: str
    values: tuple[Value, ...]
    by: int

    @property
    def whose(self) -> Value:
        return self.values[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What the log tells of somebody and the tables do not, and the other way round."""

    of: str
    whose: Value
    in_log: tuple[Known, ...]
    in_tables: tuple[Known, ...]


@dataclass(slots=True)
class _Fact:
    known: Known
    voided_by: int | None = None


@dataclass(slots=True)
class _Room:
    """What holds while a log is gone through, by the entries that made, voided and revived it."""

    made: dict[int, list[_Fact]] = field(default_factory=lambda: defaultdict(list))
    voided: dict[int, list[_Fact]] = field(default_factory=lambda: defaultdict(list))
    revived: dict[int, list[_Fact]] = field(default_factory=lambda: defaultdict(list))
    latest: dict[tuple[str, Value], list[_Fact]] = field(default_factory=lambda: defaultdict(list))
    undoes: dict[int, int] = field(default_factory=dict)

    def void(self, fact: _Fact, by: int) -> None:
        if fact.voided_by is None:
            fact.voided_by = by
            self.voided[by].append(fact)

    def revive(self, by: int, but_for: Iterable[Value] = ()) -> list[_Fact]:
        """Let what an entry voided hold again, but for the seats of those who have another now."""
        back = [
            fact
            for fact in self.voided[by]
            if fact.voided_by == by
            and not (fact.known.of == Of.SEATS and fact.known.whose in but_for)
        ]
        for fact in back:
            fact.voided_by = None
        return back

    def live(self, of: str, whose: Value) -> list[_Fact]:
        return [fact for fact in self.latest[of, whose] if fact.voided_by is None]


def rebuilt(log: Iterable[Noted]) -> list[Known]:
    """Return the facts that hold at the end of a log.

    >>> in_ = Noted(number=1, row=11, facts={"seats": [[7, 1, 4]]})
    >>> move = Noted(number=2, row=12, facts={"seats": [[7, 2, 5]]})
    >>> back = Noted(number=3, row=13, undoes=12, facts={})
    >>> [fact.values for fact in rebuilt([in_, move])]
    [(7, 2, 5)]
    >>> [fact.values for fact in rebuilt([in_, move, back])]
    [(7, 1, 4)]
    """
    room = _Room()
    for entry in log:
        if entry.undoes is not None:
            _take_back(room, entry, entry.undoes)
        for of, facts in entry.facts.items():
            for values in facts:
                _make(room, entry, of, tuple(values))
    every = (fact for facts in room.made.values() for fact in facts)
    return [fact.known for fact in every if fact.voided_by is None]


def _make(room: _Room, entry: Noted, of: str, values: tuple[Value, ...]) -> None:
    whose = values[0]
    gone: list[_Fact] = []
    if of in (Of.SEATS, Of.OUTS):
        gone = room.live(Of.SEATS, whose) + room.live(Of.OUTS, whose)
    elif of == Of.COUNTS:
        gone = room.live(of, whose)
    elif of == Of.CHIPS and values[1] == DISQUALIFICATION:
        gone = [fact for fact in room.live(of, whose) if fact.known.values[1:] == (values[1], None)]
    for fact in gone:
        room.void(fact, entry.row)
    made = _Fact(Known(of, values, entry.number))
    room.made[entry.row].append(made)
    room.latest[of, whose].append(made)


def _take_back(room: _Room, entry: Noted, undone: int) -> None:
    room.undoes[entry.row] = undone
    if undone in room.undoes:  # an undo is taken back: what it revived is void again
        for fact in room.revived[undone]:
            room.void(fact, room.undoes[undone])
    for fact in room.made[undone]:
        room.void(fact, entry.row)
    seated = {values[0] for values in entry.facts.get(Of.SEATS, ())}
    room.revived[entry.row] = room.revive(undone, but_for=seated)


def differences(noted: Iterable[Known], stored: Iterable[Known]) -> list[Difference]:
    """Return where the log and the tables differ, by kind of fact and by whose it is.

    >>> noted, stored = [Known("seats", (7, 1, 4), 1)], [Known("seats", (7, 1, 5), 1)]
    >>> differences(noted, stored)[0].in_tables[0].values
    (7, 1, 5)
    >>> differences(noted, noted)
    []
    """
    log, tables = Counter(noted), Counter(stored)
    found: dict[tuple[str, Value], tuple[list[Known], list[Known]]] = {}
    for side, facts in enumerate((log - tables, tables - log)):
        for fact in facts.elements():
            found.setdefault((fact.of, fact.whose), ([], []))[side].append(fact)
    return [
        Difference(of=of, whose=whose, in_log=tuple(log_side), in_tables=tuple(table_side))
        for (of, whose), (log_side, table_side) in found.items()
    ]


def places_by(facts: Iterable[Known], *, ended: int | None, rules: TieRules) -> dict[int, int]:
    """Return the place of every entry, computed from such facts.

    :param ended: The number of the entry that ended the event. Stacks counted there rank.
    :raises ValueError: They tell of somebody who is out twice.
    """
    by_kind: dict[str, list[Known]] = defaultdict(list)
    for fact in facts:
        by_kind[fact.of].append(fact)
    outs = [_out(fact.values) for fact in by_kind[Of.OUTS]]
    gone = {out.entry_id for out in outs}
    alive = [_number(fact.whose) for fact in by_kind[Of.ENTRIES] if fact.whose not in gone]
    counted = {
        _number(fact.whose): _number(fact.values[1])
        for fact in by_kind[Of.COUNTS]
        if fact.by == ended
    }
    is_decided = ended is not None or (len(alive) == 1 and bool(outs))
    rulings = [_ruling(fact) for fact in by_kind[Of.RULINGS]]
    return places(
        outs, alive, is_over=is_decided, counted=counted or None, rules=rules, rulings=rulings
    )


def _out(values: tuple[Value, ...]) -> Out:
    entry, _way, at, sequence, group, round_, stack, table, _seat = values
    return Out(
        entry_id=_number(entry),
        at=instant_from(_number(at)),
        sequence=_number(sequence),
        group=_number_or_none(group),
        start_stack=_number_or_none(stack),
        round=_number_or_none(round_),
        table=_number_or_none(table),
    )


def _ruling(fact: Known) -> Ruling:
    entry, beside, way = fact.values
    return Ruling(
        entry_id=_number(entry), other_id=_number(beside), way=Beside(str(way)), sequence=fact.by
    )


def _number(value: Value) -> int:
    return int(value or 0)


def _number_or_none(value: Value) -> int | None:
    return None if value is None else int(value)
