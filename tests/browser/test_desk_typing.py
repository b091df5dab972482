"""Typing at the desk: every letter goes to the search, and none of it is lost."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import desks
from tests.waits import box_of, intercept
from tournaments.models import Entry

pytest_plugins = "tests.browser.desks"
event = desks.event  # before that of all tests
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def held_back(desk, address):
    """Hold requests to an address back, as a poor network does; return what lets them go."""
    waiting, is_open = [], False

    def hold(route):
        if is_open:
            route.continue_()
        else:
            waiting.append(route)

    def let_go():
        nonlocal is_open
        while not waiting:
            desk.wait_for_timeout(20)
        is_open = True
        for route in waiting:
            route.continue_()

    intercept(desk, re.compile(address), hold)
    return let_go


def test_letters_typed_anywhere_go_to_the_search_and_a_strange_name_checks_nobody_in(desk, event):
    field = desk.locator("[name=q]")
    for place in ("h1", ".desk-name >> nth=0", "#desk-list thead"):
        desk.locator(place).evaluate("(node) => { node.focus(); document.activeElement.blur(); }")
        desk.locator(place).focus()
        desk.keyboard.type("n vera voß")
        expect(field).to_have_value("n vera voß")
        expect(desk.locator("#sheet")).to_be_hidden()
        desk.reload()
        expect(desk.locator("#desk-list tbody tr")).to_have_count(4)
    before = event.registrations.count()
    desk.keyboard.type("Hannes Kern")
    desk.keyboard.press("Enter")
    expect(desk.locator("#desk-list")).to_contain_text("Niemand mit „Hannes Kern“")
    expect(field).to_have_value("Hannes Kern")
    expect(desk.locator("#sheet")).to_be_hidden()
    assert (Entry.objects.count(), event.registrations.count()) == (0, before)
    desk.keyboard.type("Hannes Kern")
    expect(field).to_have_value("Hannes Kern")
    desk.keyboard.press("F3")
    expect(desk.locator("#sheet [name=name]")).to_have_value("Hannes Kern")
    desk.keyboard.press("Escape")
    # The list is on its way.
    intercept(desk, re.compile(r"/anmeldung/liste/\?q=Ida"), lambda _route: None)
    desk.keyboard.type("Ida Kern")
    desk.keyboard.press("F3")
    expect(desk.locator("#sheet [name=name]")).to_have_value("Ida Kern")


# The browser says that a dialog closed only after the next letter, when it has much to do.
LATE_CLOSE = """() => document.addEventListener("close", (event) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    setTimeout(() => event.target.dispatchEvent(new Event("close")), 1000);
}, true)"""


def test_after_a_sheet_the_next_name_takes_the_place_of_the_last(desk):
    for is_late in (False, True):
        if is_late:
            desk.reload()
            expect(desk.locator("#desk-list tbody tr")).to_have_count(4)
            desk.evaluate(LATE_CLOSE)
        desk.keyboard.type("vera")
        desk.get_by_role("link", name="Vera Vogt", exact=True).click()
        expect(desk.locator("#sheet h2")).to_have_text("Vera Vogt")
        desk.keyboard.press("Escape")
        desk.keyboard.type("cora")
        expect(desk.locator("[name=q]")).to_have_value("cora")
        expect(desk.locator("#desk-list tbody tr")).to_have_count(1)
        desk.keyboard.type("x")
        expect(desk.locator("[name=q]")).to_have_value("corax")


def test_what_is_typed_before_the_scripts_are_there_is_searched(desk):
    let_go = held_back(desk, r"/desk(\.\w+)?\.js$")
    desk.reload(wait_until="commit")
    expect(desk.locator("[name=q]")).to_be_focused()
    desk.keyboard.type("bela")
    desk.wait_for_timeout(500)
    expect(desk.locator("#desk-list tbody tr")).to_have_count(4)
    let_go()
    expect(desk.locator("#desk-list tbody tr")).to_have_count(1)
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Bela Berg")


def test_the_next_name_can_be_typed_while_one_is_checked_in(desk):
    desk.keyboard.type("bela")
    expect(desk.locator("#desk-enter")).to_contain_text("Bela Berg")
    let_go = held_back(desk, "/einchecken/")
    desk.keyboard.press("Enter")
    desk.keyboard.type("cor")
    desk.wait_for_timeout(500)
    let_go()
    expect(desk.locator(".desk-seat-name")).to_have_text("Bela Berg")
    desk.keyboard.type("a")
    expect(desk.locator("[name=q]")).to_have_value("cora")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")
    assert Entry.objects.live().count() == 2


def test_enter_means_its_own_letters_while_an_older_answer_is_kept_from_a_press(desk):
    desk.mouse.move(5, 5)
    desk.mouse.down()
    with desk.expect_response(re.compile(r"/anmeldung/liste/\?q=ad&")):
        desk.keyboard.type("ad")
    desk.keyboard.type("a")
    desk.keyboard.press("Enter")
    desk.keyboard.type("cor")
    desk.mouse.up()
    expect(desk.locator(".desk-seat-name")).to_have_text("Ada Auer")
    expect(desk.locator("[name=q]")).to_have_value("cor")


def test_a_refusal_is_told_by_name_although_the_next_is_being_typed(desk, rows):
    desk.keyboard.type("bela")
    expect(desk.locator("#desk-enter")).to_contain_text("Bela Berg")
    let_go = held_back(desk, "/einchecken/")
    f.check_in(rows["Bela Berg"].event, rows["Bela Berg"])
    desk.keyboard.press("Enter")
    desk.keyboard.type("cora")
    expect(desk.locator("#desk-enter")).to_contain_text("Cora Cerny")
    let_go()
    expect(desk.locator("#desk-refusal")).to_contain_text("Bela Berg: Schon eingecheckt.")
    expect(desk.locator("[name=q]")).to_have_value("cora")
    # One that is lost puts the name back into the search.
    desk.reload()
    intercept(desk, re.compile("/einchecken/"), lambda route: route.abort())
    desk.keyboard.type("cora")
    expect(desk.locator("#desk-enter")).to_contain_text("Cora Cerny")
    desk.keyboard.press("Enter")
    expect(desk.locator(".toast [data-retry]")).to_be_visible()
    expect(desk.locator("[name=q]")).to_have_value("cora")


def test_a_search_given_up_for_the_next_one_takes_no_enter_back(desk):
    with desk.expect_request(re.compile("q=cor&")):
        intercept(desk, re.compile("q=cor&"), lambda route: None)
        desk.keyboard.type("cor")
    desk.keyboard.type("a")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")


def test_the_mouse_does_not_press_what_came_under_it_just_now(desk, rows):
    desk.keyboard.type("a")
    expect(desk.locator("#desk-list [data-search=a]")).to_be_attached()
    row = desk.locator("#desk-list tbody tr").first
    expect(row).to_contain_text("Ada Auer")
    box = box_of(row.get_by_role("link", name=re.compile("Einchecken")))
    desk.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    desk.evaluate("""() => document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
      if (detail.target.id === "desk-list") document.body.dataset.settling =
        getComputedStyle(detail.target.querySelector("a")).pointerEvents;
    })""")
    with desk.expect_response(re.compile("/anmeldung/liste/")):
        desk.locator("[name=q]").fill("cora")
    expect(desk.locator("body")).to_have_attribute("data-settling", "none")
    desk.mouse.down()
    desk.mouse.up()
    expect(desk.locator("#sheet")).to_be_hidden()
    assert not Entry.objects.exists()
    expect(row).to_contain_text("Cora Cerny")
    expect(desk.locator("#desk-list:not(.is-settling)")).to_be_attached()
    desk.get_by_role("link", name=re.compile("Einchecken")).first.click()
    expect(desk.locator("#sheet h2")).to_have_text("Cora Cerny")


def test_a_page_that_missed_something_asks_anew(desk):
    missed = 'event: lost\ndata: {"version": 99}\n\n'
    told = {"content_type": "text/event-stream", "body": missed}
    desk.add_init_script("delete globalThis.SharedWorker")  # whose requests nothing here can answer
    intercept(desk, re.compile("/stream/event"), lambda route: route.fulfill(**told))
    with desk.expect_request(re.compile("/anmeldung/liste/")):
        desk.reload()
