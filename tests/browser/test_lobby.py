"""The lobby on a wall and on a phone: twelve rows, counted by themselves."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.browser.test_screens import paired, settle
from tests.calling import call_service
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_pause, clock_start

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = """[...document.querySelectorAll(".lobby-name")].map(({ textContent }) => textContent)"""
# In shares of the screen's height: the least of all texts, and whether every row is in sight.
SIZES = """(() => {
  const rows = [...document.querySelectorAll(".lobby-row")];
  const texts = rows.flatMap((row) => [...row.children]).filter(({ textContent }) => textContent);
  const size = (one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight;
  return {
    rows: rows.length,
    least: Math.min(...texts.map(size)),
    names: Math.min(...rows.map((row) => size(row.querySelector(".lobby-name")))),
    isInSight: rows.every((row) => row.getBoundingClientRect().bottom <= innerHeight + 1),
    isWide: document.documentElement.scrollWidth <= innerWidth,
  };
})()"""


def started(name, minutes, **settings):
    """Return an event that has run for so many minutes."""
    now = timezone.now()
    event = f.make_seated_event(6, name=name, starts_at=now, **settings)
    clock_start(Command(event=event, by=SYSTEM, at=now - timedelta(minutes=minutes)))
    return f.fresh(event)


def test_the_wall_shows_twelve_events_and_asks_nothing_while_it_counts(open_page):
    now = timezone.now()
    main = started("Main Event, Flight 1C", 5)
    started("Satellit", 15, late_registration_level=1)
    for number in range(10):
        f.make_event(name=f"Turnier {number:02}", starts_at=now + timedelta(hours=1 + number))
    page, _screen = paired(open_page, main, shows="lobby")
    page.wait_for_selector("body.lobby-wall .lobby-when:not(:empty)")
    # The end of late entry, then the next break or the next event.
    assert page.evaluate(NAMES)[0] == "Satellit"
    assert page.locator(".lobby-row.is-open .lobby-name").all_inner_texts() == ["Satellit"]
    found = page.evaluate(SIZES)
    assert (found["rows"], found["isInSight"], found["isWide"]) == (12, True, True)
    assert found["least"] >= 0.03
    assert found["names"] >= 0.04
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    settle(page, asked)
    before = page.inner_text(".lobby-row:first-child .lobby-when")
    until(page, f"document.querySelector('.lobby-when').textContent !== {before!r}")
    assert asked == []
    call_service(clock_pause, event=main, by=SYSTEM, at=timezone.now())
    page.wait_for_selector(".lobby-level:has-text('Uhr steht')")


def test_the_lobby_fits_a_phone_and_leads_to_each_event(open_page):
    main = started("Main Event mit einem sehr langen Namen und Flight 1C", 5)
    started("Satellit", 1)
    page = open_page(reverse("home"), size="phone")
    page.click("a:has-text('Lobby: alle Turniere von heute')")
    page.wait_for_selector(".lobby-row .lobby-when:not(:empty)")
    assert page.evaluate(SIZES)["isWide"]
    page.click(f".lobby-name:has-text('{main.name}')")
    page.wait_for_url(f"**{main.get_absolute_url()}")
