"""The arbiter's phone at the table: the tap for the next hand, and a player on the clock."""

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from tests import factories as f
from tournaments.access import SYSTEM, Role
from tournaments.middleware import COOKIE
from tournaments.models import ClockCallEnd, Hand
from tournaments.services.calls import clock_call_start
from tournaments.services.clock import clock_adjust, clock_previous_level
from tournaments.services.hands import hand_begin
from tournaments.views.frame import present

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}
SPEAKER = """
globalThis.spoken = [];
speechSynthesis.speak = (words) => { if (words.text) spoken.push(words.text); };
"""


@pytest.fixture
def event():
    return f.make_running_event(6, seats=6)


@pytest.fixture
def phone(page, live_server, event):
    dora = f.sign_in("Doras Handy", Role.DIRECTOR, event)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    page.add_init_script(SPEAKER)
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("floor-table", args=[event.slug, 1]))
    return page


def faults(page):
    return [found["id"] for found in Axe().run(page).response["violations"]]


def test_a_tap_begins_the_hand_and_the_toast_takes_it_back(phone, event):
    assert "Noch nichts getippt" in phone.inner_text("#floor-in-force")
    phone.click("button:has-text('Nächste Hand')")
    phone.wait_for_selector("#floor-in-force:has-text('Hand 1 begann')")
    box = phone.locator(".next-hand").bounding_box()
    assert box["height"] >= 56
    assert box["y"] + box["height"] <= PHONE["height"]
    assert faults(phone) == []
    phone.click("button:has-text('Nächste Hand')")
    phone.wait_for_selector(".refusal:has-text('eben erst')")
    phone.click(".toast button:has-text('Rückgängig')")
    phone.wait_for_selector("#floor-in-force:has-text('Noch nichts getippt')")
    assert not Hand.objects.live().exists()


def test_the_level_changes_on_the_clock_and_not_at_the_table(phone, event):
    said = {"event": event, "by": SYSTEM, "at": present()}
    clock_previous_level(**said)
    hand_begin(**said, table=f.table_of(event, 1))
    clock_adjust(**said, seconds=-(20 * 60 - 3))
    phone.reload()
    assert "als Stufe 14 schon angesagt" in phone.inner_text("#floor-in-force")
    phone.wait_for_selector(".in-force.is-behind:has-text('vor Stufe 15')", timeout=10_000)
    assert "Hier gilt Stufe 14" in phone.inner_text("#floor-in-force")


def test_the_phone_counts_aloud_to_zero_and_asks_how_it_came_out(phone, event):
    entry = f.entries_of(event)[0]
    clock_call_start(event=event, by=SYSTEM, at=present() - timedelta(seconds=7), entry=entry)
    phone.reload()
    phone.click("button:has-text('Uhr läuft')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert phone.is_hidden("button:has-text('Hand ist tot')")
    phone.wait_for_selector(".call[data-phase=over]")
    assert phone.inner_text("[data-call-left]") == "0"
    assert phone.evaluate("spoken.join(' ')").endswith("2 1 0")
    assert faults(phone) == []
    phone.click("button:has-text('Hand ist tot')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.get().outcome == "dead"


def test_one_tap_on_a_player_starts_it_and_one_stops_it(phone, event):
    name = f.entries_of(event)[0].registration.person.name
    phone.click(f".seat-face:has-text('{name}')")
    phone.click("#sheet button:has-text('Clock')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert phone.inner_text("[data-call-left]") in ("10", "9")
    phone.click("button:has-text('Hat gehandelt')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.get().outcome == "acted"
