"""The first minute of a player and of an arbiter: an empty profile, a wrong move, and yet there."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.club.services.staff import SHOWN_LINK_LASTS, link_make
from tournaments.models import Elimination, Registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SAFARI = {"width": 390, "height": 664}


def register(page, name):
    """Register; of who may not be named, nobody who types the same name is told."""
    form = page.locator("#anmelden form")
    form.locator("[name=name]").fill(name)
    form.locator("[name=is_listed]").check()
    form.locator("[name=agrees_to_rules]").check()
    form.get_by_role("button").last.click()


def sign_in(page):
    page.get_by_label("Wer arbeitet an diesem Gerät?").fill("Arno")
    page.get_by_role("button", name="Gerät anmelden").click()
    page.wait_for_url("**/tische/")


def test_a_player_with_a_dead_link_who_registers_twice_ends_at_his_ticket(page, live_server):
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now(), fee_cents=2000)
    page.set_viewport_size(SAFARI)
    page.goto(f"{live_server.url}/p/ein-alter-link/")
    page.get_by_role("link", name="Zur Startseite").last.click()
    page.locator(f"a[href^='/t/{event.slug}/']").first.click()
    register(page, "Petra Probst")
    page.wait_for_url("**/p/*/")
    own = page.url
    page.goto(f"{live_server.url}/t/{event.slug}/")
    register(page, "Petra Probst")
    expect(page.locator("#anmelden")).to_contain_text("Bist du das?")
    assert Registration.objects.live().count() == 1
    page.go_back()
    page.goto(own)
    ticket = page.locator(".own-ticket")
    expect(ticket).to_contain_text("Zeig das am Eingang")
    expect(page.locator("#card")).to_contain_text("Petra Probst")
    expect(page.locator("#card")).to_contain_text("mitbringen")
    box = ticket.locator("svg").first.bounding_box()
    assert box["y"] + box["height"] <= SAFARI["height"]
    assert phones.faults(page) == []


def test_an_arbiter_with_a_used_link_ends_at_the_table(page, live_server):
    event = f.make_running_event(6, seats=6)
    made = {"club": f.house(), "by": SYSTEM, "one_time": True, "lasts": SHOWN_LINK_LASTS}
    links = [live_server.url + reverse("sign-in", args=[token]) for token in ("benutzt", "frisch")]
    call_service(link_make, **made, at=now(), token="benutzt", role=Role.ARBITER, event=event)
    page.set_viewport_size(SAFARI)
    page.goto(links[0])
    sign_in(page)
    page.context.clear_cookies()
    page.goto(links[0])
    expect(page.locator("main")).to_contain_text("schon benutzt")
    call_service(link_make, **made, at=now(), token="frisch", role=Role.ARBITER, event=event)
    page.goto(links[1])
    sign_in(page)
    page.locator(".tile-table").first.click()
    entry = f.at_table(event, 1)[0]
    page.click(f".seat-face:has-text('{entry.registration.person.name}')")
    page.locator("#sheet").get_by_role("button", name="Aus").first.click()
    expect(page.locator("#sheet .outs-place")).to_contain_text("Platz 6")
    assert Elimination.objects.live().count() == 1
    page.locator("#sheet").get_by_role("button", name="Zurücknehmen").click()
    expect(page.locator("#sheet")).to_be_hidden()
    expect(page.locator(f".seat-face:has-text('{entry.registration.person.name}')")).to_be_visible()
    assert Elimination.objects.live().count() == 0
