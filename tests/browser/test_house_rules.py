"""House rules: the director sets them on the laptop, and a player reads them on a phone."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.views.pages import soon
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 650}
PHONE = {"width": 390, "height": 664}
OWN = "Getränke gehören <b>nicht</b> auf den Tisch.\n\nLetzte Runde um Mitternacht."


@pytest.fixture
def event():
    return soon(no_show_minutes=30, paid_places=3)


@pytest.fixture
def petra(event):
    return f.register(event)


def test_the_director_sets_house_rules_and_a_player_reads_them(page, live_server, event, petra):
    sign_in(page, live_server)
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + reverse("event-settings", args=[event.slug]))
    page.get_by_role("link", name="Regeln", exact=True).click()
    page.get_by_label("einen Platz weiter, auch auf einen leeren").check()
    page.get_by_label("die niedrigste Nummer zuerst").check()
    page.get_by_label("Unterschied, der bleiben darf").fill("4")
    page.get_by_label("Dazu sagt das Haus").fill(OWN)
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Höchstens 3.")).to_be_visible()
    page.get_by_label("Unterschied, der bleiben darf").fill("2")
    page.get_by_role("button", name="Speichern").click()
    expect(page.locator(".rules-aside")).to_contain_text(
        "3 Regeln sind hier anders als in KRRU 3.0"
    )
    assert not list(looking.axe_faults(page))

    page.get_by_label("Name der Vorlage").fill("Haus am See")
    page.get_by_role("button", name="Behalten").click()
    expect(page.locator(".rules-aside")).to_contain_text("Alles ist wie in der Vorlage.")
    page.get_by_label("die höchste Nummer zuerst").check()
    page.get_by_role("button", name="Speichern").click()
    expect(page.locator(".rule-preset")).to_have_text("Haus am See: die niedrigste Nummer zuerst")

    page.context.clear_cookies()
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("player", args=[petra.link_token]))
    page.get_by_role("link", name="Regeln", exact=True).click()
    expect(page.get_by_role("heading", name="Regeln und Abläufe")).to_be_visible()
    rules = page.locator("#rules")
    for told in (
        "Gespielt wird nach Haus am See.",
        "einen Platz weiter, auch auf einen leeren",
        "um mehr als 2 Spieler kleiner",
        "Aufgelöst wird immer der Tisch mit der höchsten Nummer.",
        "Wer 30 Minuten nach dem Start nicht da ist, verliert seinen Startplatz.",
        "Getränke gehören <b>nicht</b> auf den Tisch.",
    ):
        expect(rules).to_contain_text(told)
    expect(rules.locator("dt", has_text="Hausregel")).to_contain_text(["Tisch auflösen"])
    assert not list(looking.axe_faults(page))
    assert not list(looking.width_faults(page, looking.PHONE))


def sign_in(page, live_server):
    device = f.sign_in("Laptop", Role.DIRECTOR)
    page.context.add_cookies([{"name": COOKIE, "value": device.token, "url": live_server.url}])
