"""The real server with one address more: the barest registration there can be, as a yardstick.

Run as `python -m bench._rush_server serve …` instead of `manage.py serve …`. The address checks
the capacity and inserts one row, in one transaction, on the same server and database as the rest.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

BARE = "bare/"
TABLES = (
    "CREATE TABLE IF NOT EXISTS bench_room (id integer PRIMARY KEY, taken integer, room integer)",
    "CREATE TABLE IF NOT EXISTS bench_guest (name varchar(200))",
    "DELETE FROM bench_room",
    "INSERT INTO bench_room VALUES (1, 0, 1000000)",
)


class RushServer(ServerProcess):
    """A server with the yardstick beside its pages."""

    program = ("-m", "bench._rush_server")


def bare(request: Any) -> Any:
    """Take a place and write down who has it."""
    from django.db import connection, transaction
    from django.http import HttpResponse

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE bench_room SET taken = taken + 1 WHERE id = 1 AND taken < room")
        if not cursor.rowcount:
            return HttpResponse(status=409)
        cursor.execute("INSERT INTO bench_guest VALUES (%s)", [request.POST["name"]])
    return HttpResponse(status=201)


def main(arguments: list[str]) -> None:
    """Serve, with the tables and the address of the yardstick."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django
    from django.core.management import execute_from_command_line
    from django.urls import path
    from django.views.decorators.csrf import csrf_exempt

    django.setup()
    from django.core.signals import request_started
    from django.db import connection

    from krru import urls

    urls.urlpatterns.insert(0, path(BARE, csrf_exempt(bare)))

    def prepare(**_told: Any) -> None:
        request_started.disconnect(prepare)
        with connection.cursor() as cursor:
            for statement in TABLES:
                cursor.execute(statement)

    request_started.connect(prepare)
    execute_from_command_line([str(BASE_DIR / "manage.py"), *arguments])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(BASE_DIR)))
    main(sys.argv[1:])
