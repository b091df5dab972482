"""An arbiter's phone: a warning, a penalty that counts down and goes along, an arrival, an out."""

from datetime import timedelta

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.calling import call_service
from tests.pressing import name_of, now
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Arrival, Elimination, Knockout, Seating
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event():
    return f.make_running_event(10, seats=6)


@pytest.fixture
def entry(event):
    return f.at_table(event, 1)[0]


@pytest.fixture
def phone(page, live_server, event):
    return phones.at_table(page, live_server, event)


def tap(phone, entry):
    phone.click(f".seat-face:has-text('{name_of(entry)}')")
    expect(phone.locator("#sheet h2")).to_have_text(name_of(entry))


def press(phone, words, within="#sheet"):
    phone.locator(within).get_by_role("button", name=words, exact=True).first.click()


def assert_sound(phone):
    assert phones.faults(phone) == []
    for button in phone.locator("#sheet button:visible, #sheet .chip:visible").all():
        assert button.bounding_box()["height"] >= 44


def hand(event, number):
    """Another phone taps the next hand."""
    last = now(event) + timedelta(seconds=6)
    hand_begin(Command(event=event, by=SYSTEM, at=last), table=f.table_of(event, number))


def test_warned_penalised_moved_and_arrived(phone, live_server, event, entry, browser):
    tap(phone, entry)
    assert_sound(phone)
    press(phone, "Verwarnen")
    press(phone, "Handy am Tisch")
    expect(phone.locator(".toast").last).to_contain_text(f"Verwarnt: {name_of(entry)}")
    expect(phone.locator("#sheet")).to_be_hidden()

    tap(phone, entry)
    expect(phone.locator("#sheet")).to_contain_text("Verwarnung")
    press(phone, "Strafe …")
    phone.click(".chip:has-text('2 Hände')")
    assert_sound(phone)
    press(phone, "Über die laufende Hand geredet")
    seat = phone.locator(".seat", has_text=name_of(entry)).locator(".seat-penalty")
    expect(seat).to_have_text("2")
    expect(phone.locator(".conduct")).to_contain_text("noch 2 Hände")

    hand(event, 1)
    phone.reload()
    expect(seat).to_have_text("1")

    free = free_seats(event, [2])[2][0]
    there = {"table": f.table_of(event, 2), "seat": free, "reason": "Ausgleich"}
    moved_at = now(event) + timedelta(seconds=6)
    call_service(entry_move, event=event, by=SYSTEM, at=moved_at, entry=entry, **there)
    phone.goto(live_server.url + reverse("floor-table", args=[event.slug, 2]))
    expect(seat).to_have_text("1")
    expect(phone.locator(".conduct")).to_contain_text("unterwegs hierher")
    assert_sound(phone)

    petra = browser.new_context(viewport=phones.SIZE, locale="de-DE").new_page()
    own = reverse("player", args=[entry.registration.link_token])
    petra.goto(live_server.url + own)
    expect(petra.locator("h2").first).to_have_text("Du ziehst um")
    assert_sound(petra)
    petra.get_by_role("button", name="Ich bin angekommen").click()
    expect(petra.get_by_role("button", name="Ich bin angekommen")).to_have_count(0)
    petra.context.close()
    assert Arrival.objects.live().get().seating == Seating.objects.live().get(entry=entry)
    hand(event, 2)
    phone.reload()
    expect(phone.locator(".conduct")).not_to_contain_text("unterwegs")
    expect(phone.locator(".conduct")).to_contain_text("nur noch diese Hand")
    hand(event, 2)
    phone.reload()
    expect(phone.locator(".seat-map")).to_be_visible()
    expect(phone.locator(".conduct")).to_have_count(0)


def test_away_and_back(phone, event, entry):
    tap(phone, entry)
    press(phone, "Nicht da")
    expect(phone.locator(".seat.is-away")).to_contain_text(name_of(entry))
    phone.locator(".conduct").get_by_role("button", name="Wieder da").click()
    expect(phone.locator(".seat.is-away")).to_have_count(0)


def test_out_against_two_and_not_in_the_same_hand(phone, event, entry):
    one, two, three = f.at_table(event, 1)[1:4]
    tap(phone, entry)
    phone.click("#sheet button:has-text('Aus')")
    expect(phone.locator(".outs-place")).to_have_text("Platz 10")
    for taker in (one, two):
        press(phone, name_of(taker))
        expect(
            phone.locator(f"#sheet [aria-pressed=true]:has-text('{name_of(taker)}')")
        ).to_be_visible()
    assert Knockout.objects.live().count() == 2
    assert_sound(phone)
    press(phone, "Fertig")

    press(phone, "Mehrere aus", ".action-bar")
    for ticked in (two, three):
        phone.check(f"#sheet .choice:has-text('{name_of(ticked)}') input")
    press(phone, "Nicht dieselbe Hand …")
    expect(phone.locator("#sheet h2")).to_have_text("Wer war zuerst aus?")
    press(phone, name_of(three))
    expect(phone.locator(".outs-place").first).to_have_text("Platz 8")
    assert_sound(phone)
    assert Elimination.objects.live().filter(group__isnull=False).count() == 0
