"""Two laptops and three phones through a bubble: a mistaken out, its undo after a table break,
hand-for-hand told late and corrected, "in the money" taken back in plain sight, and a redraw.
All real; every device and the wall follow the others by the stream."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.devices import faults
from tests.browser.hall import LAPTOP, Director
from tests.browser.rooms import OWN, PANEL, Room
from tests.waits import wait_for
from tournaments.devtools.room import account

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]
PAID, REDRAWN_AT = 6, 6
END = re.compile(r"Schluss gegen (\d\d:\d\d) \(80 %: (\d\d:\d\d)–(\d\d:\d\d)\)")


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
    hand_for_hand_is_announced(hall)
    tda_2024_rp8_two_tables_bust_one_each(hall)
    star_sydney_every_table_is_counted(hall)
    in_the_money_is_taken_back_in_plain_sight(hall)
    every_seat_is_drawn_anew(hall)
    assert account(hall.server)["wrong"] == []
    people = (hall.laptop, hall.second, hall.projector, *hall.phones)
    assert [person.complaints for person in people] == [[]] * len(people)


def has_no_barriers(person, where):
    assert faults(person.page) == [], where


def remaining(hall):
    """Return the minutes and seconds that the laptop's clock shows."""
    shown = hall.laptop.page.locator(".clock-panel [data-clock-show=remaining]").inner_text()
    minutes, seconds = shown.split(":")
    return int(minutes) * 60 + int(seconds)


def the_second_laptop_takes_over(hall):
    hall.laptop.settle(hall.event, "money", paid_places=str(PAID))
    hall.laptop.settle(hall.event, "places", redraw_at=str(REDRAWN_AT))
    hall.laptop.settle(hall.event, "evening", shows_end="on")
    expect(hall.projector.page.locator("[data-part=end]")).to_contain_text("Schluss etwa")
    hall.laptop.go(f"{hall.event}geraete/")
    hall.laptop.press("QR-Code für Turnierleitung zeigen")
    hall.second.sign_in(hall.laptop.page.locator("#code-url").inner_text())
    for laptop in (hall.laptop, hall.second):
        laptop.go(f"{hall.event}leitung/")


def one_out_too_many(hall):
    """Four go out at three tables; the one at table 2 did not. Return his name."""
    end = hall.laptop.page.locator("#director-end .end-said")
    expect(end).to_have_text(END)
    said = end.inner_text()
    first = [hall.names(number) for number in (1, 2, 3)]
    outs = ((0, 1, 12), (1, 2, 11), (2, 3, 10), (2, 3, 9), (0, 1, 8))
    for phone, number, place in outs:
        name = first[number - 1].pop(0)
        hall.out(hall.phones[phone], number, name, place)
        if number == 2:
            mistaken = name
    for laptop in (hall.laptop, hall.second):
        expect(laptop.page.locator("#table-grid .seat:not(.is-empty)")).to_have_count(7)
    expect(end).not_to_have_text(said)
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
    hall.laptop.see("Wieder im Spiel", "dialog#sheet")
    hall.laptop.press("Zurücknehmen", "dialog#sheet")
    expect(hall.laptop.sheet).to_be_hidden()
    expect(hall.second.page.locator("#table-grid .seat:not(.is-empty)")).to_have_count(8)
    hall.laptop.go(f"{hall.event}ergebnis/")
    expect(page.locator("tbody .place")).to_have_text(["9", "10", "11", "12"])
    hall.laptop.go(f"{hall.event}leitung/")


def hand_for_hand_is_announced(hall):
    hall.laptop.see("Noch 2 bis zum Geld", PANEL)
    has_no_barriers(hall.laptop, "laptop near")
    hall.laptop.press("Hand für Hand ansagen", PANEL)
    hall.laptop.see("laufende Hände", PANEL)
    one, two = hall.phones[:2]
    for phone, number in ((one, 1), (two, 2)):
        hall.table(phone, number).see("Hand für Hand ist angesagt", OWN)
        hall.report(phone, number)
        phone.see("Keine neue Hand", "#next-hand")
        expect(phone.page.get_by_role("button", name="Nächste Hand")).to_have_count(0)
    has_no_barriers(one, "phone without a hand")
    hall.laptop.see("2 von 2 Tischen fertig", PANEL)
    stood = remaining(hall)
    hall.second.press("Nächste Hand freigeben", PANEL)
    two.see("Hand für Hand: Hand 1", OWN)
    expect(one.page.get_by_role("button", name="Nächste Hand")).to_be_visible()
    hall.projector.see("Hand für Hand")
    has_no_barriers(two, "phone in a round")
    expect(hall.laptop.page.locator("#clock-main")).to_contain_text("Weiter")
    assert stood - remaining(hall) == 2 * 60


def tda_2024_rp8_two_tables_bust_one_each(hall):
    """The second is told when the next hand runs already; his place is shared once it is named."""
    one, two = hall.phones[:2]
    first = hall.table(one, 1).page.locator("button.seat-face .seat-player").first
    hall.first_out = first.inner_text().strip()
    assert hall.out_in_a_round(one, 1) == "Platz 8"
    one.press("Fertig", "dialog#sheet")
    hall.report(one, 1)
    hall.laptop.page.locator("#reported-2").click()
    hall.laptop.see("Ist jemand aus?", PANEL)
    has_no_barriers(hall.laptop, "laptop reports")
    hall.laptop.press("Nein, oder schon eingetragen", f"{PANEL} details[open]")
    hall.second.press("Nächste Hand freigeben", PANEL)
    two.see("Hand für Hand: Hand 2", OWN)
    hall.table(two, 2).page.locator("button.seat-face").first.click()
    two.press(re.compile(r"^Aus\b"), "dialog#sheet")
    two.see("In welcher Hand?", "dialog#sheet")
    two.sheet.get_by_role("button", name="Hand 1").click()
    expect(two.sheet.get_by_role("button", name="Hand 1")).to_be_disabled()
    has_no_barriers(two, "an out told late")
    two.press("Fertig", "dialog#sheet")
    for phone, number in ((one, 1), (two, 2)):
        hall.report(phone, number)
    hall.second.go(f"{hall.event}ergebnis/")
    expect(hall.second.page.locator("tbody .place")).to_have_text(["7", "7", "9", "10", "11", "12"])
    expect(hall.projector.page.locator("[data-part=left]")).to_have_text("6")
    hall.second.go(f"{hall.event}leitung/")


def star_sydney_every_table_is_counted(hall):
    one, two = hall.phones[:2]
    hall.laptop.see("Noch nicht nachgezählt: Tische 1, 2", PANEL)
    hall.table(one, 1)
    has_no_barriers(one, "phone heads")
    hall.count(one, 1, 3)
    hall.count(two, 2, 2)
    for part in (PANEL, "#director-due"):
        hall.laptop.see("Tisch 2: 2 gezählt, 3 eingetragen", part)
    expect(hall.laptop.page.locator("#money-reach")).to_be_disabled()
    two.see("2 gezählt, 3 eingetragen", OWN)
    has_no_barriers(two, "phone differs")
    hall.count(two, 2, 3)
    two.see("Spieler gezählt", OWN)
    expect(hall.laptop.page.locator("#money-reach")).to_be_enabled()
    has_no_barriers(hall.laptop, "laptop money")


def in_the_money_is_taken_back_in_plain_sight(hall):
    hall.second.press("„Im Geld“ ansagen", PANEL)
    expect(hall.second.page.locator("#bubble-title")).to_have_text("Im Geld")
    hall.second.press("Hand für Hand beenden", PANEL)
    expect(hall.laptop.page.locator("#bubble-title")).to_have_count(0)
    hall.laptop.see("Im Geld: noch 6 im Spiel, 6 Plätze bezahlt", "#director-log")
    expect(hall.laptop.page.locator("#clock-main")).to_contain_text("Anhalten")
    hall.projector.see("bekommen einen Preis")
    hall.laptop.page.locator("#log-more > summary").click()
    lines = hall.laptop.page.locator("#director-log li", has_text="Ausgeschieden: ")
    line = lines.filter(has_text=hall.first_out).last
    line.get_by_role("button", name="Zurücknehmen").click()
    hall.laptop.see("Wieder im Spiel", "dialog#sheet")
    hall.laptop.press("Zurücknehmen", "dialog#sheet")
    expect(hall.laptop.sheet).to_be_hidden()
    hall.laptop.see("„Im Geld“ gilt nicht mehr: 7 im Spiel, 6 bezahlt", "#director-log")
    announced = hall.projector.page.locator(".announcement")
    expect(announced).to_contain_text("„Im Geld“ gilt nicht mehr: Noch 7 im Spiel")
    hall.laptop.see("Die Tische werden neu gezählt", "#director-due")
    hall.phones[0].see("Bitte Spieler zählen", OWN)
    has_no_barriers(hall.laptop, "laptop taken back")
    one = hall.phones[0]
    expect(one.page.locator("button.seat-face")).to_have_count(4)
    hall.out(one, 1, hall.first_out, 7)
    hall.laptop.page.locator("#log-more > summary").click()


def every_seat_is_drawn_anew(hall):
    for laptop in (hall.laptop, hall.second):
        expect(laptop.page.locator("#table-grid .seat:not(.is-empty)")).to_have_count(PAID)
    before = hall.seats(hall.laptop)
    hall.laptop.see(f"Neu auslosen bei {REDRAWN_AT}", "#director-due")
    hall.laptop.page.locator("[id^=duty-redraw-]").click()
    for name in before:
        hall.laptop.see(name, "dialog#sheet .names")
    hall.laptop.press("Auslosen", "dialog#sheet")
    expect(hall.laptop.sheet).to_be_hidden()
    hall.second.see("Neu ausgelost", "#director-log")
    seats = lambda: hall.seats(hall.second)
    assert wait_for(lambda: seats() != before and len(seats()) == PAID)
    after = seats()
    assert before.keys() == after.keys()
    assert len(set(after.values())) == len(after) == PAID
