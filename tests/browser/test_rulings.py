"""The rulings desk on an arbiter's phone, and what another arbiter finds of it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.devices import PHONE, SMALL, faults
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

    def make(number=1, query="tisch=1", **own):
        server, made = hall
        context = new_context(has_touch=True, viewport=PHONE, **own)
        cookie = {"name": "krru_device", "value": made["tokens"][number - 1]}
        context.add_cookies([{**cookie, "url": f"http://krru.test:{server.port}"}])
        page = context.new_page()
        page.goto(f"http://krru.test:{server.port}/t/{made['slug']}/regelfragen/?{query}")
        expect(page.locator("#offline")).to_be_hidden()
        return page

    return make


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def turn_to(page, face):
    page.get_by_role("navigation", name="Worum geht es?").get_by_role("link", name=face).click()


def tap_cards(page, cards):
    for card in cards.split():
        page.locator(".ruling-deck").get_by_role("button", name=card, exact=True).click()


def answer(page):
    return page.locator("#ruling-lines")


def test_a_three_way_all_in_is_settled_and_another_arbiter_finds_and_opens_it(make_desk):
    phone, other = make_desk(), make_desk(2, "tisch=2")
    turn_to(phone, "Pots")
    for number, put in enumerate(("50", "125", "125"), 1):
        phone.get_by_role("textbox", name=f"Spieler {number}", exact=True).fill(put)
    expect(answer(phone)).to_contain_text("Spieler 1 hat 75 zu wenig gesetzt")
    for row in (0, 1):
        phone.locator(".ruling-row").nth(row).get_by_label("All-in").check()
    expect(answer(phone)).to_contain_text("Side Pot 1: 150. Gewinnen können Spieler 2, Spieler 3.")
    expect(answer(phone)).to_contain_text("Jetzt werden alle Hände geöffnet.")
    turn_to(phone, "Showdown")
    tap_cards(phone, "A♥ K♦ 9♣ 4♠ 2♥ A♣ A♠ K♣ 3♠ K♠ 3♣")
    expect(answer(phone)).to_contain_text("Hauptpot (150): Es gewinnt Spieler 1: Drilling")
    expect(answer(phone)).to_contain_text("Spieler 3 bekommt 75.")
    expect(phone).to_have_url(re.compile("board=AhKd9c4s2h.*put=50&put=125&put=125"))
    phone.get_by_label("Was war die Frage").fill("Wem gehört der geteilte Pot?")
    press(phone, "Eintragen")
    found = other.locator("#rulings li").filter(has_text="geteilte Pot")
    expect(found).to_contain_text("Hauptpot (150): Es gewinnt Spieler 1", timeout=20_000)
    other.get_by_label("Entscheidungen suchen").fill("vierling")
    expect(found).to_be_hidden()
    other.get_by_label("Entscheidungen suchen").fill("geteilte pot 1")
    found.get_by_text("Worum es ging").click()
    found.get_by_role("link", name="Die Frage öffnen").click()
    expect(answer(other)).to_contain_text("Side Pot 1 (150): Geteilt wird zwischen Spieler 2")


def test_cards_tapped_faster_than_the_server_answers_count_and_are_offered_once(make_desk):
    phone = make_desk(query="topic=showdown&players=2")
    phone.evaluate(
        "names => names.forEach(name => document.getElementById(`ruling-key-${name}`).click())",
        ["Ah", "Kd", "9c", "4s", "2h", "Ac", "As", "Kc", "Ks"],
    )
    expect(answer(phone)).to_contain_text("Es gewinnt Spieler 1: Drilling (A♠ A♥ A♣ K♦ 9♣).")
    expect(phone).to_have_url(re.compile("board=AhKd9c4s2h&hand=AcAs&hand=KcKs"))
    expect(phone.locator(".ruling-deck")).to_be_hidden()
    phone.goto(phone.url.partition("?")[0] + "?topic=showdown&players=2")
    tap_cards(phone, "A♥")
    ace = phone.locator(".ruling-deck").get_by_role("button", name="A♥", exact=True)
    expect(ace).to_be_disabled()
    expect(answer(phone)).to_contain_text("In der Mitte liegen 1 von 5 Karten")
    phone.get_by_role("button", name="A♥ wegnehmen").click()
    expect(ace).to_be_enabled()


def test_a_bet_is_judged_while_it_is_typed_and_a_decision_waits_without_wifi(make_desk):
    phone = make_desk()
    expect(answer(phone)).to_contain_text("Spieler 1 ist dran: Mitgehen kostet 2.")
    to = phone.get_by_label("Setzt auf")
    to.press_sequentially("24", delay=80)
    expect(answer(phone)).to_contain_text("Eine volle Erhöhung auf 24.")
    expect(to).to_be_focused()
    expect(to).to_have_value("24")
    press(phone, "Setzen")
    expect(answer(phone)).to_contain_text("auf mindestens 48.")
    to.fill("24")
    to.press("Enter")
    expect(answer(phone)).to_contain_text("Das ist ein Call.")
    press(phone, "Einen Schritt zurück")
    expect(answer(phone)).not_to_contain_text("Das ist ein Call.")
    phone.context.set_offline(True)
    press(phone, "Geht mit")
    expect(phone.locator("#offline")).to_contain_text("Keine Verbindung")
    phone.get_by_label("Entschieden wurde").fill("Es bleibt beim Call")
    press(phone, "Eintragen")
    expect(phone.locator("#offline")).to_contain_text("1 Eingabe wartet", timeout=15_000)
    phone.context.set_offline(False)
    expect(phone.locator("#rulings")).to_contain_text("Es bleibt beim Call", timeout=20_000)
    press(phone, "Geht mit")
    expect(answer(phone)).to_contain_text("ist dran")


def test_without_scripts_a_press_answers_too_and_is_turned_round_for_the_table(make_desk):
    phone = make_desk(query="topic=stud&players=2", java_script_enabled=False)
    tap_cards(phone, "2♦ A♠")
    expect(answer(phone)).to_have_text("Spieler 2 muss eröffnen.")
    assert "hand=2d&hand=As" in phone.url
    phone = make_desk(query="topic=stud&players=2&limit=split_limit&hand=2d&hand=2c")
    expect(answer(phone)).to_have_text("Spieler 2 muss eröffnen.")
    press(phone, "Dem Tisch zeigen")
    expect(phone.locator("#ruling-big")).to_contain_text("Spieler 2 muss eröffnen.")
    press(phone, "Schließen")
    expect(phone.locator("#ruling-big")).to_be_hidden()


FACES = (
    "tisch=1",
    "topic=pots&players=3&put=50&put=125&put=125&all_in=1&all_in=2",
    "topic=showdown&players=2",
    "topic=showdown&players=2&board=AhKd9c4s2h&hand=AcAs&hand=KcKs",
    "topic=stud",
)


def test_every_face_is_for_a_thumb_on_a_narrow_phone(make_desk):
    phone = make_desk(query=FACES[0])
    phone.set_viewport_size(SMALL)
    for query in FACES:
        phone.goto(f"{phone.url.partition('?')[0]}?{query}")
        for details in phone.locator("form summary").all():
            details.click()
        assert list(looking.thumb_faults(phone)) == [], query
        assert faults(phone) == [], query
