"""What an open big screen costs its computer: how long it takes to open, and what it takes idle."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser

from bench._screens import Screen
from krru.devtools import chromium

WEAK = 4
OPENINGS = 5
SETTLED_S = 5.0


def opened_after_s(browser: Browser, url: str) -> float:
    """Return how long a computer four times slower takes to show the clock, the worst of some."""
    return max(_opened_once_s(browser, url) for _ in range(OPENINGS))


def _opened_once_s(browser: Browser, url: str) -> float:
    screen = Screen(browser, url, slower=WEAK)
    while not screen.page.evaluate("seen.length > 0 && document.fonts.status === 'loaded'"):
        screen.wait(0.1)
    shown = min(one.at for one in screen.shown()) - screen.zero
    painted = screen.page.evaluate(
        "performance.getEntriesByName('first-contentful-paint')[0].startTime / 1000"
    )
    screen.close()
    return max(shown, float(painted))


def share_of_a_core(browser: Browser, url: str, seconds: float, face: str) -> float:
    """Return the share of one core that all of the browser takes while a face is shown, in %."""
    screen = Screen(browser, url)
    screen.page.wait_for_selector(face)
    screen.wait(SETTLED_S)
    began, cpu = time.monotonic(), _processor_s(browser)
    screen.wait(seconds)
    share = 100 * (_processor_s(browser) - cpu) / (time.monotonic() - began)
    screen.close()
    return share


def _processor_s(browser: Browser) -> float:
    session = browser.new_browser_cdp_session()
    told = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return float(sum(process["cpuTime"] for process in told))


@contextmanager
def silent_browser(beside: Browser) -> Iterator[Browser]:
    """Run another Chromium, as it is started by hand: no page may sound before it was touched."""
    flags = [flag for flag in chromium.FLAGS if flag != chromium.SOUND_FLAG]
    silent = beside.browser_type.launch(executable_path=chromium.find(), args=flags)
    yield silent
    silent.close()
