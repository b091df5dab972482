"""One round of hand-for-hand over the rooms of several events."""

from collections.abc import Mapping
from dataclasses import dataclass


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
