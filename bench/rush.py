"""Registration opens: 5,000 people, 500 places, a closed loop of 32 clients, pages and forms.

Names are made up of syllables: some are alike, and who is asked about that sends the form again.
One process on SQLite; then two processes on PostgreSQL. The yardstick is the barest registration
there can be on the same server and database: one conditional update and one insert. Both are
measured by forms alone; the times a visitor waits by pages and forms together.
"""

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench._report import Report, percentile
from bench._rush import Client, Crowd, crowd, name_of
from bench._rush_server import BARE, RushServer
from krru.data.folder import SECRET_FILE

PLACES, PEOPLE, CLIENTS = 500, 5000, 32
ALONE = 1500  # registrations by forms alone, and at the yardstick
SHORT_PEOPLE = 2000
GOAL_P99_MS, GOAL_ACCEPTED = 1000.0, 150.0

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from tournaments.devtools.made import make_event
now = timezone.now()
own = {{"at": now, "starts_at": now + timedelta(days=2)}}
rooms = {{"Andrang": {places}, "Formulare": 50000}}
print(json.dumps([make_event(name, capacity=most, **own).slug for name, most in rooms.items()]))
"""

COUNT = """
import json
from tournaments.models import Event, Registration, Waiting
from tournaments.changes.selectors.log import log_first_fault
event = Event.objects.get(name="Andrang")
live = Registration.objects.live().filter(event=event)
waiting = Waiting.objects.live().filter(event=event).order_by("since", "pk")
order = list(waiting.values_list("registration__made_by__sequence", flat=True))
placed = live.exclude(pk__in=waiting.values("registration"))
last = max(placed.values_list("made_by__sequence", flat=True))
print(json.dumps({
    "people": live.count(), "names": live.values("person__name").distinct().count(),
    "placed": placed.count(), "waiting": len(order),
    "in_order": order == sorted(order) and last < order[0],
    "sound": log_first_fault(event) is None,
}))
"""


def main(arguments: list[str]) -> int:
    """Measure on both databases, and show the figures."""
    people = PEOPLE if "--full" in arguments else SHORT_PEOPLE
    report = Report("rush")
    with ExitStack() as stack:
        _measure(stack, report, "sqlite", {}, people)
    with ExitStack() as stack:
        from krru.devtools.postgres import Postgres
        from krru.devtools.valkey import valkey

        env = {
            "DATABASE_URL": stack.enter_context(Postgres()).url,
            "REDIS_URL": stack.enter_context(valkey()),
        }
        _measure(stack, report, "postgresql", env, people)
    return report.show()


def _measure(stack: ExitStack, report: Report, name: str, env: dict[str, str], people: int) -> None:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-bench-")))
    servers = [RushServer(folder / "first", env).start()]
    stack.callback(servers[0].stop)
    if env:
        # Both are of one club, as behind a proxy.
        shared = env | {"KRRU_SECRET_FILE": str(servers[0].folder / SECRET_FILE)}
        servers.append(RushServer(folder / "second", shared).start())
        stack.callback(servers[1].stop)
    rush, forms = json.loads(_shell(servers[0], MAKE.format(places=PLACES)))
    met = _crowd(servers, people, lambda client, number: _register(client, rush, number))
    found = json.loads(_shell(servers[0], COUNT))
    exact = {
        "people": people, "names": people, "placed": PLACES, "waiting": people - PLACES,
        "in_order": True, "sound": True,
    }  # fmt: skip
    wrong = sum(found[key] != value for key, value in exact.items())
    report.add(f"{name}_wrong_counts", wrong, "counts", goal=0)
    report.add(f"{name}_people", found["people"], "people", goal=None)
    for kind in ("page", "form"):
        p99 = percentile(met.times_ms[kind], 99)
        report.add(f"{name}_{kind}_p99", p99, "ms", goal=GOAL_P99_MS)
    report.add(f"{name}_with_pages", met.rate("form"), "a second", goal=None)
    alone = _crowd(
        servers,
        ALONE,
        lambda client, number: _form(client, forms, number),
        lambda client: client.get(f"/t/{forms}/"),
    )
    bare = _crowd(servers, ALONE, _bare)
    ratio = alone.rate("form") / bare.rate("bare")
    report.add(
        f"{name}_accepted", alone.rate("form"), "a second", goal=GOAL_ACCEPTED, better="higher"
    )
    report.add(f"{name}_bare", bare.rate("bare"), "a second", goal=None)
    report.add(f"{name}_accepted_to_bare", ratio, "times", goal=None, better="higher")


def _crowd(
    servers: list[RushServer], people: int, act: Any, first: Any = lambda client: None
) -> Crowd:
    """Let half the clients ask each process where there are two, as a proxy would."""
    numbers = iter(range(people))
    if len(servers) == 1:
        return crowd(servers[0].port, CLIENTS, numbers, act, first)
    from concurrent.futures import ThreadPoolExecutor

    halves = (iter(range(0, people, 2)), iter(range(1, people, 2)))
    with ThreadPoolExecutor(2) as pool:
        met = list(
            pool.map(
                lambda pair: crowd(pair[0].port, CLIENTS // 2, pair[1], act, first),
                zip(servers, halves, strict=True),
            )
        )
    both = Crowd(seconds=max(half.seconds for half in met))
    for half in met:
        for kind, times in half.times_ms.items():
            both.times_ms.setdefault(kind, []).extend(times)
    return both


def _register(client: Client, slug: str, number: int) -> None:
    client.get(f"/t/{slug}/")
    _form(client, slug, number)


def _form(client: Client, slug: str, number: int) -> None:
    """Register; if asked about somebody of a similar name, say that it is another person."""
    fields = {"name": name_of(number), "is_listed": "on", "agrees_to_rules": "on"}
    status = client.post("form", f"/t/{slug}/anmelden/", **fields)
    if status == 422:
        status = client.post("form", f"/t/{slug}/anmelden/", **fields, is_other="alike")
    if status != 302:
        raise RuntimeError(f"A registration was answered by {status}.")


def _bare(client: Client, number: int) -> None:
    client.post("bare", f"/{BARE}", name=name_of(number))


def _shell(server: RushServer, code: str) -> str:
    return (
        server.manage("shell", "--verbosity", "0", "--command", code)
        .stdout.strip()
        .splitlines()[-1]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
