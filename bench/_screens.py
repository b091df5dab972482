"""Big screens in Chromium, with a record of every second each of them shows.

Instants are of the machine's monotonic clock (`time.monotonic`), which is independent of a page's
overridden `Date`: Chromium tells the zero of `performance.now()` by that clock.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from krru.devtools import chromium

# Every change of the countdown is recorded after it is painted, from the first one on, while the
# page is still loading.
NOTE = """(() => {
  const seen = (globalThis.seen = []);
  let last = "";
  const part = (name) => document.querySelector(`[data-part=${name}]`)?.textContent ?? "";
  const note = () => {
    const [level, high, low] = [part("level"), part("time-high"), part("time-low")];
    const text = `${level} ${high}:${low}`;
    if (low === "" || text === last) return;
    last = text;
    seen.push([performance.now(), level, high, low]);
  };
  const watched = { childList: true, characterData: true, subtree: true };
  new MutationObserver(note).observe(document, watched);
})();"""

WRONG_CLOCK = """(() => {
  const Right = Date;
  const now = () => Right.now() + OFF_MS;
  globalThis.Date = class extends Right {
    constructor(...given) { super(...(given.length ? given : [now()])); }
    static now() { return now(); }
  };
})();"""

PHONE, WALL = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
# Not part of a first load: endless streams, later sounds, posted reports.
APART = ("text/event-stream", "audio/")


class Line:
    """The requests of a page, and their bytes over the line."""

    def __init__(self, page: Page) -> None:
        self.cdp = page.context.new_cdp_session(page)
        self.requests: list[str] = []
        self.bytes = 0
        self._apart: set[str] = set()
        self.cdp.on("Network.requestWillBeSent", self._sent)
        self.cdp.on("Network.responseReceived", self._answered)
        self.cdp.on("Network.loadingFinished", self._finished)
        self.cdp.send("Network.enable")

    def _sent(self, told: dict[str, Any]) -> None:
        self.requests.append(told["request"]["url"])
        if told["request"]["method"] == "POST":
            self._apart.add(told["requestId"])

    def _answered(self, told: dict[str, Any]) -> None:
        if told["response"]["mimeType"].startswith(APART):
            self._apart.add(told["requestId"])

    def _finished(self, told: dict[str, Any]) -> None:
        if told["requestId"] not in self._apart:
            self.bytes += int(told["encodedDataLength"])


@dataclass(frozen=True, slots=True)
class Shown:
    """A display of a screen from an instant of the monotonic clock on."""

    at: float
    level: str
    seconds: int


class Screen:
    """One open big screen."""

    def __init__(self, browser: Browser, url: str, *, off_s: int = 0, kept: Any = None) -> None:
        self._context = browser.new_context(viewport=WALL, storage_state=kept)
        self.page: Page = self._context.new_page()
        self.line = Line(self.page)
        self.page.add_init_script(NOTE)
        if off_s:
            self.page.add_init_script(WRONG_CLOCK.replace("OFF_MS", str(off_s * 1000)))
        self.page.goto(url)
        self.zero = self._zero()

    def _zero(self) -> float:
        self.line.cdp.send("Performance.enable")
        told = self.line.cdp.send("Performance.getMetrics")["metrics"]
        zero = {metric["name"]: metric["value"] for metric in told}["NavigationStart"]
        before = time.monotonic()
        now = zero + self.page.evaluate("performance.now()") / 1000
        if not before - 0.05 <= now <= time.monotonic() + 0.05:
            raise RuntimeError("Chromium's clock is not this machine's monotonic one.")
        return float(zero)

    def shown(self, since: float = 0.0) -> list[Shown]:
        """Return the displays since half a second before an instant, oldest first."""
        found = []
        for at, level, high, low in self.page.evaluate("seen"):
            seconds = 60 * int(high) + int(low) if ":" not in high else 0
            found.append(Shown(self.zero + at / 1000, level, seconds))
        return [one for one in found if one.at >= since - 0.5]

    def wait(self, seconds: float) -> None:
        """Wait, and process messages of the browser."""
        self.page.wait_for_timeout(seconds * 1000)

    def wait_until(self, at: float) -> None:
        """Wait until an instant of the monotonic clock."""
        self.wait(max(0.0, at - time.monotonic()))

    def close(self) -> None:
        self._context.close()


@contextmanager
def chromium_browser() -> Iterator[Browser]:
    """Run a Chromium.

    :raises RuntimeError: There is none.
    """
    program = chromium.find()
    if program is None:
        raise RuntimeError(chromium.HOW_TO)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        yield browser
        browser.close()


def phone(browser: Browser, origin: str, token: str = "") -> BrowserContext:
    """Open a phone, with the cookie of a staff device if given."""
    context = browser.new_context(viewport=PHONE, has_touch=True, locale="de-DE")
    if token:
        context.add_cookies([{"name": "krru_device", "value": token, "url": origin}])
    return context


def firsts(shown: list[Shown]) -> dict[tuple[str, int], float]:
    """Return the first display of each second of each level."""
    found: dict[tuple[str, int], float] = {}
    for one in shown:
        found.setdefault((one.level, one.seconds), one.at)
    return found


def differences_ms(first: list[Shown], second: list[Shown]) -> list[float]:
    """Return the differences of two screens for the same seconds, in milliseconds."""
    here, there = firsts(first), firsts(second)
    return [abs(here[key] - there[key]) * 1000 for key in here if key in there]


def level_starts(shown: list[Shown]) -> dict[int, float]:
    """Return the first display of each level by number, except the first seen."""
    found: dict[int, float] = {}
    for one in shown:
        found.setdefault(int(one.level.split()[-1]), one.at)
    return dict(list(found.items())[1:])
