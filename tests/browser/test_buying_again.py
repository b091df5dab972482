"""A re-buy from the table to the desk: the arbiter's phone, the player's own, the desk's laptop."""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.browser.hall import LAPTOP
from tests.buying import TERMS
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role
from tournaments.changes.commands import Command
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.clock import clock_start
from tournaments.models import Purchase
from tournaments.money.selectors.fees import open_cents

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 664}


@pytest.fixture
def event():
    """Six who sit at a table, a minute after the start."""
    began = now() - timedelta(minutes=1)
    made = f.make_event(seats=6, starts_at=began, at=began - timedelta(hours=1), **TERMS)
    for number in range(6):
        f.check_in(made, f.register(made, f"Spieler {number}", at=began), at=began)
    clock_start(Command(event=made, by=f.SYSTEM, at=began))
    return f.fresh(made)


def go(page, live_server, event, *, role, path):
    token = f.sign_in("Gerät", role, event).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP if role == Role.DESK else PHONE)
    page.goto(live_server.url + path)


def test_an_out_becomes_a_re_buy(page, live_server, event):
    one = f.entries_of(event)[0]
    table, _seat = f.seat_of(one)
    name = one.registration.person.name
    go(page, live_server, event, role=Role.ARBITER, path=url_of(event, "floor-table", table))
    page.locator(f"[data-entry='{one.pk}']").first.click()
    sheet = page.locator("#sheet")
    sheet.get_by_role("button", name="Aus", exact=False).first.click()
    expect(sheet).to_contain_text("Noch nicht aus: Re-buy möglich")
    assert phones.faults(page) == []
    sheet.get_by_role("button", name="Re-buy …").click()
    sheet.get_by_role("button", name="Möchte: Re-buy").click()
    expect(sheet).to_be_hidden()
    page.goto(f"{live_server.url}/p/{one.registration.link_token}/")
    expect(page.locator("#card")).to_contain_text("Angesagt: 1 × Re-buy")
    assert phones.faults(page) == []
    go(page, live_server, event, role=Role.DESK, path=url_of(event, "desk"))
    page.locator("#desk-purchases").get_by_role("link", name=name).click()
    sheet.get_by_role("button", name="Re-buy, bezahlt").click()
    expect(page.locator("#desk-purchases")).not_to_contain_text(name)
    assert Purchase.objects.live().get().entry == one
    assert (chips_in_play(event), players_left(event)) == ((1500, True), 6)
    assert open_cents(one.registration) == 1000
