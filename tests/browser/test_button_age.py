"""An evening where nobody taps any more after two hands: what was told of the button grows old."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser import looking, phones
from tests.browser.hall import LAPTOP, PHONE
from tests.services.dealing import tap
from tournaments.changes.access import Role
from tournaments.changes.middleware import COOKIE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def minute(monkeypatch):
    return lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))


def tapped_twice():
    """Two tables of ten, two hands tapped at each; three went out at the second in one hand."""
    event = f.make_running_event(20)
    for number in (1, 2):
        tap(event, 1, number=number, button=f.seat_of(f.at_table(event, number)[0])[1])
    for number in (1, 2):
        tap(event, 3, number=number)
    f.out(event, *f.at_table(event, 2)[-3:], at=f.after(88))
    return event


def test_tda_2024_11a_the_suggestion_asks_for_both_buttons_first(page, live_server, minute):
    event = tapped_twice()
    minute(90)
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR, event)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + reverse("director", args=[event.slug]))
    due = page.locator("#director-due")
    asked = due.locator(".due-button")
    expect(asked).to_have_count(2)
    expect(due).not_to_contain_text("11-A")
    expect(due.get_by_role("button", name="Umsetzen", exact=True)).to_have_count(0)
    expect(page.locator(".seat-button")).to_have_count(0)
    assert list(looking.axe_faults(page)) == []
    page.set_viewport_size(PHONE)
    box = asked.first.locator(".button-seats .button").first.bounding_box()
    assert box["height"] >= 44
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for number in (1, 2):
        sits = f.at_table(event, number)[0].registration.person.name
        due.get_by_role("button", name=re.compile(sits)).click()
        expect(asked).to_have_count(2 - number)
    expect(due).to_contain_text("Wer als Nächstes den Big Blind setzt")
    expect(due).to_contain_text("TDA 2024 11-A und 11-C.")
    due.get_by_role("button", name="Umsetzen", exact=True).click()
    expect(page.locator(".toast", has_text="umgesetzt")).to_be_visible()
    f.assert_logged(event, "seat.balanced", rule="next_big_blind.worst_seat")


def test_the_phone_looks_again_when_the_tap_has_grown_old(page, live_server, minute):
    event = f.make_running_event(5, seats=5)
    tap(event, 19, button=1)
    minute(29 - 1 / 60)
    phone = phones.at_table(page, live_server, event)
    expect(phone.locator("#floor-in-force")).to_contain_text("Stufe 2 angesagt")
    expect(phone.locator(".seat-button")).to_have_count(2)
    minute(29.1)
    expect(phone.locator("#floor-in-force")).to_contain_text("angenommen")
    expect(phone.locator("#floor-button")).to_contain_text("Button zuletzt um 19:19 bekannt")
    expect(phone.locator(".seat-button")).to_have_count(0)
    assert phones.faults(phone) == []
