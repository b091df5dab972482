"""A phone that is away for ten minutes of its own time, its page open, thirty taps waiting on it.

The page's clock is moved on between the taps, and the server, killed and started again meanwhile,
is as far ahead afterwards: for both ten minutes have passed.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from playwright.sync_api import Browser, Page, expect

from bench._arbiters import Effect, happened
from bench._later import LaterServer
from tournaments.devtools.room import account

TAPS, MINUTES = 30, 10
OUT_EVERY = 5
PATIENCE_MS = 60_000
PHONE = {"width": 390, "height": 844}


@dataclass(frozen=True, slots=True, kw_only=True)
class Away:
    """What became of the taps."""

    applied: int
    asked: int
    lost: int
    doubled: int
    late_s: float
    is_in_order: bool
    wrong: list[str]


def ten_minutes_away(browser: Browser, server: LaterServer, made: dict[str, Any]) -> Away:
    """Tap thirty times without a connection, come back, and look at what was entered."""
    context = browser.new_context(
        viewport=PHONE,  # type: ignore[arg-type]
        has_touch=True,
        locale="de-DE",
    )
    origin = f"http://krru.test:{server.port}"
    cookie = {"name": "krru_device", "value": made["tokens"][0], "url": origin}
    context.add_cookies([cookie])  # type: ignore[list-item]
    page = context.new_page()
    page.clock.install(time=datetime.now(UTC))
    page.goto(f"{origin}/t/{made['slug']}/tische/1/")
    page.wait_for_timeout(1000)
    context.set_offline(True)
    expect(page.locator("#offline")).to_be_visible()
    tapped = _tap(page, server, made)
    context.set_offline(False)
    expect(page.locator("#offline")).not_to_contain_text("wart", timeout=PATIENCE_MS)
    expect(page.locator("#offline[data-away]")).to_have_count(0)
    asked = page.locator("#queue .is-question").count()
    context.close()
    return _judged(tapped, asked, server)


def _tap(page: Page, server: LaterServer, made: dict[str, Any]) -> list[tuple[Effect, float]]:
    """Return what was tapped, and when by the phone's clock."""
    tapped: list[tuple[Effect, float]] = []
    seats = iter(made["tables"]["1"])
    for number in range(TAPS):
        if number == TAPS // 2:
            server.kill()
            server.put_ahead(MINUTES * 60_000)
            server.start()
        if number % OUT_EVERY == OUT_EVERY - 1:
            entry = next(seats)["entry"]
            page.locator(f".seat-face[hx-get$='/spieler/{entry}/']").click()
            page.locator("#sheet").get_by_role("button", name=re.compile("^Aus")).click()
            effect: Effect = ("out", entry)
        else:
            page.get_by_role("button", name="Nächste Hand").click()
            effect = ("hand", 1)
        tapped.append((effect, page.evaluate("Date.now()") / 1000))
        expect(page.locator("#offline")).to_contain_text(re.compile(rf"\b{number + 1} Eing"))
        page.clock.fast_forward(MINUTES * 60_000 // TAPS)
    return tapped


def _judged(tapped: list[tuple[Effect, float]], asked: int, server: LaterServer) -> Away:
    told = account(server)
    actions = [action for action in told["actions"] if action["device"] is not None]
    found, meant = happened(actions), [effect for effect, _at in tapped]
    applied = found.total()
    order = [effect for action in actions for effect in happened([action])]
    in_time = [action["at"] for action in actions]
    late = [abs(at - by) for (_effect, by), at in zip(tapped, in_time, strict=False)]
    return Away(
        applied=applied,
        asked=asked,
        lost=max(0, len(tapped) - applied - asked),
        doubled=sum((found - Counter(meant)).values()),
        late_s=max(late, default=0.0) if applied == len(tapped) else 0.0,
        is_in_order=in_time == sorted(in_time) and (asked > 0 or order == meant),
        wrong=told["wrong"],
    )
