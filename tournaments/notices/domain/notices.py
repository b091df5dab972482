"""Notices: which fact is told to whom, how long it is worth telling, and what is told together."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby

# Moves of one listener within this time are told in one notice.
BUNDLE = timedelta(minutes=3)


class Channel(StrEnum):
    PUSH = "push"
    TELEGRAM = "telegram"
    MAIL = "mail"


class NoticeKind(StrEnum):
    LINE = "line"
    SEAT = "seat"
    MOVE = "move"
    REBUY = "rebuy"
    BAG = "bag"
    DAY2 = "day2"
    PRIZE = "prize"
    NEWS = "news"


# The place in line is mailed in any case.
NOT_BY_MAIL = frozenset({NoticeKind.LINE})
LIVES = {
    NoticeKind.LINE: timedelta(hours=12),
    NoticeKind.SEAT: timedelta(hours=2),
    NoticeKind.MOVE: timedelta(minutes=15),
    NoticeKind.REBUY: timedelta(minutes=10),
    NoticeKind.BAG: timedelta(hours=12),
    NoticeKind.DAY2: timedelta(hours=24),
    NoticeKind.PRIZE: timedelta(hours=6),
    NoticeKind.NEWS: timedelta(hours=1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact to tell about a registration.

    :param key: Names the fact; each listener is told of it once.
    :param until: Its own end, if it has one.
    :param leaves: The table given up by a move.
    :param takes_back: Keys of facts that it takes back; only their hearers are told.
    """

    key: str
    kind: NoticeKind
    registration: int
    at: datetime
    until: datetime | None = None
    leaves: int | None = None
    takes_back: tuple[str, ...] = ()

    @property
    def lapses_at(self) -> datetime:
        """Return when it is no longer worth telling."""
        return self.until or self.at + LIVES[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ear:
    """A listener: a player by the registration, an arbiter by tables; none of these for all."""

    id: int
    kinds: frozenset[str]
    registration: int | None = None
    tables: frozenset[int] = frozenset()

    def hears(self, fact: Fact) -> bool:
        """Tell whether it wants to be told of this kind, and of this player or table."""
        if fact.kind not in self.kinds:
            return False
        if self.registration is not None:
            return fact.registration == self.registration
        return fact.leaves is not None and (not self.tables or fact.leaves in self.tables)


def notices_of(
    facts: Iterable[Fact], ears: Sequence[Ear], told: Collection[tuple[int, str]], now: datetime
) -> list[tuple[int, Fact]]:
    """Return which listener is told which fact.

    :param told: Listeners with the keys that they were told.

    >>> at = datetime(2026, 11, 27, 21)
    >>> move = Fact(key="seat-2", kind=NoticeKind.MOVE, registration=7, at=at, leaves=1)
    >>> back = Fact(
    ...     key="seat-1", kind=NoticeKind.MOVE, registration=7, at=at, takes_back=("seat-2",)
    ... )
    >>> ear = Ear(id=1, kinds=frozenset({"move"}), registration=7)
    >>> [fact.key for _ear, fact in notices_of([move, back], [ear], set(), at)]
    ['seat-2']
    >>> [fact.key for _ear, fact in notices_of([back], [ear], {(1, "seat-2")}, at)]
    ['seat-1']
    >>> notices_of([move], [ear], set(), at + LIVES[NoticeKind.MOVE])
    []
    """
    by_player: dict[int | None, list[Ear]] = {}
    for ear in ears:
        by_player.setdefault(ear.registration, []).append(ear)
    return [
        (ear.id, fact)
        for fact in facts
        if now < fact.lapses_at
        for ear in (*by_player.get(fact.registration, ()), *by_player.get(None, ()))
        if ear.hears(fact)
        and (not fact.takes_back or any((ear.id, key) in told for key in fact.takes_back))
    ]


def bundled(pending: Iterable[tuple[int, str, datetime, int]]) -> list[list[int]]:
    """Group notices to send: moves of a listener within three minutes go together.

    :param pending: Of each its listener, kind, instant and key.

    >>> at = datetime(2026, 11, 27, 21)
    >>> bundled((n // 4, "move", at + n * BUNDLE / 2, n) for n in range(6))
    [[0, 1, 2], [3], [4, 5]]
    """
    found: list[list[int]] = []
    for (_ear, kind), rows in groupby(sorted(pending), key=lambda row: row[:2]):
        began: datetime | None = None
        for _listener, _kind, at, key in rows:
            if kind != NoticeKind.MOVE or began is None or at - began > BUNDLE:
                began = at
                found.append([])
            found[-1].append(key)
    return found
