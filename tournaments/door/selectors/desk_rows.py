"""Registrations with arrival and seat: for the desk and the player's own page."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import (
    Elimination,
    Entry,
    Event,
    Registration,
    Seating,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskRow:
    """One line of the desk's list."""

    registration: Registration
    entry: Entry | None
    table: int | None = None
    seat: int | None = None
    is_out: bool = False

    @property
    def name(self) -> str:
        return self.registration.person.name


def desk_rows_of(event: Event, registrations: list[Registration]) -> list[DeskRow]:
    """Return the lines of these registrations, in their order."""
    return _rows(event, registrations)


def desk_row(registration: Registration) -> DeskRow:
    """Return one person's line."""
    return _rows(registration.event, [registration])[0]


def emails_registered(event: Event) -> dict[str, list[str]]:
    """Return the addresses of registered people, by normalized name."""
    found: dict[str, list[str]] = {}
    rows = Registration.objects.live().filter(event=event)
    for plain_name, own, known in rows.values_list("person__plain_name", "email", "person__email"):
        found.setdefault(plain_name, []).append(own or known)
    return found


def _rows(event: Event, registrations: list[Registration]) -> list[DeskRow]:
    of_these = {"event": event, "registration__in": registrations}
    entries = Entry.objects.live().filter(**of_these).order_by("number")
    seats = {"event": event, "entry__registration__in": registrations}
    seatings = Seating.objects.live().filter(**seats).select_related("table")
    outs = Elimination.objects.live().filter(**seats)
    entry_of = {entry.registration_id: entry for entry in entries}
    seat_of = {seating.entry_id: seating for seating in seatings}
    out = set(outs.values_list("entry_id", flat=True))
    return [
        _row(registration, entry_of.get(registration.pk), seat_of, out)
        for registration in registrations
    ]


def _row(
    registration: Registration, entry: Entry | None, seats: dict[int, Seating], out: set[int]
) -> DeskRow:
    seating = seats.get(entry.pk) if entry else None
    return DeskRow(
        registration=registration,
        entry=entry,
        table=seating.table.number if seating else None,
        seat=seating.seat if seating else None,
        is_out=entry is not None and entry.pk in out,
    )
