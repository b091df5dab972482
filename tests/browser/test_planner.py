"""An evening is planned until 23:30 with the club's own chips, and what each gets is printed."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.calling import call_service
from tests.views.pages import planned
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.event.services.chip_sets import chip_set_save
from tournaments.models import ChipSet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CASE = {25: (300, "green"), 100: (300, "black"), 500: (150, "violet"), 1000: (100, "yellow")}
SIZES = ({"width": 1366, "height": 650}, {"width": 320, "height": 568})


@pytest.fixture
def event():
    """A tournament for twenty from seven on, with chips of the club's own."""
    made = {"club": f.house(), "by": SYSTEM, "at": f.ARRIVAL}
    saved = call_service(chip_set_save, **made, name="Koffer", pieces=CASE)
    own = ChipSet.objects.get(pk=saved.payload["chip_set"])
    return planned(chip_set=own, schedule="T100", capacity=20)


def test_an_evening_until_half_past_eleven_with_the_clubs_own_chips(browser, live_server, event):
    token = f.sign_in("Doras Laptop", Role.DIRECTOR, event).token
    context = browser.new_context(locale="de-DE", base_url=live_server.url)
    context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page = context.new_page()
    page.goto(reverse("event-schedule", args=[event.slug]))
    page.get_by_role("link", name="Blindplan planen").click()
    page.get_by_label("Startstapel").fill("5000")
    page.get_by_label("Ende um").fill("19:10")
    expect(page.locator("#planner-result")).to_contain_text("keine zwei Stufen")
    page.get_by_label("Pause nach je").fill("4")
    page.get_by_label("Ende um").fill("23:30")
    expect(page.locator("#planner-result")).to_contain_text("Schluss etwa um 23:")
    expect(page.locator("#planner-result")).to_contain_text("Eingetauscht werden die Chips zu 25")
    for size in SIZES:
        page.set_viewport_size(size)
        assert list(looking.axe_faults(page)) == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.set_viewport_size(SIZES[0])
    page.get_by_role("button", name="Plan übernehmen").click()
    expect(page.locator("#schedule-title")).to_contain_text("Plan bis 23:30")
    page.get_by_role("link", name="Chips", exact=True).click()
    expect(page.get_by_role("heading", name="Was jeder bekommt: 5.000 Chips")).to_be_visible()
    page.get_by_role("link", name="Blatt zum Drucken").click()
    expect(page.get_by_role("columnheader", name="je Platz")).to_be_visible()
    expect(page.get_by_role("article")).to_contain_text("Zusammen 5.000.")
    context.close()
