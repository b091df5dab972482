"""Rooms of any size, laid out row by row: what the services would make, in a hundredth of the time.

The log entries are real; only that one entry stands for many.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any

from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.devtools.made import make_event
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.models import ButtonMark, ChipMovement, Entry, Event, Registration, Seating, Table
from tournaments.seating.services.tables import table_open

NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)


def running_room(name: str, sizes: Sequence[int], *, at: datetime = NOON, **own: Any) -> Event:
    """Return an event under way with so many players at each table."""
    event = seated_room(name, sizes, at=at, **own)
    clock_start(Command(event=event, by=SYSTEM, at=at))
    return Event.objects.select_related("club", "clock").get(pk=event.pk)


def seated_room(
    name: str, sizes: Sequence[int], *, seats: int, at: datetime, to_come: int = 0, **settings: Any
) -> Event:
    """Return the same event before its start, on seats drawn at random.

    At every other table the button is known. `to_come` more are registered and not checked in.
    """
    own = {
        "late_registration_level": 8,
        "seats_per_table": seats,
        "capacity": sum(sizes) + 2 * to_come,
        "draw_secret": "00ff" * 16,
    }
    event = make_event(name, at=at, starts_at=at, **own | settings)
    people = [{"name": f"Spieler {number:05}"} for number in range(sum(sizes) + to_come)]
    command = Command(event=event, by=SYSTEM, at=at)
    registrations_import(command, people=people)
    made = table_open(command, count=len(sizes))
    _seat_everybody(event, sizes, made, at=at, rng=Random(1))
    return Event.objects.select_related("club", "clock").get(pk=event.pk)


def _seat_everybody(
    event: Event, sizes: Sequence[int], made: Any, *, at: datetime, rng: Random
) -> None:
    own, seats = {"event": event, "made_by": made}, event.seats_per_table
    people = Registration.objects.filter(event=event).order_by("pk")[: sum(sizes)]
    entries = Entry.objects.bulk_create(
        Entry(**own, registration=row, number=number, entered_at=at)
        for number, row in enumerate(people, start=1)
    )
    ChipMovement.objects.bulk_create(
        ChipMovement(**own, entry=entry, reason="starting_stack", amount=event.starting_stack)
        for entry in entries
    )
    left, places, marks = iter(entries), [], []
    tables = Table.objects.filter(event=event).order_by("number")
    for table, size in zip(tables, sizes, strict=True):
        for seat in sorted(rng.sample(range(1, seats + 1), size)):
            own_seat = {"entry": next(left), "table": table, "seat": seat, "seated_at": at}
            places.append(Seating(**own, **own_seat))
        if table.number % 2:
            button = rng.randint(1, seats)
            marks.append(ButtonMark(table=table, seat=button, marked_at=at, made_by=made))
    Seating.objects.bulk_create(places)
    ButtonMark.objects.bulk_create(marks)
