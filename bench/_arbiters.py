"""Arbiters' phones as far as the server can tell: one tap a second, some twice, some out of order.

Every phone has tables of its own and taps them in turn: mostly the next hand, now and then somebody
is out. A tap that is sent twice goes out on two connections at once, to two servers where there are
two. One out of order goes out after the next one, late and with its own time, as from the queue.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

TWICE, OUT_OF_ORDER = 0.10, 0.05
OUT_EVERY = 4
WAITED_S = 0.1
LEFT_AT_A_TABLE = 3
SECRET = "k" * 32
Effect = tuple[str, int]
"""What a tap brings about: a hand at a table of this number, or an entry that is out."""


@dataclass(frozen=True, slots=True)
class Tap:
    """One tap: where it goes, what it brings about, and how it is sent."""

    path: str
    effect: Effect
    is_twice: bool
    is_delayed: bool
    key: str


@dataclass(slots=True)
class Phone:
    """What one phone taps, second by second, and what came of it."""

    ports: Sequence[int]
    token: str
    taps: list[Tap]
    times_ms: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    def run(self, begins: float) -> None:
        """Tap once a second from an instant of time.perf_counter on."""
        delayed: tuple[Tap, float] | None = None
        for second, tap in enumerate(self.taps):
            ahead = begins + second - time.perf_counter()
            time.sleep(max(0.0, ahead))
            # Behind an answer that is awaited the next tap waits, and keeps its time.
            due = time.time() + ahead if ahead < -WAITED_S else None
            if tap.is_delayed and delayed is None and second + 1 < len(self.taps):
                delayed = tap, time.time()
                continue
            self._send(tap, due)
            if delayed:
                self._send(*delayed)
                delayed = None

    def _send(self, tap: Tap, at: float | None) -> None:
        ports = self.ports * 2 if tap.is_twice else random.choices(self.ports)
        sent = [self._request(port, tap, at) for port in ports[:2]]
        for connection, began in sent:
            answer = connection.getresponse()
            body = answer.read()
            self.times_ms.append((time.perf_counter() - began) * 1000)
            connection.close()
            if answer.status != 200:
                self.refused.append(f"{answer.status} {tap.path} {body[:200]!r}")

    def _request(
        self, port: int, tap: Tap, at: float | None
    ) -> tuple[http.client.HTTPConnection, float]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"krru_device={self.token}; csrftoken={SECRET}",
            "HX-Request": "true",
            "X-CSRFToken": SECRET,
            "X-Idempotency-Key": tap.key,
        }
        if at is not None:
            headers["X-Tap"] = json.dumps({"at": round(at * 1000), "offset": 0})
        began = time.perf_counter()
        connection.request("POST", tap.path, "", headers)
        return connection, began


def phones_of(made: dict[str, Any], ports: Sequence[int], seconds: int) -> list[Phone]:
    """Return a phone for each token, the tables shared out among them."""
    rng = random.Random(1)
    tables = {int(number): seats for number, seats in made["tables"].items()}
    tokens, numbers = made["tokens"], sorted(tables)
    each = len(numbers) // len(tokens)
    base = f"/t/{made['slug']}/tische/"
    return [
        Phone(ports, token, _taps(base, mine, tables, seconds, rng))
        for token, mine in zip(tokens, _chunks(numbers, each), strict=False)
    ]


def _chunks(numbers: list[int], size: int) -> list[list[int]]:
    return [numbers[at : at + size] for at in range(0, len(numbers), size)]


def _taps(
    base: str,
    mine: list[int],
    tables: dict[int, list[dict[str, Any]]],
    seconds: int,
    rng: random.Random,
) -> list[Tap]:
    made = []
    for second in range(seconds):
        number = mine[second % len(mine)]
        seats = tables[number]
        if second % OUT_EVERY == OUT_EVERY - 1 and len(seats) > LEFT_AT_A_TABLE:
            entry = seats.pop()["entry"]
            path, effect = f"{base}spieler/{entry}/aus/", ("out", entry)
        else:
            path, effect = f"{base}{number}/hand/", ("hand", number)
        twice, delayed = rng.random() < TWICE, rng.random() < OUT_OF_ORDER
        key = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        made.append(Tap(path, effect, twice, delayed, key))
    return made


def warm_up(phones: list[Phone], base: str, spare: int) -> None:
    """Open every phone's page, and let every writing thread work, at a table nobody counts."""
    for phone in phones:
        for port in phone.ports:
            _get(port, f"{base}{spare}/", phone.token)
    run([Phone(phone.ports, phone.token, [_at_spare(base, spare)]) for phone in phones])


def _at_spare(base: str, spare: int) -> Tap:
    key = str(uuid.uuid4())
    return Tap(f"{base}{spare}/hand/", ("hand", spare), is_twice=True, is_delayed=False, key=key)


def _get(port: int, path: str, token: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path, headers={"Cookie": f"krru_device={token}"})
    connection.getresponse().read()
    connection.close()


def run(phones: list[Phone]) -> None:
    """Let all phones tap at once, spread over the second."""
    begins = time.perf_counter() + 1.0
    with ThreadPoolExecutor(len(phones)) as pool:
        running = [
            pool.submit(phone.run, begins + number / len(phones))
            for number, phone in enumerate(phones)
        ]
        for one in running:
            one.result()


def wanted(phones: list[Phone]) -> Counter[Effect]:
    """Return what all taps were to bring about."""
    return Counter(tap.effect for phone in phones for tap in phone.taps)


def happened(actions: list[dict[str, Any]]) -> Counter[Effect]:
    """Return what the log says they did bring about."""
    found: Counter[Effect] = Counter()
    for action in actions:
        if action["kind"] == "hand.begun":
            found["hand", action["payload"]["table"]] += 1
        elif action["kind"] == "entry.eliminated":
            found.update(("out", entry) for entry in action["payload"]["entries"])
    return found
