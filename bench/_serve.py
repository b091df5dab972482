"""The real server with a stop-watch and a yardstick.

Run as `python -m bench._serve serve …` instead of `manage.py serve …`. It records the publication
of each change to the hub, by `time.perf_counter`, which all processes of a machine share. An
additional address is a minimal registration: it checks the capacity and inserts one row, in one
transaction.
"""

import os
import sys
import time
from typing import Any

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

NOTES, BARE = "published.txt", "bare/"
TABLES = (
    "CREATE TABLE IF NOT EXISTS bench_room (id integer PRIMARY KEY, taken integer, room integer)",
    "CREATE TABLE IF NOT EXISTS bench_guest (name varchar(200))",
    "INSERT INTO bench_room VALUES (1, 0, 1000000) ON CONFLICT DO NOTHING",
)


class BenchServer(ServerProcess):
    """A server that reports times of publication, and serves the yardstick."""

    program = ("-m", "bench._serve")

    def published_at(self) -> float:
        """Return the instant of the last publication to the hub."""
        return float((self.folder / NOTES).read_text("ascii").splitlines()[-1])


def main(arguments: list[str]) -> None:
    """Serve, with both."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from django.conf import settings

    _note_what_is_published(settings.KRRU_DATA / NOTES)
    _add_the_yardstick()
    execute_from_command_line([str(BASE_DIR / "manage.py"), *arguments])


def _note_what_is_published(path: Any) -> None:
    from clock.realtime import Hub

    notes, deliver = path.open("a", encoding="ascii", buffering=1), Hub.deliver

    def noting(*told: Any) -> None:
        at = time.perf_counter()
        deliver(*told)
        notes.write(f"{at}\n")

    Hub.deliver = noting


def _add_the_yardstick() -> None:
    from django.db import connection, transaction
    from django.http import HttpResponse
    from django.urls import path
    from django.views.decorators.csrf import csrf_exempt

    from krru import urls

    def bare(request: Any) -> HttpResponse:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("UPDATE bench_room SET taken = taken + 1 WHERE id = 1 AND taken < room")
            assert cursor.rowcount
            cursor.execute("INSERT INTO bench_guest VALUES (%s)", [request.POST["name"]])
        return HttpResponse()

    def prepare(_request: Any) -> HttpResponse:
        with connection.cursor() as cursor:
            for statement in TABLES:
                cursor.execute(statement)
        return HttpResponse()

    urls.urlpatterns[:0] = [path(BARE, csrf_exempt(bare)), path(f"{BARE}tables/", prepare)]


if __name__ == "__main__":
    main(sys.argv[1:])
