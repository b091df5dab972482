"""The smallest phones, and phones that lie: nothing focused is covered, nothing is squeezed."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser import evening_kept, looking
from tests.browser.test_every_page import DEVICES, visits
from tournaments.changes.access import COOKIE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SMALL, LYING = {"width": 320, "height": 568}, {"width": 664, "height": 390}
# What is led to by Tab is met at the middle of what is seen of it.
COVERED = """() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const all = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return [...root.querySelectorAll(all)].flatMap((one) => {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.disabled) return [];
    one.focus();
    const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
    if (document.activeElement !== one || Math.min(width, height) <= 2) return [];
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const over = document.elementFromPoint(x, y);
    const isOwn = !over || one.contains(over) || over.contains(one) ||
      [...(one.labels ?? [])].some((label) => label.contains(over));
    const name = (one.innerText || one.name || "").trim().slice(0, 30);
    return isOwn ? [] : [`${name} lies under ${over.outerHTML.slice(0, 70)}`];
  });
}"""
# The words that are chosen, against the room they have; the sign to open takes 20 px.
CUT_CHOICES = """() => [...document.querySelectorAll("select")].flatMap((one) => {
  const style = getComputedStyle(one), pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const room = one.clientWidth - padding - 20;
  return [...one.options].filter(({ text }) => pen.measureText(text).width > room)
    .map(({ text }) => `${text}: ${pen.measureText(text).width} > ${room}`);
})"""


@pytest.fixture
def evening(settings):
    return evening_kept.at_hand(timezone.now(), settings)


@pytest.fixture
def opened(browser, live_server, evening):
    """Return a function that opens what a group visits, by its name, on a dark phone."""
    context = browser.new_context(
        locale="de", has_touch=True, reduced_motion="reduce", color_scheme="dark"
    )

    def open_(group, name, place="tonight", size=SMALL, *, in_sheet=False):
        context.clear_cookies()
        if cookie := evening.cookies.get(DEVICES.get(group, "")):
            context.add_cookies([{"name": COOKIE, "value": cookie, "url": live_server.url}])
        (visit,) = [v for v in visits(evening, group) if (v.name, v.place) == (name, place)]
        page = context.new_page()
        page.set_viewport_size(size)
        page.goto(live_server.url + (visit.host if in_sheet else visit.url))
        if in_sheet:
            page.evaluate("(url) => htmx.ajax('GET', url, '#sheet')", visit.url)
            expect(page.locator("dialog[open]")).to_be_visible()
        looking.stand_still(page)
        return page

    yield open_
    context.close()


@pytest.mark.parametrize("in_sheet", [False, True])
def test_no_field_of_the_desk_lies_under_its_buttons(opened, in_sheet):
    for name in ("desk-register", "desk-check-in", "desk-correct"):
        page = opened("desk", name, "coming", in_sheet=in_sheet)
        assert page.evaluate(COVERED) == [], name


def test_nothing_of_an_arbiters_table_lies_under_its_head_or_bar(opened):
    assert opened("floor", "floor-table").evaluate(COVERED) == []
    assert opened("floor", "floor-many", size=LYING, in_sheet=True).evaluate(COVERED) == []
    sheet = opened("floor", "floor-player", in_sheet=True)
    line = sheet.locator("dialog .summons summary")
    bell, words = line.evaluate("""(line) => {
      const range = document.createRange();
      range.selectNodeContents(line.lastChild);
      return [line.querySelector(".icon").getBoundingClientRect().right,
        range.getBoundingClientRect().left];
    }""")
    assert 0 <= words - bell <= 16


def test_the_end_of_a_players_page_lies_above_the_bar_that_leads_to_his_move(opened):
    page = opened("player", "player", "tonight, moved")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    bar = page.locator("[data-news]")
    expect(bar).to_be_visible()
    last = page.get_by_role("button", name="Was dieses Gerät kennt")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last_box, bar_box = last.bounding_box(), bar.bounding_box()
    assert last_box["y"] + last_box["height"] <= bar_box["y"]


def test_what_was_taken_back_is_read_in_the_log(opened):
    page = opened("floor", "director-log-all")
    undone = page.locator(".log .is-undone > span").first
    assert undone.bounding_box()["width"] > 150


def test_the_chips_of_a_case_are_read_whole(opened):
    page = opened("club", "chip-set")
    assert page.evaluate(CUT_CHOICES) == []
    assert (
        page.evaluate("""() => [...document.querySelectorAll(".chip-row input")]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value)""")
        == []
    )
