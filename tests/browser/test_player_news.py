"""A player's phone: what comes is seen wherever the page stands; what was lost is asked again."""

import re

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.calling import call_service
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.post.services.messages import message_send
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALL = {"width": 320, "height": 568}


@pytest.fixture
def event():
    return f.make_running_event(10, seats=6)


def opened(page, live_server, registration):
    page.set_viewport_size(SMALL)
    page.route(re.compile("/stream/"), lambda _route: None)  # it is told by hand
    page.goto(f"{live_server.url}/p/{registration.link_token}/")
    return page


def tell(page, event, *names):
    """Let the page hear of a change, as its stream tells it."""
    for name in names:
        page.evaluate("name => document.body.dispatchEvent(new CustomEvent(`krru:${name}`))", name)


def move(event, entry):
    (seat, *_others) = free_seats(event)[2]
    call_service(
        entry_move, event=event, by=SYSTEM, at=now(), entry=entry, table=f.table_of(event, 2),
        seat=seat, reason="Laut",
    )  # fmt: skip
    return seat


def assert_in_view(page, selector):
    """Wait until it is on the screen, wherever the page was."""
    until(
        page,
        """(selector) => {
          const box = document.querySelector(selector)?.getBoundingClientRect();
          return box && box.bottom > 40 && box.top < innerHeight - 80;
        }""",
        arg=selector,
    )


def test_a_move_and_a_message_come_into_view_and_a_bar_leads_to_them(page, live_server, event):
    entry = f.at_table(event, 1)[0]
    opened(page, live_server, entry.registration)
    bar = page.locator("[data-news]")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_be_hidden()
    call_service(
        message_send, event=event, by=SYSTEM, at=now(), text="Bitte zur Leitung.", entry=entry
    )
    tell(page, event, "messages")
    expect(page.locator("#player-messages section")).to_contain_text("Bitte zur Leitung.")
    assert_in_view(page, "#player-messages section")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_contain_text("Nachricht von der Turnierleitung")
    seat = move(event, entry)
    tell(page, event, "own")
    assert_in_view(page, "#card .moved")
    above = "(one) => document.querySelector(one).getBoundingClientRect().top"
    top = {one: page.evaluate(above, one) for one in ("#card .moved", "#player-messages")}
    assert top["#card .moved"] < top["#player-messages"]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_contain_text(f"Du ziehst um: Tisch 2, Platz {seat}")
    assert phones.faults(page) == []
    bar.click()
    assert_in_view(page, "#card .moved")
    page.get_by_role("button", name="Ich bin angekommen").click()
    expect(page.locator("#card .moved")).to_have_count(0)
    expect(page.locator("#card")).to_be_focused()
    expect(page.get_by_role("button", name="Doch noch nicht")).to_be_visible()


def test_a_card_that_did_not_come_is_asked_for_again_and_never_looks_current(
    page, live_server, event
):
    entry = f.at_table(event, 1)[0]
    opened(page, live_server, entry.registration)
    strip = page.locator("#offline")
    expect(strip).to_be_hidden()
    asked = []

    def lose(route):
        asked.append(route.request.url)
        route.abort("connectionreset")

    page.route("**/karte/", lose)
    seat = move(event, entry)
    tell(page, event, "own")
    expect(strip).to_be_visible()
    expect(strip).to_contain_text("Bitte nicht neu laden.")
    # Another answer, or the radio that is back, says nothing of this one.
    page.evaluate("dispatchEvent(new Event('online'))")
    tell(page, event, "messages", "connected")
    page.wait_for_timeout(300)
    expect(strip).to_be_visible()
    assert len(asked) > 1
    page.unroute("**/karte/", lose)
    expect(page.locator("#card .moved")).to_contain_text(str(seat), timeout=15_000)
    expect(strip).to_be_hidden()
