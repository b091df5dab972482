"""The desk in a browser: Enter, a scanner that types, a camera that is refused, paper."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.browser.camera import browser_that_sees, picture_of
from tests.browser.hall import LAPTOP, PHONE
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Entry, Event, Posting, Registration

pytest_plugins = "tests.browser.desks"
SMALL_PHONE = {"width": 390, "height": 664}  # what a browser leaves of one
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What a page asks a printer for, noted instead of shown: a browser without a window prints nothing.
NOTES_PRINTS = """window.print = () => {
    top.document.documentElement.dataset.printed = location.pathname + location.search;
    dispatchEvent(new Event("afterprint"));
};"""


def link_of(live_server, row):
    return live_server.url + reverse("player", args=[row.link_token])


def test_typing_a_name_and_enter_checks_in(desk):
    desk.keyboard.type("bela")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Bela Berg")
    expect(desk.locator("[name=q]")).to_have_value("")
    expect(desk.locator("[name=q]")).to_be_focused()
    expect(desk.locator("#desk-list")).to_contain_text("Ada Auer")


def test_enter_with_several_found_checks_nobody_in(desk):
    desk.locator("[name=q]").fill("o")
    desk.keyboard.press("Enter")
    expect(desk.locator("#desk-list")).not_to_contain_text("Ada Auer")
    expect(desk.locator(".desk-seat")).to_have_count(0)


def test_a_scanner_opens_the_sheet_wherever_the_focus_is(desk, live_server, rows):
    # The sheet of somebody else is open, and its button would take the scanner's Enter.
    desk.locator(f"#in-{rows['Ada Auer'].pk}").click()
    expect(desk.locator("#sheet h2")).to_have_text("Ada Auer")
    desk.keyboard.type(link_of(live_server, rows["Cora Cerny"]))
    desk.keyboard.press("Enter")
    expect(desk.locator("#sheet h2")).to_have_text("Cora Cerny")
    expect(desk.locator(".desk-seat")).to_have_count(0)
    expect(desk.locator("[name=q]")).to_have_value("")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Cora Cerny")


def test_a_player_code_opened_on_the_desks_phone_leads_to_the_check_in(desk, live_server, rows):
    desk.set_viewport_size(SMALL_PHONE)
    desk.goto(link_of(live_server, rows["Ada Auer"]))
    desk.get_by_role("link", name="Einchecken").click()
    # Who it is stands on the screen together with the button, and then who sits where.
    expect(desk.get_by_role("heading", name="Ada Auer")).to_be_in_viewport(ratio=1)
    expect(desk.get_by_role("button", name="Einchecken", exact=True)).to_be_in_viewport(ratio=1)
    desk.get_by_role("button", name="Einchecken", exact=True).click()
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


def test_registering_alone_closes_the_sheet(desk):
    desk.keyboard.press("F3")
    desk.locator("#sheet [name=name]").fill("Zoë Zufall")
    desk.get_by_role("button", name="Nur anmelden").click()
    expect(desk.locator("#toasts")).to_contain_text("Zoë Zufall")
    expect(desk.locator("#sheet")).to_be_hidden()


def test_the_arrows_lead_from_the_search_through_the_names(desk):
    field = desk.locator("[name=q]")
    field.focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowDown")
    expect(desk.locator(".desk-name", has_text="Bela Berg")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(desk.locator("#sheet h2")).to_have_text("Bela Berg")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-seat-name")).to_have_text("Bela Berg")
    field.focus()
    desk.keyboard.press("ArrowDown")
    desk.keyboard.press("ArrowUp")
    expect(field).to_be_focused()


def test_enter_on_somebody_who_is_in_says_so(desk, rows):
    f.check_in(rows["Ada Auer"].event, rows["Ada Auer"])
    desk.locator("[name=q]").fill("ada")
    desk.keyboard.press("Enter")
    expect(desk.locator("#desk-list")).to_contain_text("Ada Auer ist schon eingecheckt: Tisch 1")
    expect(desk.locator(".desk-seat")).to_have_count(0)


def test_a_code_of_another_event_is_told_in_a_sentence_and_stays_selected(desk, live_server):
    other = f.register(f.make_event(name="Sonntagsturnier"), "Otto Kurz")
    desk.keyboard.type(link_of(live_server, other))
    desk.keyboard.press("Enter")
    told = desk.locator("#desk-list [data-scanned]")
    expect(told).to_contain_text("Dieser Code gehört zu „Sonntagsturnier“")
    expect(desk.locator("#sheet")).to_be_hidden()


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


def test_a_new_link_is_asked_for_and_comes_as_a_large_code(desk, live_server, rows):
    ada = rows["Ada Auer"]
    sheet = desk.locator("#sheet")
    desk.get_by_role("link", name="Ada Auer", exact=True).click()
    sheet.get_by_role("link", name="Link zeigen …").click()
    expect(sheet.locator("#link-url")).to_contain_text(f"/p/{ada.link_token}/")
    assert sheet.locator(".qr svg").bounding_box()["width"] >= 300
    sheet.get_by_text("Neuen Link ausstellen …").click()
    expect(sheet).to_contain_text("Der jetzige Link und jeder Zettel")
    assert list(looking.axe_faults(desk)) == []
    sheet.get_by_role("button", name="Neuen Link ausstellen").click()
    expect(sheet).to_contain_text("Das ist der neue Link")
    new = Registration.objects.get(pk=ada.pk).link_token
    assert new != ada.link_token
    expect(sheet.locator("#link-url")).to_contain_text(f"/p/{new}/")
    assert sheet.locator(".qr svg").bounding_box()["width"] >= 300
    assert list(looking.axe_faults(desk)) == []


# The camera


def test_a_camera_that_is_refused_is_told(desk):
    desk.get_by_role("button", name="Code mit der Kamera lesen").click()
    expect(desk.locator("#scan [role=alert]:visible")).to_have_count(1)
    expect(desk.locator("#scan")).to_contain_text("gibt die Kamera nicht frei")
    desk.keyboard.press("Escape")
    expect(desk.locator("#scan")).to_be_hidden()


def test_on_plain_http_it_is_told_how_it_goes_without_a_camera(desk, live_server, event):
    base = live_server.url.replace("localhost", "krru.test")
    [cookie] = [one for one in desk.context.cookies() if one["name"] == COOKIE]
    desk.context.add_cookies([{"name": COOKIE, "value": cookie["value"], "url": base}])
    desk.goto(base + url_of(event, "desk"))
    assert not desk.evaluate("isSecureContext")
    desk.get_by_role("button", name="Code mit der Kamera lesen").click()
    told = desk.locator("#scan [role=alert]:visible")
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


# Paper


@pytest.fixture
def opened(desk, live_server, event, rows):
    """Return how a page is opened while two sit already."""
    for name in ("Ada Auer", "Bela Berg"):
        f.check_in(event, rows[name])

    def go(name, query=""):
        desk.goto(live_server.url + url_of(event, name) + query)
        return desk

    return go


PAGES = ("desk", "papers", "paper-poster", "paper-seats", "paper-tables", "paper-blank", "slips")


def test_pages_are_accessible_and_fit(desk, opened):
    for name in PAGES:
        opened(name)
        for size in (LAPTOP, PHONE):
            looking.show(desk, size["width"])
            assert list(looking.axe_faults(desk)) == [], (name, size)
            wide = desk.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (name, size)


def test_paper_fills_the_pages_it_is_meant_for(opened):
    fills = (("paper-poster", "", 2), ("paper-blank", "", 3), ("slips", "?papier=etikett", 2))
    for name, query, pages in fills:
        assert pages_of(opened(name, query)) == pages, name


# Whether its code is large enough, nothing of it is cut, and everything lies within it.
SLIPS = """() => [...document.querySelectorAll(".slip")].map((slip) => [
    slip.querySelector(".slip-qr path").getBoundingClientRect().width / 96 * 25.4 >= 25,
    slip.scrollWidth <= slip.clientWidth && slip.scrollHeight <= slip.clientHeight,
    [...slip.querySelectorAll("p, strong, svg")].every((part) =>
        part.getBoundingClientRect().bottom <= slip.getBoundingClientRect().bottom),
])"""


def pages_of(page):
    return page.pdf(prefer_css_page_size=True).count(b"/Type /Page\n")


@pytest.mark.parametrize("way", ["", "Galerie, " * 7 + "dritte Tür"])
def test_the_code_on_a_slip_is_large_enough_and_nothing_is_cut(desk, opened, event, way):
    areas = [[1, 9, way]] if way else []
    Event.objects.filter(pk=event.pk).update(areas=areas)
    desk.emulate_media(media="print")
    for query in ("", "?papier=etikett"):
        opened("slips", query)
        expect(desk.locator(".slip-way")).to_have_count(2 if way else 0)
        assert desk.evaluate(SLIPS) == [[True, True, True]] * 2, query


def test_two_hundred_names_go_over_several_sheets_with_their_heads(desk, live_server):
    event = f.make_seated_event(200, capacity=240)
    token = f.sign_in("Eingang", Role.DESK, event).token
    desk.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    desk.goto(live_server.url + url_of(event, "paper-seats"))
    assert 3 <= pages_of(desk) <= 5
    desk.emulate_media(media="print")
    head = desk.locator(".seats-table thead").last
    assert head.evaluate("(head) => getComputedStyle(head).display") == "table-header-group"
    assert desk.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    desk.emulate_media(media="null")
    desk.goto(live_server.url + url_of(event, "paper-tables"))
    assert pages_of(desk) == 3
    desk.goto(live_server.url + url_of(event, "slips"))
    assert pages_of(desk) == 25
