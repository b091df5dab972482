"""Database part of `tournaments.devtools.room`: write and read. Needs Django set up."""

from collections import Counter
from datetime import timedelta
from typing import Any

from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.models import Action, Elimination, Entry, Event, Hand, Registration, Seating
from tournaments.play.selectors.ranking import places_of

ARRIVED_BEFORE, STARTED_BEFORE = timedelta(hours=1), timedelta(minutes=30)


def make(players: int, seats: int, phones: int) -> dict[str, Any]:
    """Make the tournament and sign in the phones."""
    call_command("migrate", interactive=False, verbosity=0)
    with transaction.atomic():
        return _laid_out(players, seats, phones)


def _laid_out(players: int, seats: int, phones: int) -> dict[str, Any]:
    now = timezone.now()
    arrived = now - ARRIVED_BEFORE
    event = make_event(
        "Saal",
        at=arrived,
        starts_at=now - STARTED_BEFORE,
        seats_per_table=seats,
        capacity=players,
    )
    people = [{"name": f"Spieler {number:04}"} for number in range(1, players + 1)]
    command = Command(event=event, by=SYSTEM, at=arrived)
    registrations_import(command, people=people)
    for registration in Registration.objects.live().filter(event=event).order_by("pk"):
        entry_check_in(command, registration=registration, plays_at_both=True)
    clock_start(Command(event=event, by=SYSTEM, at=now - STARTED_BEFORE))
    tokens = [
        sign_in(event.club, Role.ARBITER, f"Handy {number}", event=event)
        for number in range(1, phones + 1)
    ]
    return {"slug": event.slug, "tokens": tokens, "tables": _tables(event)}


def _tables(event: Event) -> dict[int, list[dict[str, Any]]]:
    rows = Seating.objects.live().filter(event=event).order_by("table__number", "seat")
    tables: dict[int, list[dict[str, Any]]] = {}
    for row in rows.select_related("table", "entry__registration__person"):
        registration = row.entry.registration
        seat = {"seat": row.seat, "entry": row.entry_id, "name": registration.person.name}
        seat["link"] = registration.link_token
        tables.setdefault(row.table.number, []).append(seat)
    return tables


def account() -> dict[str, Any]:
    """Return the log of the tournament and its errors; the sample event is ignored."""

    event = Event.objects.get(is_sample=False)
    rows = Action.objects.filter(event=event).order_by("sequence")
    actions = [
        {
            "kind": row.kind,
            "at": row.at.timestamp(),
            "recorded_at": row.recorded_at.timestamp(),
            "device": row.device_id,
            "payload": row.payload,
        }
        for row in rows
    ]
    return {"actions": actions, "wrong": _wrong(event)}


def _wrong(event: Event) -> list[str]:

    wrong = []
    if log_first_fault(event) is not None:
        wrong.append("the chain does not verify")
    seated = list(Seating.objects.live().filter(event=event).values_list("entry_id", flat=True))
    out = list(Elimination.objects.live().filter(event=event).values_list("entry_id", flat=True))
    entries = set(Entry.objects.live().filter(event=event).values_list("pk", flat=True))
    if Counter([*seated, *out]) != Counter(entries):
        wrong.append("somebody is in or out twice, both, or neither")
    if set(places_of(event)) != set(out):
        wrong.append("the places are not those of who is out")
    hands = Hand.objects.live().filter(table__event=event).order_by("table_id", "number")
    numbers: dict[int, int] = {}
    for table, number in hands.values_list("table_id", "number"):
        if number != numbers.get(table, 0) + 1:
            wrong.append(f"table {table}: hand {number} after {numbers.get(table, 0)}")
        numbers[table] = number
    return wrong
