"""What players and helpers met on their devices and did not expect; each as it was met."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.pressing import url_of
from tournaments.models import Entry

pytest_plugins = "tests.browser.desks"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What a screen reader would be told, in the order in which it is written there.
NOTE_SAID = """() => {
  window.krruSaid = [];
  const region = document.getElementById("card-said");
  new MutationObserver(() => krruSaid.push(region.textContent)).observe(region, {
    childList: true, characterData: true, subtree: true,
  });
}"""


def test_the_mouse_does_not_press_what_came_under_it_just_now(desk, rows):
    desk.keyboard.type("a")
    expect(desk.locator("#desk-list [data-search=a]")).to_be_attached()
    row = desk.locator("#desk-list tbody tr").first
    expect(row).to_contain_text("Ada Auer")
    box = row.get_by_role("link", name=re.compile("Einchecken")).bounding_box()
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


@pytest.fixture
def petra():
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now(), capacity=3)
    row = f.register(event, "Petra Probst", at=now())
    for name in ("Otto Ohm", "Ruth Rabe", "Vera Vogt", "Willi Wart"):
        f.register(event, name, at=now())
    return row


def test_i_am_here_is_said_keeps_the_focus_and_can_be_taken_back(page, live_server, petra):
    page.set_viewport_size(phones.SIZE)
    page.goto(f"{live_server.url}/p/{petra.link_token}/")
    page.evaluate(NOTE_SAID)
    region = page.locator("#card-said")
    expect(region).to_have_attribute("role", "status")
    page.evaluate("window.krruRegion = document.getElementById('card-said')")
    page.get_by_role("button", name="Ich bin da").click()
    expect(page.locator("#card").get_by_text("Wir wissen, dass du da bist")).to_be_visible()
    expect(region).not_to_be_empty()
    # The region that was there from the beginning speaks; one that is inserted is often not heard.
    assert page.evaluate("krruRegion === document.getElementById('card-said')")
    assert [words for words in page.evaluate("krruSaid") if "Wir wissen" in words]
    assert page.evaluate("document.activeElement.closest('#card') !== null")
    page.get_by_role("button", name="Doch nicht da").click()
    expect(page.locator("#card").get_by_text("Wir wissen, dass du da bist")).to_have_count(0)
    expect(page.get_by_role("button", name="Ich bin da")).to_be_visible()


def test_withdrawing_says_what_follows_and_leaves_nothing_to_do(page, live_server, petra):
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{live_server.url}/p/{petra.link_token}/")
    page.get_by_role("link", name="Abmelden").click()
    expect(page.locator("main")).to_contain_text("2 warten auf einen Platz, der Erste bekommt")
    expect(page.locator("main")).to_contain_text("Zurücknehmen lässt sich das nicht")
    page.get_by_role("button", name="Ja, abmelden").click()
    expect(page.locator("main")).to_contain_text("Du bist abgemeldet")
    again = page.get_by_role("link", name="Neu anmelden")
    expect(again).to_be_in_viewport(ratio=1)
    again.click(trial=True)
    for gone in ("In den Kalender", "Diese Seite wiederfinden", "Zeig das am Eingang"):
        expect(page.locator("main")).not_to_contain_text(gone)


def test_a_toast_goes_when_what_it_tells_is_overtaken(page, live_server):
    event = f.make_running_event(6, seats=6)
    phone = phones.at_table(page, live_server, event)
    name = f.entries_of(event)[0].registration.person.name
    told = phone.locator("#toasts .toast", has_text="Zurückgenommen")

    def out():
        phone.click(f".seat-face:has-text('{name}')")
        phone.wait_for_selector("#sheet[open]")
        phone.click("#sheet button:has-text('Aus')")
        phone.wait_for_selector(".outs-place:has-text('Platz 6')")

    out()
    phone.click("#sheet button:has-text('Zurücknehmen')")
    expect(told).to_be_visible()
    out()
    expect(told).to_have_count(0)


def test_a_name_of_one_letter_is_asked_about_and_taken(page, live_server):
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now())
    page.set_viewport_size(phones.SIZE)
    page.goto(f"{live_server.url}/t/{event.slug}/")
    name, hint = page.get_by_label("Dein Name"), page.locator(".one-letter")
    name.fill("Hans Huber")
    name.blur()
    expect(hint).to_have_count(0)
    name.fill("H")
    name.blur()
    expect(hint).to_contain_text("Nur ein Buchstabe?")
    assert phones.faults(page) == []
    page.get_by_label("Ich spiele nach diesen Regeln").check()
    page.get_by_role("button", name="Platz sichern").click()
    expect(page.locator("#card")).to_contain_text("Du bist angemeldet")
    expect(page.locator("#card")).to_contain_text("Nur ein Buchstabe?")
    page.get_by_role("link", name="Daten ändern").click()
    page.get_by_label("Dein Name").fill("Hans Huber")
    page.get_by_role("button", name="Speichern").click()
    expect(page.locator("#card")).not_to_contain_text("Nur ein Buchstabe?")


def test_a_club_s_long_name_is_whole_and_a_field_to_fill_in_shows_its_label(page, live_server):
    at = now()
    event = f.make_event(
        name="Novembercup der Pokerfreunde Fürstenfeldbruck",
        starts_at=at + timedelta(hours=1),
        at=at,
    )
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(live_server.url + url_of(event, "tournament"))
    lines = page.locator("h1").evaluate("""(one) => {
      const [text, range] = [one.firstChild, document.createRange()];
      const start = text.data.indexOf("Fürsten");
      range.setStart(text, start);
      range.setEnd(text, start + "Fürstenfeldbruck".length);
      return range.getClientRects().length;
    }""")
    assert lines == 1
    page.get_by_role("button", name="Platz sichern").click()
    expect(page.get_by_label("Dein Name")).to_be_focused()
    label = page.locator("label", has_text="Dein Name").bounding_box()
    header = page.locator(".site-header").bounding_box()
    assert label["y"] >= header["y"] + header["height"]


def test_where_one_is_stands_in_sight_in_a_row_of_tabs(page, live_server):
    event = f.make_running_event(12, seats=6)
    page.set_viewport_size({"width": 320, "height": 568})
    for name, tab in (("draws", "Auslosungen"), ("tournament", "Turnier")):
        page.goto(live_server.url + url_of(event, name))
        expect(page.locator(".tabs [aria-current=page]")).to_have_text(tab)
        row, own = (
            page.locator(".tabs").bounding_box(),
            page.locator(".tabs [aria-current=page]").bounding_box(),
        )
        assert row["x"] - 1 <= own["x"]
        assert own["x"] + own["width"] <= row["x"] + row["width"] + 1
        assert page.evaluate("scrollY") == 0
