"""Dark colours: by the system's wish, by the switch, and on every page of this device."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.rasters import LOGO
from tests.views.pages import soon
from tests.waits import until
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import ClubCommand
from tournaments.club.services.club import club_logo_set

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

GROUND = "() => getComputedStyle(document.body).backgroundColor"
ROOT_GROUND = "() => getComputedStyle(document.documentElement).backgroundColor"
CODE_IN_LINE = """() => [...document.querySelectorAll(".renderedMarkdown p code")].every((one) =>
  one.getBoundingClientRect().height <= parseFloat(getComputedStyle(one.parentNode).lineHeight))"""
KEPT = "() => localStorage.getItem('krru-theme')"


def luminance(page):
    red, green, blue = (int(one) for one in page.evaluate(GROUND)[4:-1].split(","))
    return (red + green + blue) / 765


def test_a_phone_in_a_bar_is_dark_and_can_be_made_light(browser, live_server):
    event = soon()
    context = browser.new_context(color_scheme="dark", viewport={"width": 390, "height": 664})
    page = context.new_page()
    page.goto(live_server.url)
    assert luminance(page) < 0.2
    switch = page.get_by_role("button", name="Dunkle Farben")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    assert luminance(page) > 0.8
    # The choice holds on every page, the system wishing what it wishes.
    page.goto(f"{live_server.url}/t/{event.slug}/")
    assert luminance(page) > 0.8
    expect(switch).to_have_attribute("aria-pressed", "false")
    # Asked for what the system wishes, the page follows the system again.
    switch.click()
    assert luminance(page) < 0.2
    assert page.evaluate(KEPT) is None
    page.emulate_media(color_scheme="light")
    assert luminance(page) > 0.8
    expect(switch).to_have_attribute("aria-pressed", "false")
    context.close()


def test_what_is_printed_in_the_dark_is_black_on_white(browser, live_server):
    event = soon()
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(f"{live_server.url}/t/{event.slug}/")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.evaluate(GROUND) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    context.close()


def test_a_dark_logo_lies_on_white_in_the_dark_too(browser, live_server):
    event = soon()
    command = ClubCommand(club=event.club, by=SYSTEM, at=timezone.now())
    club_logo_set(command, data=LOGO)
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    for path in (f"/t/{event.slug}/", "/"):
        page.goto(live_server.url + path)
        expect(page.locator(".club-logo")).to_have_css("background-color", "rgb(255, 255, 255)")
    # On the printed poster it leaves the room to what is to be read.
    desk = f.sign_in("Desk", Role.DESK)
    context.add_cookies([{"name": COOKIE, "value": desk.token, "url": live_server.url}])
    page.goto(live_server.url + reverse("paper-poster", args=[event.slug]))
    logo, sheet = (page.locator(one).bounding_box() for one in (".club-logo", ".sheet-poster"))
    assert logo["width"] <= sheet["width"] * 0.6
    assert logo["height"] <= 100
    context.close()


def test_pages_without_the_houses_header_follow_the_system_too(browser, live_server):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(live_server.url + reverse("embed"))
    assert luminance(page) < 0.2
    page.goto(live_server.url + reverse("api-docs"))
    assert page.evaluate(ROOT_GROUND) == "rgb(28, 32, 34)"
    # Code in a text has a ground of its own, which does not lie on the line above.
    page.locator(".renderedMarkdown code").first.wait_for()
    assert page.evaluate(CODE_IN_LINE)
    page.emulate_media(color_scheme="light")
    # The script is told of the system's new wish with the next frame.
    until(page, f"({ROOT_GROUND})() === 'rgba(0, 0, 0, 0)'")
    context.close()
