"""The evening beside which somebody attacks: a director, a desk, and streams that listen."""

from __future__ import annotations

import http.client
import re
import selectors
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bench._arbiters import SECRET
from krru.devtools.serving import ServerProcess

DIRECTOR, DESK, LISTENERS = "127.0.0.3", "127.0.0.4", "127.0.0.5"
STREAMS = 100
PLAYERS, LATER = 60, 300
# A director who presses all the time, and a desk with people in front of it.
DIRECTOR_EVERY_S, DESK_EVERY_S = 0.1, 0.5
LAST_NEWS_S = 2.0

MAKE = """
import json
from datetime import timedelta
from django.utils import timezone
from clock.stream import stream_url
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.models import Registration
now = timezone.now()
before = now - timedelta(hours=1)
event = make_event("Abend", at=before, starts_at=now - timedelta(minutes=5), capacity=500,
                   late_registration_level=20)
people = [{{"name": f"Gast {{number:04}}"}} for number in range({people})]
command = Command(event=event, by=SYSTEM, at=before)
registrations_import(command, people=people)
rows = list(Registration.objects.filter(event=event).order_by("pk"))
for row in rows[:{players}]:
    entry_check_in(command, registration=row)
clock_start(Command(event=event, by=SYSTEM, at=now - timedelta(minutes=5)))
names = {{"director": Role.DIRECTOR, "desk": Role.DESK, "spare desk": Role.DESK}}
tokens = {{name: sign_in(event.club, role, name, event=event) for name, role in names.items()}}
print(json.dumps({{
    "slug": event.slug, "tokens": tokens, "later": [row.pk for row in rows[{players}:]],
    "stream": stream_url(event.stream_topic),
}}))
"""


@dataclass(slots=True)
class Met:
    """What those beside an attack met."""

    tap_ms: list[float] = field(default_factory=list)
    page_ms: list[float] = field(default_factory=list)
    desk_ms: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    news_lost: int = 0

    @property
    def director_ms(self) -> list[float]:
        return self.tap_ms + self.page_ms


class Browser:
    """A signed-in device with an address of its own, on a kept connection."""

    def __init__(self, port: int, address: str, token: str) -> None:
        self._cookie = f"krru_device={token}; csrftoken={SECRET}"
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=60, source_address=(address, 0)
        )

    def ask(self, method: str, path: str, times_ms: list[float], refused: list[str]) -> None:
        """Ask, and note how long the answer took, or that there was none."""
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": self._cookie,
            "X-CSRFToken": SECRET,
            "X-Idempotency-Key": str(uuid.uuid4()),
        }
        if method == "POST":
            headers["HX-Request"] = "true"
        began = time.perf_counter()
        try:
            self._connection.request(method, path, None if method == "GET" else "", headers)
            answer = self._connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                refused.append(f"{answer.status} {path} {text[:200]!r}")
        except OSError as problem:
            self._connection.close()
            refused.append(f"{problem!r} {path}")
        times_ms.append(1000 * (time.perf_counter() - began))


class Listeners:
    """Open streams, and which versions each has heard of."""

    def __init__(self, port: int, path: str) -> None:
        self._port, self._path = port, path
        self._selector = selectors.DefaultSelector()
        self._heard: list[set[int]] = []
        for _ in range(STREAMS):
            self._open()
        self._greeted = 0
        while self._greeted < STREAMS:
            self._read(1)

    def _open(self) -> None:
        sock = socket.create_connection(("127.0.0.1", self._port), 30, (LISTENERS, 0))
        sock.sendall(f"GET {self._path} HTTP/1.1\r\nHost: [::1]\r\n\r\n".encode())
        sock.setblocking(False)
        self._heard.append(set())
        self._selector.register(sock, selectors.EVENT_READ, self._heard[-1])

    def _read(self, seconds: float) -> None:
        for key, _events in self._selector.select(seconds):
            sock: socket.socket = key.fileobj  # type: ignore[assignment]
            data = sock.recv(65_536)
            if not data:
                raise RuntimeError("The server closed a stream.")
            self._greeted += b"event: hello" in data
            key.data.update(map(int, re.findall(rb"(?:^|\n)id: (\d+)\n", data)))

    def listen(self, ends: Callable[[], bool]) -> None:
        """Read until the end, and what comes shortly after it."""
        while not ends():
            self._read(0.2)
        until = time.perf_counter() + LAST_NEWS_S
        while time.perf_counter() < until:
            self._read(0.2)

    def lost(self) -> int:
        """Return how many news did not come to how many streams, and begin to count anew."""
        every = set().union(*self._heard)
        wanted = set(range(min(every), max(every) + 1)) if every else set()
        missed = sum(len(wanted - heard) for heard in self._heard)
        for heard in self._heard:
            heard.clear()
        return missed


class Evening:
    """A tournament that runs, and those who work at it."""

    def __init__(self, server: ServerProcess) -> None:
        told = server.shell(MAKE.format(people=PLAYERS + LATER, players=PLAYERS))
        self.slug, self.tokens = told["slug"], told["tokens"]
        self._later: Iterator[int] = iter(told["later"])
        self._director = Browser(server.port, DIRECTOR, self.tokens["director"])
        self._desk = Browser(server.port, DESK, self.tokens["desk"])
        self._listeners = Listeners(server.port, told["stream"])
        self._is_paused = False
        self.go_on(2)  # what an evening has behind it

    def go_on(self, seconds: float, after: float = 0) -> Met:
        """Let all work for so long, beginning after a while; return what they met."""
        time.sleep(after)
        met, until = Met(), time.perf_counter() + seconds

        def is_over() -> bool:
            return time.perf_counter() > until

        work = (
            lambda: self._direct(met, is_over),
            lambda: self._check_in(met, is_over),
            lambda: self._listeners.listen(is_over),
        )
        threads = [threading.Thread(target=one) for one in work]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        met.news_lost = self._listeners.lost()
        return met

    def _direct(self, met: Met, is_over: Callable[[], bool]) -> None:
        page = f"/t/{self.slug}/leitung/"
        while not is_over():
            button = "start" if self._is_paused else "pause"
            self._is_paused = not self._is_paused
            self._director.ask("POST", f"{page}uhr/{button}/", met.tap_ms, met.refused)
            self._director.ask("GET", page, met.page_ms, met.refused)
            time.sleep(DIRECTOR_EVERY_S)

    def _check_in(self, met: Met, is_over: Callable[[], bool]) -> None:
        desk = f"/t/{self.slug}/anmeldung/"
        while not is_over():
            path = f"{desk}{next(self._later)}/einchecken/"
            self._desk.ask("POST", path, met.desk_ms, met.refused)
            self._desk.ask("GET", f"{desk}liste/", met.desk_ms, met.refused)
            time.sleep(DESK_EVERY_S)
