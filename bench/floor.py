"""The largest halls: cost of balancing, and response times while arbiters tap.

Balancing: 1,124 tables and 10,112 players (the largest World Series Main Event), from four to ten
at a table; all suggestions with player, seat and reason, from the database. Taps: 3,000 players,
300 tables, 40 arbiters with a tap each 5 to 20 s, 500 streams, a director, three visitors, one
process. A phone asks for what its page asks for. `--full`: more rounds, and longer.
"""

import itertools
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from bench._clients import Client, Crowd, Streams, timed_threads
from bench._harness import Report, Task, measured, percentile, server

BALANCE, HALL = Task("bench._inside:balance"), Task("bench._made:hall")
TABLES, ARBITERS, STREAMS, SECONDS, FULL_SECONDS = 300, 40, 500, 60.0, 240.0
OUTS, TAP_AFTER_S, HALL_S = 0.15, (5.0, 20.0), 60.0
# Of an own tap; of an out at another table, once within HALL_S (live.js).
OWN, OTHER = ("stand/", "button/", "bubble/"), ("stand/", "bubble/")


def measure(report: Report, options: Any) -> None:
    """Measure in a separate process, then at a server."""
    found = measured(BALANCE, 27 if options.full else 9)
    report.add("balance", percentile(found["wall_ms"], 50), "ms", 250)
    report.add("balance_processor", percentile(found["processor_ms"], 50), "ms")
    with server() as running:
        told = HALL(running, TABLES, ARBITERS)
        with Streams(running.start().port, told["stream"]).open(STREAMS) as streams:
            evening = Evening(running.port, told, FULL_SECONDS if options.full else SECONDS)
            listen = partial(streams.receive, b"\0", 1, evening.seconds)
            timed_threads([listen, *evening.work()])
    times = evening.crowd.times_ms
    report.add("hall_refused", len(times.pop("refused", ())), "requests", 0)
    for kind, met in sorted(times.items()):
        report.add(f"hall_{kind}_p50", percentile(met, 50), "ms")
        report.add(f"hall_{kind}_p99", percentile(met, 99), "ms", 600 if kind == "hand" else None)


class Evening:
    """The people of that hall; `work` is what each does until the end."""

    def __init__(self, port: int, told: dict[str, Any], seconds: float) -> None:
        self.crowd, self.seconds = Crowd(), seconds
        self._port, self._told, self._base = port, told, f"/t/{told['slug']}/"
        self._until = time.monotonic() + seconds
        self._looks_at: dict[int, float] = {}

    def work(self) -> list[Callable[[], None]]:
        """Return what the arbiters, the director and the visitors do."""
        tables = self._told["tables"]
        each = len(tables) // ARBITERS
        arbiters = [
            partial(self._arbiter, number, token, tables[number * each :][:each])
            for number, token in enumerate(self._told["arbiters"])
        ]
        asked = ["", self._told["player"], "screen/state.json"]
        visitors = [partial(self._visitor, path) for path in asked]
        return [*arbiters, self._director, self._director_panels, *visitors]

    def _get(self, client: Client, kind: str, path: str) -> None:
        self.crowd.timed(kind, lambda: client.tried("GET", path))

    def _tap(self, client: Client, kind: str, path: str) -> None:
        own = {"HX-Request": "true"}
        self.crowd.timed(kind, lambda: client.tried("POST", path, **own))

    def _arbiter(self, number: int, token: str, tables: list[Any]) -> None:
        client, drawn, floor = Client(self._port, token), random.Random(number), "tische/"
        taps_at = time.monotonic() + drawn.uniform(0, TAP_AFTER_S[1])
        while (now := time.monotonic()) < self._until:
            if now >= taps_at:
                taps_at = now + drawn.uniform(*TAP_AFTER_S)
                table, entries = drawn.choice(tables)
                floor = f"{self._base}tische/{table}/"
                if drawn.random() < OUTS and len(entries) > 2:
                    out = f"{self._base}tische/spieler/{entries.pop()}/aus/"
                    self._tap(client, "out", out)
                    self._tell_the_others(number)
                else:
                    self._tap(client, "hand", f"{floor}hand/")
                self._look(client, floor, OWN)
            elif now >= self._looks_at.get(number, now + 1):
                self._looks_at.pop(number)
                self._look(client, f"{self._base}tische/{tables[0][0]}/", OTHER)
            time.sleep(0.05)

    def _tell_the_others(self, number: int) -> None:
        for other in set(range(ARBITERS)) - {number}:
            self._looks_at.setdefault(other, time.monotonic() + random.uniform(0, HALL_S))

    def _look(self, client: Client, floor: str, parts: tuple[str, ...]) -> None:
        for part in parts:
            self._get(client, f"table_{part.strip('/')}", f"{floor}{part}")

    def _director(self) -> None:
        client, page = Client(self._port, self._told["director"]), f"{self._base}leitung/"
        seconds = itertools.cycle((1, -1))

        def lead() -> None:
            fields = {"seconds": next(seconds)}
            self.crowd.timed("press", lambda: client.tried("POST", f"{page}uhr/stellen/", fields))
            self._get(client, "director", page)

        self._each(10, lead)

    def _director_panels(self) -> None:
        client, page = Client(self._port, self._told["director"]), f"{self._base}leitung/"
        parts = [f"stand/{part}/" for part in ("tische", "was-ansteht", "uhr", "letzte")]
        self._each(1, lambda: [self._get(client, "panel", page + part) for part in parts])

    def _visitor(self, path: str) -> None:
        client = Client(self._port)
        path = path if path.startswith("/") else self._base + path
        self._each(0.5, lambda: self._get(client, "visitor", path))

    def _each(self, seconds: float, do: Callable[[], Any]) -> None:
        while time.monotonic() < self._until:
            do()
            time.sleep(seconds)
