"""Registration opens: 2,000 people (5,000 with `--full`), 500 places, a closed loop of 32 clients.

Names are made of syllables, so that some are similar and cause a question. One process on SQLite,
then two on PostgreSQL. Beside the rush it measures forms alone.
Places and the order of the waiting list are checked against the log.
"""

from functools import partial
from typing import Any

from bench._clients import Client, Crowd, name_of
from bench._harness import Report, Task, percentile, servers
from krru.devtools.serving import ServerProcess

PLACES, PEOPLE, FULL_PEOPLE, CLIENTS, ALONE = 500, 2000, 5000, 32, 1000
DOORS, ADMITTED = Task("bench._made:doors"), Task("bench._made:admitted")


def measure(report: Report, options: Any) -> None:
    """Measure on both databases."""
    people = FULL_PEOPLE if options.full else PEOPLE
    for database, count in (("sqlite", 1), ("postgres", 2)):
        with servers(database, count=count) as running:
            for server in running:
                server.start()
            _measure(report, database, running, people)


def _measure(report: Report, name: str, running: list[ServerProcess], people: int) -> None:
    few, many = DOORS(running[0], PLACES)
    ports = [server.port for server in running]
    met = Crowd().go(ports, CLIENTS, people, partial(_register, few))
    told = ADMITTED(running[0])
    exact = {
        "people": people, "names": people, "placed": PLACES, "waiting": people - PLACES,
        "in_order": True, "sound": True,
    }  # fmt: skip
    wrong = [key for key, value in exact.items() if told[key] != value]
    report.add(f"{name}_wrong_counts", len(wrong), "counts", 0)
    for kind in ("page", "form"):
        report.add(f"{name}_{kind}_p99", percentile(met.times_ms[kind], 99), "ms", 1000)
    alone = Crowd().go(ports, CLIENTS, ALONE, partial(_form, many))
    report.add(f"{name}_accepted", alone.rate("form"), "a second", 50, "higher")


def _register(slug: str, crowd: Crowd, client: Client, number: int) -> None:
    crowd.timed("page", lambda: client.ask("GET", f"/t/{slug}/"))
    _form(slug, crowd, client, number)


def _form(slug: str, crowd: Crowd, client: Client, number: int) -> None:
    """Register; answer a question about a similar name with "another person"."""
    fields = {"name": name_of(number), "is_listed": "on", "agrees_to_rules": "on"}
    path = f"/t/{slug}/anmelden/"
    status = crowd.timed("form", lambda: client.ask("POST", path, **fields))
    if status == 422:
        status = crowd.timed("form", lambda: client.ask("POST", path, **fields, is_other="alike"))
    if status != 302:
        raise RuntimeError(f"A registration was answered by {status}.")
