"""When it will be over, watched at the laptop while people go out at the tables."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.rooms import Room

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

LINE = "#director-end .end-said"
SAID = re.compile(r"Schluss gegen (\d\d:\d\d) \(80 %: (\d\d:\d\d)–(\d\d:\d\d)\)")
PHONE_SIZES = ({"width": 390, "height": 664}, {"width": 320, "height": 568})


@pytest.fixture
def hall(browser, tmp_path):
    with Room.opened(browser, tmp_path / "data", players=9, seats=9, phones=1) as hall:
        yield hall


def test_a_forecast_is_watched_through_an_evening(hall):
    laptop, phone = hall.laptop, hall.phones[0]
    laptop.go(f"{hall.event}leitung/")
    expect(laptop.page.locator(LINE)).to_have_text(SAID)
    before = laptop.page.locator(LINE).inner_text()
    the_big_screen_says_it_if_wished(hall)
    names = hall.names(1)
    for place, name in zip(range(9, 4, -1), names, strict=False):
        hall.out(phone, 1, name, place)
    expect(laptop.page.locator(LINE)).not_to_have_text(before)
    expect(laptop.page.locator(LINE)).to_have_text(SAID)
    what_would_be_is_asked(hall)
    laptop.go(f"{hall.event}leitung/")
    for place, name in zip(range(4, 1, -1), names[5:], strict=False):
        hall.out(phone, 1, name, place)
    expect(laptop.page.locator(LINE)).to_have_count(0)
    laptop.go(f"{hall.event}leitung/schluss/")
    laptop.see("nur noch einer im Spiel")
    expect(hall.projector.page.locator("[data-part=end]")).to_be_hidden()
    assert [person.complaints for person in (laptop, phone)] == [[], []]


def the_big_screen_says_it_if_wished(hall):
    laptop, screen = hall.laptop, hall.projector.page.locator("[data-part=end]")
    expect(screen).to_be_hidden()
    laptop.go(f"{hall.event}einstellungen/")
    laptop.page.get_by_label("Voraussichtliches Ende auf den Leinwänden zeigen").check()
    laptop.press("Speichern")
    expect(screen).to_be_visible()
    expect(screen).to_have_text(re.compile(r"Schluss etwa\s*\d\d:\d\d\s*\d\d:\d\d–\d\d:\d\d"))
    laptop.go(f"{hall.event}leitung/")


def what_would_be_is_asked(hall):
    laptop = hall.laptop
    laptop.page.locator("#director-end").get_by_role("link", name="Wann ist Schluss?").click()
    laptop.page.wait_for_url("**/leitung/schluss/")
    laptop.page.get_by_label("Minuten je Stufe").fill("10")
    laptop.press("Ausrechnen")
    laptop.see("Ab der nächsten Stufe 10 Minuten")
    expect(laptop.page.locator(".forecast-insteads")).to_contain_text("min früher")
    assert list(looking.axe_faults(laptop.page)) == []
    size = laptop.page.viewport_size
    for small in PHONE_SIZES:
        laptop.page.set_viewport_size(small)
        wide = laptop.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= small["width"]
    laptop.page.set_viewport_size(size)
