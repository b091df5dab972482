"""Do big screens agree, stay right with a dead server, lose no change, and cost little?

Real server, Chromium, levels of seconds. Measured is the display of each second on each screen, by
one clock for all. `--full` watches an idle screen for three minutes.
"""

import json
import statistics
import time
from typing import Any

from bench._clients import Client, good
from bench._harness import Report, Task, server
from bench._screens import Screen, chromium_browser, differences_ms, level_starts
from krru.devtools.serving import HALL_NAME, ServerProcess

CHANGES, LEVEL_S, HEAD_START_S = 15, 2.0, 12.0
CYCLES, SETTLED_S = 20, 6.0
IDLE_S, FULL_IDLE_S = 30.0, 180.0
LONG_LEVEL_S = 600.0
SAMPLE, LEVELS = Task("bench._made:sample"), Task("bench._made:levels")
PAUSE, ACTIONS = Task("bench._made:pause"), Task("bench._made:actions")


class Hall:
    """A server with its sample event, a director, and a browser for screens."""

    def __init__(self, running: ServerProcess, browser: Any, report: Report) -> None:
        self.server, self.browser, self.add = running, browser, report.add
        told = SAMPLE(running)
        self.token, self.event = told["token"], f"/t/{told['slug']}/"
        # Not localhost, as in a hall: browsers allow and compress less there.
        self.origin = f"http://{HALL_NAME}:{running.port}"

    def screen(self, **own: Any) -> Screen:
        return Screen(self.browser, f"{self.origin}{self.event}screen/", **own)

    def press(self, control: str, **fields: str) -> None:
        Client(self.server.port, self.token).press(f"{self.event}{control}/", **fields)

    def clock(self) -> Any:
        told = Client(self.server.port).ask("GET", f"{self.event}screen/state.json")
        return json.loads(good(told))["clock"]

    def levels(self, seconds: float, starts_in: float) -> dict[int, float]:
        """Start short levels, and return the start of each, by the monotonic clock."""
        began = monotonic(LEVELS(self.server, seconds, starts_in))
        return {number: began + (number - 1) * seconds for number in range(1, 40)}


def monotonic(instant_ms: float) -> float:
    """Convert an instant of the wall clock to the monotonic one."""
    return instant_ms / 1000 - time.time() + time.monotonic()


def measure(report: Report, options: Any) -> None:
    """Measure all parts in one hall."""
    with server() as running, chromium_browser() as browser:
        running.start()
        hall = Hall(running, browser, report)
        agree(hall)
        pause_often(hall)
        survive_outages(hall)
        idle(hall, FULL_IDLE_S if options.full else IDLE_S)


def agree(hall: Hall) -> None:
    """Compare two screens with wrong clocks."""
    starts = hall.levels(LEVEL_S, HEAD_START_S)
    screens = hall.screen(off_s=90), hall.screen(off_s=-3600)
    screens[0].wait_until(starts[CHANGES + 1] + 1)
    fast, slow = (screen.shown(starts[1]) for screen in screens)
    pair = differences_ms(fast, slow)
    hall.add("two_screens_differ_median", statistics.median(pair), "ms", 5)
    hall.add("two_screens_differ_worst", max(pair), "ms", 17)
    both = [error for seen in (fast, slow) for error in _late_ms(seen, starts)]
    hall.add("level_change_late_median", statistics.median(both), "ms", 40)
    hall.add("level_change_late_worst", max(both, key=abs), "ms", 100)
    told = hall.clock()
    anchor, levels = told["anchor"], told["levels"]
    at = [level["id"] for level in levels].index(anchor["level"])
    passed = sum(level["duration"] for level in levels[at:CHANGES])
    began = monotonic(anchor["since"] - anchor["elapsed"] + passed)
    lost = abs(began - starts[CHANGES + 1]) * 1000
    hall.add(f"lost_in_{CHANGES}_levels", lost, "ms", 1)
    for screen in screens:
        screen.close()


def _late_ms(shown: Any, starts: dict[int, float]) -> list[float]:
    found = level_starts(shown).items()
    return [(at - starts[number]) * 1000 for number, at in found if number in starts]


def pause_often(hall: Hall) -> None:
    """Pause and resume repeatedly; the clock must match the sum of its actions."""
    hall.levels(LONG_LEVEL_S, -100)
    for control in [*["pause", "start"] * CYCLES, "pause"]:
        hall.press(f"leitung/uhr/{control}")
    signs = {"paused": 1, "started": -1}
    ran_ms = sum(signs.get(kind, 0) * at for kind, at in ACTIONS(hall.server))
    hall.add("lost_in_pauses", abs(hall.clock()["anchor"]["elapsed"] - ran_ms), "ms", 0)


def survive_outages(hall: Hall) -> None:
    """Kill the server before two level ends; restart it with a stopped clock."""
    starts = hall.levels(4.0, 8)
    screen = hall.screen()
    screen.wait_until(starts[2] - 2)
    hall.server.kill()
    screen.wait_until(starts[4] - 2)
    late = _late_ms(screen.shown(starts[1]), starts)
    hall.add("server_dead_level_change_late_worst", max(late, key=abs), "ms", 100)
    hall.server.start()
    screen.wait_until(starts[5] + 1)
    anchor = hall.clock()["anchor"]
    began = monotonic(anchor["since"] - anchor["elapsed"])
    hall.add("lost_in_an_outage", abs(began - starts[1]) * 1000, "ms", 1)
    hall.server.kill()
    PAUSE(hall.server)
    hall.server.start()
    back = time.monotonic()
    screen.page.wait_for_selector("body[data-face=paused]", timeout=30_000)
    hall.add("server_back_screen_right_after", time.monotonic() - back, "s", 3)
    screen.close()


def idle(hall: Hall, seconds: float) -> None:
    """Load a paired screen's page into an empty cache, then watch its load when idle."""
    hall.levels(LONG_LEVEL_S, -100)
    url = f"{hall.origin}/leinwand/"
    asked = Screen(hall.browser, url)
    asked.page.wait_for_selector(".pairing-code")
    code = asked.page.inner_text(".pairing-code")
    hall.press("leinwaende/code", code=code, name="Messung")
    kept = asked.page.context.storage_state()
    asked.close()
    screen = Screen(hall.browser, url, kept=kept)
    requests = -1
    while requests != len(screen.line.requests):
        requests = len(screen.line.requests)
        screen.wait(SETTLED_S)
    hall.add("first_load", screen.line.bytes / 1024, "KB", 50)
    screen.wait(seconds)
    hall.add("idle_requests", len(screen.line.requests) - requests, "count", 0)
    screen.close()
