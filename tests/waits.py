"""Wait for events, with room for a busy and slow machine."""

import time

from playwright.sync_api import Error

ROOM = 60.0
"""Seconds that a slow machine may take for what is done at once elsewhere."""


def wait_for(condition, seconds=ROOM, every=0.05):
    """Wait until a function returns something true; tell whether it did in time."""
    last = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < last:
        time.sleep(every)
    return bool(met)


def until(page, script, arg=None, every=30):
    """Wait until a script is true in a page; look again after `every` milliseconds.

    Playwright's `wait_for_function` needs `eval`, which the pages forbid: it fails where the
    first look is too early.
    """
    last = time.monotonic() + ROOM
    while not _is_true(page, script, arg):
        assert time.monotonic() < last, script
        page.wait_for_timeout(every)


def _is_true(page, script, arg):
    try:
        return page.evaluate(script, arg)
    except Error as problem:  # The page is left for another.
        if "context was destroyed" not in str(problem):
            raise
        return False


def intercept(page, address, answer, **options):
    """Hand a page's requests over to `answer`, from the next press on.

    The browser confirms before the page does so: what a busy page sends at once would go past.
    """
    page.route(address, answer, **options)
    page.evaluate("() => 0")


def box_of(locator):
    """Measure an element, once more where a live page replaced it meanwhile."""
    return next(box for _time in range(100) if (box := locator.bounding_box()))


def lengthen(page, span):
    """Have what a page does after so many milliseconds take twenty times as long: one can look."""
    page.evaluate(
        """(span) => { const real = setTimeout;
        globalThis.setTimeout = (run, ms, ...more) => (
            real(run, ms === span ? 20 * ms : ms, ...more)); }""",
        span,
    )
