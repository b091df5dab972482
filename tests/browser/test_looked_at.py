"""What was seen by eye, kept: texts within their boxes, one sign for what opens, no half words."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.addresses import address_of
from tests.browser import evening_kept
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALL, PHONE = {"width": 320, "height": 568}, {"width": 390, "height": 664}
LYING, LAPTOP = {"width": 664, "height": 390}, {"width": 1366, "height": 650}
# The text of a button or of a choice, against the room within its border.
OUTSIDE = """() => [...document.querySelectorAll("main .button, main .choice-card")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })).flatMap((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    const [text, box] = [range.getBoundingClientRect(), one.getBoundingClientRect()];
    const isIn = text.left >= box.left + 3 && text.right <= box.right - 3;
    return isIn || text.width === 0 ? [] : [one.textContent.trim()];
  })"""
# What opens without the house's sign, or with the browser's own beside it.
UNSIGNED = """() => [...document.querySelectorAll("main summary")].filter((one) => (
  getComputedStyle(one).listStyleType !== "none" || !one.querySelector(".icon"))
  && getComputedStyle(one, "::before").borderTopWidth !== "2px")
  .map((one) => one.textContent.trim())"""
OPENED = "() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })"
COLOUR = "() => getComputedStyle(document.querySelector('.site-header')).backgroundColor"


@pytest.fixture
def evening(settings):
    return evening_kept.at_hand(timezone.now(), settings)


@pytest.fixture
def go(page, live_server, evening):
    """Return a way to open an address of `tests/access_lines.py` in a window, as somebody."""

    def open_page(name, size, who=None, place="tonight", **own):
        page.context.clear_cookies()
        if who:
            token = {"name": COOKIE, "value": evening.cookies[who], "url": live_server.url}
            page.context.add_cookies([token])
        page.set_viewport_size(size)
        page.goto(live_server.url + address_of(name, evening.places[place] | own))
        return page

    return open_page


def test_money_on_the_smallest_phone_stays_within_its_boxes(go):
    for name, who in (("fee-refund", "arbiter"), ("fee-pay", "arbiter"), ("drawer", "director")):
        page = go(name, SMALL, who)
        page.evaluate(OPENED)
        assert page.evaluate(OUTSIDE) == [], name
        assert page.evaluate(UNSIGNED) == [], name


def test_what_opens_has_one_sign_everywhere(go):
    for name, who, place in (
        ("tournament", None, "coming"),
        ("ruling-desk", None, "coming"),
        ("link-renew", "desk", "coming"),
        ("event-settings", "director", "coming"),
    ):
        page = go(name, PHONE, who, place)
        assert page.locator("main summary").count() > 0, name
        assert page.evaluate(UNSIGNED) == [], name


def test_the_clubs_colour_follows_through_every_page_of_a_visitor(go):
    red = go("tournament", PHONE, place="coming").evaluate(COLOUR)
    for name in ("rules", "results", "draws", "ruling-desk", "hands-page", "privacy", "player",
                 "player-change", "player-withdraw", "own-data", "own-profile", "player-receipt",
                 "cash-settling-shared"):  # fmt: skip
        assert go(name, PHONE, place="coming").evaluate(COLOUR) == red, name


def test_four_tabs_fit_a_phone(go):
    tabs = go("results", PHONE, place="over").locator(".tabs")
    assert tabs.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_an_arbiters_header_shows_a_name_whole_or_not_at_all(go):
    event = go("floor-table", PHONE, "arbiter").locator(".site-event")
    assert not event.is_visible() or event.evaluate("(one) => one.clientWidth") > 80


def test_a_moved_players_new_seat_is_seen_on_a_phone_that_lies(go):
    page = go("player", LYING)
    seat = page.locator(".moved .slip-figure").last
    bar = page.get_by_text("Nachricht von der Turnierleitung")
    expect(bar).to_be_visible()
    assert seat.bounding_box()["y"] + seat.bounding_box()["height"] < bar.bounding_box()["y"]


def test_a_code_is_whole_on_a_screen_that_stands(page, live_server):
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("screen-any"))
    page.locator(".pairing-code").evaluate("(one) => { one.textContent = 'WWW WWW'; }")
    code = page.locator(".pairing-code").bounding_box()
    assert code["x"] >= 0
    assert code["x"] + code["width"] <= PHONE["width"]


def test_a_button_stands_on_the_line_of_its_field(go):
    page = go("event-chips", LAPTOP, "director")
    field = page.locator("#chips-players").bounding_box()
    button = page.get_by_role("button", name="Rechnen").bounding_box()
    assert abs(field["y"] + field["height"] - button["y"] - button["height"]) <= 4


def test_a_name_of_one_long_word_pushes_nothing_out_of_its_box(page, live_server):
    event = f.make_event(fee_cents=100_000_000)
    row = f.register(event, "Maximiliane Wolfeschlegelsteinhausenbergerdorff-Oberhuber")
    token = f.sign_in("Eingang", Role.DESK, event).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.set_viewport_size(SMALL)
    for address, what, within in (
        (reverse("player", args=[row.link_token]), ".slip .qr svg", ".slip"),
        (reverse("fees-open", args=[event.slug]), ".list-link b", ".list-link"),
        (reverse("fee-pay", args=[event.slug, row.pk]), ".dialog-head h1", ".dialog-head"),
    ):
        page.goto(live_server.url + address)
        found = page.evaluate(
            """([what, within]) => {
              const range = document.createRange();
              range.selectNodeContents(document.querySelector(what));
              const box = document.querySelector(within).getBoundingClientRect();
              return range.getBoundingClientRect().right <= box.right;
            }""",
            [what, within],
        )
        assert found, address
