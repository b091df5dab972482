"""The clock as the simulator's books have it: what the hall must be shown, counted by themselves.

It knows levels by id with their length, and follows what is pressed. What an undo or hand-for-hand
makes of the clock it reads anew from the program; from there on it counts again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

# When a hand began at a table, and which level of play was announced then.
Tap = tuple[datetime, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A level or break: its length in time or in hands, neither of the last one."""

    id: int
    is_break: bool
    length: timedelta | None
    hands: int | None


@dataclass(slots=True)
class OwnClock:
    """Where the clock is. `since` is None while it stands; then `elapsed` is all there is."""

    rows: Sequence[Row] = ()
    at: int = 0
    elapsed: timedelta = timedelta()
    since: datetime | None = None
    hands: int = 0
    stops_after_break: bool = False

    def settle(self, now: datetime) -> None:
        """Go on to the level of `now`; a level's end is the next one's beginning."""
        while self.since is not None and self.at + 1 < len(self.rows):
            row = self.rows[self.at]
            if row.length is None or self.elapsed + (now - self.since) < row.length:
                return
            if row.is_break and self.stops_after_break:
                self.elapsed, self.since = row.length, None
                return
            self.since += row.length - self.elapsed
            self._enter(self.at + 1)

    def start(self, now: datetime) -> None:
        row = self.rows[self.at]
        if row.is_break and row.length == self.elapsed:
            self._enter(self.at + 1)
        self.since = now

    def pause(self, now: datetime) -> None:
        self.settle(now)
        if self.since is not None:
            self.elapsed, self.since = self.elapsed + (now - self.since), None

    def give(self, now: datetime, seconds: int) -> None:
        """Give the players time, beyond the level's length too, or take some of what is left."""
        self.settle(now)
        ran = self.elapsed + (now - self.since if self.since is not None else timedelta())
        self.elapsed = ran - timedelta(seconds=seconds)
        length = self.rows[self.at].length
        if length is not None:
            self.elapsed = min(self.elapsed, length)
        self.since = now if self.since is not None else None
        self.settle(now)

    def go(self, now: datetime, level: int) -> None:
        """Go to the beginning of a level; running stays running."""
        self.settle(now)
        self._enter(next(n for n, row in enumerate(self.rows) if row.id == level))
        self.since = now if self.since is not None else None

    def count(self, now: datetime) -> None:
        """Count a hand of a level that goes by hands."""
        self.settle(now)
        self.hands += 1
        wanted = self.rows[self.at].hands
        if wanted is not None and self.hands >= wanted and self.at + 1 < len(self.rows):
            self._enter(self.at + 1)
            self.since = now if self.since is not None else None

    def shown(self, now: datetime) -> int:
        """Return the id of the level or break the hall is shown."""
        self.settle(now)
        return self.rows[self.at].id

    def announced(self, now: datetime) -> int:
        """Return the level of play: in a break the one before it, at the very beginning after."""
        self.settle(now)
        before = [row.id for row in self.rows[: self.at + 1] if not row.is_break]
        return before[-1] if before else next(row.id for row in self.rows if not row.is_break)

    def in_force(self, tap: Tap | None, now: datetime, *, longest: timedelta) -> int:
        """Return the level a table plays: that of its last hand, unless no hand lasts so long."""
        announced = self.announced(now)
        at, level = tap or (now, announced)
        return level if now - at <= longest else announced

    def _enter(self, at: int) -> None:
        self.at, self.elapsed, self.hands = at, timedelta(), 0
