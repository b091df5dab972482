"""A tournament that runs, with phones signed in, laid out straight in a server's database.

`room(server, …)` runs this module with the server's environment, before or while it serves;
`account(server)` says afterwards what the log and the room hold. For tests and benchmarks of what
happens at the tables, which would take an hour to prepare by pressing buttons.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import django

from krru.datafolder import BASE_DIR
from krru.devtools.serving import ServerProcess


def room(server: ServerProcess, *, players: int, seats: int, phones: int) -> dict[str, Any]:
    """Make the tournament; return its `slug`, the `tokens` of the phones' cookies, the `tables`.

    `tables` gives, by number, who sits there: seat, entry, name, the
    token of the personal link.
    """
    return _run(server, "make", players, seats, phones)


def account(server: ServerProcess) -> dict[str, Any]:
    """Return the `actions` (kind, at, recorded_at, device, payload) and what is `wrong`."""
    return _run(server, "account")


def _run(server: ServerProcess, *words: object) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "krru.devtools.room", *map(str, words)],
        env=server.env,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        cwd=BASE_DIR,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def main(arguments: list[str]) -> None:
    """Do it, and print the answer."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    django.setup()
    from krru.devtools import room_rows  # noqa: PLC0415 - reads the settings

    what, *numbers = arguments
    print(json.dumps(getattr(room_rows, what)(*map(int, numbers))))


if __name__ == "__main__":
    main(sys.argv[1:])
