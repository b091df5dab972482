"""A list of 10,000 people: sent, shown with a verdict on every row, taken over; CSV and XLSX.

Through the pages of a real server process on SQLite, with `--full` also of one on PostgreSQL, where
10,000 people are known already of whom every other one stands on the list. Memory is what the
process holds at most: what each row adds to it, of a short list and of the long one. Meanwhile
another desk registers people, to see how long an import keeps others waiting.
"""

import json
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
from clock.models import ScheduleTemplate
from tournaments.access import SYSTEM, VISITOR, Role
from tournaments.commands import ClubCommand, Command
from tournaments.models import Event, RulePreset
from tournaments.services.house import house_load
from tournaments.services.lifecycle import event_create
from tournaments.services.registration import registrations_import
from tournaments.services.staff import device_sign_in, link_make
now = timezone.now()
club = house_load(at=now, with_sample=False)
system = ClubCommand(club=club, by=SYSTEM, at=now)
link_make(system, token="link", role=Role.DIRECTOR, event=None)
visitor = ClubCommand(club=club, by=VISITOR, at=now)
device_sign_in(visitor, token="link", name="Messung", device_token="geraet")
slugs = []
for number in range(4):
    action = event_create(
        system, name=f"Abend {{number}}", starts_at=now + timedelta(days=2),
        schedule=ScheduleTemplate.objects.get(name="T200"),
        preset=RulePreset.objects.get(key="krru-3"), game="holdem", limit="no_limit",
        seats_per_table=9, capacity=20000,
    )
    event = Event.objects.get(pk=action.payload["event"])
    slugs.append(event.slug)
    if number == 0:
        people = [
            {{"name": f"Vorname{{n}} Nachname{{n:05}}", "email": f"person{{n}}@example.org"}}
            for n in range(0, {known}, 2)
        ]
        registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
print(json.dumps(slugs))
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
        known, *events = json.loads(_shell(server, MAKE.format(known=2 * ROWS)))
        desk = Desk(server.port)
        # What is loaded once is no memory of a row.
        desk.take_over(events[0], kind, list_file(kind, WARM))
        before = memory_kb(server.pid)
        added = []
        for slug, rows in ((events[1], FEW), (events[2], ROWS)):
            file = list_file(kind, rows)
            with OtherDesk(server.port, known) as other:
                preview, taken = desk.take_over(slug, kind, file)
            added.append(1024 * (memory_most_kb(server.pid) - before) / rows)
            found = int(_shell(server, COUNT.format(slug=slug)))
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


def _shell(server: ServerProcess, code: str) -> str:
    done = server.manage("shell", "--verbosity", "0", "--command", code)
    return done.stdout.strip().splitlines()[-1]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
