"""Notices for 5,000 phones while the director taps; an overlay's cost; the live page in a pub.

The stand-in push service is in this process, on the same cores as the server.
"""

import os
import time
from typing import Any

from bench._clients import Client
from bench._harness import Report, Task, percentile, server
from bench._screens import Line, Screen, chromium_browser, phone
from bench.pages import USABLE
from krru.devtools.serving import HALL_NAME
from tests.outside import Outside, served

PHONES, TAPS, IDLE_S, PATIENCE_S = 5_000, 60, 20.0, 300.0
# The line of a phone in a pub: 400 kbit/s.
PUB = {"offline": False, "downloadThroughput": 50_000, "uploadThroughput": 50_000, "latency": 100}
LISTENING = Task("bench._made:listening")


class Pushes(Outside):
    """A push service that accepts everything, and notes when."""

    def answer(self, path: str, headers: Any, body: bytes) -> Any:
        self.heard.append(time.perf_counter())
        return 201, {}, b""


def measure(report: Report, options: Any) -> None:
    """Measure both on one server."""
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
        with chromium_browser() as browser:
            origin = f"http://{HALL_NAME}:{running.port}"
            _overlay(report, browser, f"{origin}{told['overlay']}")
            _live(report, browser, f"{origin}{event}/")


def _tap(director: Client, event: str, number: int) -> float:
    began = time.perf_counter()
    director.press(f"{event}/leitung/uhr/stellen/", seconds=str(1 - 2 * (number % 2)))
    return (time.perf_counter() - began) * 1000


def _overlay(report: Report, browser: Any, url: str) -> None:
    overlay = Screen(browser, url)
    overlay.wait(5)
    asked, busy = len(overlay.line.requests), _busy_s(overlay)
    overlay.wait(IDLE_S)
    report.add("overlay_first_load", overlay.line.bytes / 1024, "KB", 25)
    report.add("overlay_idle_requests", len(overlay.line.requests) - asked, "count", 0)
    report.add("overlay_busy", (_busy_s(overlay) - busy) / IDLE_S * 100, "% of a core", 2)


def _live(report: Report, browser: Any, url: str) -> None:
    page = phone(browser, url).new_page()
    line = Line(page)
    line.cdp.send("Network.emulateNetworkConditions", PUB)
    page.goto(url, wait_until="load")
    page.locator("#live .stats").wait_for()
    page.wait_for_timeout(1000)
    report.add("live_page_usable", page.evaluate(USABLE) / 1000, "s", 2)
    report.add("live_page_first_load", line.bytes / 1024, "KB", 75)


def _busy_s(page: Screen) -> float:
    told = page.line.cdp.send("Performance.getMetrics")["metrics"]
    return next(one["value"] for one in told if one["name"] == "TaskDuration")
