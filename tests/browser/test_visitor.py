"""A visitor's own phone: registering by keys alone, in another language; the way back; the dark."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import now
from playwright.sync_api import Locator, Page, expect

from tests import factories as f
from tests.browser.devices import PHONE, SMALL, faults
from tests.pressing import url_of
from tests.rasters import LOGO
from tests.waits import box_of, until
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand
from tournaments.club.services.club import club_logo_set

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MOST_TABS = 60
GROUND = "() => getComputedStyle(document.body).backgroundColor"
ROOT_GROUND = "() => getComputedStyle(document.documentElement).backgroundColor"
CODE_IN_LINE = """() => [...document.querySelectorAll(".renderedMarkdown p code")].every((one) =>
  one.getBoundingClientRect().height <= parseFloat(getComputedStyle(one.parentNode).lineHeight))"""
LINES = """(one) => {
  const [text, range] = [one.firstChild, document.createRange()];
  const start = text.data.indexOf("Fürsten");
  range.setStart(text, start);
  range.setEnd(text, start + "Fürstenfeldbruck".length);
  return range.getClientRects().length;
}"""


@pytest.fixture
def event():
    name = "Novembercup der Pokerfreunde Fürstenfeldbruck"
    return f.make_event(name=name, starts_at=now() + timedelta(hours=1), at=now(), fee_cents=2000)


def tab_to(page: Page, wanted: Locator) -> None:
    """Press Tab until the focus is there."""
    for _press in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted.evaluate("(one) => one === document.activeElement"):
            return
    pytest.fail(f"Tab does not lead to {wanted}")


def test_by_keys_alone_somebody_registers_is_checked_in_and_another_gives_up(page, devices, event):
    devices.open(page, event, "tournament")
    tab_to(page, page.get_by_label("Dein Name"))
    page.keyboard.type("Petra Probst")
    tab_to(page, page.locator("[name=agrees_to_rules]"))
    page.keyboard.press("Space")
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Nochmal versuchen"))
    # The server is on this laptop, which has no network itself.
    page.evaluate("() => Object.defineProperty(navigator, 'onLine', { get: () => false })")
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    page.wait_for_url("**/p/**")
    ticket = box_of(page.locator(".own-ticket svg").first)
    assert ticket["y"] + ticket["height"] <= PHONE["height"]
    tab_to(page, page.get_by_role("button", name="Ich bin da"))
    page.keyboard.press("Enter")
    expect(page.locator("#card")).to_contain_text("Wir wissen, dass du da bist")
    own = page.url
    devices.open(page, event, "desk", role=Role.DESK)
    tab_to(page, page.get_by_role("link", name="Petra Probst", exact=True))
    page.keyboard.press("Enter")
    sheet = page.locator("dialog#sheet")
    expect(sheet.get_by_role("heading", name="Petra Probst")).to_be_visible()
    tab_to(page, sheet.get_by_role("button", name="Einchecken", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator(".desk-seat-name")).to_have_text("Petra Probst")
    page.context.clear_cookies()
    page.goto(own)
    expect(page.locator("#card")).to_contain_text("Tisch")
    devices.own(page, f.register(event, "Willi Wart", at=now()), SMALL)
    tab_to(page, page.get_by_role("link", name="Abmelden"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/abmelden/")
    tab_to(page, page.get_by_role("button", name="Abmelden"))
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "abmelden" not in url)
    expect(page.locator("main")).to_contain_text("abgemeldet")
    # What is left to do is seen without scrolling.
    expect(page.get_by_role("link", name="Neu anmelden")).to_be_in_viewport(ratio=1)


def test_what_is_typed_outlasts_another_language_and_this_device_leads_back(page, devices, event):
    devices.open(page, event, "tournament", query="?da=x")
    poster = page.url
    expect(page.locator(".own-page")).to_have_count(0)
    page.get_by_label("Dein Name").fill("Hans Müller")
    page.get_by_label("Mein Name darf").check()
    top = page.evaluate("scrollY")
    # Pressed where it is: the driver of the browser would scroll to it first.
    page.get_by_role("button", name="English").evaluate("(button) => button.click()")
    until(page, "document.documentElement.lang === 'en'")
    expect(page.locator("[name=name]")).to_have_value("Hans Müller")
    expect(page.locator("[name=is_listed]")).to_be_checked()
    expect(page.locator("[name=agrees_to_rules]")).not_to_be_checked()
    assert top > 0
    assert abs(page.evaluate("scrollY") - top) < 60
    # It is put back once, and not when the page is opened again.
    page.reload()
    expect(page.locator("[name=name]")).to_have_value("")
    page.locator(".language-switch button", has_text="DE").click()
    until(page, "document.documentElement.lang === 'de'")
    page.get_by_label("Dein Name").fill("Hans Müller")
    page.get_by_label("Ich spiele nach diesen Regeln").check()
    page.get_by_role("button", name="Platz sichern").click()
    expect(page.locator(".slip-player")).to_have_text("Hans Müller")
    own = page.url
    # Its scripts run after it is shown: only then the browser has kept the page.
    expect(page.get_by_label("Auf diesem Gerät merken")).to_be_checked()
    for address in (poster, devices.base):
        page.goto(address)
        expect(page.locator(".own-page")).to_contain_text("Hans Müller, Nummer 1")
        page.locator(".own-page").get_by_role("link", name="Deine Seite").click()
        expect(page).to_have_url(own)
    page.goto(poster)
    page.locator(".own-page").get_by_role("button", name="Vergessen").click()
    expect(page.locator(".own-page")).to_have_count(0)
    page.goto(own)
    expect(page.get_by_label("Auf diesem Gerät merken")).not_to_be_checked()
    page.goto(poster)
    expect(page.locator("h1")).to_be_visible()
    until(page, "document.readyState === 'complete'")
    expect(page.locator(".own-page")).to_have_count(0)
    # A device of the staff that opens people's codes keeps none of them.
    devices.sign_in(page, Role.DESK, event)
    page.evaluate("localStorage.clear()")
    page.goto(own)
    expect(page.locator(".slip-player")).to_have_text("Hans Müller")
    assert page.evaluate("localStorage.getItem('krru-own')") is None


def test_long_names_one_letter_tabs_and_sharing_on_the_smallest_phone(page, devices, event):
    devices.open(page, event, "tournament", size=SMALL)
    assert page.locator("h1").evaluate(LINES) == 1
    page.get_by_role("button", name="Platz sichern").click()
    name = page.get_by_label("Dein Name")
    expect(name).to_be_focused()
    label = box_of(page.locator("label", has_text="Dein Name"))
    header = box_of(page.locator(".site-header"))
    assert label["y"] >= header["y"] + header["height"]
    hint = page.locator(".one-letter")
    for typed, count in (("Hans Huber", 0), ("H", 1)):
        name.fill(typed)
        name.blur()
        expect(hint).to_have_count(count)
    assert faults(page) == []
    event = f.make_running_event(12, seats=6)
    for address, tab in (("draws", "Auslosungen"), ("tournament", "Turnier")):
        devices.open(page, event, address, size=SMALL)
        own = page.locator(".tabs [aria-current=page]")
        expect(own).to_have_text(tab)
        row, own = box_of(page.locator(".tabs")), box_of(own)
        assert row["x"] - 1 <= own["x"]
        assert own["x"] + own["width"] <= row["x"] + row["width"] + 1
        assert page.evaluate("scrollY") == 0
    base = devices.base.replace("localhost", "krru.test")  # plain http: a browser cannot share
    page.goto(base + url_of(event, "tournament"))
    page.evaluate(
        "addEventListener('copy', () => { globalThis.copied = document.activeElement.value; })"
    )
    page.get_by_role("button", name="Teilen").click()
    until(page, "globalThis.copied !== undefined")
    assert page.evaluate("copied").endswith(f"/t/{event.slug}/")


def luminance(page):
    red, green, blue = (int(one) for one in page.evaluate(GROUND)[4:-1].split(","))
    return (red + green + blue) / 765


def test_dark_colours_by_the_systems_wish_by_the_switch_and_not_on_paper(
    new_context, devices, event
):
    club_logo_set(ClubCommand(club=event.club, by=SYSTEM, at=timezone.now()), data=LOGO)
    page = new_context(color_scheme="dark", viewport=PHONE).new_page()
    page.goto(devices.base)
    assert luminance(page) < 0.2
    switch = page.get_by_role("button", name="Dunkle Farben")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    assert luminance(page) > 0.8
    # The choice holds on every page, the system wishing what it wishes.
    devices.open(page, event, "tournament")
    assert luminance(page) > 0.8
    expect(switch).to_have_attribute("aria-pressed", "false")
    # Asked for what the system wishes, the page follows the system again.
    switch.click()
    assert luminance(page) < 0.2
    assert page.evaluate("() => localStorage.getItem('krru-theme')") is None
    expect(page.locator(".club-logo")).to_have_css("background-color", "rgb(255, 255, 255)")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.evaluate(GROUND) in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    page.emulate_media(media="screen", color_scheme="light")
    assert luminance(page) > 0.8
    expect(switch).to_have_attribute("aria-pressed", "false")
    # Pages without the house's header follow the system, too.
    page.emulate_media(color_scheme="dark")
    page.goto(devices.base + reverse("embed"))
    assert luminance(page) < 0.2
    page.goto(devices.base + reverse("api-docs"))
    assert page.evaluate(ROOT_GROUND) == "rgb(28, 32, 34)"
    # Code in a text has a ground of its own, which does not lie on the line above.
    page.locator(".renderedMarkdown code").first.wait_for()
    assert page.evaluate(CODE_IN_LINE)
    page.emulate_media(color_scheme="light")
    until(page, f"({ROOT_GROUND})() === 'rgba(0, 0, 0, 0)'")


def test_the_routes_of_the_interface_are_tried_with_files_of_this_server_alone(page, devices):
    complaints, asked = [], set()
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.add(request.url))
    f.house()
    page.goto(devices.base + reverse("api-docs"))
    route = page.locator("#operations-Tournaments-events")
    expect(route).to_contain_text("/api/v1/events")
    route.get_by_role("button").first.click()
    route.get_by_role("button", name="Try it out").click()
    route.get_by_role("button", name="Execute").click()
    status = route.locator(".live-responses-table .response .response-col_status")
    expect(status.first).to_contain_text("200")
    assert not complaints
    assert {url for url in asked if not url.startswith((devices.base, "data:"))} == set()


def test_the_pages_of_a_family_fit_the_smallest_phone_above_the_poster(page, devices, event):
    names = ("Maximiliane " + "Obermüller" * 6, "Hans Müller", "Jo")
    for name in names:
        devices.own(page, f.register(event, name, at=now()), SMALL)
        expect(page.get_by_label("Auf diesem Gerät merken")).to_be_checked()
    devices.open(page, event, "tournament", size=SMALL)
    expect(page.locator(".own-page")).to_have_count(len(names))
    assert faults(page) == []
    for button in page.locator(".own-page [data-forget]").all():
        box = box_of(button)
        assert box["x"] + box["width"] <= SMALL["width"]
    cards = [box_of(one)["height"] for one in page.locator(".own-page").all()]
    assert max(cards[:2]) <= 120, cards  # of everyday names, in two rows
    page.set_viewport_size(PHONE)
    assert box_of(page.locator(".own-page").first)["height"] <= 76  # in one
    page.set_viewport_size(SMALL)
    page.locator(".own-page [data-forget]").first.click()
    expect(page.locator(".own-page")).to_have_count(len(names) - 1)
