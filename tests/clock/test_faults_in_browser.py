"""What goes wrong in a hall, with a big screen in a real Chromium.

The server runs in this process, so its time can be set; the browser's own time is moved on by
Playwright, or by what the page takes for its clock.
"""

import time
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.servertime import server_time
from tests import factories as f
from tests.clock import test_sounds_in_browser as sounds
from tests.clock.evening import minutes
from tests.clock.hall import running, shown_time
from tests.clock.test_sounds_in_browser import READY
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.timekeeping import time_begin

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEN_MINUTES = minutes(10)
AWAY_MS = TEN_MINUTES // timedelta(milliseconds=1)
# A page that sleeps: its monotonic clock stands, the wall clock goes on.
SLEEPS = "window.slept = 0; { const now = Date.now; Date.now = () => now() + window.slept; }"
HIDES = """{
  let isHidden = false;
  Object.defineProperty(document, "hidden", { get: () => isHidden });
  window.hide = (wanted) => {
    isHidden = wanted;
    document.dispatchEvent(new Event("visibilitychange"));
  };
}"""


hall, guests = sounds.hall, sounds.guests


@pytest.fixture
def screen(guests):
    """Open the big screen of an event; `script` runs before the page's own."""

    def show(event, script="", prepare=None):
        def prepared(page):
            page.add_init_script(script)
            if prepare:
                prepare(page)

        return guests.open(reverse("screen", args=[event.slug]), prepare=prepared)

    return show


@pytest.fixture
def pass_ten_minutes(monkeypatch):
    """Let the server's time go on by ten minutes."""
    return lambda: monkeypatch.setattr(server_time, "wall", lambda: timezone.now() + TEN_MINUTES)


def seconds_shown(page):
    high, low = shown_time(page).split(":")
    return 60 * int(high) + int(low)


def level(page):
    return page.inner_text("[data-part=level]")


def test_ten_minutes_without_network(hall, screen, pass_ten_minutes):
    page = screen(running(minutes(15)), prepare=lambda page: page.clock.install())
    page.wait_for_timeout(1500)
    hall.off()
    page.wait_for_selector("[data-part=known]", timeout=8000)
    page.clock.run_for(AWAY_MS)
    pass_ten_minutes()
    assert level(page) == "Stufe 2"
    away = seconds_shown(page)
    assert 14 * 60 + 30 < away <= 15 * 60
    hall.on()
    page.clock.run_for(4000)
    page.wait_for_selector("[data-part=known]", state="hidden", timeout=8000)
    assert level(page) == "Stufe 2"
    assert abs(away - seconds_shown(page)) < 20


def test_the_lid_of_the_screens_computer_closed_for_ten_minutes(screen, pass_ten_minutes):
    page = screen(running(minutes(15)), SLEEPS)
    page.wait_for_timeout(1500)
    assert level(page) == "Stufe 1"
    pass_ten_minutes()
    page.evaluate(f"window.slept = {AWAY_MS}")
    until(page, "document.querySelector('[data-part=level]').textContent === 'Stufe 2'", 8)
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


def test_a_tab_in_the_background_sounds_at_its_instant(screen):
    """Timers come once a minute there: what is due within that is given to the card at once."""
    began_ms = (time.time() + 40) * 1000
    page = screen(running(minutes(20) - timedelta(seconds=40)), HIDES)
    until(page, READY)
    assert page.evaluate("window.played") == []
    page.evaluate("window.hide(true)")
    until(page, "window.played.length === 2", 4)
    signal, voice = page.evaluate("window.played")
    assert signal["at"] == pytest.approx(began_ms, abs=600)
    assert voice["at"] - signal["at"] == pytest.approx(1500, abs=30)
    page.evaluate("window.hide(false)")
    page.wait_for_timeout(1500)
    assert page.evaluate("window.played.length") == 2


def test_without_a_sound_card_everything_is_shown(screen):
    event = running(minutes(20) - timedelta(seconds=4))
    page = screen(event, "delete window.AudioContext;")
    page.wait_for_selector("[data-part=takeover]", timeout=10_000)
    assert "8 / 15" in page.inner_text("[data-part=takeover]")
    assert page.get_attribute("body", "data-sound-state") == "missing"
