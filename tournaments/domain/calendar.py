"""An appointment as a calendar file (RFC 5545), for the calendar of a phone.

Writes one appointment; reads none. All instants are written in UTC, so that no file needs to
carry the rules of a time zone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LONGEST_LINE = 75  # octets, without the end of the line (RFC 5545, 3.1)
_SPECIAL = re.compile(r"([\\;,])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """What stands in the calendar. A higher `edition` of the same `uid` replaces the earlier one.

    :raises ValueError: If an instant has no time zone, or it lasts no time.
    """

    uid: str
    title: str
    begins_at: datetime
    lasts: timedelta
    written_at: datetime
    edition: int = 0
    text: str = ""
    is_cancelled: bool = False

    def __post_init__(self) -> None:
        if self.begins_at.tzinfo is None or self.written_at.tzinfo is None:
            raise ValueError("An instant needs its time zone.")
        if self.lasts <= timedelta():
            raise ValueError("An appointment lasts some time.")


def calendar_text(appointment: Appointment) -> str:
    """Return the file (RFC 5545).

    >>> at = datetime(2026, 11, 20, 18, tzinfo=UTC)
    >>> text = calendar_text(Appointment(uid="1@krru", title="Turnier; Finale", written_at=at,
    ...                                  begins_at=at, lasts=timedelta(hours=4)))
    >>> [line for line in text.splitlines() if line[:3] in ("DTS", "DTE", "SUM")]
    ['DTSTAMP:20261120T180000Z', 'DTSTART:20261120T180000Z', 'DTEND:20261120T220000Z',
     'SUMMARY:Turnier\\\\; Finale']
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//KRRU//KRRU//DE",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{_escaped(appointment.uid)}",
        f"SEQUENCE:{appointment.edition}",
        f"DTSTAMP:{_instant(appointment.written_at)}",
        f"DTSTART:{_instant(appointment.begins_at)}",
        f"DTEND:{_instant(appointment.begins_at + appointment.lasts)}",
        f"SUMMARY:{_escaped(appointment.title)}",
        *([f"DESCRIPTION:{_escaped(appointment.text)}"] if appointment.text else []),
        f"STATUS:{'CANCELLED' if appointment.is_cancelled else 'CONFIRMED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in _folded(line))


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Return a text as a value (RFC 5545, 3.3.11); other control characters have no place there."""
    escaped = _SPECIAL.sub(r"\\\1", "\n".join(text.splitlines())).replace("\n", r"\n")
    return "".join(char for char in escaped if char >= " " and char != "\x7f")


def _folded(line: str) -> Iterator[str]:
    """Yield the line in pieces of at most 75 octets, the later ones indented; no letter is cut."""
    piece, room = "", LONGEST_LINE
    for char in line:
        size = len(char.encode())
        if size > room:
            yield piece
            piece, room = " ", LONGEST_LINE - 1
        piece += char
        room -= size
    yield piece
