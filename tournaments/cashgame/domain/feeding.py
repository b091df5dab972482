"""Must-move: a feeder table fills the free seats of its main table, longest seated first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player at a feeder table.

    :param since: When the player sat down at that table, on any seat.
    """

    key: int
    since: datetime
    is_away: bool = False


def next_to_move(free: int, sitters: Iterable[Sitter]) -> list[Sitter]:
    """Return the players to move to the free seats of the main table.

    An absent player is skipped, and stays first for the next seat.

    >>> at = datetime(2026, 11, 23, 20)
    >>> line = [Sitter(1, at.replace(hour=21)), Sitter(2, at, is_away=True), Sitter(3, at)]
    >>> [sitter.key for sitter in next_to_move(1, line)]
    [3]
    >>> [sitter.key for sitter in next_to_move(5, line)]
    [3, 1]
    """
    here = [sitter for sitter in sitters if not sitter.is_away]
    return sorted(here, key=lambda sitter: (sitter.since, sitter.key))[: max(0, free)]
