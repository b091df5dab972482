"""A cash evening for the screenshots: a full main table, its feeder, and what is due there.

Made through the services. Needs Django set up, and a club.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tournaments.cashgame.services.line import cash_wait
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_end_set, cash_table_open
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.devtools.made import make_event
from tournaments.door.services.registration import registrations_import
from tournaments.models import CashTable, Event, Registration

MINUTE = timedelta(minutes=1)
PLAYED = 90 * MINUTE
NAMES = (
    "Anna Bauer", "Boris Denk", "Clara Egger", "David Fink", "Emma Gruber", "Felix Huber",
    "Greta Illek", "Hans Jung",
)  # fmt: skip
MAIN_SEATS = 5
TERMS: dict[str, Any] = {
    "game": "holdem", "limit": "no_limit", "small_blind_cents": 50, "big_blind_cents": 100,
    "minimum": 20, "maximum": 100,
}  # fmt: skip


def make_cash_evening(now: datetime) -> Event:
    """Return an evening that has gone on for an hour and a half; a seat was just freed."""
    at = now - PLAYED
    own: dict[str, Any] = {"kind": "cash_game", "capacity": len(NAMES)}
    event = make_event("Cash Game am Freitag", at=at, starts_at=at, **own)
    people = [{"name": name} for name in NAMES]
    registrations_import(Command(event=event, by=SYSTEM, at=at), people=people)
    rows = list(Registration.objects.filter(event=event).order_by("pk"))

    def do(service: Any, after: timedelta, **own: Any) -> Any:
        return service(Command(event=event, by=SYSTEM, at=at + after), **own)

    def opened(**own: Any) -> CashTable:
        made = do(cash_table_open, 0 * MINUTE, **TERMS, **own)
        return CashTable.objects.get(pk=made.payload["cash_table"])

    main = opened(seats=MAIN_SEATS)
    feeder = opened(seats=MAIN_SEATS, feeds=main)
    for number, row in enumerate(rows[:-1]):
        table = main if number < MAIN_SEATS else feeder
        seat = {"table": table, "seat": number % MAIN_SEATS + 1, "cents": 5_000 + 500 * number}
        do(cash_sit, number * MINUTE, registration=row, **seat)
    do(cash_wait, 20 * MINUTE, registration=rows[-1], table=main)
    do(cash_end_set, 30 * MINUTE, ends_at=now + 20 * MINUTE)
    do(cash_out, PLAYED - 2 * MINUTE, registration=rows[1], cents=6_200)
    return event
