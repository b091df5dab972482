"""What does a phone load of a tournament's page, and does only the one phone hear of its new seat?

First the page as a stranger opens it from the poster, in a real Chromium with an empty cache, over
a line of 1.6 Mbit/s and 150 ms: bytes as they come over the line, and until it can be used. Then
5,000 streams are open on a running tournament while one of three phones is sent to and fro: how
long until it shows the seat, and what the two others ask meanwhile. `--full` takes three times as
many rounds.
"""

from __future__ import annotations

import http.client
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from bench._open_pages import laid_out
from bench._report import Report, percentile
from bench._screens import chromium_browser
from bench._streams import Streams, raise_open_files
from krru.devtools.serving import ServerProcess

REGISTERED, PLAYERS, STREAMS = 60, 5_000, 5_000
LOADS, MOVES = 5, 10
BYTES_A_S, LATENCY_MS = 200_000, 150
GOAL_KB, GOAL_S, GOAL_NOTICE_MS = 60, 2.0, 1000
QUIET_S = 3.0
PATIENCE_S, LOOK_MS = 30.0, 50
SECRET = "k" * 32
PHONE = {"width": 390, "height": 844}
GREETING, NEWS = b"event: hello", b'"whose"'
# When the card first names the seat that is waited for: told by the page itself, in its own time.
WATCH = """(wanted) => {
  globalThis.seenAt = 0;
  const look = () => {
    const seat = [...document.querySelectorAll("#card .slip-figure")].map((one) => one.textContent);
    if (!globalThis.seenAt && seat.join("/") === wanted) {
      requestAnimationFrame(() => { globalThis.seenAt = Date.now(); });
    }
  };
  const card = document.getElementById("card");
  new MutationObserver(look).observe(card, { childList: true, subtree: true });
}"""
USABLE = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return Math.max(page.domContentLoadedEventEnd, paint.startTime);
}"""


def main(arguments: list[str]) -> int:
    """Measure, and show the figures."""
    raise_open_files()
    times = 3 if "--full" in arguments else 1
    report = Report("pages")
    with chromium_browser() as browser:
        _first_load(report, browser, LOADS * times)
        _seat_changes(report, browser, MOVES * times)
    return report.show()


# ---- the first load --------------------------------------------------------------------------


def _first_load(report: Report, browser: Browser, loads: int) -> None:
    with _server() as server:
        made = laid_out(server, "planned", REGISTERED)
        server.start()
        url = f"http://krru.test:{server.port}/t/{made['slug']}/"
        _loaded(browser, url)  # the server's first page of all compiles its templates
        seen = [_loaded(browser, url) for _ in range(loads)]
    seconds, sizes, counts = zip(*seen, strict=True)
    report.add("tournament_page_first_load", max(sizes) / 1024, "KB", goal=GOAL_KB)
    report.add("tournament_page_requests", max(counts), "requests", goal=None)
    report.add("tournament_page_usable", max(seconds), "s", goal=GOAL_S)
    report.add("tournament_page_usable_median", percentile(seconds, 50), "s", goal=None)


def _loaded(browser: Browser, url: str) -> tuple[float, int, int]:
    """Return after how many seconds the page can be used, its bytes and its requests."""
    context = _phone(browser)
    page = context.new_page()
    cdp = context.new_cdp_session(page)
    line = {"downloadThroughput": BYTES_A_S, "uploadThroughput": BYTES_A_S, "latency": LATENCY_MS}
    streams: set[str] = set()
    sizes: dict[str, float] = {}

    def sent(event: dict[str, Any]) -> None:
        if event.get("type") == "EventSource":
            streams.add(event["requestId"])

    cdp.on("Network.requestWillBeSent", sent)
    cdp.on(
        "Network.loadingFinished",
        lambda done: sizes.update({done["requestId"]: done["encodedDataLength"]}),
    )
    cdp.send("Network.enable")
    cdp.send("Network.emulateNetworkConditions", {"offline": False, **line})
    page.goto(url, wait_until="load")
    page.locator("input[name=name]").fill("Petra Probst")
    page.wait_for_timeout(1000)
    usable = page.evaluate(USABLE) / 1000
    loaded = [size for request, size in sizes.items() if request not in streams]
    context.close()
    return usable, int(sum(loaded)), len(loaded)


# ---- one seat among thousands ----------------------------------------------------------------


def _seat_changes(report: Report, browser: Browser, moves: int) -> None:
    with _server() as server:
        made = laid_out(server, "running", PLAYERS)
        server.start()
        streams = Streams(server.port, made["stream"])
        phones = [_player(browser, server, link) for link in made["links"]]
        try:
            streams.open(STREAMS, GREETING)
            _move(server, made, there=True)  # the first of all warms the server up
            streams.receive(NEWS, STREAMS, PATIENCE_S)
            time.sleep(QUIET_S)
            notices, heard, asked = _measure(server, made, streams, phones, moves)
        finally:
            streams.close()
            for phone in phones:
                phone.context.close()
    report.add("streams_open", STREAMS, "streams", goal=None)
    report.add("seat_change_heard_by_all", percentile(heard, 100), "ms", goal=None)
    report.add("seat_change_to_notice_median", percentile(notices, 50), "ms", goal=None)
    report.add("seat_change_to_notice_worst", max(notices), "ms", goal=GOAL_NOTICE_MS)
    report.add("seat_change_requests_of_others", asked, "requests", goal=0)


def _measure(
    server: ServerProcess,
    made: dict[str, Any],
    streams: Streams,
    phones: list[Page],
    moves: int,
) -> tuple[list[float], list[float], int]:
    """Send one to and fro; return the delays of that notice and of the last stream, in ms."""
    mover, *others = phones
    asked: list[str] = []
    for phone in others:
        phone.on("request", lambda request: asked.append(request.url))
    notices, heard = [], []
    for number in range(moves):
        there = number % 2 == 1
        mover.evaluate(WATCH, "/".join(map(str, made["to" if there else "from"])))
        began, began_at = time.perf_counter(), time.time()
        _move(server, made, there=there)
        received = streams.receive(NEWS, STREAMS, PATIENCE_S)
        if len(received) < STREAMS:
            raise RuntimeError(f"Only {len(received)} of {STREAMS} streams heard of the change.")
        heard.append((max(received) - began) * 1000)
        notices.append(_seen_at(mover) - began_at * 1000)
        _listen(phones, QUIET_S)
    return notices, heard, len(asked)


def _seen_at(mover: Page) -> float:
    """Return when the phone showed the seat, in milliseconds of the machine's clock.

    :raises RuntimeError: It never did.
    """
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        seen_at = mover.evaluate("globalThis.seenAt")
        if seen_at:
            return float(seen_at)
        mover.wait_for_timeout(LOOK_MS)
    raise RuntimeError("The phone never showed the seat.")


def _listen(phones: list[Page], seconds: float) -> None:
    """Let the phones' own work go on, and hear what they ask."""
    for phone in phones:
        phone.wait_for_timeout(seconds * 1000 / len(phones))


def _move(server: ServerProcess, made: dict[str, Any], *, there: bool) -> None:
    """Have the director send the player to the other seat.

    :raises RuntimeError: It was refused.
    """
    table, seat = made["to" if there else "from"]
    body = urllib.parse.urlencode({"to": f"{table}-{seat}", "reason": "Messung"})
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "Cookie": f"krru_device={made['device']}; csrftoken={SECRET}",
        "HX-Request": "true",
        "X-CSRFToken": SECRET,
    }
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    path = f"/t/{made['slug']}/leitung/umsetzen/{made['entry']}/"
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    if answer.status != http.client.OK:
        raise RuntimeError(f"{answer.status}: {text[:500]}")


def _player(browser: Browser, server: ServerProcess, link: str) -> Page:
    page = _phone(browser).new_page()
    page.goto(f"http://krru.test:{server.port}/p/{link}/")
    return page


def _phone(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport=PHONE, has_touch=True, locale="de-DE")  # type: ignore[arg-type]


@contextmanager
def _server() -> Iterator[ServerProcess]:
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        server = ServerProcess(Path(folder) / "data")
        try:
            yield server
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
