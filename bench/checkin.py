"""Do two desks that check in 300 people against each other give one seat twice, and how fast?

Two signed-in desks work through one list as fast as they are answered: search the name, check in,
see the list anew. Every tenth person stands at both desks, which press in the same instant. One
process on SQLite; then a process for each desk on PostgreSQL. Seats are drawn at check-in, so the
desks also open the tables between them. 300 people; 1,000 with `--full`.
"""

from __future__ import annotations

import http.client
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from bench._arbiters import SECRET
from bench._report import Report, percentile
from krru.devtools.postgres import Postgres
from krru.devtools.serving import ServerProcess
from krru.devtools.valkey import valkey

PEOPLE, FULL_PEOPLE = 300, 1000
DESKS, AT_BOTH_EVERY = 2, 10
SEATS = 9
GOAL_P99_MS = 200.0
DURABLE = ["fsync=on", "synchronous_commit=on"]

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from tournaments.devtools.made import make_event, sign_in
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.models import Registration
from tournaments.door.services.registration import registrations_import
now = timezone.now()
event = make_event(
    "Einlass", at=now, starts_at=now + timedelta(hours=1), capacity={people}, fee_cents=1000,
    seats_per_table={seats},
)
people = [{{"name": f"Gast {{number:04}}"}} for number in range({people} + 1)][1:]
registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
tokens = [
    sign_in(event.club, Role.DESK, f"Tisch {{number}}", event=event) for number in range({desks})
]
rows = Registration.objects.filter(event=event).order_by("pk")
print(json.dumps({{
    "slug": event.slug, "tokens": tokens, "people": list(rows.values_list("pk", "person__name")),
}}))
"""

COUNT = """
import json
from tournaments.models import Entry, Event, Seating
from tournaments.event.selectors.event import chips_in_play
from tournaments.seating.selectors.tables import table_counts
from tournaments.changes.selectors.log import log_first_fault
event = Event.objects.get(name="Einlass")
seats = list(Seating.objects.live().filter(event=event).values_list("table__number", "seat"))
entries = list(Entry.objects.live().filter(event=event).values_list("registration", flat=True))
sizes = [count.players for count in table_counts(event)]
print(json.dumps({
    "seats": len(set(seats)), "doubled_seats": len(seats) - len(set(seats)),
    "doubled_people": len(entries) - len(set(entries)),
    "uneven": max(sizes) - min(sizes), "sound": log_first_fault(event) is None,
    "chips": chips_in_play(event)[0],
}))
"""


@dataclass(slots=True)
class Desk:
    """One desk's browser: a kept connection, and what it met, in ms by kind and by status."""

    port: int
    token: str
    slug: str
    times_ms: dict[str, list[float]] = field(default_factory=dict)
    statuses: list[int] = field(default_factory=list)
    _connection: http.client.HTTPConnection | None = None

    def search(self, words: str) -> None:
        query = urllib.parse.urlencode({"q": words})
        self._ask("search", "GET", f"/t/{self.slug}/anmeldung/liste/?{query}")

    def check_in(self, registration: int) -> None:
        path = f"/t/{self.slug}/anmeldung/{registration}/einchecken/"
        self.statuses.append(self._ask("check_in", "POST", path))

    def see_the_list(self) -> None:
        self._ask("list", "GET", f"/t/{self.slug}/anmeldung/liste/")

    def _ask(self, kind: str, method: str, path: str) -> int:
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"krru_device={self.token}; csrftoken={SECRET}",
            "HX-Request": "true",
            "X-CSRFToken": SECRET,
            "X-Idempotency-Key": str(uuid.uuid4()),
        }
        began = time.perf_counter()
        self._connection.request(method, path, None if method == "GET" else "", headers)
        answer = self._connection.getresponse()
        answer.read()
        self.times_ms.setdefault(kind, []).append((time.perf_counter() - began) * 1000)
        if answer.status not in {200, 422}:
            raise RuntimeError(f"{method} {path} was answered by {answer.status}.")
        return answer.status


Person = tuple[int, str]


def rounds_of(people: Sequence[Person]) -> list[tuple[Person, Person]]:
    """Return whom the two desks check in at the same time; every tenth person is at both.

    >>> rounds = rounds_of([(number, "") for number in range(20)])
    >>> rounds[0], len([1 for one, two in rounds if one == two])
    (((0, ''), (0, '')), 2)
    >>> sorted({person[0] for pair in rounds for person in pair}) == list(range(20))
    True
    """
    both = [person for at, person in enumerate(people) if at % AT_BOTH_EVERY == 0]
    single = [person for at, person in enumerate(people) if at % AT_BOTH_EVERY]
    # An odd one stands at both desks, too.
    pairs = [(one, two) for one, two in zip(single[::2], [*single[1::2], single[-1]], strict=False)]
    every = max(1, len(pairs) // max(1, len(both)))
    rounds: list[tuple[Person, Person]] = []
    for at, pair in enumerate(pairs):
        if at % every == 0 and both:
            rounds.append((both[0], both.pop(0)))
        rounds.append(pair)
    return [*rounds, *((person, person) for person in both)]


def work(desks: Sequence[Desk], rounds: Sequence[tuple[Person, Person]]) -> float:
    """Let both desks go through their rounds; return the seconds it took."""
    gate = threading.Barrier(len(desks))

    def one(index: int) -> None:
        desk = desks[index]
        try:
            for pair in rounds:
                registration, name = pair[index]
                desk.search(name)
                if pair[0] == pair[1]:
                    gate.wait(60)
                desk.check_in(registration)
                desk.see_the_list()
        except BaseException:
            gate.abort()
            raise

    began = time.perf_counter()
    with ThreadPoolExecutor(len(desks)) as pool:
        for running in [pool.submit(one, index) for index in range(len(desks))]:
            running.result()
    return time.perf_counter() - began


def main(arguments: list[str]) -> int:
    """Measure on both databases, and show the figures."""
    people = FULL_PEOPLE if "--full" in arguments else PEOPLE
    report = Report("checkin")
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        server = ServerProcess(Path(folder))
        with server:
            _measure(report, "sqlite_", [server], people)
    with (
        tempfile.TemporaryDirectory(prefix="krru-bench-") as folder,
        Postgres(DURABLE) as database,
        valkey() as redis_url,
    ):
        env = {"DATABASE_URL": database.url, "REDIS_URL": redis_url}
        servers = [ServerProcess(Path(folder), env, "--no-worker") for _ in range(DESKS)]
        with servers[0], servers[1]:
            _measure(report, "postgresql_", servers, people)
    return report.show()


def _measure(report: Report, prefix: str, servers: Sequence[ServerProcess], people: int) -> None:
    made = servers[0].shell(MAKE.format(people=people, seats=SEATS, desks=DESKS))
    desks = [
        Desk(servers[at % len(servers)].port, token, made["slug"])
        for at, token in enumerate(made["tokens"])
    ]
    for desk in desks:  # what a desk that stood open has behind it
        desk.search("Gast")
        desk.times_ms.clear()
    rounds = rounds_of([(pk, name) for pk, name in made["people"]])
    seconds = work(desks, rounds)
    found = servers[0].shell(COUNT)
    wrong = (
        found["doubled_people"] + (not found["sound"]) + (found["chips"] != 200 * people)
        + max(0, found["uneven"] - 1) + (len(rounds) * DESKS != sum(len(d.statuses) for d in desks))
    )  # fmt: skip
    report.add(f"{prefix}seats", found["seats"], "seats", goal=people, better="higher")
    report.add(f"{prefix}doubled", found["doubled_seats"], "seats", goal=0)
    report.add(f"{prefix}room_inconsistencies", wrong, "faults", goal=0)
    report.add(f"{prefix}people_a_minute", 60 * people / seconds, "people", goal=None)
    for kind in ("check_in", "search", "list"):
        times = [ms for desk in desks for ms in desk.times_ms[kind]]
        report.add(f"{prefix}{kind}_p50", percentile(times, 50), "ms", goal=None)
        goal = GOAL_P99_MS if kind != "list" else None  # it comes by itself, after the answer
        report.add(f"{prefix}{kind}_p99", percentile(times, 99), "ms", goal=goal)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
