"""Load time of a phone's tournament page, and delivery of a new seat to one phone only.

First the page is opened from the poster, in Chromium with an empty cache, over a line of 1.6 Mbit/s
and 150 ms. Then 5,000 streams are open on a running tournament and one of three phones is moved
repeatedly: measured are the time until it shows the seat, and the requests of two at a third table.
`--full` takes three times as many rounds.
"""

import time
from typing import Any

from playwright.sync_api import Browser

from bench._clients import Client, Streams
from bench._harness import Report, Task, server
from bench._screens import Line, chromium_browser, phone
from krru.devtools.serving import HALL_NAME

REGISTERED, PLAYERS, LOADS, MOVES = 60, 5_000, 5, 10
NETWORK = {
    "offline": False, "downloadThroughput": 200_000, "uploadThroughput": 200_000, "latency": 150,
}  # fmt: skip
QUIET_MS, PATIENCE_S = 3000, 30.0
NEWS = b'"whose"'
PLANNED, RUNNING = Task("bench._made:planned"), Task("bench._made:running")
# Reported by the page in its own time, when the card first names the expected seat.
WATCH = """(wanted) => {
  const drawn = () => new Promise((next) => requestAnimationFrame(next));
  const figures = () => [...document.querySelectorAll("#card .slip-figure")];
  globalThis.seen = (async () => {
    while (figures().map((one) => one.textContent).join("/") !== wanted) await drawn();
    return Date.now();
  })();
}"""
USABLE = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def measure(report: Report, options: Any) -> None:
    times = 3 if options.full else 1
    with chromium_browser() as browser:
        _first_load(report, browser, LOADS * times)
        _seat_changes(report, browser, MOVES * times)


def _first_load(report: Report, browser: Browser, loads: int) -> None:
    with server() as running:
        made = PLANNED(running, REGISTERED)
        url = f"http://{HALL_NAME}:{running.start().port}/t/{made['slug']}/"
        _loaded(browser, url)  # the server's first page compiles its templates
        seen = [_loaded(browser, url) for _ in range(loads)]
    seconds, sizes = zip(*seen, strict=True)
    report.add("first_load", max(sizes) / 1024, "KB", 75)
    report.add("usable_worst", max(seconds), "s", 2)


def _loaded(browser: Browser, url: str) -> tuple[float, int]:
    """Return the seconds until the page is usable, and its bytes."""
    context = phone(browser, url)
    page = context.new_page()
    line = Line(page)
    line.cdp.send("Network.emulateNetworkConditions", NETWORK)
    page.goto(url, wait_until="load")
    page.locator("input[name=name]").fill("Petra Probst")
    page.wait_for_timeout(1000)
    usable = page.evaluate(USABLE) / 1000
    context.close()
    return usable, line.bytes


def _seat_changes(report: Report, browser: Browser, moves: int) -> None:
    with server() as running:
        made = RUNNING(running, PLAYERS)
        origin = f"http://{HALL_NAME}:{running.start().port}"
        phones = [phone(browser, origin).new_page() for _ in made["links"]]
        for page, link in zip(phones, made["links"], strict=True):
            page.goto(f"{origin}/p/{link}/")
        director = Client(running.port, made["token"])
        with Streams(running.port, made["stream"]).open(PLAYERS) as streams:
            _moved(director, made, 1, streams)  # the first one warms up the server
            phones[0].wait_for_timeout(QUIET_MS)
            asked: list[str] = []
            for page in phones[1:]:
                page.on("request", lambda request: asked.append(request.url))
            notices, heard = [], []
            for number in range(moves):
                table, seat = made["seats"][number % 2]
                phones[0].evaluate(WATCH, f"{table}/{seat}")
                began = time.time() * 1000
                heard.append(_moved(director, made, number % 2, streams))
                notices.append(phones[0].evaluate("globalThis.seen") - began)
                phones[0].wait_for_timeout(QUIET_MS)  # let the phones finish their own requests
    report.add("seat_change_to_notice_worst", max(notices), "ms", 1000)
    report.add(f"seat_change_heard_by_{PLAYERS}", max(heard), "ms")
    report.add("seat_change_requests_of_others", len(asked), "requests", 0)


def _moved(director: Client, made: dict[str, Any], where: int, streams: Streams) -> float:
    """Move the player to a seat; return the ms until the last stream has heard of it."""
    table, seat = made["seats"][where]
    path = f"/t/{made['slug']}/leitung/umsetzen/{made['entry']}/"
    began = time.perf_counter()
    director.press(path, to=f"{table}-{seat}", reason="Messung")
    received = streams.receive(NEWS, PLAYERS, PATIENCE_S)
    if len(received) < PLAYERS:
        raise RuntimeError(f"Only {len(received)} of {PLAYERS} streams heard of the change.")
    return (max(received) - began) * 1000
