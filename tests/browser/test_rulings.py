"""The rulings desk on an arbiter's phone, without Wi-Fi, and what another arbiter finds of it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import looking, phones
from tests.laptops import laptop_with_tables
from tournaments.devtools.room import room

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """Return a server in the middle of a tournament, and the tournament."""
    server = laptop_with_tables(tmp_path_factory.mktemp("rulings") / "data")
    made = room(server, players=12, seats=6, phones=2)
    server.start()
    yield server, made
    server.kill()


@pytest.fixture
def make_desk(hall, new_context):
    """Return a maker of phones with the desk in front of them."""

    def make(number=1, table=1, is_ready=True):
        server, made = hall
        context = new_context(has_touch=True, viewport=phones.SIZE)
        cookie = {"name": "krru_device", "value": made["tokens"][number - 1]}
        context.add_cookies([{**cookie, "url": f"http://krru.test:{server.port}"}])
        page = context.new_page()
        page.goto(f"http://krru.test:{server.port}/t/{made['slug']}/regelfragen/?tisch={table}")
        expect(page.locator("#offline")).to_be_hidden()
        expect(page.locator(".ruling-tabs button")).to_have_count(4)
        if is_ready:
            page.keyboard.press("Shift")
            expect(page.locator("body")).to_have_attribute("data-late", "ready")
        return page

    return make


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def turn_to(page, face):
    page.get_by_role("navigation", name="Worum geht es?").get_by_role("button", name=face).click()


def tap_cards(page, cards):
    for card in cards.split():
        page.locator(".ruling-deck").get_by_role("button", name=card, exact=True).click()


def answer(page):
    return page.locator(".ruling-lines")


def test_a_three_way_all_in_is_settled_offline_and_another_arbiter_finds_it(make_desk):
    phone, other = make_desk(), make_desk(2, table=2)
    phone.context.set_offline(True)
    turn_to(phone, "Pots")
    for number, put in enumerate(("50", "125", "125"), 1):
        phone.get_by_role("spinbutton", name=f"Spieler {number}").fill(put)
    expect(answer(phone)).to_contain_text("Spieler 1 hat 75 zu wenig gesetzt")
    for row in (0, 1):
        phone.locator(".ruling-row").nth(row).get_by_role("button", name="All-in").click()
    expect(answer(phone)).to_contain_text("Side Pot 1: 150. Gewinnen können Spieler 2, Spieler 3.")
    expect(answer(phone)).to_contain_text("Jetzt werden alle Hände geöffnet.")
    turn_to(phone, "Showdown")
    tap_cards(phone, "A♥ K♦ 9♣ 4♠ 2♥ A♣ A♠ K♣ 3♠ K♠ 3♣")
    expect(answer(phone)).to_contain_text("Hauptpot (150): Es gewinnt Spieler 1: Drilling")
    expect(answer(phone)).to_contain_text(
        "Side Pot 1 (150): Geteilt wird zwischen Spieler 2, Spieler 3"
    )
    expect(answer(phone)).to_contain_text("Spieler 3 bekommt 75.")
    phone.get_by_label("Was war die Frage").fill("Wem gehört der geteilte Pot?")
    press(phone, "Eintragen")
    expect(phone.locator("#offline")).to_contain_text("1 Eingabe wartet", timeout=15_000)
    phone.context.set_offline(False)
    expect(phone.locator("#rulings")).to_contain_text("geteilte Pot", timeout=20_000)
    found = other.locator("#rulings li").filter(has_text="geteilte Pot")
    expect(found).to_contain_text("Hauptpot (150): Es gewinnt Spieler 1")
    other.get_by_label("Entscheidungen suchen").fill("vierling")
    expect(found).to_be_hidden()
    other.get_by_label("Entscheidungen suchen").fill("geteilte pot 1")
    expect(found).to_contain_text("Handy 1")
    found.get_by_text("Worum es ging").click()
    expect(found).to_contain_text("Spieler 1: A♣ A♠, 50, All-in")


def test_what_is_pressed_before_the_rest_of_the_page_is_there_is_sent_when_it_is(make_desk):
    phone = make_desk(is_ready=False)
    assert phone.evaluate("typeof htmx") == "undefined"
    phone.context.set_offline(True)
    phone.get_by_label("Was war die Frage").fill("Kam das zu früh?")
    press(phone, "Eintragen")
    expect(phone.locator("#ruling-note .refusal-slot")).to_contain_text("sobald die Verbindung")
    phone.context.set_offline(False)
    expect(phone.locator("#rulings")).to_contain_text("Kam das zu früh?", timeout=20_000)
    assert phone.locator("#rulings").get_by_text("Kam das zu früh?").count() == 1


FONTS = """() => performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => name.includes(".woff2")).map((name) => name.split("/").pop().split(".")[0])"""


def test_who_comes_without_a_device_reckons_before_anything_else_is_there(hall, new_context):
    server, made = hall
    page = new_context(viewport=phones.SIZE).new_page()
    page.goto(f"http://krru.test:{server.port}/t/{made['slug']}/regelfragen/")
    turn_to(page, "Stud")
    assert page.evaluate(FONTS) == ["krru-wall"]
    expect(page.locator("body")).to_have_attribute("data-late", "ready")
    assert page.evaluate("typeof htmx") == "undefined"
    page.context.set_offline(True)
    tap_cards(page, "2♦ 2♣ A♠")
    expect(answer(page)).to_contain_text("muss eröffnen.")


def test_s24_a_pot_is_halved_between_high_and_low_on_the_phone(make_desk):
    phone = make_desk()
    turn_to(phone, "Showdown")
    phone.locator("summary", has_text=re.compile("^Spiel")).click()
    press(phone, "Omaha Hi-Lo")
    phone.get_by_role("button", name="Einer weniger", exact=True).click()
    tap_cards(phone, "3♠ 7♦ 8♥ Q♠ J♣ Q♦ Q♥ K♣ 9♣ A♠ 2♦ K♦ 10♥")
    expect(answer(phone)).to_contain_text("Hoch: Es gewinnt Spieler 1: Drilling (Q♠ Q♥ Q♦ J♣ 8♥).")
    expect(answer(phone)).to_contain_text(
        "Niedrig: Es gewinnt Spieler 2: Niedrige Hand (8♥ 7♦ 3♠ 2♦ A♠)."
    )
    press(phone, "2-7 Triple Draw")
    expect(phone.locator(".ruling-slots .ruling-slot")).to_have_count(2)
    tap_cards(phone, "7♠ 5♦ 4♠ 3♠ 2♠ A♦ 5♠ 4♦ 3♦ 2♦")
    expect(answer(phone)).to_contain_text("Es gewinnt Spieler 1: Niedrige Hand")


def test_a_card_that_lies_somewhere_is_not_offered_until_it_is_taken_back(make_desk):
    phone = make_desk()
    turn_to(phone, "Showdown")
    tap_cards(phone, "A♥")
    ace = phone.locator(".ruling-deck").get_by_role("button", name="A♥", exact=True)
    expect(ace).to_be_disabled()
    expect(answer(phone)).to_contain_text("In der Mitte liegen 1 von 5 Karten")
    phone.get_by_role("button", name="A♥ wegnehmen").click()
    expect(ace).to_be_enabled()


def test_a_card_exposed_in_dealing_is_in_no_hand_and_the_deck_makes_way_for_the_answer(make_desk):
    phone = make_desk()
    turn_to(phone, "Showdown")
    phone.get_by_text("Tote Hände, Karten aus dem Spiel").click()
    press(phone, "Aus dem Spiel")
    tap_cards(phone, "Q♠")
    press(phone, "Mitte")
    expect(phone.locator(".ruling-deck").get_by_role("button", name="Q♠")).to_be_disabled()
    press(phone, "Einer weniger")
    tap_cards(phone, "A♥ K♦ 9♣ 4♠ 2♥ A♣ A♠ K♣ 3♠")
    expect(phone.locator(".ruling-deck")).to_be_hidden()
    expect(phone.locator(".ruling-answer")).to_contain_text("Offen gelegt, aus dem Spiel: Q♠.")
    expect(phone.locator(".ruling-answer")).to_contain_text("Drilling (Three of a kind)")
    dead = phone.locator("details", has_text="Tote Hände").get_by_role("button", name="Spieler 1")
    dead.click()
    expect(answer(phone)).to_contain_text("Es gewinnt Spieler 2")
    turn_to(phone, "Stud")
    tap_cards(phone, "Q♠ A♥")
    expect(answer(phone)).to_have_text("Spieler 2 muss eröffnen.")
    turn_to(phone, "Showdown")
    press(phone, "3♠ wegnehmen")
    expect(phone.locator(".ruling-deck")).to_be_visible()


def test_a_bet_is_followed_step_by_step_with_the_blinds_of_the_table(make_desk):
    phone = make_desk()
    expect(answer(phone)).to_contain_text("Spieler 1 ist dran: Mitgehen kostet 2.")
    phone.get_by_label("Setzt auf").fill("24")
    press(phone, "Setzen")
    expect(answer(phone)).to_contain_text("auf mindestens 48.")
    phone.get_by_label("Setzt auf").fill("30")
    press(phone, "Setzen")
    expect(answer(phone)).to_contain_text("Spieler 2 muss auf mindestens 48 setzen, nicht auf 30.")
    press(phone, "Einen Schritt zurück")
    expect(answer(phone)).to_contain_text("Spieler 2 ist dran")


def test_the_answer_is_turned_round_for_the_table(make_desk):
    phone = make_desk()
    turn_to(phone, "Stud")
    tap_cards(phone, "2♦ 2♣ A♠")
    press(phone, "Split-Limit")
    expect(answer(phone)).to_have_text("Spieler 2 muss eröffnen.")
    press(phone, "Dem Tisch zeigen")
    expect(phone.locator("#ruling-big")).to_contain_text("Spieler 2 muss eröffnen.")
    press(phone, "Schließen")
    expect(phone.locator("#ruling-big")).to_be_hidden()


def test_every_face_is_for_a_thumb_on_a_narrow_phone(make_desk):
    phone = make_desk()
    phone.set_viewport_size({"width": 320, "height": 664})
    for face in ("Einsatz", "Pots", "Showdown", "Stud"):
        turn_to(phone, face)
        assert phone.evaluate("document.documentElement.scrollWidth") == 320, face
        assert phone.evaluate(looking.SMALL, looking.TARGET) == [], face
        assert list(looking.axe_faults(phone)) == [], face
