"""Differences for the people at an event between two moments.

It compares and orders two given states. Names and words come elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Turn(StrEnum):
    """The change for a person, in order of interest."""

    BACK = "back"  # back in the game
    OUT = "out"  # out of the game
    NEW = "new"  # a new entry
    GONE = "gone"  # no entry any more
    MOVES = "moves"  # another seat
    PLACE = "place"  # another place


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """The state of an entry: in or out, its seat, and its place once out.

    `is_drawn`: the seat comes from a draw not yet made, so `seat` (table, seat) is None.
    """

    is_in: bool
    seat: tuple[int, int] | None = None
    place: int | None = None
    is_drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """An entry before and after; None if there is none."""

    entry: int
    turn: Turn
    before: Lot | None
    after: Lot | None


def differences(before: Mapping[int, Lot], after: Mapping[int, Lot]) -> list[Difference]:
    """Return all entries with a difference, by turn, then by place and seat.

    >>> was = {1: Lot(is_in=False, place=3), 2: Lot(is_in=False, place=4), 3: Lot(is_in=True)}
    >>> now = {1: Lot(is_in=True, seat=(2, 5)), 2: Lot(is_in=False, place=5), 3: Lot(is_in=True)}
    >>> [(found.entry, found.turn.value) for found in differences(was, now)]
    [(1, 'back'), (2, 'place')]
    """
    found = [
        Difference(
            entry=entry,
            turn=turn_of(before.get(entry), after.get(entry)),
            before=before.get(entry),
            after=after.get(entry),
        )
        for entry in before.keys() | after.keys()
        if before.get(entry) != after.get(entry)
    ]
    return sorted(found, key=_rank)


def turn_of(before: Lot | None, after: Lot | None) -> Turn:
    """Return the kind of change for an entry with a difference.

    >>> turn_of(Lot(is_in=True, seat=(1, 2)), Lot(is_in=True, seat=(1, 3)))
    <Turn.MOVES: 'moves'>
    """
    if before is None:
        return Turn.NEW
    if after is None:
        return Turn.GONE
    if before.is_in != after.is_in:
        return Turn.BACK if after.is_in else Turn.OUT
    return Turn.PLACE if before.place != after.place else Turn.MOVES


def _rank(found: Difference) -> tuple[int, int, tuple[int, int], int]:
    lot = found.after or found.before
    assert lot is not None
    return list(Turn).index(found.turn), lot.place or 0, lot.seat or (0, 0), found.entry
