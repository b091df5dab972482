"""Response time of the rulings desk on a phone.

Chromium at a quarter of its speed, with a real server: two hands and a board are tapped; measured
is the time from the last tap to the answer. Bytes are counted on the line.
"""

import time
from typing import Any

from bench._harness import Report, percentile, server
from bench._screens import Line, chromium_browser, phone
from krru.devtools.serving import HALL_NAME
from tournaments.devtools.room import room

SLOWER, TRIES, FULL_TRIES = 4, 20, 100
CARDS = ("K♦", "Q♦", "7♣", "4♣", "2♥", "9♠", "9♥", "A♠", "A♥")


def measure(report: Report, options: Any) -> None:
    """Measure the first load by staff, then the answer."""
    with server() as running, chromium_browser() as browser:
        made = room(running, players=12, seats=6, phones=1)
        origin = f"http://{HALL_NAME}:{running.start().port}"
        page = phone(browser, origin, made["tokens"][0]).new_page()
        line, desk = Line(page), f"{origin}/t/{made['slug']}/regelfragen/"
        page.goto(desk, wait_until="load")
        report.add("first_load", line.bytes / 1024, "KB", 80)
        line.cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        url = f"{desk}?topic=showdown&players=2"
        took = [_last_tap_ms(page, url) for _ in range(FULL_TRIES if options.full else TRIES)]
    report.add("last_tap_to_the_answer_p50", percentile(took, 50), "ms")
    report.add("last_tap_to_the_answer_p99", percentile(took, 99), "ms", 200)


def _last_tap_ms(page: Any, url: str) -> float:
    page.goto(url)
    for name in CARDS[:-1]:
        page.get_by_role("button", name=name, exact=True).click()
    lines = page.locator("#ruling-lines")
    lines.get_by_text("Spieler 2 hat 1 von 2").wait_for()
    last = page.get_by_role("button", name=CARDS[-1], exact=True)
    began = time.perf_counter()
    last.click()
    lines.get_by_text("Es gewinnt").wait_for()
    return (time.perf_counter() - began) * 1000
