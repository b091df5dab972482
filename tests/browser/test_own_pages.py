"""The device that registered leads back to the own page; a shared one forgets it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.hall import PHONE
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_device_that_registered_finds_the_own_page_again(page, live_server, context):
    # A browser keeps an own page for some days after the evening, by its own clock.
    event = f.make_event(starts_at=timezone.now() + timedelta(hours=1))
    page.set_viewport_size(PHONE)
    poster = live_server.url + url_of(event, "tournament")
    page.goto(poster)
    expect(page.locator(".own-page")).to_have_count(0)
    page.get_by_label("Dein Name").fill("Hans Müller")
    page.get_by_label("Ich spiele nach diesen Regeln").check()
    # What is half filled in stays when the language changes.
    for button, lang in (("EN", "en"), ("DE", "de")):
        page.locator(".language-switch button", has_text=button).click()
        expect(page.locator("html")).to_have_attribute("lang", lang)
        expect(page.locator("[name=name]")).to_have_value("Hans Müller")
        expect(page.locator("[name=agrees_to_rules]")).to_be_checked()
    page.get_by_role("button", name="Platz sichern").click()
    expect(page.locator(".slip-player")).to_have_text("Hans Müller")
    own = page.url
    # Its scripts run after it is shown: only then the browser has kept the page.
    expect(page.get_by_label("Auf diesem Gerät merken")).to_be_checked()
    # The tab is closed, and somebody looks at the tournament again.
    for address in (poster, live_server.url):
        page.goto(address)
        expect(page.locator(".own-page")).to_contain_text("Hans Müller, Nummer 1")
        page.locator(".own-page").get_by_role("link", name="Deine Seite").click()
        expect(page).to_have_url(own)
    page.goto(poster)
    page.locator(".own-page").get_by_role("button", name="Vergessen").click()
    expect(page.locator(".own-page")).to_have_count(0)
    page.goto(own)
    expect(page.get_by_label("Auf diesem Gerät merken")).not_to_be_checked()
    page.goto(poster)
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(".own-page")).to_have_count(0)
    # A device of the staff that opens people's codes keeps none of them.
    token = f.sign_in("Eingang", Role.DESK, event).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.evaluate("localStorage.clear()")
    page.goto(own)
    expect(page.locator(".slip-player")).to_have_text("Hans Müller")
    assert page.evaluate("localStorage.getItem('krru-own')") is None
