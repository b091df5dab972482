"""What a change makes different for the people at an event: two moments, side by side.

It compares and orders; what holds at each moment is handed in. Names and words come elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Turn(StrEnum):
    """What happens to somebody, in the order in which a person wants to hear it."""

    BACK = "back"  # in the game again
    OUT = "out"  # out of it
    NEW = "new"  # has an entry only now
    GONE = "gone"  # has none any more
    MOVES = "moves"  # sits elsewhere
    PLACE = "place"  # has another place


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """Where somebody with an entry stands: in or out, on a seat, with a place once out.

    `is_drawn` says that the seat is given by a draw that is not made yet: where it leads stays
    unknown until then, `seat` (table, seat) is then None.
    """

    is_in: bool
    seat: tuple[int, int] | None = None
    place: int | None = None
    is_drawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Somebody before and after; None where there is no entry at all."""

    entry: int
    turn: Turn
    before: Lot | None
    after: Lot | None


def differences(before: Mapping[int, Lot], after: Mapping[int, Lot]) -> list[Difference]:
    """Return everybody for whom something differs, by turn, then by place and seat.

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
    """Return what happens to somebody for whom something differs.

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
