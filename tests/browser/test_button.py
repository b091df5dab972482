"""The arbiter's phone: six hands tapped through, with busts and heads-up, by both rules."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tournaments.models import Hand
from tournaments.play.services import hands as tapping

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# After which hand who goes out, by seat, and what the phone says of the next hand: D, SB, BB.
BY_RULE = {
    "krru-3": [
        ((), "2 3 4"),
        ((3,), "4 5 1"),
        ((5,), "1 2 4"),
        ((), "2 4 1"),
        ((1,), "4 2"),
        ((), "2 4"),
    ],
    "tda-2024": [
        ((), "2 3 4"),
        ((3,), "3 4 5"),
        ((5,), "4 5 1"),
        ((), "5 1 2"),
        ((1,), "2 4"),
        ((), "4 2"),
    ],
}


@pytest.fixture(params=BY_RULE)
def event(request):
    return f.make_running_event(5, seats=5, preset=request.param)


@pytest.fixture
def phone(page, live_server, event, monkeypatch):
    # Six hands in seconds.
    monkeypatch.setattr(tapping, "SHORTEST_HAND", tapping.SHORTEST_HAND * 0)
    return phones.at_table(page, live_server, event)


def posts(page):
    return page.locator(".posts-seat")


def expect_posts(page, seats):
    expect(posts(page)).to_have_text([f"Platz {seat}" for seat in seats.split()])


def goes_out(page, event, seat):
    entry = next(entry for entry in f.at_table(event, 1) if f.seat_of(entry)[1] == seat)
    page.locator(".seat-face", has_text=entry.registration.person.name).click()
    page.locator("#sheet").get_by_role("button", name=re.compile(r"Aus\s*:")).click()
    page.wait_for_selector("#sheet .outs")
    page.locator("#sheet").get_by_role("button", name="Fertig").click()
    page.wait_for_selector("#sheet", state="hidden")


def test_six_hands_with_busts_and_heads_up(phone, event):
    expect(phone.locator("#floor-button")).to_contain_text("nicht bekannt")
    phone.get_by_role("button", name="Button setzen").click()
    phone.wait_for_selector(".button-seats")
    box = phone.locator(".button-seats .button").first.bounding_box()
    assert box["height"] >= 44
    assert phones.faults(phone) == []
    phone.get_by_label("Die nächste Hand beginnt damit").check()
    phone.locator(".button-seats .button").first.click()
    phone.wait_for_selector("#sheet", state="hidden")
    for number, (out, seats) in enumerate(BY_RULE[event.rules["key"]], start=1):
        for seat in out:
            goes_out(phone, event, seat)
        expect_posts(phone, seats)
        if number == 2:
            assert phones.faults(phone) == []
        phone.get_by_role("button", name="Nächste Hand", exact=True).click()
        phone.wait_for_selector(f"#floor-in-force:has-text('Hand {number + 1} begann')")
        phone.reload()  # nobody waits here for as long as a hand lasts
    last = Hand.objects.live().latest("number")
    assert last.number == 7
    button = phone.locator(".seat:has(.seat-button) .seat-number")
    expect(button).to_contain_text(str(last.button))
