"""An evening without names in a real browser: counted by key and button, shown on the screen."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.browser import looking
from tournaments.changes.access import COOKIE, Role
from tournaments.event.selectors.clock import counted

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 768}


@pytest.fixture
def event():
    return f.make_event(is_clock_only=True)


@pytest.fixture
def laptop(page, live_server, event):
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + reverse("director", args=[event.slug]))
    return page


def press(page, key, what, figure):
    page.keyboard.press(key)
    page.wait_for_selector(f"#counter-{what}-figure:text-is('{figure}')")


def test_a_whole_evening_by_keys(laptop, live_server, event):
    laptop.keyboard.type("eee")
    press(laptop, "e", "entries", 4)
    press(laptop, "d", "entries", 3)
    laptop.click("#clock-main")
    laptop.wait_for_selector("#clock-main:has-text('Anhalten')")
    press(laptop, "a", "left", 2)
    press(laptop, "z", "left", 3)
    press(laptop, "a", "left", 2)
    laptop.fill("#rebuy-chips", "viele")
    laptop.click("#counter-rebuys-more")
    laptop.wait_for_selector("#count-refusal:has-text('ganze Zahl von Chips')")
    laptop.fill("#rebuy-chips", "1.500")
    laptop.click("#counter-rebuys-more")
    laptop.wait_for_selector("#counter-rebuys-figure:text-is('1')")
    assert counted(event).chips == 2100
    laptop.click("#counter-rebuys-less")
    laptop.wait_for_selector("#counter-rebuys-figure:text-is('0')")
    laptop.click("#counter-rebuys-less")
    laptop.wait_for_selector("#count-refusal:has-text('Weniger als null')")
    laptop.click(".toast:last-child button:has-text('Rückgängig')")
    laptop.wait_for_selector("#counter-rebuys-figure:text-is('1')")
    laptop.keyboard.press("?")
    laptop.wait_for_selector("dialog[open] dd:has-text('Einer ist ausgeschieden')")
    laptop.keyboard.press("Escape")
    assert list(looking.axe_faults(laptop)) == []
    screen = laptop.context.new_page()
    screen.goto(live_server.url + reverse("screen", args=[event.slug]))
    screen.wait_for_selector("[data-part=left]:text-is('2')")
    assert "3" in screen.inner_text("[data-part=entries]")
    assert screen.inner_text("[data-part=average]") == "1.050"
    laptop.bring_to_front()
    press(laptop, "a", "left", 1)
    laptop.click("text=Turnier beenden …")
    laptop.click("button:has-text('Turnier beenden')")
    laptop.wait_for_selector("#director-due:has-text('Der Abend ist beendet')")
    screen.wait_for_selector("body[data-face=ended]")
    assert "Turnierseite" not in screen.inner_text("body")
