"""The wall of a cash evening: ten tables with the longest names, the end counted by itself."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.browser.faces import resized
from tests.browser.test_screens import paired
from tests.calling import call_service
from tests.services.cashgames import USUAL, make_cash_event
from tests.waits import until
from tournaments.cashgame.services.hands import cash_end_set, cash_last_hands
from tournaments.cashgame.services.line import cash_wait
from tournaments.cashgame.services.seats import cash_sit
from tournaments.cashgame.services.tables import cash_table_open
from tournaments.changes.access import SYSTEM
from tournaments.models import CashTable

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = "Hans-Peter Freiherr von Hohenstein"
TABLES = 10
LEAST_LETTERS_PX = 17
SIZES = [(1280, 720), (1920, 1080)]
# What stands whole: number, stakes, free seats, game and stage of every table; who waits may end
# in dots. All of it lies on the screen.
FAULTS = """() => [...document.querySelectorAll("li.hall-cash")].flatMap((row) => {
  const box = row.getBoundingClientRect();
  const cells = [...row.children].slice(0, 5);
  const cut = cells.filter((one) => one.scrollWidth > one.clientWidth + 1);
  const out = box.bottom > innerHeight || box.right > innerWidth ? ["outside"] : [];
  return [...cut.map((one) => `cut: ${one.textContent}`), ...out];
})"""
CUT = """() => [...document.querySelectorAll("li.hall-cash > :last-child")]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll("li.hall-cash span")]
  .filter((one) => one.textContent).map((one) => parseFloat(getComputedStyle(one).fontSize)))"""


def say(service, event, **own):
    return call_service(service, event=event, by=SYSTEM, at=timezone.now(), **own)


def full_evening(tables=TABLES):
    """Tables of the highest stakes, the first full; at each somebody waits, there three."""
    event = make_cash_event(starts_at=timezone.now())
    own = {"small_blind_cents": 2_500_000, "big_blind_cents": 5_000_000, "seats": 2}
    own |= {"game": "omaha", "limit": "pot_limit", "minimum": 1, "maximum": 2}
    made = [say(cash_table_open, event, **(USUAL | own)) for _ in range(tables)]
    opened = list(CashTable.objects.filter(pk__in=[one.payload["cash_table"] for one in made]))
    for seat in (1, 2):
        guest = f.register(event, f"Gast {seat}", at=timezone.now())
        say(cash_sit, event, registration=guest, table=opened[0], seat=seat, cents=5_000_000)
    waiting = [opened[0]] * 3 + opened[1:]
    for number, table in enumerate(waiting):
        guest = f.register(event, f"{LONG} {number}", at=timezone.now())
        say(cash_wait, event, registration=guest, table=table)
    say(cash_end_set, event, ends_at=timezone.now() + timedelta(hours=1))
    return f.fresh(event)


def test_ten_tables_stand_whole_and_the_end_is_counted_without_a_server(open_page, guests):
    event = full_evening()
    wall, _screen = paired(open_page, event)
    wall.wait_for_selector("li.hall-cash")
    assert wall.locator("li.hall-cash").count() == TABLES
    for _width, height in resized(wall, SIZES):
        wall.wait_for_timeout(400)
        assert wall.evaluate(FAULTS) == []
        assert wall.evaluate(SMALLEST) >= LEAST_LETTERS_PX * height / 720
        assert wall.locator("li.hall-cash").count() == TABLES
    assert "25.000" in wall.inner_text("li.hall-cash >> nth=0")
    assert "3 auf der Liste" in wall.inner_text("li.hall-cash >> nth=0")
    assert "voll" in wall.inner_text("li.hall-cash >> nth=0")
    assert "1 frei" in wall.inner_text("li.hall-cash >> nth=9")
    say(cash_last_hands, event, hands=3)
    wall.wait_for_selector(".hall-range:has-text('Noch 3 Hände an jedem Tisch')")
    f.undo(event)
    wall.wait_for_selector(".strip-time:has-text('0:5')")
    guests.may_fail += ["/"]
    wall.context.set_offline(True)
    shown = wall.inner_text(".strip-time")
    until(wall, f"document.querySelector('.strip-time').innerText !== '{shown}'")
    guests.may_fail.clear()
    the_public_screen_has_no_name(open_page, event)


def test_of_two_tables_everybody_on_the_list_is_named(open_page):
    wall, _screen = paired(open_page, full_evening(tables=2))
    wall.wait_for_selector("li.hall-cash")
    for _size in resized(wall, SIZES):
        wall.wait_for_timeout(400)
        assert wall.evaluate(FAULTS) == []
        assert wall.evaluate(CUT) == []


def the_public_screen_has_no_name(open_page, event):
    wall = open_page(reverse("screen", args=[event.slug]))
    until(wall, f"document.querySelectorAll('li.hall-cash').length === {TABLES}")
    assert "3 auf der Liste" in wall.inner_text("li.hall-cash >> nth=0")
    assert "Hohenstein" not in wall.inner_text("body")
    until(wall, "document.querySelector('.strip-time').innerText.startsWith('0:')")
