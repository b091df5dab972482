"""Are taps of twenty arbiters' phones lost or doubled?

Twenty phones tap once a second each against a real server process on SQLite, then against two on
PostgreSQL. Every phone has its own tables and taps them in turn: usually the next hand, sometimes
an elimination. One tap in ten is sent on two connections at once, to two servers if there are two;
one in twenty is sent after the next, late and with its own time, like from the queue. 20 seconds of
tapping; 60 with `--full`.
"""

import json
import random
import sys
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from bench._clients import Client, good, timed_threads
from bench._harness import Report, percentile, servers
from krru.devtools.serving import ServerProcess
from tournaments.devtools.room import account, room

PHONES, TABLES_EACH, SEATS = 20, 10, 6
SPARE = PHONES * TABLES_EACH + 1
SECONDS, FULL_SECONDS = 20, 60
TWICE, OUT_OF_ORDER = 0.10, 0.05
OUT_EVERY, LEFT_AT_A_TABLE, WAITED_S = 4, 3, 0.1
Effect = tuple[str, int]
"""The effect of a tap: a hand at this table number, or an eliminated entry."""


class Tap(NamedTuple):
    """One tap: address, effect, and way of sending."""

    path: str
    effect: Effect
    is_twice: bool
    is_delayed: bool
    key: str


class Phone:
    """One phone's taps by second, and their results."""

    def __init__(
        self, ports: Sequence[int], token: str, base: str, tables: dict[int, Any], seconds: int
    ) -> None:
        self.ports, self.token, self._tables = ports, token, tables
        self.times_ms: list[float] = []
        self.refused: list[str] = []
        self._rng = random.Random(min(tables))
        self.taps = [self._tap(base, second) for second in range(seconds)]

    def _tap(self, base: str, second: int) -> Tap:
        number = list(self._tables)[second % len(self._tables)]
        seats, draw = self._tables[number], self._rng
        path, effect = f"{base}{number}/hand/", ("hand", number)
        if second % OUT_EVERY == OUT_EVERY - 1 and len(seats) > LEFT_AT_A_TABLE:
            entry = seats.pop()["entry"]
            path, effect = f"{base}spieler/{entry}/aus/", ("out", entry)
        key = str(uuid.UUID(int=draw.getrandbits(128), version=4))
        return Tap(path, effect, draw.random() < TWICE, draw.random() < OUT_OF_ORDER, key)

    def run(self, begins: float) -> None:
        """Tap once a second from an instant of time.perf_counter on."""
        delayed: list[tuple[Tap, float]] = []
        for second, tap in enumerate(self.taps):
            ahead = begins + second - time.perf_counter()
            time.sleep(max(0.0, ahead))
            # A tap waits while an earlier answer is pending, and keeps its time.
            due = time.time() + ahead if ahead < -WAITED_S else None
            if tap.is_delayed and not delayed and tap is not self.taps[-1]:
                delayed.append((tap, time.time()))
                continue
            self._send(tap, due)
            while delayed:
                self._send(*delayed.pop())

    def _send(self, tap: Tap, at: float | None) -> None:
        headers = {"HX-Request": "true", "X-Idempotency-Key": tap.key}
        if at is not None:
            headers["X-Tap"] = json.dumps({"at": round(at * 1000), "offset": 0})
        ports = [*self.ports, *self.ports][:2] if tap.is_twice else [self._rng.choice(self.ports)]
        clients = [Client(port, self.token) for port in ports]
        began = [client.send("POST", tap.path, **headers) for client in clients]
        for client, sent in zip(clients, began, strict=True):
            status, text = client.answer()
            self.times_ms.append((time.perf_counter() - sent) * 1000)
            client.close()
            if status != 200:
                self.refused.append(f"{status} {tap.path} {text[:200]!r}")


def happened(actions: list[dict[str, Any]]) -> Counter[Effect]:
    """Return the effects of all taps by the log."""
    found: Counter[Effect] = Counter()
    for action in actions:
        if action["kind"] == "hand.begun":
            found["hand", action["payload"]["table"]] += 1
        elif action["kind"] == "entry.eliminated":
            found.update(("out", entry) for entry in action["payload"]["entries"])
    return found


def measure(report: Report, options: Any) -> None:
    """Measure on both databases."""
    seconds = FULL_SECONDS if options.full else SECONDS
    for database, count in (("sqlite", 1), ("postgres", 2)):
        with servers(database, count=count) as running:
            made = room(running[0], players=SPARE * SEATS, seats=SEATS, phones=PHONES)
            for one in running:
                one.start()
            _tap(report, database, running, _phones(running, made, seconds))


def _phones(running: list[ServerProcess], made: dict[str, Any], seconds: int) -> list[Phone]:
    """Divide the tables among the phones; warm up every page and process."""
    ports, base = [one.port for one in running], f"/t/{made['slug']}/tische/"
    phones = []
    for number, token in enumerate(made["tokens"]):
        first = number * TABLES_EACH + 1
        mine = {table: made["tables"][str(table)] for table in range(first, first + TABLES_EACH)}
        phones.append(Phone(ports, token, base, mine, seconds))
        for port in ports:
            good(Client(port, token).ask("GET", f"{base}{SPARE}/"))
            Client(port, token).ask("POST", f"{base}{SPARE}/hand/")
    return phones


def _tap(report: Report, name: str, running: list[ServerProcess], phones: list[Phone]) -> None:
    begins = time.perf_counter() + 1.0
    timed_threads([partial(one.run, begins + n / PHONES) for n, one in enumerate(phones)])
    told = account(running[0])
    meant = Counter(tap.effect for one in phones for tap in one.taps)
    found = happened(told["actions"])
    found.pop(("hand", SPARE), None)
    refused = [line for one in phones for line in one.refused]
    for line in [*refused[:5], *told["wrong"][:5]]:
        print(name, line, file=sys.stderr)
    times = [ms for one in phones for ms in one.times_ms]
    report.add(f"{name}_taps", meant.total(), "taps")
    report.add(f"{name}_lost", (meant - found).total(), "taps", 0)
    report.add(f"{name}_doubled", (found - meant).total(), "taps", 0)
    report.add(f"{name}_refused", len(refused), "requests", 0)
    report.add(f"{name}_faults_in_the_room", len(told["wrong"]), "faults", 0)
    report.add(f"{name}_p50", percentile(times, 50), "ms")
    report.add(f"{name}_p99", percentile(times, 99), "ms", 300)
