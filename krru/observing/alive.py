"""Notice that this server was away: its last instant is kept in the data folder."""

import contextlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

ALIVE_FILE = "alive"
EVERY = timedelta(seconds=5)
NOTICED = timedelta(minutes=1)


@dataclass(slots=True)
class Presence:
    """The last instant of this server, and the last gap: switched off or asleep."""

    file: Path | None = None
    away: tuple[datetime, datetime] | None = None
    _noted: datetime | None = field(default=None)

    def note(self, now: datetime) -> bool:
        """Record that the server runs. Return True if it was away or the time has stepped.

        Cheap: it writes the file every few seconds.
        """
        last = self._noted or self._written()
        if last is not None and timedelta() <= now - last < EVERY and self._noted:
            return False
        was_away = last is not None and now - last > NOTICED
        if last is not None and was_away:
            self.away = (last, now)
        went_back = last is not None and last - now > NOTICED
        if went_back:
            # The gap was one of a wrong clock.
            self.away = None
        self._noted = now
        if self.file is not None:
            with contextlib.suppress(OSError):  # a full disk is reported elsewhere
                self.file.write_text(str(int(now.timestamp())), encoding="ascii")
        return was_away or went_back

    def _written(self) -> datetime | None:
        try:
            text = self.file.read_text(encoding="ascii") if self.file else ""
            return datetime.fromtimestamp(int(text), UTC)
        except (OSError, ValueError, OverflowError):
            return None


presence = Presence()
