"""Near the money: when to count heads, how to read a count, when all are surely paid.

A wrong "in the money" cannot be taken back from the players: at Star Sydney the system had 63 left
and the hall 64. So it requires a head count of every table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class HeadState(StrEnum):
    """The state of a table's head count."""

    OPEN = "open"  # no count since the last change of players
    AGREES = "agrees"
    DIFFERS = "differs"


class Hindrance(StrEnum):
    """Why "in the money" cannot be announced."""

    PAID_PLACES_UNKNOWN = "paid_places_unknown"
    TOO_MANY_LEFT = "too_many_left"
    ROUND_OPEN = "round_open"
    TABLES_OPEN = "tables_open"
    TABLES_DIFFER = "tables_differ"
    SOMEBODY_SITS_NOWHERE = "somebody_sits_nowhere"
    UNDECIDED = "undecided"  # somebody without chips may still buy


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHeads:
    """A table by the system and by its last head count; `counted` is None without one.

    `is_fresh`: no player has sat down there or left since that count. `is_alone`: the only table,
    counted by looking at it.
    """

    number: int
    players: int
    counted: int | None = None
    is_fresh: bool = False
    is_alone: bool = False

    @property
    def state(self) -> HeadState:
        """Return the state of the table's count.

        >>> TableHeads(number=3, players=7, counted=6, is_fresh=True).state.value
        'differs'
        >>> TableHeads(number=3, players=7, counted=7).state.value
        'open'
        >>> TableHeads(number=3, players=3, is_alone=True).state.value
        'agrees'
        """
        if self.counted is None or not self.is_fresh:
            return HeadState.AGREES if self.is_alone else HeadState.OPEN
        return HeadState.AGREES if self.counted == self.players else HeadState.DIFFERS


def is_near_the_money(left: int, paid: int, *, seats_per_table: int, tables: int) -> bool:
    """Tell whether to count heads; never while the paid places are not set (0).

    Counts start one table above the paid places, in a large hall earlier: a single hand can bust a
    player at every table (ours).

    >>> is_near_the_money(16, 7, seats_per_table=9, tables=2)
    True
    >>> is_near_the_money(17, 7, seats_per_table=9, tables=2)
    False
    >>> is_near_the_money(119, 7, seats_per_table=9, tables=112)
    True
    """
    return paid > 0 and left - paid <= max(seats_per_table, tables)


def may_burst_in_a_hand(left: int, paid: int, tables: int) -> bool:
    """Tell whether one hand at every table can burst the bubble: time for hand-for-hand (ours).

    >>> may_burst_in_a_hand(9, 7, tables=3), may_burst_in_a_hand(11, 7, tables=3)
    (True, False)
    >>> may_burst_in_a_hand(7, 7, tables=3)
    False
    """
    return paid > 0 and 0 < left - paid <= tables


def hindrance_to_money(
    left: int,
    paid: int,
    heads: Sequence[TableHeads],
    *,
    elsewhere: int = 0,
    is_round_open: bool = False,
    is_undecided: bool = False,
) -> Hindrance | None:
    """Return the obstacle to announcing "in the money", or None.

    Places of a round are known once every table has reported (TDA 2024 RP-8). Every table's last
    count must agree and be newer than the last change there. The counts must cover all entries in
    play: an unseated one was overlooked, or was never eliminated.

    :param elsewhere: How many of those left play in another room.

    >>> three = [TableHeads(number=n, players=2, counted=2, is_fresh=True) for n in (1, 2, 3)]
    >>> hindrance_to_money(6, 7, three) is None
    True
    >>> hindrance_to_money(7, 7, three).value
    'somebody_sits_nowhere'
    """
    if not paid:
        return Hindrance.PAID_PLACES_UNKNOWN
    if left > paid:
        return Hindrance.TOO_MANY_LEFT
    if is_undecided:
        return Hindrance.UNDECIDED
    return Hindrance.ROUND_OPEN if is_round_open else _hindrance_by_heads(left - elsewhere, heads)


def _hindrance_by_heads(left: int, heads: Sequence[TableHeads]) -> Hindrance | None:
    states = {table.state for table in heads}
    if HeadState.DIFFERS in states:
        return Hindrance.TABLES_DIFFER
    if HeadState.OPEN in states:
        return Hindrance.TABLES_OPEN
    seated = sum(table.players for table in heads)
    return None if seated == left else Hindrance.SOMEBODY_SITS_NOWHERE


# --- One round of hand-for-hand over the rooms of several events


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """An event in a common round: players left before it, tables, reports, and outs of it."""

    left: int
    tables: int
    reported: int = 0
    outs: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CommonRound:
    """A round of hand-for-hand that all rooms play at once (TDA 2024 RP-8)."""

    rooms: Mapping[str, Room]

    @property
    def reports_needed(self) -> int:
        return sum(room.tables for room in self.rooms.values())

    @property
    def is_released(self) -> bool:
        """Tell whether the next hand may begin: every table of every room has reported."""
        return sum(room.reported for room in self.rooms.values()) >= self.reports_needed

    @property
    def left(self) -> int:
        return sum(room.left - room.outs for room in self.rooms.values())

    @property
    def outs(self) -> int:
        return sum(room.outs for room in self.rooms.values())

    @property
    def place(self) -> int | None:
        """Return the place shared by all out in it at different tables; None without outs.

        >>> rooms = {"A": Room(left=600, tables=67, outs=3), "B": Room(left=404, tables=45, outs=2)}
        >>> CommonRound(rooms=rooms).place
        1000
        """
        return self.left + 1 if self.outs else None
