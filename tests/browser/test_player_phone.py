"""Players' own phones: one hears of its new seat, the others are quiet and yet up to date."""

import re
from datetime import timedelta

import pytest
from django.utils.timezone import localtime, now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.by_request import post
from tests.browser.devices import SMALL, faults, tell
from tests.browser.hall import PHONE, Person
from tests.browser.rooms import Room
from tests.calling import call_service
from tests.views.pages import soon
from tests.waits import intercept, until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.play.services.hands import button_mark
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.browser, pytest.mark.running(10, seats=6)]
SPIES = """
globalThis.buzzed = [];
navigator.vibrate = (pattern) => { buzzed.push(pattern); return true; };
"""
# What a screen reader would be told, in the order in which it is written there.
NOTE_SAID = """() => {
  window.krruSaid = [];
  const region = document.getElementById("card-said");
  new MutationObserver(() => krruSaid.push(region.textContent)).observe(region, {
    childList: true, characterData: true, subtree: true,
  });
}"""


@pytest.fixture
def room(browser, tmp_path):
    with Room.opened(browser, tmp_path / "data", players=20, seats=10, phones=0) as made:
        yield made


def player(browser, room, table, at):
    """Open the page of somebody on a phone of his own; what it asks is noted."""
    phone = Person(browser, room.base, PHONE)
    phone.asked = []
    phone.page.on("request", lambda request: phone.asked.append(request.url))
    phone.seat = room.made["tables"][str(table)][at]
    phone.go(f"/p/{phone.seat['link']}/")
    phone.see("im Spiel")
    expect(phone.page.locator("[data-clock-show=level]").first).not_to_be_empty()
    return phone


def quiet(*people):
    """Forget what was asked while the pages came up."""
    for phone in people:
        phone.page.wait_for_timeout(700)
    for phone in people:
        phone.asked.clear()


def test_a_seat_change_reaches_the_one_phone_and_the_clock_outlives_the_server(browser, room):
    petra, neighbour, other = (player(browser, room, t, at) for t, at in ((1, 0), (1, 1), (2, 0)))
    everybody = (petra, neighbour, other)
    room.laptop.go(f"{room.event}leitung/")
    gone = room.made["tables"]["2"][4]
    quiet(*everybody)

    # Somebody is out: all know how many are left, and nobody asked.
    post(room.laptop, f"{room.event}tische/spieler/{gone['entry']}/aus/")
    for phone in everybody:
        expect(phone.page.locator("[data-room=left]")).to_have_text("19")
        expect(phone.page.locator("[data-room=average]")).to_have_text("210")
    quiet(*everybody)

    seat = gone["seat"]
    path = f"{room.event}leitung/umsetzen/{petra.seat['entry']}/"
    post(room.laptop, path, to=f"2-{seat}", reason="Probe")
    petra.see("Du ziehst um", "#card")
    figures = petra.page.locator("#card .moved .slip-figure")
    expect(figures).to_have_text(["2", str(seat)])
    neighbour.page.wait_for_timeout(1500)
    # Who sits at one of the two tables asks for the own rank of moves, and for nothing else.
    for phone in (neighbour, other):
        assert [url.split("/")[-2] for url in phone.asked] == ["rang"]
        phone.asked.clear()
    assert [url for url in petra.asked if "/karte/" not in url] == []
    assert len(petra.asked) == 1

    # An undo sends back the one, and is no news to the others either.
    room.laptop.go(f"{room.event}leitung/")
    latest = room.laptop.page.locator("#director-log button[id^=undo-]").first
    post(room.laptop, f"{room.event}ruecknahme/{latest.get_attribute('id').removeprefix('undo-')}/")
    expect(figures).to_have_text(["1", str(petra.seat["seat"])])
    neighbour.page.wait_for_timeout(1500)
    for phone in (neighbour, other):
        assert [url.split("/")[-2] for url in phone.asked] == ["rang"]
    assert [line for phone in everybody for line in phone.complaints] == []
    the_server_goes_away(room, petra)
    for phone in everybody:
        phone.context.close()


def the_server_goes_away(room, petra):
    strip, clock = petra.page.locator("#offline"), petra.page.locator("[data-clock-show=remaining]")
    expect(strip).to_be_hidden()
    room.server.kill()
    expect(strip).to_be_visible()
    expect(strip).to_contain_text(re.compile(r"Stand von \d\d:\d\d Uhr\."))
    expect(strip).to_contain_text("Keine Verbindung.")
    expect(strip).to_contain_text("Die Uhr läuft hier weiter")
    before = clock.first.text_content()
    expect(clock.first).not_to_have_text(before or "")
    assert faults(petra.page) == []
    room.server.start()
    expect(strip).to_be_hidden()


def sent_to_table_2(page, devices, **settings):
    """Send somebody to another table while his page is open; return what the phone did."""
    event = f.make_running_event(12, seats=7, **settings)
    petra = f.at_table(event, 1)[0]
    page.add_init_script(SPIES)
    devices.own(page, petra.registration)
    assert page.evaluate("buzzed") == []
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, 2)}
    seat = next(seat for seat in range(1, 8) if seat not in taken)
    table = f.table_of(event, 2)
    own = {"table": table, "seat": seat, "reason": "Probe"}
    call_service(entry_move, event=event, by=SYSTEM, at=now(), entry=petra, **own)
    tell(page)
    expect(page.locator("#card .moved")).to_contain_text("Du ziehst um")
    tell(page)
    page.wait_for_timeout(400)
    return page.evaluate("buzzed")


@pytest.mark.django_db(transaction=True)
def test_a_move_stands_in_the_title_and_is_felt_once_where_phones_are_allowed(page, devices):
    assert len(sent_to_table_2(page, devices, preset="tda-2024")) == 1
    assert page.title() == "● Du ziehst um"
    page.get_by_label("Mit Ton und Vibration melden").uncheck()
    page.reload()
    expect(page.get_by_label("Mit Ton und Vibration melden")).not_to_be_checked()
    assert page.title() == "● Du ziehst um"
    assert faults(page) == []
    page.get_by_role("button", name="Ich bin angekommen").click()
    expect(page.locator("#card .moved")).to_have_count(0)
    assert "●" not in page.title()
    page.evaluate("localStorage.clear()")
    # KRRU 3.0 has no phone make itself felt at the table.
    assert sent_to_table_2(page, devices) == []
    assert page.title() == "● Du ziehst um"
    expect(page.get_by_text("Mit Ton und Vibration")).to_have_count(0)


@pytest.mark.django_db(transaction=True)
def test_an_offer_rings_counts_down_and_is_answered_first(page, devices):
    event = f.make_event(starts_at=now() + timedelta(days=2), at=now(), capacity=2)
    one, _two, petra = (f.register(event, name, at=now()) for name in ("Eva", "Uwe", "Petra P."))
    page.add_init_script(SPIES)
    devices.own(page, petra)
    call_service(announcement_made, event=event, by=SYSTEM, at=now(), text="Bis morgen.")
    call_service(registration_withdraw, event=event, by=SYSTEM, at=now(), registration=one)
    tell(page)
    tell(page, "messages")
    expect(page.locator("#card .player-offer")).to_contain_text("Ein Platz ist frei")
    expect(page.locator(".player-offer-left")).to_have_text(re.compile(r"\d+:\d\d"))
    assert page.title() == "● Platz frei"
    assert len(page.evaluate("buzzed")) == 1
    assert faults(page) == []
    focused = page.evaluate("""() => [...document.querySelectorAll("main button")]
      .filter((one) => one.checkVisibility())[0].textContent.trim()""")
    assert focused == "Platz annehmen"
    page.get_by_role("button", name="Platz annehmen").click()
    expect(page.locator("#card-said")).to_have_text(re.compile("Du bist angemeldet, Nummer 2"))
    assert "●" not in page.title()


@pytest.mark.django_db(transaction=True)
def test_tda_2024_11a_the_page_says_how_near_one_is_to_being_moved(page, devices):
    event = f.make_running_event(12, seats=7)
    table = f.table_of(event, 1)
    seats = [f.seat_of(entry)[1] for entry in f.at_table(event, 1)]
    fourth = f.at_table(event, 1)[3]
    devices.own(page, fourth.registration)
    rank = page.locator("[data-rank]")
    expect(rank).to_contain_text("Los")
    button_mark(Command(event=event, by=SYSTEM, at=now()), table=table, seat=seats[0])
    version = f.fresh(event).version
    tell(page, "change", version=version, changed=["hands"], ranks=[2])
    expect(rank).to_contain_text("Los")
    tell(page, "change", version=version, changed=["hands"], ranks=[1])
    # Seat by seat behind the button: small blind, big blind; the fourth posts the next one.
    expect(rank).to_contain_text(re.compile(rf"1\.\s*von {len(seats)} am Tisch"))
    # What was told grows old without anybody doing anything.
    assert "load delay:601s" in rank.get_attribute("hx-trigger")
    assert faults(page) == []


@pytest.mark.django_db(transaction=True)
def test_what_is_being_typed_stays_when_others_register(page, devices):
    event = soon(late_registration_level=6)
    petra = f.register(event, "Petra Probst", at=now())
    devices.own(page, petra)
    page.get_by_text("Ich komme später").click()
    field = page.locator("#player-later input[name=at]")
    late = f"{localtime(event.starts_at + timedelta(minutes=40)):%H:%M}"
    field.fill(late)
    f.register(event, "Otto Lang", at=now())
    with page.expect_response(re.compile("/karte/")):
        tell(page, "list")
    page.wait_for_timeout(300)
    expect(page.get_by_text("noch 58 Plätze frei")).to_be_visible()
    expect(field).to_be_visible()
    expect(field).to_have_value(late)
    expect(field).to_be_focused()
    page.get_by_role("button", name="Bescheid sagen").click()
    expect(page.locator("#player-later summary")).to_contain_text("Du kommst um")


def opened(page, devices, registration):
    intercept(page, re.compile("/stream/"), lambda _route: None)  # it is told by hand
    return devices.own(page, registration, SMALL)


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


@pytest.mark.django_db(transaction=True)
def test_a_move_and_a_message_come_into_view_and_a_bar_leads_to_them(page, devices, event):
    entry = f.at_table(event, 1)[0]
    opened(page, devices, entry.registration)
    bar = page.locator("[data-news]")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_be_hidden()
    call_service(
        message_send, event=event, by=SYSTEM, at=now(), text="Bitte zur Leitung.", entry=entry
    )
    tell(page, "messages")
    expect(page.locator("#player-messages section")).to_contain_text("Bitte zur Leitung.")
    assert_in_view(page, "#player-messages section")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_contain_text("Nachricht von der Turnierleitung")
    seat = move(event, entry)
    tell(page)
    assert_in_view(page, "#card .moved")
    above = "(one) => document.querySelector(one).getBoundingClientRect().top"
    top = {one: page.evaluate(above, one) for one in ("#card .moved", "#player-messages")}
    assert top["#card .moved"] < top["#player-messages"]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(bar).to_contain_text(f"Du ziehst um: Tisch 2, Platz {seat}")
    assert faults(page) == []
    bar.click()
    assert_in_view(page, "#card .moved")
    page.get_by_role("button", name="Ich bin angekommen").click()
    expect(page.locator("#card .moved")).to_have_count(0)
    expect(page.locator("#card")).to_be_focused()
    expect(page.get_by_role("button", name="Doch noch nicht")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_a_card_that_did_not_come_is_asked_for_again_and_never_looks_current(page, devices, event):
    entry = f.at_table(event, 1)[0]
    opened(page, devices, entry.registration)
    strip = page.locator("#offline")
    expect(strip).to_be_hidden()
    asked = []

    def lose(route):
        asked.append(route.request.url)
        route.abort("connectionreset")

    intercept(page, "**/karte/", lose)
    seat = move(event, entry)
    tell(page)
    expect(strip).to_be_visible()
    expect(strip).to_contain_text("Bitte nicht neu laden.")
    # Another answer, or the radio that is back, says nothing of this one.
    page.evaluate("dispatchEvent(new Event('online'))")
    tell(page, "messages")
    tell(page, "connected")
    page.wait_for_timeout(300)
    expect(strip).to_be_visible()
    assert len(asked) > 1
    page.unroute("**/karte/", lose)
    expect(page.locator("#card .moved")).to_contain_text(str(seat), timeout=15_000)
    expect(strip).to_be_hidden()


@pytest.fixture
def petra():
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now(), capacity=3)
    row = f.register(event, "Petra Probst", at=now())
    for name in ("Otto Ohm", "Ruth Rabe", "Vera Vogt", "Willi Wart"):
        f.register(event, name, at=now())
    return row


@pytest.mark.django_db(transaction=True)
def test_i_am_here_is_said_keeps_the_focus_and_can_be_taken_back(page, devices, petra):
    devices.own(page, petra)
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
