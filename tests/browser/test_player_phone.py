"""Players' own phones: one hears of its new seat, the others are quiet and yet up to date."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import localtime, now
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tests.browser.hall import PHONE, Person
from tests.browser.rooms import Room
from tests.calling import call_service
from tests.views.pages import soon
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.play.services.hands import button_mark
from tournaments.seating.services.tables import entry_move

TOLD = """() => {
  globalThis.toldAt = 0;
  globalThis.seenAt = 0;
  document.body.addEventListener("krru:change", () => { globalThis.toldAt ||= Date.now(); });
  const look = () => {
    if (document.querySelector("#card .moved")) globalThis.seenAt ||= Date.now();
  };
  const card = document.getElementById("card");
  new MutationObserver(look).observe(card, { childList: true, subtree: true });
}"""
POST = """async ([path, fields]) => {
  const token = document.querySelector("meta[name=csrf-token]").content;
  const body = new URLSearchParams(fields);
  const headers = { "X-CSRFToken": token, "HX-Request": "true" };
  return (await fetch(path, { method: "POST", headers, body })).status;
}"""
SPIES = """
globalThis.buzzed = [];
navigator.vibrate = (pattern) => { buzzed.push(pattern); return true; };
"""


# --- On a real server, with its stream


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


def press(room, path, **fields):
    """Do on the laptop what a sheet would."""
    assert room.laptop.page.evaluate(POST, [f"{room.event}{path}", fields]) == 200


def quiet(*people):
    """Forget what was asked while the pages came up."""
    for phone in people:
        phone.page.wait_for_timeout(700)
    for phone in people:
        phone.asked.clear()


@pytest.mark.browser
def test_a_seat_change_reaches_the_one_phone_and_makes_no_other_fetch(browser, room):
    petra, neighbour, other = (player(browser, room, t, at) for t, at in ((1, 0), (1, 1), (2, 0)))
    everybody = (petra, neighbour, other)
    room.laptop.go(f"{room.event}leitung/")
    gone = room.made["tables"]["2"][4]
    quiet(*everybody)

    # Somebody is out: all know how many are left, and nobody asked.
    press(room, f"tische/spieler/{gone['entry']}/aus/")
    for phone in everybody:
        expect(phone.page.locator("[data-room=left]")).to_have_text("19")
        expect(phone.page.locator("[data-room=average]")).to_have_text("210")
    quiet(*everybody)

    petra.page.evaluate(TOLD)
    seat = gone["seat"]
    press(room, f"leitung/umsetzen/{petra.seat['entry']}/", to=f"2-{seat}", reason="Probe")
    petra.see("Du ziehst um", "#card")
    figures = petra.page.locator("#card .moved .slip-figure")
    assert figures.all_text_contents() == ["2", str(seat)]
    told, seen = petra.page.evaluate("[toldAt, seenAt]")
    assert 0 <= seen - told <= 1000
    for phone in (neighbour, other):
        phone.page.wait_for_timeout(1500)
    # Who sits at one of the two tables asks for the own rank of moves, and for nothing else.
    for phone in (neighbour, other):
        assert [url.split("/")[-2] for url in phone.asked] == ["rang"]
        phone.asked.clear()
    assert [url for url in petra.asked if "/karte/" not in url] == []
    assert len(petra.asked) == 1

    # An undo sends back the one, and is no news to the others either.
    room.laptop.go(f"{room.event}leitung/")
    latest = room.laptop.page.locator("#director-log button[id^=undo-]").first
    press(room, f"ruecknahme/{latest.get_attribute('id').removeprefix('undo-')}/")
    expect(figures).to_have_text(["1", str(petra.seat["seat"])])
    neighbour.page.wait_for_timeout(1500)
    for phone in (neighbour, other):
        assert [url.split("/")[-2] for url in phone.asked] == ["rang"]
    assert [line for phone in everybody for line in phone.complaints] == []
    for phone in everybody:
        phone.context.close()


@pytest.mark.browser
def test_the_server_away_the_clock_goes_on_and_the_page_says_since_when(browser, room):
    petra = player(browser, room, 1, 0)
    strip, clock = petra.page.locator("#offline"), petra.page.locator("[data-clock-show=remaining]")
    expect(strip).to_be_hidden()
    room.server.kill()
    expect(strip).to_be_visible(timeout=15_000)
    expect(strip).to_contain_text(re.compile(r"Stand von \d\d:\d\d Uhr\."))
    expect(strip).to_contain_text("Keine Verbindung.")
    expect(strip).to_contain_text("Die Uhr läuft hier weiter")
    before = clock.first.text_content()
    expect(clock.first).not_to_have_text(before or "")
    assert phones.faults(petra.page) == []
    room.server.start()
    expect(strip).to_be_hidden(timeout=15_000)
    petra.context.close()


# --- Against the test's own database


def own_page(page, live_server, registration):
    page.add_init_script(SPIES)
    page.set_viewport_size(phones.SIZE)
    page.goto(live_server.url + reverse("player", args=[registration.link_token]))
    return page


def tell(page, name="own"):
    """Let the page hear what its stream would tell."""
    page.evaluate("name => document.body.dispatchEvent(new CustomEvent(`krru:${name}`))", name)


def sent_to_table_2(page, live_server, **settings):
    """Send somebody to another table while his page is open; return what the phone did."""
    event = f.make_running_event(12, seats=7, **settings)
    petra = f.at_table(event, 1)[0]
    own_page(page, live_server, petra.registration)
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


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_where_phones_are_allowed_a_move_is_felt_once(page, live_server):
    assert len(sent_to_table_2(page, live_server, preset="tda-2024")) == 1
    page.get_by_label("Mit Ton und Vibration melden").uncheck()
    page.reload()
    expect(page.get_by_label("Mit Ton und Vibration melden")).not_to_be_checked()
    assert phones.faults(page) == []


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_krru_3_0_no_phone_makes_itself_felt_at_the_table(page, live_server):
    assert sent_to_table_2(page, live_server) == []
    expect(page.get_by_text("Mit Ton und Vibration")).to_have_count(0)


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_tda_2024_11a_the_page_says_how_near_one_is_to_being_moved(page, live_server):
    event = f.make_running_event(12, seats=7)
    table = f.table_of(event, 1)
    seats = [f.seat_of(entry)[1] for entry in f.at_table(event, 1)]
    fourth = f.at_table(event, 1)[3]
    own_page(page, live_server, fourth.registration)
    rank = page.locator("[data-rank]")
    expect(rank).to_contain_text("Los")
    button_mark(Command(event=event, by=SYSTEM, at=now()), table=table, seat=seats[0])
    version = f.fresh(event).version
    script = "detail => document.body.dispatchEvent(new CustomEvent('krru:change', {detail}))"
    page.evaluate(script, {"version": version, "changed": ["hands"], "ranks": [2]})
    expect(rank).to_contain_text("Los")
    page.evaluate(script, {"version": version, "changed": ["hands"], "ranks": [1]})
    # Seat by seat behind the button: small blind, big blind; the fourth posts the next one.
    expect(rank).to_contain_text(re.compile(rf"1\.\s*von {len(seats)} am Tisch"))
    # What was told grows old without anybody doing anything.
    assert "load delay:601s" in rank.get_attribute("hx-trigger")
    assert phones.faults(page) == []


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_what_is_being_typed_stays_when_others_register(page, live_server):
    event = soon(late_registration_level=6)
    petra = f.register(event, "Petra Probst", at=now())
    own_page(page, live_server, petra)
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
