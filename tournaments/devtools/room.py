"""A tournament that runs, with phones signed in, laid out straight in a server's database.

`room(server, …)` runs this module with the server's environment, before or while it serves;
`account(server)` says afterwards what the log and the room hold. For tests and benchmarks of what
happens at the tables, which would take an hour to prepare by pressing buttons.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django

from krru.devtools.serving import ServerProcess


def room(server: ServerProcess, *, players: int, seats: int, phones: int) -> dict[str, Any]:
    """Make the tournament; return its `slug`, the `tokens` of the phones' cookies, the `tables`.

    `tables` gives, by number, who sits there: seat, entry, name, the
    token of the personal link.
    """
    return _asked(server, "make", players, seats, phones)


def account(server: ServerProcess) -> dict[str, Any]:
    """Return the `actions` (kind, at, recorded_at, device, payload) and what is `wrong`."""
    return _asked(server, "account")


def _asked(server: ServerProcess, *words: object) -> dict[str, Any]:
    told: dict[str, Any] = server.ask("tournaments.devtools.room", *words)
    return told


def main(arguments: list[str]) -> None:
    """Do it, and print the answer."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    django.setup()
    from tournaments.devtools import room_rows  # noqa: PLC0415 - reads the settings

    what, *numbers = arguments
    print(json.dumps(getattr(room_rows, what)(*map(int, numbers))))


if __name__ == "__main__":
    main(sys.argv[1:])
