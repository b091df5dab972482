"""Do big screens agree, stay right with the server dead, lose nothing, and leave it in peace?

Real server, real Chromium. Levels last a few seconds here instead of 20 minutes; what is checked
does not depend on it. Timed is when a screen's page shows a second, by one clock for all of them.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from bench._evening import evening
from bench._hall import Director, answered
from bench._report import Report
from bench._screen_cost import opened_after_s, share_of_a_core, silent_browser
from bench._screens import Screen, chromium_browser, differences_ms, level_starts
from krru.devtools.serving import ServerProcess

CHANGES, LEVEL_S = 15, 2.0
COMPARED = 10
HEAD_START_S = 12.0
CYCLES = 20
IDLE_S, FULL_IDLE_S = 45.0, 180.0
SETTLED_S = 3.0
COST_S = 15.0
LONG_LEVEL_S = 600.0


class Hall:
    """A server with its sample evening, a director, and a browser to open screens in."""

    def __init__(self, server: ServerProcess, browser: Browser) -> None:
        self.server, self.browser = server, browser
        self.director = Director(server)
        self.report = Report("screens")
        # A name that is not localhost, as in a hall: there browsers allow and compress less.
        self.url = f"http://krru.test:{server.port}{self.director.event}screen/"
        self.any_url = f"http://krru.test:{server.port}/leinwand/"

    def screen(self, off_s: int = 0, slower: int = 1) -> Screen:
        return Screen(self.browser, self.url, off_ms=off_s * 1000, slower=slower)

    def levels(self, seconds: float, starts_in: float) -> dict[int, float]:
        """Start short levels, and return when each begins, by the monotonic clock."""
        told = evening(self.server, "levels", seconds, starts_in)
        began = told["began_ms"] / 1000 - time.time() + time.monotonic()
        return {number: began + (number - 1) * seconds for number in range(1, 40)}

    def began_of_level(self, number: int) -> float:
        """Return when a level began by what the server tells screens, by the monotonic clock."""
        told = self.director.state()["clock"]
        anchor, levels = told["anchor"], told["levels"]
        ids = [level["id"] for level in levels]
        passed = levels[ids.index(anchor["level"]) : number - 1]
        ms = anchor["since"] - anchor["elapsed"] + sum(level["duration"] for level in passed)
        return ms / 1000 - time.time() + time.monotonic()

    def add(self, name: str, value: float, unit: str, goal: float | None = None) -> None:
        self.report.add(name, value, unit, goal=goal)


def main(arguments: list[str]) -> int:
    """Measure, and show the figures. `--full` watches an idle screen for three minutes."""
    with (
        tempfile.TemporaryDirectory(prefix="krru-bench-") as folder,
        ServerProcess(Path(folder)) as server,
        chromium_browser() as browser,
    ):
        hall = Hall(server, browser)
        for measure in (agree, open_late, pause_often, survive_outages, first_load):
            _say(measure.__name__)
            measure(hall)
        _say("cost")
        cost(hall)
        _say("idle")
        idle(hall, FULL_IDLE_S if "--full" in arguments else IDLE_S)
        return hall.report.show()


def agree(hall: Hall) -> None:
    """Compare two screens whose clocks are wrong, and one on a slow computer."""
    starts = hall.levels(LEVEL_S, HEAD_START_S)
    fast, slow, weak = hall.screen(off_s=90), hall.screen(off_s=-3600), hall.screen(slower=4)
    fast.wait_until(starts[CHANGES + 1] + 1)
    begun = starts[1]
    shown = {
        name: [one for one in screen.shown() if one.at >= begun - 0.5]
        for name, screen in (("fast", fast), ("slow", slow), ("weak", weak))
    }
    pair = differences_ms(shown["fast"], shown["slow"])
    hall.add("seconds_compared", len(pair), "count")
    hall.add("two_screens_differ_median", statistics.median(pair), "ms", 5)
    hall.add("two_screens_differ_worst", max(pair), "ms", 17)
    hall.add(
        "slow_computer_differs_worst", max(differences_ms(shown["fast"], shown["weak"])), "ms", 50
    )
    errors = {name: _errors_ms(level_starts(seen), starts) for name, seen in shown.items()}
    both = [error for name in ("fast", "slow") for error in errors[name][:COMPARED]]
    hall.add("level_change_late_median", statistics.median(both), "ms", 5)
    hall.add("level_change_late_worst", max(both, key=abs), "ms", 17)
    hall.add("slow_computer_level_change_late_worst", max(errors["weak"], key=abs), "ms", 50)
    late = [errors[name][-1] for name in ("fast", "slow")]
    hall.add(f"level_change_{CHANGES}_late_worst", max(late, key=abs), "ms", 17)
    began = hall.began_of_level(CHANGES + 1)
    hall.add(f"milliseconds_lost_in_{CHANGES}_levels", abs(began - starts[CHANGES + 1]) * 1000,
             "ms", 1)  # fmt: skip
    for screen in (fast, slow, weak):
        screen.close()


def _errors_ms(shown: dict[int, float], starts: dict[int, float]) -> list[float]:
    """Return how much later than computed each level was shown."""
    return [(at - starts[number]) * 1000 for number, at in shown.items() if number in starts]


def open_late(hall: Hall) -> None:
    """Open a screen whose clock is 42 s fast while the clock runs: when is it right?"""
    starts = hall.levels(LONG_LEVEL_S, -100)
    worst = 0.0
    for _ in range(3):
        screen = hall.screen(off_s=42)
        screen.wait(SETTLED_S)
        right = None
        for one in reversed(screen.shown()):
            left = LONG_LEVEL_S - (one.at - starts[1])
            if not -0.05 < left - one.seconds + 1 < 1.05:
                break
            right = one.at
        if right is None:
            raise RuntimeError("A screen opened late never became right.")
        worst = max(worst, right - screen.zero)
        screen.close()
    hall.add("opened_42_s_fast_right_after_worst_of_3", worst, "s", 1)


def pause_often(hall: Hall) -> None:
    """Pause and go on again and again; what the clock says is what its actions add up to."""
    hall.levels(LONG_LEVEL_S, -100)
    screen = hall.screen()
    for _ in range(CYCLES):
        for control in ("pause", "start"):
            answered(hall.director.press(control))
    answered(hall.director.press("pause"))
    screen.wait(1)
    actions = evening(hall.server, "actions")
    ran_ms = sum(
        at if kind == "paused" else -at for kind, at in actions if kind in {"started", "paused"}
    )
    anchor = hall.director.state()["clock"]["anchor"]
    hall.add("pauses", len(actions) // 2, "count")
    hall.add("milliseconds_lost_in_pauses", abs(anchor["elapsed"] - ran_ms), "ms", 0)
    left = -(-(LONG_LEVEL_S * 1000 - ran_ms) // 1000)
    shown = screen.shown()[-1]
    hall.add("seconds_a_paused_screen_is_off", abs(shown.seconds - left), "s", 0)
    screen.close()


def survive_outages(hall: Hall) -> None:
    """Kill the server before two level ends; then let it come back to a clock that stands."""
    starts = hall.levels(4.0, 8)
    screen = hall.screen()
    screen.wait_for_sound()
    screen.wait_until(starts[2] - 2)
    voice_after = hall.director.voice_after_s()
    hall.server.kill()
    screen.wait_until(starts[4] - 2)
    seen = [one for one in screen.shown() if one.at >= starts[1] - 0.5]
    errors = _errors_ms(level_starts(seen), starts)
    _add_sounds(hall, screen.heard(), [starts[2], starts[3]], voice_after)
    hall.add("server_dead_level_changes", len(errors), "count")
    hall.add("server_dead_level_change_late_worst", max(errors, key=abs), "ms", 17)
    hall.server.start()
    screen.wait_until(starts[5] + 1)
    anchor = hall.director.state()["clock"]["anchor"]
    errors = _errors_ms(level_starts(screen.shown()), starts)
    hall.add("after_outage_level_change_late", errors[-1], "ms", 17)
    began = anchor["since"] / 1000 - time.time() + time.monotonic() - anchor["elapsed"] / 1000
    hall.add("milliseconds_lost_in_outage", abs(began - starts[1]) * 1000, "ms", 1)
    hall.server.kill()
    evening(hall.server, "pause")
    screen.wait(2)
    hall.server.start()
    back = time.monotonic()
    screen.page.wait_for_selector("body[data-face=paused]", timeout=30_000)
    hall.add("server_back_screen_right_after", max(0.0, time.monotonic() - back), "s", 3)
    screen.close()


def _add_sounds(hall: Hall, heard: list[float], starts: list[float], voice_after: float) -> None:
    """Add how far from their computed instants signal and speech of these levels went out."""
    for name, after in (("signal", 0.0), ("speech", voice_after)):
        errors = [min((at - start - after for at in heard), key=abs) * 1000 for start in starts]
        hall.add(f"server_dead_{name}_late_worst", max(errors, key=abs), "ms", 17)


def first_load(hall: Hall) -> None:
    """Load the page of a screen that the director has paired, into an empty cache."""
    asked = Screen(hall.browser, hall.any_url)
    asked.page.wait_for_selector(".pairing-code")
    hall.director.claim(asked.page.inner_text(".pairing-code"))
    kept = asked.kept()
    asked.close()
    screen = Screen(hall.browser, hall.any_url, kept=kept)
    screen.wait_for_sound()
    hall.add("first_load_paired_without_sound", screen.bytes_loaded / 1024, "KB", 50)
    screen.close()


def cost(hall: Hall) -> None:
    """See what the clock's face takes at rest, the one that asks for a tap, and how it opens."""
    hall.levels(LONG_LEVEL_S, -100)
    hall.add("opened_on_a_slow_computer_worst_of_5", opened_after_s(hall.browser, hall.url), "s",
             1.5)  # fmt: skip
    playing = share_of_a_core(hall.browser, hall.url, COST_S, "body[data-face=playing]")
    hall.add("share_of_a_core_playing", playing, "%", 2)
    with silent_browser(hall.browser) as silent:
        asking = share_of_a_core(silent, hall.url, COST_S, "[data-sound=blocked]:not([hidden])")
    hall.add("share_of_a_core_asking_for_sound", asking, "%", 2)


def idle(hall: Hall, seconds: float) -> None:
    """Load the page into an empty cache, then watch what it asks for while nothing happens."""
    hall.levels(LONG_LEVEL_S, -100)
    screen = hall.screen()
    screen.wait(SETTLED_S)
    hall.add("first_load_without_sound", screen.bytes_loaded / 1024, "KB", 50)
    hall.add("first_load_sound", screen.bytes_of_sound / 1024, "KB")
    asked, streamed = len(screen.requests), screen.bytes_streamed
    screen.wait(seconds)
    hall.add("idle_seconds_watched", seconds, "s")
    hall.add("idle_requests", len(screen.requests) - asked, "count", 0)
    rate = (screen.bytes_streamed - streamed) / 1024 / (seconds / 60)
    hall.add("idle_bytes_a_minute", rate, "KB", 0.5)
    screen.close()


def _say(what: str) -> None:
    print(f"  {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
