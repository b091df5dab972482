"""Name backups, find the newest, and choose how long to keep each.

The number in the name orders backups and only grows. The computer's clock may be set back during an
evening. `change` holds what differs from the backup of the number that follows: its base.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

# Names without a number are from earlier versions and sort first.
NAME = re.compile(
    r"krru-(?P<home>\w{6})-(n(?P<number>\d{6,})-)?(?P<stamp>\d{8}-\d{6})-(?P<reason>[a-z]+)"
    r"(?P<base>\d{6,})?\.zip(\.sealed)?"
)
STAMP = "%Y%m%d-%H%M%S"

MINUTE, CHANGE = "minute", "change"
KEEP_LATEST = 60
KEEP_HOURLY = timedelta(hours=48)
KEEP_DAILY = timedelta(days=14)
# Where that is more than MOST_BYTES, one in so many hours; then only the latest.
SPANS = (1, 4, 24)
MOST_BYTES = 500 * 1024 * 1024
KEEP_ANYWAY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The name of a backup: installation, number, time and reason; 0 or the base's number."""

    path: Path
    home: str
    number: int
    made_at: datetime
    reason: str
    base: int = 0

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
        base=int(found["base"] or 0),
    )


def backups_in(folder: Path) -> list[Named]:
    """Return the backups in a folder, the newest of each installation first.

    :raises OSError: The folder cannot be read.
    """
    found = [one for path in folder.iterdir() if (one := named(path)) is not None]
    return sorted(found, key=lambda one: one.order, reverse=True)


def kept(made: Iterable[Named], now: datetime, *, hours: int = 1) -> set[Path]:
    """Return the backups to keep: the latest 60, one an hour for 48 h, one a day for 14 days.

    The latest have the highest numbers, whatever their times say. The base of a kept one stays too.
    """
    newest_first = sorted(made, key=lambda one: one.order, reverse=True)
    keep = newest_first[:KEEP_LATEST]
    spans: set[int] = set()
    days: set[str] = set()
    for one in newest_first:
        span, day = int(one.made_at.timestamp() / 3600 / hours), one.made_at.strftime("%Y%m%d")
        age = now - one.made_at
        if age <= KEEP_HOURLY and span not in spans:
            keep.append(one)
        if age <= KEEP_DAILY and day not in days:
            keep.append(one)
        spans.add(span)
        days.add(day)
    return _with_bases(keep, newest_first)


def kept_within(made: Sequence[Named], now: datetime, sizes: Mapping[Path, int]) -> set[Path]:
    """Return the backups to keep in a folder that is no archive: of a long past, fewer hours."""
    keep: set[Path] = set()
    for hours in SPANS:
        keep = kept(made, now, hours=hours)
        if sum(sizes[path] for path in keep) <= MOST_BYTES:
            return keep
    newest_first = sorted(made, key=lambda one: one.order, reverse=True)
    staying = [one for one in newest_first if one.path in keep]
    for number in range(len(staying), KEEP_ANYWAY, -1):
        keep = _with_bases(staying[:number], newest_first)
        if sum(sizes[path] for path in keep) <= MOST_BYTES:
            break
    return keep


def _with_bases(keep: Iterable[Named], made: Iterable[Named]) -> set[Path]:
    paths = {one.number: one.path for one in made}
    found = list(keep)
    bases = {paths[one.base] for one in found if one.base in paths}
    return {one.path for one in found} | bases
