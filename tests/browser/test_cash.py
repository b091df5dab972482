"""The till in a browser: opened, a payment with change, counted and closed; receipts on paper."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.pressing import url_of
from tournaments.models import Receipt
from tournaments.money.selectors.drawers import drawers_of

pytest_plugins = "tests.browser.desks"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# In points, as a printer is told: 105 × 148 mm, and a roll of 80 mm.
PAPER = {"": (298, 420), "?papier=bon": (227, 454)}
PHONE = {"width": 390, "height": 664}


def test_an_evenings_money_by_one_thumb(desk, live_server, rows):
    event = rows["Ada Auer"].event
    desk.set_viewport_size(PHONE)
    desk.goto(live_server.url + url_of(event, "drawer"))
    desk.get_by_label("Wechselgeld in Euro").fill("50")
    desk.get_by_role("button", name="Öffnen", exact=True).click()
    expect(desk.get_by_text("Dieses Gerät hat Kassa 1.")).to_be_visible()

    desk.goto(live_server.url + url_of(event, "desk"))
    desk.locator(f"#person-{rows['Ada Auer'].pk}").click()
    desk.get_by_role("link", name="Anders bezahlt").click()
    expect(desk.locator("#sheet h2")).to_have_text("Ada Auer zahlt")
    desk.get_by_label("Gibt, in Euro").fill("50")
    expect(desk.locator(".cash-back")).to_have_text("zurück 40 €")
    desk.get_by_label("Bezahlt von jemand anderem").fill("Onkel Otto")
    desk.get_by_role("button", name="Kassieren", exact=True).click()
    expect(desk.locator(".toasts")).to_contain_text("Zurück: 40 €.")

    desk.goto(live_server.url + url_of(event, "drawer"))
    desk.get_by_text("Zählen und abschließen").click()
    desk.get_by_label("Gezähltes Bargeld in Euro").fill("59,50")
    desk.get_by_role("button", name="Abschließen", exact=True).click()
    expect(desk.get_by_text("abgeschlossen", exact=True)).to_be_visible()
    (state,) = [state for state in drawers_of(f.fresh(event)) if state.drawer]
    assert (state.cash_cents, state.difference_cents) == (5950, -50)

    desk.goto(live_server.url + url_of(event, "receipt", Receipt.objects.get().pk))
    expect(desk.locator(".receipt")).to_contain_text("Onkel Otto")
    for query, (width, height) in PAPER.items():
        desk.goto(live_server.url + url_of(event, "receipt", Receipt.objects.get().pk) + query)
        paper = desk.pdf(prefer_css_page_size=True)
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
        assert [(round(float(wide)), round(float(high))) for wide, high in boxes] == [
            (width, height)
        ]
