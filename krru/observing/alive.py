"""Whether this server was away: the instant at which it last ran is kept in the data folder."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ALIVE_FILE = "alive"
EVERY = timedelta(seconds=5)
NOTICED = timedelta(minutes=1)


@dataclass(slots=True)
class Presence:
    """When this server last ran, and when it was last away: switched off or asleep."""

    file: Path | None = None
    away: tuple[datetime, datetime] | None = None
    _noted: datetime | None = field(default=None)

    def note(self, now: datetime) -> bool:
        """Say that the server runs; tell whether it was away, or the clock was set forward.

        Cheap: the file is written every few seconds.
        """
        last = self._noted or self._written()
        if last is not None and timedelta() <= now - last < EVERY and self._noted:
            return False
        was_away = last is not None and now - last > NOTICED
        if last is not None and was_away:
            self.away = (last, now)
        self._noted = now
        if self.file is not None:
            with contextlib.suppress(OSError):  # a full disk is told of elsewhere
                self.file.write_text(str(int(now.timestamp())), encoding="ascii")
        return was_away

    def _written(self) -> datetime | None:
        try:
            text = self.file.read_text(encoding="ascii") if self.file else ""
            return datetime.fromtimestamp(int(text), UTC)
        except (OSError, ValueError, OverflowError):
            return None


presence = Presence()
