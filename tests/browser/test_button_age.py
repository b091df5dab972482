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
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def minute(monkeypatch):
    return lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))


@pytest.fixture
def arno(browser, live_server):
    """An arbiter's phone."""
    context = browser.new_context(viewport=PHONE, locale="de-DE")
    yield context.new_page()
    context.close()


def hand(phone, seat=None):
    """Tap that the next hand begins; the first says where the button is."""
    if seat is None:
        phone.locator("#next-hand").get_by_role("button", name="Nächste Hand").click()
    else:
        phone.get_by_role("button", name="Button setzen").click()
        phone.get_by_label("Die nächste Hand beginnt damit").check()
        phone.get_by_role("button", name=re.compile(rf"Button hier: Platz {seat}\b")).click()
    told = phone.locator(".toast") if seat else phone.locator("#hand-begun")
    expect(told.first).to_contain_text("Hand 1" if seat else "Hand 2")
    expect(phone.locator("#floor-table .seat-post")).to_have_count(3)


def test_an_evening_where_nobody_taps_any_more_after_two_hands(page, arno, live_server, minute):
    """An hour later: what is known is too old, on the arbiter's phone and the director's laptop."""
    event = f.make_running_event(20)
    minute(1)
    phone = phones.at_table(arno, live_server, event)
    first = [f.seat_of(f.at_table(event, number)[0])[1] for number in (1, 2)]
    hand(phone, first[0])
    tap(event, 1, number=2, button=first[1])
    minute(3)
    hand(phone)
    tap(event, 3, number=2)
    f.out(event, *f.at_table(event, 2)[-3:], at=f.after(62))
    minute(63)
    nobody_knows_at_the_table(phone)
    it_was_assumed_then(phone)
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR, event)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + reverse("director", args=[event.slug]))
    tda_2024_11a_the_suggestion_asks_for_both_buttons_first(page, event)
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + reverse("event-schedule", args=[event.slug]))
    page.get_by_label("Tisch (freiwillig)").fill("2")
    ask_what_was(page, "19:45", "An Tisch 2 galt Stufe 3")


def nobody_knows_at_the_table(phone):
    phone.reload()
    expect(phone.locator("#floor-in-force")).to_contain_text("Hier gilt Stufe 4")
    expect(phone.locator("#floor-in-force .badge")).to_have_text("angenommen")
    expect(phone.locator("#floor-button")).to_contain_text("Button zuletzt um 19:03 bekannt")
    expect(phone.locator(".seat-post")).to_have_count(0)
    assert phones.faults(phone) == []


def it_was_assumed_then(phone):
    """Ask on the phone what was in force: in the second hand, and when nobody tapped any more."""
    phone.get_by_role("link", name="Was galt vorhin?").click()
    answer = ask_what_was(phone, "19:04", "An Tisch 1 galt Stufe 1")
    expect(answer).not_to_contain_text("angenommen")
    ask_what_was(phone, "19:45", "An Tisch 1 galt Stufe 3")


def ask_what_was(page, time, told):
    page.get_by_label("Uhrzeit").fill(time)
    page.get_by_role("button", name="Nachsehen").click()
    answer = page.locator("#clock-at-answer")
    expect(answer).to_contain_text(told)
    if time == "19:45":
        expect(answer).to_contain_text("angenommen ist Stufe 3, wie angesagt.")
    return answer


def tda_2024_11a_the_suggestion_asks_for_both_buttons_first(page, event):
    due = page.locator("#director-due")
    asked = due.locator(".due-button")
    expect(asked).to_have_count(2)
    expect(due).not_to_contain_text("11-A")
    expect(due.get_by_role("button", name="Umsetzen", exact=True)).to_have_count(0)
    expect(page.locator(".seat-post")).to_have_count(0)
    expect(page.locator("#director-in-force")).not_to_contain_text("Noch nicht in Kraft")
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
