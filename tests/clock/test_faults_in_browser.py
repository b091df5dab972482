"""The big screen in Chromium: right by itself, whatever becomes of server, network and clocks."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from clock.domain import ActionKind
from clock.servertime import server_time
from tests import factories as f
from tests.clock.evening import act, bump, minutes
from tests.clock.hall import face, push, running, shown_time
from tests.waits import intercept, until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.timekeeping import time_begin

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PROBED = "performance.getEntriesByType('resource').filter((r) => /now/.test(r.name)).length > 4"
TEN_MINUTES = minutes(10)
AWAY_MS = TEN_MINUTES // timedelta(milliseconds=1)
# A page that sleeps: its monotonic clock stands, the wall clock goes on.
SLEEPS = "window.slept = 0; { const now = Date.now; Date.now = () => now() + window.slept; }"


@pytest.fixture
def pass_ten_minutes(monkeypatch):
    """Let the server's time go on by ten minutes."""
    return lambda: monkeypatch.setattr(server_time, "wall", lambda: timezone.now() + TEN_MINUTES)


def seconds_shown(page):
    high, low = shown_time(page).split(":")
    return 60 * int(high) + int(low)


def level(page):
    return page.inner_text("[data-part=level]")


def test_a_pause_is_seen_at_once_and_so_is_the_end_of_it(screen):
    event = running(minutes(5))
    page = screen(event)
    face(page, "playing")
    act(event, ActionKind.PAUSED, timezone.now())
    push(event, "clock")
    face(page, "paused")
    assert "ANGEHALTEN" in page.inner_text(".headline").upper()
    stood = shown_time(page)
    time.sleep(1.5)
    assert shown_time(page) == stood
    act(event, ActionKind.STARTED, timezone.now())
    push(event, "clock")
    face(page, "playing")


# Waits of more than ten seconds are a twentieth as long.
HURRY = """const real = setTimeout;
setTimeout = (run, ms, ...rest) => real(run, ms > 10000 ? ms / 20 : ms, ...rest);"""


def swallow(page):
    """Let a proxy stand in between that takes the stream's request and gives nothing back."""
    page.add_init_script(HURRY + "delete globalThis.SharedWorker;")
    intercept(
        page, lambda url: "/stream/" in url and "/stream/now/" not in url, lambda _route: None
    )


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


def test_what_changed_while_the_server_was_dead_is_shown_on_its_return(hall, guests, screen):
    guests.may_fail += ["/toene/", "/stimme/"]  # asked for while it ends
    event = running(minutes(5))
    page = screen(event)
    until(page, PROBED)
    hall.off()
    page.wait_for_selector("[data-part=known]")
    act(event, ActionKind.PAUSED, timezone.now())
    bump(event)
    hall.on()
    page.wait_for_selector("[data-part=known]", state="hidden")
    face(page, "paused")


def test_the_screens_own_clock_does_not_matter(screen):
    event = running(minutes(5))
    pages = [screen(event) for _page in range(3)]
    for page, off_by in zip(pages[1:], (90_000, -3_600_000), strict=True):
        page.add_init_script(f"const real = Date.now; Date.now = () => real() + {off_by};")
        page.reload()
    time.sleep(1)
    seconds = [seconds_shown(page) for page in pages]
    assert max(seconds) - min(seconds) <= 1


# When in its second the page turns to the next one, after hearing forty server times that come
# `late` ms after their time. The real ones are kept from it. A busy machine only delays a turn, so
# the earliest of four counts.
TURNS = """(late) => new Promise((resolve) => {
  dispatchEvent(new Event("pagehide"));
  for (let count = 0; count < 40; count += 1) {
    const detail = { now: Date.now() - late };
    document.body.dispatchEvent(new CustomEvent("krru:time", { detail }));
  }
  const turns = [];
  const turned = () => {
    if (turns.push(performance.now()) < 4) return;
    const delays = turns.map((turn) => ((turn - turns[0] + 500) % 1000) - 500);
    resolve((turns[0] + Math.min(...delays)) % 1000);
  };
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


def test_ten_minutes_without_network(hall, screen, pass_ten_minutes):
    page = screen(running(minutes(15)), prepare=lambda page: page.clock.install())
    page.wait_for_timeout(1500)
    hall.off()
    page.wait_for_selector("[data-part=known]")
    page.clock.run_for(AWAY_MS)
    pass_ten_minutes()
    assert level(page) == "Stufe 2"
    away = seconds_shown(page)
    assert 14 * 60 + 30 < away <= 15 * 60
    hall.on()
    page.clock.run_for(4000)
    page.wait_for_selector("[data-part=known]", state="hidden")
    assert level(page) == "Stufe 2"
    assert abs(away - seconds_shown(page)) < 20


def test_the_lid_of_the_screens_computer_closed_for_ten_minutes(screen, pass_ten_minutes):
    page = screen(running(minutes(15)), prepare=lambda page: page.add_init_script(SLEEPS))
    page.wait_for_timeout(1500)
    assert level(page) == "Stufe 1"
    pass_ten_minutes()
    page.evaluate(f"window.slept = {AWAY_MS}")
    until(page, "document.querySelector('[data-part=level]').textContent === 'Stufe 2'")
    assert 14 * 60 + 30 < seconds_shown(page) <= 15 * 60


def test_the_servers_clock_set_back_by_an_hour_is_not_seen(screen, monkeypatch):
    offset = [timedelta()]
    monkeypatch.setattr(server_time, "_last", None)
    monkeypatch.setattr(server_time, "wall", lambda: timezone.now() + offset[0])
    event = f.make_seated_event(3, starts_at=timezone.now())
    clock_start(Command(event=event, by=SYSTEM, at=timezone.now() - minutes(5)))
    time_begin()
    page = screen(event)
    page.wait_for_timeout(1500)
    before, began = seconds_shown(page), time.monotonic()
    offset[0] = -timedelta(hours=1)
    for _ in range(2):
        for _ in range(4):
            page.wait_for_timeout(500)
            passed = time.monotonic() - began
            assert abs(before - seconds_shown(page) - passed) < 1.6
        page.reload()
        page.wait_for_timeout(1500)
