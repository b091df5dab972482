"""A list of 10,000 people: sent, shown with a verdict on every row, taken over; CSV and XLSX.

Through the pages of a real server process on SQLite, with `--full` also of one on PostgreSQL, where
10,000 people are known already of whom every other one stands on the list. Memory is what the
process holds at most: what each row adds to it, of a short list and of the long one. Meanwhile
another desk registers people, to see how long an import keeps others waiting.
"""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench._imports import Desk, OtherDesk, list_file
from bench._report import Report
from bench._streams import memory_kb, memory_most_kb
from krru.devtools.serving import ServerProcess

FEW, ROWS, WARM = 2_500, 10_000, 50
GOAL_SECONDS, GOAL_GROWTH = 10.0, 1.2
KINDS = ("csv", "xlsx")

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from tournaments.devtools.made import make_event, sign_in
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registrations_import
now = timezone.now()
events = [
    make_event(f"Abend {{number}}", at=now, starts_at=now + timedelta(days=2), capacity=20000)
    for number in range(4)
]
people = [
    {{"name": f"Vorname{{n}} Nachname{{n:05}}", "email": f"person{{n}}@example.org"}}
    for n in range(0, {known}, 2)
]
registrations_import(Command(event=events[0], by=SYSTEM, at=now), people=people)
token = sign_in(events[0].club, Role.DIRECTOR, "Messung")
print(json.dumps([token, *(event.slug for event in events)]))
"""
COUNT = """
from tournaments.models import Event
print(Event.objects.get(slug={slug!r}).registrations.live().count())
"""


def main(arguments: list[str]) -> int:
    """Measure both kinds of files, and show the figures."""
    report = Report("imports")
    for kind in KINDS:
        _measure(report, "sqlite", kind, {})
    if "--full" in arguments:
        from krru.devtools.postgres import Postgres

        for kind in KINDS:
            with Postgres() as server:
                _measure(report, "postgresql", kind, {"DATABASE_URL": server.url})
    return report.show()


def _measure(report: Report, database: str, kind: str, env: dict[str, str]) -> None:
    name = f"{database}_{kind}"
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-bench-")))
        server = ServerProcess(folder, env).start()
        stack.callback(server.stop)
        device, known, *events = server.shell(MAKE.format(known=2 * ROWS))
        desk = Desk(server.port, device)
        # What is loaded once is no memory of a row.
        desk.take_over(events[0], kind, list_file(kind, WARM))
        before = memory_kb(server.pid)
        added = []
        for slug, rows in ((events[1], FEW), (events[2], ROWS)):
            file = list_file(kind, rows)
            with OtherDesk(server.port, device, known) as other:
                preview, taken = desk.take_over(slug, kind, file)
            added.append(1024 * (memory_most_kb(server.pid) - before) / rows)
            found = server.shell(COUNT.format(slug=slug))
            if found != rows:
                raise RuntimeError(f"{found} of {rows} people are registered.")
        report.add(f"{name}_rows", rows, "rows", goal=None)
        report.add(f"{name}_preview", preview, "s", goal=None)
        report.add(f"{name}_taken_over", taken, "s", goal=None)
        report.add(f"{name}_in_all", preview + taken, "s", goal=GOAL_SECONDS)
        report.add(f"{name}_other_desk_waits_at_most", other.worst, "s", goal=None)
        report.add(f"{name}_bytes_a_row_of_{FEW}", added[0], "B", goal=None)
        report.add(f"{name}_bytes_a_row_of_{ROWS}", added[1], "B", goal=None)
        report.add(f"{name}_growth_of_a_row", added[1] / added[0], "times", goal=GOAL_GROWTH)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
