"""The desk in a browser: Enter, a scanner that types, a camera, a printer."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import desks
from tests.browser.camera import browser_that_sees, picture_of
from tests.browser.devices import PHONE, faults
from tests.pressing import url_of
from tests.waits import box_of, intercept
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Entry, Posting, Registration

pytest_plugins = "tests.browser.desks"
event = desks.event  # before that of all tests
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What a page asks a printer for, noted instead of shown: a browser without a window prints nothing.
NOTES_PRINTS = """window.print = () => {
    top.document.documentElement.dataset.printed = location.pathname + location.search;
    dispatchEvent(new Event("afterprint"));
};"""


def link_of(live_server, row):
    return live_server.url + reverse("player", args=[row.link_token])


def test_the_search_takes_enter_and_arrows_and_checks_in_only_whom_one_meant(desk, rows):
    field, card, sheet = (
        desk.locator("[name=q]"),
        desk.locator(".desk-seat"),
        desk.locator("#sheet"),
    )
    desk.keyboard.type("o")
    desk.keyboard.press("Enter")  # several are found
    expect(desk.locator("#desk-list")).not_to_contain_text("Ada Auer")
    expect(desk.locator("#desk-refusal")).to_have_text("2 passen: ↓ oder weitertippen")
    expect(card).to_have_count(0)
    field.fill("bela")
    expect(desk.locator("#desk-refusal")).to_be_empty()
    desk.keyboard.press("Enter")
    expect(card.locator(".desk-seat-name")).to_have_text("Bela Berg")
    expect(field).to_have_value("")
    # Of the next name's neighbour the seat is one line, and goes along while the list changes.
    tall = box_of(card)["height"]
    field.fill("o")
    expect(desk.locator("#desk-seat")).to_have_class("is-past")
    assert box_of(card)["height"] < tall / 2
    assert faults(desk) == []
    field.fill("")
    expect(field).to_be_focused()
    expect(desk.locator("#desk-list")).to_contain_text("Ada Auer")
    field.fill("bela")
    desk.keyboard.press("Enter")
    expect(desk.locator("#desk-list")).to_contain_text("Bela Berg ist schon eingecheckt: Tisch 1")
    field.fill("")
    expect(desk.locator("#desk-list")).to_contain_text("Cora Cerny")
    names = desk.locator("#desk-list tbody .desk-name")
    field.focus()
    for _time in range(3):
        desk.keyboard.press("ArrowDown")
    expect(names.nth(2)).to_be_focused()
    desk.keyboard.press("Enter")
    expect(sheet).to_be_visible()
    desk.keyboard.press("Escape")
    field.focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    desk.keyboard.press("F3")
    desk.locator("#sheet [name=name]").fill("Zoë Zufall")
    desk.get_by_role("button", name="Nur anmelden").click()
    expect(desk.locator("#toasts")).to_contain_text("Zoë Zufall")
    expect(sheet).to_be_hidden()
    assert Entry.objects.live().count() == 1


def test_one_key_checks_in_and_takes_the_fee(desk, rows):
    desk.locator("[name=q]").fill("cora")
    expect(desk.locator("#desk-enter")).to_contain_text("da und bezahlt, 10 €")
    desk.keyboard.press("F4")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")
    expect(desk.locator("[name=q]")).to_have_value("")
    assert Posting.objects.filter(registration=rows["Cora Cerny"]).exists()
    assert Entry.objects.live().get().registration == rows["Cora Cerny"]
    for name in ("Ada Auer", "Bela Berg"):
        desk.locator("[name=q]").fill(name)
        expect(desk.locator("#desk-enter")).to_contain_text("da und bezahlt, 10 €")
        desk.keyboard.press("F4")
        expect(desk.locator(".desk-seat-name")).to_have_text(name)
    # Three in a row: their notices do not cover the search.
    assert desk.locator(".toast:visible").count() <= 2


def test_after_enter_the_same_key_takes_the_fee_before_the_list_has_followed(desk, rows):
    desk.locator("[name=q]").fill("cora")
    expect(desk.locator("#desk-enter")).to_be_visible()
    intercept(desk, re.compile("/anmeldung/liste/"), lambda route: None)
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")
    desk.keyboard.press("F4")
    expect(desk.locator("#toasts")).to_contain_text("Startgeld bezahlt: Cora Cerny")
    assert Posting.objects.filter(registration=rows["Cora Cerny"]).exists()
    assert desk.inner_text("#desk-refusal") == ""


def test_a_scanner_opens_the_sheet_wherever_the_focus_is(desk, live_server, rows):
    # The sheet of somebody else is open, and its button would take the scanner's Enter.
    desk.locator(f"#in-{rows['Ada Auer'].pk}").click()
    expect(desk.locator("#sheet h2")).to_have_text("Ada Auer")
    # It is read from its top, though the button at its foot has the focus.
    expect(desk.locator("#sheet").get_by_role("button", name="Einchecken")).to_be_focused()
    assert desk.evaluate("document.getElementById('sheet').scrollTop") == 0
    desk.keyboard.type(link_of(live_server, rows["Cora Cerny"]))
    desk.keyboard.press("Enter")
    expect(desk.locator("#sheet h2")).to_have_text("Cora Cerny")
    expect(desk.locator(".desk-seat")).to_have_count(0)
    expect(desk.locator("[name=q]")).to_have_value("")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")
    other = f.register(f.make_event(name="Sonntagsturnier"), "Otto Kurz")
    desk.keyboard.type(link_of(live_server, other))
    desk.keyboard.press("Enter")
    told = desk.locator("#desk-list [data-scanned]")
    expect(told).to_contain_text("Dieser Code gehört zu „Sonntagsturnier“")
    expect(desk.locator("#sheet")).to_be_hidden()
    # A new link comes as a large code.
    ada, sheet = rows["Ada Auer"], desk.locator("#sheet")
    desk.locator("[name=q]").fill("")
    desk.get_by_role("link", name="Ada Auer", exact=True).click()
    sheet.get_by_role("link", name="Link zeigen …").click()
    expect(sheet.locator("#link-url")).to_contain_text(f"/p/{ada.link_token}/")
    sheet.get_by_text("Neuen Link ausstellen …").click()
    assert faults(desk) == []
    sheet.get_by_role("button", name="Neuen Link ausstellen").click()
    expect(sheet).to_contain_text("Das ist der neue Link")
    new = Registration.objects.get(pk=ada.pk).link_token
    expect(sheet.locator("#link-url")).to_contain_text(f"/p/{new}/")
    assert box_of(sheet.locator(".qr svg"))["width"] >= 300
    assert faults(desk) == []


def test_a_players_code_on_the_desks_phone_leads_to_the_check_in(desk, live_server, rows):
    desk.set_viewport_size(PHONE)
    desk.goto(link_of(live_server, rows["Ada Auer"]))
    desk.get_by_role("link", name="Einchecken").click()
    # Who it is stands on the screen together with the button, and then who sits where.
    button = desk.get_by_role("button", name="Einchecken", exact=True)
    expect(desk.get_by_role("heading", name="Ada Auer")).to_be_in_viewport(ratio=1)
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    for part in (".desk-seat-name", ".desk-seat-where", ".desk-seat [data-slip]"):
        expect(desk.locator(part)).to_be_in_viewport(ratio=1)
    expect(desk.locator(".desk-seat-name")).to_have_text("Ada Auer")
    desk.locator(".desk-seat").get_by_role("button", name="Rückgängig").click()
    expect(desk.locator(".desk-seat")).to_have_count(0)
    assert not Entry.objects.live().exists()


def test_three_people_by_keyboard_alone(desk, live_server, rows):
    """One by name, with the fee; one by scanner; one who walks in, and is taken back."""
    card = desk.locator(".desk-seat")
    desk.keyboard.press("/")
    desk.keyboard.type("ada")
    desk.keyboard.press("Enter")
    expect(card.locator(".desk-seat-name")).to_have_text("Ada Auer")
    expect(card).to_contain_text("10 € kassieren")
    # The list has followed, and the card with it.
    expect(desk.locator("#desk-list tr", has_text="Ada Auer")).to_contain_text("Zettel")
    desk.keyboard.press("F4")
    expect(card).not_to_contain_text("kassieren")

    desk.keyboard.type(link_of(live_server, rows["Cora Cerny"]))
    desk.keyboard.press("Enter")
    expect(desk.locator("#sheet h2")).to_have_text("Cora Cerny")
    desk.keyboard.press("Shift+Tab")
    desk.keyboard.press("Space")
    desk.keyboard.press("Tab")
    desk.keyboard.press("Enter")
    expect(card.locator(".desk-seat-name")).to_have_text("Cora Cerny")
    assert (
        sum(Posting.objects.filter(account="cash").values_list("amount_cents", flat=True)) == 2000
    )

    # The one place that is left goes to who is there; who waits has none yet.
    event_update(
        Command(event=f.fresh(rows["Ada Auer"].event), by=SYSTEM, at=f.ARRIVAL),
        settings={"capacity": 5},
    )
    desk.keyboard.press("Escape")
    desk.locator("h1").click()
    desk.keyboard.press("F3")
    expect(desk.locator("#sheet [name=name]")).to_be_focused()
    desk.keyboard.type("Zoë Zufall")
    desk.keyboard.press("Enter")
    expect(card.locator(".desk-seat-name")).to_have_text("Zoë Zufall")
    assert Entry.objects.live().count() == 3
    expect(desk.locator("#desk-list tr", has_text="Zoë Zufall")).to_contain_text("Zettel")
    desk.keyboard.press("F8")
    expect(card).to_have_count(0)
    assert Entry.objects.live().count() == 2


def test_slips_are_printed_from_the_desk_on_the_paper_this_device_used_last(desk, rows):
    desk.add_init_script(NOTES_PRINTS)
    event = rows["Ada Auer"].event
    first, second = (f.check_in(event, rows[name]) for name in ("Ada Auer", "Bela Berg"))
    desk.reload()
    row = desk.locator("#desk-list tr", has_text="Ada Auer")
    row.get_by_role("link", name="Zettel").click()
    desk.get_by_role("link", name="Etiketten").click()
    desk.get_by_role("button", name="Drucken", exact=True).click()
    desk.get_by_role("link", name="Anmeldungen").click()
    desk.locator("#desk-list tr", has_text="Bela Berg").get_by_role("link", name="Zettel").click()
    slip = url_of(event, "slip", second.pk)
    expect(desk.locator("html")).to_have_attribute("data-printed", f"{slip}?papier=etikett")
    expect(desk.locator("iframe")).to_have_count(0)
    assert desk.url.endswith(url_of(event, "desk"))
    assert first.pk != second.pk


def test_a_camera_that_is_refused_or_not_there_is_told(desk, live_server, event):
    desk.get_by_role("button", name="Code mit der Kamera lesen").click()
    told = desk.locator("#scan [role=alert]:visible")
    expect(told).to_have_count(1)
    expect(told).to_contain_text(re.compile("gibt die Kamera nicht frei|keine Kamera zu finden"))
    desk.keyboard.press("Escape")
    expect(desk.locator("#scan")).to_be_hidden()
    base = live_server.url.replace("localhost", "krru.test")
    [cookie] = [one for one in desk.context.cookies() if one["name"] == COOKIE]
    desk.context.add_cookies([{"name": COOKIE, "value": cookie["value"], "url": base}])
    desk.goto(base + url_of(event, "desk"))
    assert not desk.evaluate("isSecureContext")
    desk.get_by_role("button", name="Code mit der Kamera lesen").click()
    expect(told).to_have_count(1)
    expect(told).to_contain_text("mit der Kamera-App")


def test_the_camera_of_the_page_reads_a_code_and_opens_the_sheet(
    browser_type, tmp_path, live_server, event, rows
):
    token = f.sign_in("Eingang", Role.DESK, event).token
    film = picture_of(link_of(live_server, rows["Cora Cerny"]), tmp_path / "code.y4m")
    with browser_that_sees(browser_type, film) as browser:
        desk = browser.new_page(viewport=PHONE, locale="de-DE")
        desk.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
        desk.goto(live_server.url + url_of(event, "desk"))
        desk.get_by_role("button", name="Code mit der Kamera lesen").click()
        expect(desk.locator("#sheet h2")).to_have_text("Cora Cerny", timeout=15_000)
        expect(desk.locator("#scan")).to_be_hidden()
        assert desk.evaluate("document.querySelector('#scan video').srcObject") is None
