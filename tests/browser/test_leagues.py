"""A league of six evenings: made on the laptop, with drops and a correction, read on a phone."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.hall import LAPTOP
from tests.seasons import evening
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
A, B, C = "Anna Ast", "Bert Buch", "Carla Clement"
ORDERS = ((A, B, C), (B, A, C), (C, B, A), (A, C, B), (B, C, A), (C, A, B))
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture
def laptop(page, live_server):
    for number, order in enumerate(ORDERS):
        evening(order, number=number - len(ORDERS))
    token = f.sign_in("Doras Laptop", Role.DIRECTOR).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    return page


def test_a_league_of_six_evenings_with_drops_and_a_correction_is_read_on_a_phone(
    laptop, live_server, browser
):
    laptop.goto(live_server.url + reverse("leagues"))
    laptop.get_by_role("link", name="Neue Liga").first.click()
    laptop.get_by_label("Name der Liga").fill("Winterliga")
    laptop.get_by_text("eigene Formel").click()
    laptop.get_by_label("Formel", exact=True).fill("10 / (platz - 1)")
    expect(laptop.locator("#league-preview")).to_contain_text("Die Formel teilt durch null.")
    laptop.get_by_label("Formel", exact=True).fill("10 * (spieler - platz) + 2,5")
    expect(laptop.locator("#league-preview")).to_contain_text("492,5")
    laptop.get_by_label("So viele Abende zählen").fill("4")
    laptop.get_by_role("button", name="Speichern").click()
    expect(laptop.locator("h1")).to_have_text("Winterliga")
    laptop.get_by_role("link", name="Abende und Tabelle").click()
    laptop.get_by_role("button", name="Freitag 0 streichen").click()
    expect(laptop.get_by_role("button", name="Freitag 0 zählen")).to_be_visible()
    laptop.get_by_label("Wer", exact=True).first.select_option(C)
    laptop.get_by_label("Punkte, mit Minus").fill("-12,5")
    laptop.get_by_label("Grund").fill("Kam immer zu spät")
    laptop.get_by_role("button", name="Berichtigen", exact=True).click()
    expect(laptop.locator("body")).to_contain_text("Kam immer zu spät")
    # Five evenings count, the best four of each: Anna 22,5 + 22,5 + 12,5 + 2,5 …
    phone = browser.new_context(locale="de", viewport={"width": 390, "height": 664}).new_page()
    phone.goto(live_server.url)
    phone.get_by_role("link", name="Die Liga").click()
    expect(phone.locator("h1")).to_have_text("Winterliga")
    expect(phone.locator("body")).to_contain_text("Nach 5 Abenden")
    lines = phone.locator(".league-table tbody tr")
    told = [re.sub(r"\s+", " ", line) for line in lines.all_inner_texts()]
    assert [line.split()[-1] for line in told] == ["70", "60", "37,5"]
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 568})
        assert not phone.evaluate(SIDEWAYS)
    phone.get_by_role("link", name=C).click()
    expect(phone.locator("body")).to_contain_text("Von der Leitung berichtigt: −12,5 Punkte")
    expect(phone.locator(".season-table .is-out")).to_have_count(1)
    expect(phone.locator(".season-chart rect")).to_have_count(5)
    assert not phone.evaluate(SIDEWAYS)
    phone.context.close()
