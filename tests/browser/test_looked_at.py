"""What was seen by eye, kept: texts within their boxes, nothing squeezed, one colour everywhere."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.addresses import address_of
from tests.browser.devices import PHONE, SMALL, SMALL_LAPTOP
from tests.waits import box_of
from tournaments.changes.access import COOKIE, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LYING = {"width": 664, "height": 390}
COLOUR = "() => getComputedStyle(document.querySelector('.site-header')).backgroundColor"
OF_VISITORS = (
    "rules", "results", "draws", "ruling-desk", "hands-page", "privacy", "player", "player-change",
    "player-withdraw", "own-data", "own-profile", "player-receipt", "cash-settling-shared",
)  # fmt: skip
# The words that are chosen, against the room they have; the sign to open takes 20 px.
CUT_CHOICES = """() => [...document.querySelectorAll("select")].flatMap((one) => {
  const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const room = one.clientWidth - padding - 20;
  return [...one.options].filter(({ text }) => pen.measureText(text).width > room)
    .map(({ text }) => `${text}: ${pen.measureText(text).width} > ${room}`);
}).concat([...document.querySelectorAll(".chip-row input")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value))"""
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
ENDS_WITHIN = """([what, within]) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(what));
  const box = document.querySelector(within).getBoundingClientRect();
  return range.getBoundingClientRect().right <= box.right;
}"""


@pytest.fixture
def go(page, live_server, evening):
    """Return a way to open an address of `tests/access_lines.py` in a window, as somebody."""

    def open_page(name, size=PHONE, who=None, place="tonight", **own):
        page.context.clear_cookies()
        if who:
            token = {"name": COOKIE, "value": evening.cookies[who], "url": live_server.url}
            page.context.add_cookies([token])
        page.set_viewport_size(size)
        page.goto(live_server.url + address_of(name, evening.places[place] | own))
        return page

    return open_page


def bottom(locator):
    box = box_of(locator)
    return box["y"] + box["height"]


def test_pages_of_an_evening_on_phones_that_stand_and_lie(go):
    red = go("tournament", place="coming").evaluate(COLOUR)
    for name in OF_VISITORS:
        assert go(name, place="coming").evaluate(COLOUR) == red, name
    for name, who in (("fee-refund", "arbiter"), ("fee-pay", "arbiter"), ("drawer", "director")):
        page = go(name, SMALL, who)
        page.evaluate(OPENED)
        assert page.evaluate(OUTSIDE) == page.evaluate(UNSIGNED) == [], name
    for name, who in (("tournament", None), ("ruling-desk", None), ("link-renew", "desk")):
        page = go(name, PHONE, who, "coming")
        assert page.locator("main summary").count() > 0, name
        assert page.evaluate(UNSIGNED) == [], name
    tabs = go("results", place="over").locator(".tabs")
    assert tabs.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    event = go("floor-table", PHONE, "arbiter").locator(".site-event")
    assert not event.is_visible() or event.evaluate("(one) => one.clientWidth") > 80
    page = go("chip-set", SMALL, "director")
    assert page.evaluate(CUT_CHOICES) == []
    undone = go("director-log-all", SMALL, "director").locator(".log .is-undone > span").first
    assert box_of(undone)["width"] > 150
    page = go("event-chips", SMALL_LAPTOP, "director")
    field, button = page.locator("#chips-players"), page.get_by_role("button", name="Rechnen")
    assert abs(bottom(field) - bottom(button)) <= 4
    # A moved player's new seat is seen on a phone that lies; the end of the page above the bar.
    page = go("player", LYING)
    bar = page.get_by_text("Nachricht von der Turnierleitung")
    expect(bar).to_be_visible()
    assert bottom(page.locator(".moved .slip-figure").last) < box_of(bar)["y"]
    page = go("player", SMALL)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bar = page.locator("[data-news]")
    expect(bar).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.get_by_role("button", name="Was dieses Gerät kennt")
    assert bottom(last) <= box_of(bar)["y"]


def test_long_words_push_nothing_out_of_its_box(page, live_server):
    page.set_viewport_size(PHONE)
    page.goto(live_server.url + reverse("screen-any"))
    page.locator(".pairing-code").evaluate("(one) => { one.textContent = 'WWW WWW'; }")
    code = box_of(page.locator(".pairing-code"))
    assert code["x"] >= 0
    assert code["x"] + code["width"] <= PHONE["width"]
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
        assert page.evaluate(ENDS_WITHIN, [what, within]), address
