"""Name backups, find the newest, and choose how long to keep each.

The number in the name orders backups and only grows. The computer's clock may be set back during an
evening.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

# Names without a number are from earlier versions and sort first.
NAME = re.compile(
    r"krru-(?P<home>\w{6})-(n(?P<number>\d{6,})-)?(?P<stamp>\d{8}-\d{6})-(?P<reason>[a-z]+)"
    r"\.zip(\.sealed)?"
)
STAMP = "%Y%m%d-%H%M%S"

KEEP_LATEST = 60
KEEP_HOURLY = timedelta(hours=48)
KEEP_DAILY = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The name of a backup: installation, number, time and reason."""

    path: Path
    home: str
    number: int
    made_at: datetime
    reason: str

    @property
    def order(self) -> tuple[int, datetime]:
        """Sort key within one installation, the oldest first."""
        return self.number, self.made_at


def name_of(home: str, number: int, made_at: datetime, reason: str) -> str:
    """Return the name of a backup without its suffix.

    >>> name_of("c1b3f2", 7, datetime(2026, 11, 22, 11, 45, 18, tzinfo=UTC), "minute")
    'krru-c1b3f2-n000007-20261122-114518-minute'
    """
    return f"krru-{home}-n{number:06d}-{made_at.astimezone(UTC).strftime(STAMP)}-{reason}"


def named(path: Path) -> Named | None:
    """Parse a file name; None if it is no backup.

    >>> found = named(Path("krru-c1b3f2-n000007-20261122-114518-minute.zip"))
    >>> found.home, found.number, found.reason
    ('c1b3f2', 7, 'minute')
    >>> named(Path("krru-c1b3f2-20261122-114518-minute.zip")).number
    0
    >>> named(Path("krru-c1b3f2-n000007-20269922-114518-minute.zip")) is None
    True
    """
    found = NAME.fullmatch(path.name)
    if found is None:
        return None
    try:
        made_at = datetime.strptime(found["stamp"], STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None
    return Named(
        path=path,
        home=found["home"],
        number=int(found["number"] or 0),
        made_at=made_at,
        reason=found["reason"],
    )


def backups_in(folder: Path) -> list[Named]:
    """Return the backups in a folder, the newest of each installation first.

    :raises OSError: The folder cannot be read.
    """
    found = [one for path in folder.iterdir() if (one := named(path)) is not None]
    return sorted(found, key=lambda one: one.order, reverse=True)


def kept(made: Iterable[Named], now: datetime) -> set[Path]:
    """Return the backups to keep: the latest 60, one an hour for 48 h, one a day for 14 days.

    The latest have the highest numbers, whatever their times say.
    """
    newest_first = sorted(made, key=lambda one: one.order, reverse=True)
    keep = {one.path for one in newest_first[:KEEP_LATEST]}
    hours: set[str] = set()
    days: set[str] = set()
    for one in newest_first:
        hour, day = one.made_at.strftime("%Y%m%d%H"), one.made_at.strftime("%Y%m%d")
        age = now - one.made_at
        if age <= KEEP_HOURLY and hour not in hours:
            keep.add(one.path)
        if age <= KEEP_DAILY and day not in days:
            keep.add(one.path)
        hours.add(hour)
        days.add(day)
    return keep
