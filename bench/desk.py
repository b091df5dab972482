"""The rulings desk: how quickly a phone answers, what its page weighs, how fast hands are valued.

The phone is a real Chromium, four times slower, on a real server's page; the last tap of a
showdown is timed to the answer in the page, with the network and without it. Evaluations a second
are Python's and JavaScript's beside pokerkit's, in one run. Pots are compared with a count chip by
chip, betting rounds with pokerkit's state, by the functions of the tests.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from pokerkit import StandardHighHand

from bench._report import Report, percentile
from krru.devtools import chromium
from krru.devtools.serving import HALL_NAME, ServerProcess
from tournaments.rulings.domain.hands import value_of_numbers
from tournaments.seating.domain.cards import deck

SEED = 20_261_123
HANDS, THEIR_HANDS = 60_000, 300
POTS, POTS_FULL = 20_000, 100_000
ROUNDS, ROUNDS_FULL = 1_500, 10_000
SLOWER = 4
TRIES = 15
HOLE = ("9♠", "9♥", "A♠", "A♥")
BOARD = ("K♦", "Q♦", "7♣", "4♣", "2♥")
SPEED = Path(__file__).with_name("_desk_speed.js")

# The last tap, and the time until the answer is in the page and laid out.
LAST_TAP = """(name) => {
  const button = [...document.querySelectorAll(".ruling-deck button")]
    .find((one) => one.textContent === name);
  const began = performance.now();
  button.click();
  document.querySelector(".ruling-lines").getBoundingClientRect();
  return performance.now() - began;
}"""
TAP = """(names) => names.forEach((name) => [...document.querySelectorAll(".ruling-deck button")]
  .find((one) => one.textContent === name).click())"""


def main(arguments: list[str]) -> int:
    """Measure all; pots and rounds in full number only if asked."""
    report, is_full = Report("desk"), "--full" in arguments
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder) / "data")
        server.folder.mkdir(mode=0o700)
        with server, sync_playwright() as playwright:
            made = _room(server)
            program = chromium.find()
            browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
            _phone(report, browser, server, made)
            browser.close()
    _evaluations(report)
    _oracles(report, is_full)
    return report.show()


def _room(server: ServerProcess) -> dict[str, Any]:
    from tournaments.devtools.room import room

    return room(server, players=12, seats=6, phones=1)


def _phone(report: Report, browser: Browser, server: ServerProcess, made: dict[str, Any]) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 664}, has_touch=True)
    url = f"http://{HALL_NAME}:{server.port}"
    context.add_cookies([{"name": "krru_device", "value": made["tokens"][0], "url": url}])
    page = context.new_page()
    desk, floor = (
        f"{url}/t/{made['slug']}/{name}" for name in ("regelfragen/?tisch=1", "tische/1/")
    )
    report.add("first_load_of_staff_kb", _weighed(page, desk) / 1000, "kB", goal=60)
    report.add("then_loaded_for_writing_down_kb", _late(page) / 1000, "kB", goal=None)
    _from_the_table(report, browser, context.cookies(), floor, desk)
    stranger = browser.new_context().new_page()
    report.add("first_load_of_a_visitor_kb", _weighed(stranger, desk) / 1000, "kB", goal=60)
    cdp = context.new_cdp_session(page)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.get_by_role("button", name="Showdown", exact=True).click()
    for name, is_offline in (("last_tap_ms", False), ("last_tap_offline_ms", True)):
        context.set_offline(is_offline)
        took = [_last_tap(page) for _ in range(TRIES)]
        report.add(name, percentile(took, 95), "ms", goal=100)


def _from_the_table(report: Report, browser: Browser, cookies: Any, floor: str, desk: str) -> None:
    """Add what the desk weighs to an arbiter who comes from the page of a table."""
    context = browser.new_context()
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(floor)
    page.wait_for_selector(".seat")
    report.add("load_from_the_table_kb", _weighed(page, desk) / 1000, "kB", goal=60)
    context.close()


def _weighed(page: Page, url: str) -> int:
    """Load a page for the first time, and return the bytes that came over the line."""
    cdp, sizes = page.context.new_cdp_session(page), dict[str, int]()
    cdp.on(
        "Network.loadingFinished",
        lambda done: sizes.update({done["requestId"]: done["encodedDataLength"]}),
    )
    cdp.send("Network.enable")
    page.goto(url)
    page.wait_for_selector(".ruling-tabs button")
    page.wait_for_timeout(1000)
    return sum(sizes.values())


def _late(page: Page) -> int:
    """Touch the page, and return the bytes of what it fetches then: sending, queue and stream."""
    page.keyboard.press("Shift")
    page.wait_for_selector("body[data-late=ready]")
    size: int = page.evaluate(
        """performance.getEntriesByType("resource")
          .filter(({ name }) => name.includes("htmx") || name.includes("/staff."))
          .reduce((sum, { transferSize }) => sum + transferSize, 0)"""
    )
    return size


def _last_tap(page: Page) -> float:
    """Tap two hands and the board, ten taps with the face itself; return what the last one took."""
    page.get_by_role("button", name="Neue Frage", exact=True).click()
    while page.locator(".ruling-stepper output").inner_text() != "2":
        page.get_by_role("button", name="Einer weniger", exact=True).click()
    cards = [*BOARD, *HOLE]
    page.evaluate(TAP, cards[:-1])
    took: float = page.evaluate(LAST_TAP, cards[-1])
    assert "Es gewinnt" in page.locator(".ruling-lines").inner_text()
    return took


def _evaluations(report: Report) -> None:
    rng = random.Random(SEED)
    hands = [rng.sample(range(52), 7) for _ in range(HANDS)]
    began = time.perf_counter()
    for hand in hands:
        value_of_numbers(hand)
    ours = HANDS / (time.perf_counter() - began)
    codes = ["".join(card.code for card in rng.sample(deck(), 7)) for _ in range(THEIR_HANDS)]
    began = time.perf_counter()
    for code in codes:
        StandardHighHand.from_game(code[:4], code[4:])
    theirs = THEIR_HANDS / (time.perf_counter() - began)
    run = subprocess.run(["node", SPEED], capture_output=True, text=True, check=True)
    script = json.loads(run.stdout)["rate"]
    report.add("hands_a_second_python", ours, "hands/s", goal=None, better="higher")
    report.add("hands_a_second_javascript", script, "hands/s", goal=None, better="higher")
    report.add("hands_a_second_pokerkit", theirs, "hands/s", goal=None, better="higher")
    report.add("python_to_pokerkit", ours / theirs, "ratio", goal=20, better="higher")
    report.add("javascript_to_pokerkit", script / theirs, "ratio", goal=20, better="higher")


def _oracles(report: Report, is_full: bool) -> None:
    from tests.domain import test_betting_rounds, test_pots

    pots, rounds = (POTS_FULL, ROUNDS_FULL) if is_full else (POTS, ROUNDS)
    report.add("pots_compared", pots, "pots", goal=None, better="higher")
    report.add("pots_that_differ", _differs(test_pots.compare, pots), "runs", goal=0)
    report.add("rounds_compared", rounds, "rounds", goal=None, better="higher")
    report.add("rounds_that_differ", _differs(test_betting_rounds.compare, rounds), "runs", goal=0)


def _differs(compare: Any, count: int) -> int:
    """Return 1 if a comparison of so many fails anywhere."""
    try:
        compare(count, SEED)
    except AssertionError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
