"""What `bench.pages` looks at, laid out in the database of a server that does not run yet.

Run as `python -m bench._open_pages WHAT NUMBER` with the server's environment. `planned` makes a
tournament for which so many are registered, `running` one in which so many sit at tables.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta
from typing import Any

from krru.devtools.serving import ServerProcess
from tournaments.changes.commands import Command

SEATS, AT_A_TABLE = 9, 8


def laid_out(server: ServerProcess, what: str, number: int) -> dict[str, Any]:
    """Make it, and return what a browser needs to know of it."""
    server.folder.mkdir(mode=0o700, exist_ok=True)
    told: dict[str, Any] = server.ask("bench._open_pages", what, number)
    return told


def main(arguments: list[str]) -> None:
    """Make it, and print what it is."""
    from bench._child import set_up

    set_up()
    from django.db import transaction

    what, number = arguments
    with transaction.atomic():
        told = {"planned": _planned, "running": _running}[what](int(number))
    print(json.dumps(told))


def _planned(registered: int) -> dict[str, Any]:
    """Make a tournament as a club announces it, with a rule set, a schedule, names of who comes."""
    from django.utils import timezone

    from tournaments.changes.access import SYSTEM
    from tournaments.devtools.made import make_event
    from tournaments.door.services.registration import registrations_import

    now = timezone.now()
    event = make_event(
        "Vereinsabend im Dezember",
        at=now,
        starts_at=now + timedelta(days=5),
        capacity=2 * registered,
    )
    people = [{"name": f"Anna Beispiel {number}"} for number in range(1, registered + 1)]
    registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
    return {"slug": event.slug}


def _running(players: int) -> dict[str, Any]:
    """Make a hall that plays; return who is sent about, and three whose phones are watched."""
    from bench._rooms import running_room
    from clock.stream import stream_url
    from tournaments.changes.access import Role
    from tournaments.devtools.made import sign_in
    from tournaments.models import Seating

    tables = players // AT_A_TABLE
    event = running_room("Saal", [AT_A_TABLE] * tables, seats=SEATS)
    rows = Seating.objects.filter(event=event).select_related("entry__registration", "table")
    rows = list(rows.order_by("table__number", "seat")[: 3 * AT_A_TABLE])
    taken = {number: {row.seat for row in rows if row.table.number == number} for number in (1, 2)}
    free = [next(seat for seat in range(1, SEATS + 1) if seat not in taken[n]) for n in (1, 2)]
    mover, neighbour, other = rows[0], rows[1], rows[-1]
    return {
        "slug": event.slug,
        "stream": stream_url(event.stream_topic),
        "entry": mover.entry_id,
        "from": [1, mover.seat],
        "to": [2, free[1]],
        "links": [row.entry.registration.link_token for row in (mover, neighbour, other)],
        "device": sign_in(event.club, Role.DIRECTOR, "Laptop"),
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    main(sys.argv[1:])
