"""A newcomer presses "Abend abspielen", and watches: laptop and wall show a whole evening."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hall import LAPTOP, PROJECTOR, Director, Person
from tests.laptops import director_link

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]
PATIENCE = 240_000


def base_of(server) -> str:
    return f"http://krru.test:{server.port}"


@pytest.fixture
def laptop(browser, server):
    dora = Director(browser, base_of(server), LAPTOP)
    dora.sign_in(director_link(server, dora.base))
    yield dora
    dora.context.close()


@pytest.fixture
def wall(browser, server):
    screen = Person(browser, base_of(server), PROJECTOR)
    yield screen
    screen.context.close()


def opened(laptop) -> str:
    laptop.go("/probe/")
    laptop.page.get_by_label("Spieler", exact=True).fill("6")
    laptop.page.get_by_label("Plätze je Tisch").fill("6")
    laptop.page.get_by_label("Die Spieler kommen erst").check()
    laptop.press("Probe eröffnen")
    laptop.page.wait_for_url("**/leitung/")
    return laptop.page.url.removeprefix(laptop.base).removesuffix("leitung/")


def test_an_evening_plays_itself_to_the_winner(laptop, wall):
    event = opened(laptop)
    wall.go(f"{event}screen/")
    laptop.press("Ein Schritt")
    laptop.see("Eingecheckt", "#director-log")
    laptop.press("Tempo mal 60")
    expect(laptop.page.locator("#rehearsal-main")).to_contain_text("Abspielen anhalten")
    screen = wall.page
    expect(screen.locator("body")).to_have_attribute("data-face", "playing", timeout=PATIENCE)
    level = screen.locator("[data-part=level]")
    expect(level).to_have_text(re.compile(r"Stufe [3-9]"), timeout=PATIENCE)
    laptop.press("Abspielen anhalten")
    expect(laptop.page.locator("#rehearsal-main")).to_contain_text("Abend abspielen")
    expect(laptop.page.locator("#clock-main")).to_contain_text("Weiter")
    laptop.press("Abend abspielen")
    expect(laptop.page.locator("#rehearsal-main")).to_have_count(0, timeout=PATIENCE)
    wall.see("Gewonnen hat")
    expect(screen.locator("[data-part=winner]")).not_to_be_empty()
    assert laptop.complaints == []
    assert wall.complaints == []
