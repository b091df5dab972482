"""Those who look on while a cluster is harmed: pages asked for all the time, and open streams."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from bench._phone_streams import trusting
from krru.data.folder import BASE_DIR

PAGE_EVERY_S = 0.05
EACH, OPEN_WITHIN_S = 1000, 180


@dataclass(frozen=True, slots=True)
class Page:
    """One page: when it was asked for, how long it took, what came (0: nothing)."""

    at: float
    seconds: float
    status: int
    said: str = ""


class Visitor:
    """Asks for a page through the proxy, again and again."""

    def __init__(self, port: int, path: str) -> None:
        self.pages: list[Page] = []
        self._port, self._path, self._stopping = port, path, threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self) -> Visitor:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(30)

    def _go_on(self) -> None:
        context = trusting()
        while not self._stopping.wait(PAGE_EVERY_S):
            began = time.monotonic()
            client = http.client.HTTPSConnection(
                "127.0.0.1", self._port, timeout=20, context=context
            )
            try:
                client.request("GET", self._path)
                answer = client.getresponse()
                text = answer.read().decode(errors="replace")
                status, said = answer.status, text[-400:] if answer.status != 200 else ""
            except (OSError, http.client.HTTPException) as error:
                status, said = 0, repr(error)
            finally:
                client.close()
            self.pages.append(Page(began, time.monotonic() - began, status, said))


class Listeners:
    """Open streams through the proxy, each as a browser keeps it: a thousand in each process.

    Phones share nothing with one another. In one process with the scripts, ten thousand of them
    were read so slowly that those who had to come back asked seconds late.
    """

    def __init__(self, port: int, path: str, count: int) -> None:
        self._count = count
        parts = [min(EACH, count - first) for first in range(0, count, EACH)]
        self._commands = [
            [sys.executable, "-m", "bench._phone_streams", str(port), path, str(part)]
            for part in parts
        ]
        self._processes: list[subprocess.Popen[str]] = []

    @property
    def open_count(self) -> int:
        return sum(count for (_version, state), count in self.phones.items() if state == "open")

    @property
    def away_s(self) -> list[float]:
        """Return for how long each stream was away, each time."""
        return [away for state in self._states() for away in state["away_s"]]

    @property
    def phones(self) -> Counter[tuple[int, str]]:
        """Return how many have heard of which version, and how they fare."""
        phones: Counter[tuple[int, str]] = Counter()
        for state in self._states():
            for name, count in state["phones"].items():
                version, fares = name.split()
                phones[int(version), fares] += count
        return phones

    def start(self) -> Listeners:
        """Open all; return when they are, or after three minutes."""
        for command in self._commands:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=BASE_DIR
            )
            self._processes.append(process)
        until = time.monotonic() + OPEN_WITHIN_S
        while self.open_count < self._count and time.monotonic() < until:
            time.sleep(0.2)
        return self

    def behind(self, version: int, seconds: float) -> int:
        """Return how many have not heard of a version after so many seconds."""
        until = time.monotonic() + seconds
        while (behind := self._behind(version)) and time.monotonic() < until:
            time.sleep(0.2)
        return behind

    def _behind(self, version: int) -> int:
        return sum(count for (heard, _state), count in self.phones.items() if heard < version)

    def _states(self) -> list[dict[str, Any]]:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write("state\n")
            process.stdin.flush()
        lines = [process.stdout.readline() for process in self._processes if process.stdout]
        return [json.loads(line) for line in lines]

    def stop(self) -> None:
        for process in self._processes:
            process.communicate(timeout=60)
