"""From the tournament's page to the seat without a mouse: by Tab, Space and Enter alone."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from tests import factories as f
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST_TABS = 60


@pytest.fixture
def event():
    now = timezone.now()
    return f.make_event(starts_at=now + timedelta(hours=1), at=now)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is there."""
    for _press in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    pytest.fail(f"Tab does not lead to {wanted}")


def test_somebody_registers_says_that_he_is_here_and_is_checked_in(page, live_server, event):
    page.goto(live_server.url + url_of(event, "tournament"))
    tab_to(page, page.get_by_label("Dein Name"))
    page.keyboard.type("Petra Probst")
    tab_to(page, page.locator("[name=agrees_to_rules]"))
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/**")
    expect(page.locator("h1")).to_have_text("Deine Seite, Petra Probst")
    tab_to(page, page.get_by_role("button", name="Ich bin da"))
    page.keyboard.press("Enter")
    expect(page.locator("#card")).to_contain_text("Wir wissen, dass du da bist")
    own = page.url
    desk = f.sign_in("Eingang", Role.DESK, event).token
    page.context.add_cookies([{"name": COOKIE, "value": desk, "url": live_server.url}])
    page.goto(live_server.url + url_of(event, "desk"))
    tab_to(page, page.get_by_role("link", name="Petra Probst", exact=True))
    page.keyboard.press("Enter")
    sheet = page.locator("dialog#sheet")
    expect(sheet.get_by_role("heading", name="Petra Probst")).to_be_visible()
    tab_to(page, sheet.get_by_role("button", name="Einchecken", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator(".desk-seat-name")).to_have_text("Petra Probst")
    page.context.clear_cookies()
    page.goto(own)
    expect(page.locator("#card")).to_contain_text("Tisch")


def test_somebody_gives_up_a_place(page, live_server, event):
    token = f.register(event, at=timezone.now()).link_token
    page.goto(live_server.url + reverse("player", args=[token]))
    tab_to(page, page.get_by_role("link", name="Abmelden"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/abmelden/")
    tab_to(page, page.get_by_role("button", name="Abmelden"))
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "abmelden" not in url)
    expect(page.locator("main")).to_contain_text("abgemeldet")
