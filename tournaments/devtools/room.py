"""A running tournament with signed-in phones, written directly to a server's database.

`room(server, …)` runs this module with the server's environment, before or during serving;
`account(server)` reads log and room afterwards. For tests and benchmarks of play at the tables: by
pressing buttons the set-up would take an hour.
"""

import json
import os
import sys
from typing import Any

import django

from krru.devtools.serving import ServerProcess


def room(server: ServerProcess, *, players: int, seats: int, phones: int) -> dict[str, Any]:
    """Make the tournament; return `slug`, the phones' cookie `tokens`, and `tables`.

    `tables` gives the players by number: seat, entry, name, token of the personal link.
    """
    return _asked(server, "make", players, seats, phones)


def account(server: ServerProcess) -> dict[str, Any]:
    """Return the `actions` (kind, at, recorded_at, device, payload) and the errors `wrong`."""
    return _asked(server, "account")


def _asked(server: ServerProcess, *words: object) -> dict[str, Any]:
    told: dict[str, Any] = server.ask("tournaments.devtools.room", *words)
    return told


def main(arguments: list[str]) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    django.setup()
    from tournaments.devtools import room_rows  # noqa: PLC0415 - reads the settings

    what, *numbers = arguments
    print(json.dumps(getattr(room_rows, what)(*map(int, numbers))))


if __name__ == "__main__":
    main(sys.argv[1:])
