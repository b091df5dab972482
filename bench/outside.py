"""Notices for 5,000 phones while the director taps.

The stand-in push service is in this process, on the same cores as the server.
"""

import os
import time
from typing import Any

from bench._clients import Client
from bench._harness import Report, Task, percentile, server
from tests.outside import Outside, served

PHONES, TAPS, PATIENCE_S = 5_000, 60, 300.0
LISTENING = Task("bench._made:listening")


class Pushes(Outside):
    """A push service that accepts everything, and notes when."""

    def answer(self, path: str, headers: Any, body: bytes) -> Any:
        self.heard.append(time.perf_counter())
        return 201, {}, b""


def measure(report: Report, options: Any) -> None:
    """Measure on one server."""
    os.environ["KRRU_OUTGOING_HOSTS"] = "127.0.0.1"
    with served(Pushes()) as pushes, server() as running:
        told = LISTENING(running, PHONES, pushes.url)
        running.start()
        event, director = f"/t/{told['slug']}", Client(running.port, told["token"])
        alone = [_tap(director, event, number) for number in range(TAPS)]
        director.press(f"{event}/durchsage/", text="Gleich geht es weiter.")
        began, beside, number = time.perf_counter(), [], 0
        while len(pushes.heard) < PHONES and time.perf_counter() - began < PATIENCE_S:
            beside.append(_tap(director, event, number := number + 1))
            time.sleep(0.2)
        report.add("pushes_sent", len(pushes.heard), "pushes", PHONES, "higher")
        report.add("pushes_took", max(pushes.heard) - began, "s", 30)
        report.add("writer_p99_alone", percentile(alone, 99), "ms")
        ratio = percentile(beside, 99) / percentile(alone, 99)
        report.add("writer_p99_beside_pushes", ratio, "times", 1.3)


def _tap(director: Client, event: str, number: int) -> float:
    began = time.perf_counter()
    director.press(f"{event}/leitung/uhr/stellen/", seconds=str(1 - 2 * (number % 2)))
    return (time.perf_counter() - began) * 1000
