"""Two laptops and three phones through a bubble: a mistaken out, its undo after a table break,
hand-for-hand, and a redraw. All real; every device follows the others by the stream."""

import pytest
from playwright.sync_api import expect

from tests.browser.hall import LAPTOP, Director
from tests.browser.rooms import OWN, PANEL, Room
from tournaments.devtools.room import account

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]
PAID, REDRAWN_AT = 6, 6


@pytest.fixture
def hall(browser, tmp_path):
    with Room.opened(browser, tmp_path / "data", players=12, seats=4, phones=3) as hall:
        hall.second = Director(browser, hall.base, LAPTOP)
        yield hall
        hall.second.context.close()


def test_two_laptops_and_three_phones_through_a_bubble(hall):
    the_second_laptop_takes_over(hall)
    mistaken = one_out_too_many(hall)
    a_table_is_broken(hall)
    he_comes_back_an_hour_later(hall, mistaken)
    the_bubble_bursts_hand_for_hand(hall)
    every_seat_is_drawn_anew(hall)
    assert account(hall.server)["wrong"] == []
    people = (hall.laptop, hall.second, *hall.phones)
    assert [person.complaints for person in people] == [[]] * len(people)


def the_second_laptop_takes_over(hall):
    hall.laptop.go(f"{hall.event}einstellungen/")
    hall.laptop.page.get_by_label("Bezahlte Plätze").fill(str(PAID))
    hall.laptop.page.get_by_label("Neu auslosen bei").fill(str(REDRAWN_AT))
    hall.laptop.press("Speichern")
    hall.laptop.go(f"{hall.event}geraete/")
    hall.laptop.press("QR-Code für Turnierleitung zeigen")
    hall.second.sign_in(hall.laptop.page.locator("#code-url").inner_text())
    for laptop in (hall.laptop, hall.second):
        laptop.go(f"{hall.event}leitung/")


def one_out_too_many(hall):
    """Four go out at three tables; the one at table 2 did not. Return his name."""
    first = [hall.names(number) for number in (1, 2, 3)]
    outs = ((0, 1, 12), (1, 2, 11), (2, 3, 10), (2, 3, 9), (0, 1, 8))
    for phone, number, place in outs:
        name = first[number - 1].pop(0)
        hall.out(hall.phones[phone], number, name, place)
        if number == 2:
            mistaken = name
    for laptop in (hall.laptop, hall.second):
        expect(laptop.page.locator("#table-grid .seat:not(.is-empty)")).to_have_count(7)
    return mistaken


def a_table_is_broken(hall):
    """Both laptops have the break before them; one presses, the other is told."""
    for laptop in (hall.laptop, hall.second):
        laptop.page.locator("[id^=duty-break-]").first.click()
        laptop.see("Tisch 3 auflösen", "dialog#sheet")
    hall.second.press("Tisch 3 auflösen", "dialog#sheet")
    expect(hall.second.sheet).to_be_hidden()
    hall.laptop.press("Tisch 3 auflösen", "dialog#sheet")
    hall.laptop.see("Tisch 3 gibt es nicht mehr.", "dialog#sheet")
    hall.laptop.complaints.clear()
    hall.laptop.press("Schließen", "dialog#sheet")
    hall.phones[2].go(f"{hall.event}tische/3/")
    hall.phones[2].see("Diesen Tisch gibt es nicht mehr")


def he_comes_back_an_hour_later(hall, name):
    """The preview says what changes, and that is what happens."""
    page = hall.laptop.page
    hall.laptop.go(f"{hall.event}protokoll/")
    line = page.locator("#protocol li", has_text=f"Ausgeschieden: {name}")
    line.get_by_role("button", name="Zurücknehmen").click()
    hall.laptop.see("Im Spiel", "dialog#sheet")
    hall.laptop.see(name, "dialog#sheet")
    hall.laptop.press("Zurücknehmen", "dialog#sheet")
    expect(hall.laptop.sheet).to_be_hidden()
    expect(hall.second.page.locator("#table-grid .seat:not(.is-empty)")).to_have_count(8)
    hall.laptop.go(f"{hall.event}ergebnis/")
    expect(page.locator("tbody .place")).to_have_text(["9", "10", "11", "12"])
    hall.laptop.go(f"{hall.event}leitung/")


def the_bubble_bursts_hand_for_hand(hall):
    hall.laptop.see("Noch 2 bis zum Geld", PANEL)
    hall.laptop.press("Hand für Hand ansagen", PANEL)
    for number in (1, 2):
        hall.report(hall.phones[number - 1], number)
    hall.second.press("Nächste Hand freigeben", PANEL)
    for number in (1, 2):
        hall.phones[number - 1].see("Hand für Hand: Hand 1", OWN)
        hall.out_in_a_round(hall.phones[number - 1], number)
        hall.phones[number - 1].press("Fertig", "dialog#sheet")
    for number in (1, 2):
        hall.report(hall.phones[number - 1], number)
        hall.count(hall.phones[number - 1], number, 3)
    expect(hall.second.page.locator("#money-reach")).to_be_enabled(timeout=10_000)
    hall.second.press("„Im Geld“ ansagen", PANEL)
    hall.second.press("Hand für Hand beenden", PANEL)
    expect(hall.laptop.page.locator("#bubble-title")).to_have_count(0)
    hall.second.go(f"{hall.event}ergebnis/")
    expect(hall.second.page.locator("tbody .place")).to_have_text(["7", "7", "9", "10", "11", "12"])
    hall.second.go(f"{hall.event}leitung/")


def every_seat_is_drawn_anew(hall):
    before = hall.seats(hall.laptop)
    hall.laptop.see(f"Neu auslosen bei {REDRAWN_AT}", "#director-due")
    hall.laptop.page.locator("[id^=duty-redraw-]").click()
    for name in before:
        hall.laptop.see(name, "dialog#sheet .names")
    hall.laptop.press("Auslosen", "dialog#sheet")
    expect(hall.laptop.sheet).to_be_hidden()
    hall.second.see("Neu ausgelost", "#director-log")
    after = seats_after(hall, before)
    assert before.keys() == after.keys()
    assert len(set(after.values())) == len(after) == PAID


def seats_after(hall, before):
    """Return the seats on the second laptop, once they are others than they were."""
    for _try in range(50):
        after = hall.seats(hall.second)
        if after != before and len(after) == len(before):
            return after
        hall.second.page.wait_for_timeout(200)
    raise AssertionError("The second laptop never showed the new seats.")
