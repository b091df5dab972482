"""The big screen in a real Chromium, served by real sockets, seen at its true sizes."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from clock.domain import ActionKind
from tests.clock.evening import act, bump, make_event, minutes
from tests.clock.hall import face, push, running, shown_time
from tests.waits import until

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


PROBED = "performance.getEntriesByType('resource').filter((r) => /now/.test(r.name)).length > 4"


def test_before_the_start_it_counts_down(screen):
    page = screen(make_event(timezone.now() + minutes(17.9)))
    face(page, "before")
    assert "Beginn um" in page.inner_text(".headline")
    assert shown_time(page).startswith("17:")
    assert page.inner_text("[data-part=next-label]") == "Erste Stufe"
    assert page.inner_text("[data-part=next-blinds]") == "1 / 2"


def test_the_break_says_when_it_ends(screen):
    page = screen(running(minutes(22), breaks={1: 10}))
    face(page, "break")
    assert page.inner_text(".blinds").startswith("Zurück um ")
    assert page.inner_text("[data-part=next-blinds]") == "8 / 15"


def test_the_big_bet_is_shown_in_limit_games_only(screen):
    event = running(minutes(5), limit="split_limit")
    assert "Großer Einsatz 4" in screen(event).inner_text(".extras")
    event.limit = "no_limit"
    event.save()
    assert "Großer" not in screen(event).inner_text(".extras")


def test_a_pause_is_seen_at_once_and_so_is_the_end_of_it(screen):
    event = running(minutes(5))
    page = screen(event)
    face(page, "playing")
    act(event, ActionKind.PAUSED, timezone.now())
    push(event, "clock")
    face(page, "paused", 2000)
    assert "ANGEHALTEN" in page.inner_text(".headline").upper()
    stood = shown_time(page)
    time.sleep(1.5)
    assert shown_time(page) == stood
    act(event, ActionKind.STARTED, timezone.now())
    push(event, "clock")
    face(page, "playing", 2000)


def test_a_new_level_takes_the_screen_and_leaves_a_badge(screen):
    page = screen(running(minutes(20) - timedelta(seconds=4)))
    page.wait_for_selector("[data-part=takeover]", timeout=8000)
    seen = page.inner_text("[data-part=takeover]")
    assert [line for line in seen.splitlines() if line] == [
        "Stufe 2",
        "8 / 15",
        "gilt ab der nächsten Hand",
    ]


def test_after_that_a_badge_stays_until_the_level_is_a_minute_old(screen):
    page = screen(running(minutes(20) + timedelta(seconds=57)))
    face(page, "playing")
    assert page.is_hidden("[data-part=takeover]")
    assert "gilt ab der nächsten Hand" in page.inner_text(".headline")
    page.wait_for_selector("[data-part=new]", state="hidden")


# Waits of more than ten seconds are a twentieth as long.
HURRY = """const real = setTimeout;
setTimeout = (run, ms, ...rest) => real(run, ms > 10000 ? ms / 20 : ms, ...rest);"""


def swallow(page):
    """Let a proxy stand in between that takes the stream's request and gives nothing back."""
    page.add_init_script(HURRY + "delete globalThis.SharedWorker;")
    page.route(lambda url: "/stream/" in url and "/stream/now/" not in url, lambda _route: None)


def test_behind_a_proxy_that_swallows_streams_it_asks_now_and_then(hall, screen):
    event = running(minutes(5))
    page = screen(event, prepare=swallow)
    face(page, "playing")
    act(event, ActionKind.PAUSED, timezone.now())
    push(event, "clock")
    face(page, "paused", 6000)
    page.wait_for_timeout(4000)  # the browser's vain attempts meanwhile are no reason to worry
    assert page.is_hidden("[data-part=known]")
    hall.off()
    page.wait_for_selector("[data-part=known]", timeout=10_000)
    assert page.inner_text("[data-part=known]").startswith("Stand ")
    act(event, ActionKind.STARTED, timezone.now())
    bump(event)
    hall.on()
    page.wait_for_selector("[data-part=known]", state="hidden", timeout=10_000)
    face(page, "playing", 3000)


def test_the_level_changes_with_the_server_dead_and_the_return_is_noticed(hall, screen):
    event = running(minutes(20) - timedelta(seconds=14))
    page = screen(event)
    face(page, "warning")
    until(page, PROBED)
    hall.off()
    page.wait_for_selector("[data-part=known]", timeout=8000)
    assert page.inner_text("[data-part=known]").startswith("Stand ")
    page.wait_for_selector("[data-part=takeover]", timeout=16_000)
    assert "8 / 15" in page.inner_text("[data-part=takeover]")
    act(event, ActionKind.PAUSED, timezone.now())
    bump(event)
    hall.on()
    page.wait_for_selector("[data-part=known]", state="hidden")
    face(page, "paused", 2000)


@pytest.mark.parametrize("off_by", [90_000, -3_600_000])
def test_the_screens_own_clock_does_not_matter(screen, browser, off_by):
    event = running(minutes(5))
    script = f"const real = Date.now; Date.now = () => real() + {off_by};"
    pages = [screen(event), screen(event)]
    pages[1].add_init_script(script)
    pages[1].reload()
    time.sleep(1)
    shown = [shown_time(page) for page in pages]
    seconds = [60 * int(text[:2]) + int(text[-2:]) for text in shown]
    assert abs(seconds[0] - seconds[1]) <= 1


def test_an_idle_screen_asks_for_nothing(screen):
    page = screen(running(minutes(5)))
    time.sleep(2)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    time.sleep(5)
    assert asked == []


# When in its second the page turns to the next one, after hearing forty server times that come
# `late` ms after their time. The real ones are kept from it.
TURNS = """(late) => new Promise((resolve) => {
  dispatchEvent(new Event("pagehide"));
  for (let count = 0; count < 40; count += 1) {
    const detail = { now: Date.now() - late };
    document.body.dispatchEvent(new CustomEvent("krru:time", { detail }));
  }
  const turned = () => resolve(performance.now() % 1000);
  setTimeout(() => new MutationObserver(turned).observe(
    document.querySelector("[data-part=time-low]"), { childList: true, subtree: true },
  ), 1100);
})"""


def test_a_screen_follows_clocks_that_drift_apart(screen):
    page = screen(running(minutes(5)))
    until(page, PROBED)
    page.wait_for_timeout(300)
    before = page.evaluate(TURNS, 500)
    after = page.evaluate(TURNS, 900)
    assert 350 < (after - before) % 1000 < 450


def test_axe_finds_nothing(screen):
    from axe_playwright_python.sync_playwright import Axe

    page = screen(running(minutes(5)))
    face(page, "playing")
    found = Axe().run(page).response["violations"]
    assert [(item["id"], [node["html"] for node in item["nodes"]]) for item in found] == []


HEAR = """() => {
  window.heard = [];
  for (const name of ["change", "clock", "tables", "log", "registrations", "connected"]) {
    document.body.addEventListener(`krru:${name}`, () => window.heard.push(name));
  }
}"""


def test_pages_hear_what_changed_and_everything_when_they_missed_something(screen):
    event = running(minutes(5))
    page = screen(event)
    until(page, PROBED)
    page.evaluate(HEAR)
    push(event, "clock", "tables")
    until(page, "window.heard.includes('tables')")
    assert sorted(page.evaluate("window.heard")) == ["change", "clock", "tables"]
    bump(event)
    push(event, "log")
    until(page, "window.heard.includes('registrations')")


def test_a_stream_whose_token_ran_out_gets_a_new_one(screen, guests, monkeypatch):
    guests.may_fail.append("/stream/")
    monkeypatch.setattr("clock.stream.TOKEN_MAX_AGE_S", -1)
    event = running(minutes(5))
    page = screen(event)
    page.wait_for_selector("[data-part=known]", timeout=8000)
    monkeypatch.setattr("clock.stream.TOKEN_MAX_AGE_S", 60)
    page.wait_for_selector("[data-part=known]", state="hidden", timeout=15_000)
