"""The rulings desk: how quickly a tap is answered on a phone, and what the page weighs.

The phone is a real Chromium, four times slower, on a real server's page; timed is the last tap of
a showdown until its answer is in the page.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from bench._report import Report, percentile
from krru.devtools import chromium
from krru.devtools.serving import HALL_NAME, ServerProcess

SLOWER = 4
TRIES = 15
CARDS = ("K♦", "Q♦", "7♣", "4♣", "2♥", "9♠", "9♥", "A♠", "A♥")


def main(_arguments: list[str]) -> int:
    """Measure the tap and the bytes of a first load."""
    from tournaments.devtools.room import room

    report = Report("desk")
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "data")
        server.folder.mkdir(mode=0o700)
        with server, sync_playwright() as playwright:
            made = room(server, players=12, seats=6, phones=1)
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=chromium.FLAGS
            )
            page = browser.new_context(
                viewport={"width": 390, "height": 664}, has_touch=True
            ).new_page()
            desk = f"http://{HALL_NAME}:{server.port}/t/{made['slug']}/regelfragen/"
            report.add("first_load_kb", _weighed(page, desk) / 1000, "kB", goal=100)
            cdp = page.context.new_cdp_session(page)
            cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
            took = [_last_tap(page, f"{desk}?topic=showdown&players=2") for _ in range(TRIES)]
            report.add("last_tap_ms", percentile(took, 95), "ms", goal=200)
            browser.close()
    return report.show()


def _weighed(page: Page, url: str) -> int:
    """Load a page for the first time, and return the bytes that came over the line."""
    cdp, sizes = page.context.new_cdp_session(page), dict[str, int]()
    cdp.on(
        "Network.loadingFinished",
        lambda done: sizes.update({done["requestId"]: done["encodedDataLength"]}),
    )
    cdp.send("Network.enable")
    page.goto(url, wait_until="networkidle")
    return sum(sizes.values())


def _last_tap(page: Page, url: str) -> float:
    """Tap two hands and the board; return what the last tap took, in milliseconds."""
    page.goto(url)
    for name in CARDS[:-1]:
        page.get_by_role("button", name=name, exact=True).click()
    lines = page.locator("#ruling-lines")
    expect(lines).to_contain_text("Spieler 2 hat 1 von 2")
    answered: Any = page.get_by_role("button", name=CARDS[-1], exact=True)
    began = time.perf_counter()
    answered.click()
    lines.get_by_text("Es gewinnt").wait_for()
    return (time.perf_counter() - began) * 1000


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
