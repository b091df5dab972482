"""A bubble with hand-for-hand on a laptop, three arbiters' phones and the screen, all real.

Told late, corrected, shared; announced, and taken back in plain sight.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.rooms import OWN, PANEL, Room
from tournaments.devtools.room import account

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]


def out(hall, phone, number):
    """Put the first of a table out, look at what is shown, and return the place."""
    place = hall.out_in_a_round(phone, number)
    has_no_barriers(phone, f"out-{number}")
    phone.press("Fertig", "dialog#sheet")
    return place


def remaining(hall):
    """Return the minutes and seconds that the laptop's clock shows."""
    shown = hall.laptop.page.locator(".clock-panel [data-clock-show=remaining]").inner_text()
    minutes, seconds = shown.split(":")
    return int(minutes) * 60 + int(seconds)


def has_no_barriers(person, where):
    found = list(looking.axe_faults(person.page))
    assert found == [], f"{where}: {found}"


@pytest.fixture
def hall(browser, tmp_path):
    with Room.opened(browser, tmp_path / "data", players=9, seats=3, phones=3) as hall:
        yield hall


def test_a_bubble_with_hand_for_hand(hall):
    seven_are_paid(hall)
    hand_for_hand_is_announced(hall)
    tda_2024_rp8_two_tables_bust_one_each(hall)
    star_sydney_every_table_is_counted(hall)
    in_the_money(hall)
    an_undo_takes_it_back_in_plain_sight(hall)
    assert account(hall.server)["wrong"] == []
    assert [person.complaints for person in (hall.laptop, hall.projector, *hall.phones)] == [[]] * 5


def seven_are_paid(hall):
    hall.laptop.go(f"{hall.event}einstellungen/")
    hall.laptop.page.get_by_label("Bezahlte Plätze").fill("7")
    has_no_barriers(hall.laptop, "settings")
    hall.laptop.press("Speichern")
    hall.laptop.go(f"{hall.event}leitung/")
    hall.laptop.see("Noch 2 bis zum Geld", PANEL)
    has_no_barriers(hall.laptop, "laptop-near")


def hand_for_hand_is_announced(hall):
    hall.laptop.press("Hand für Hand ansagen", PANEL)
    hall.laptop.see("laufende Hände", PANEL)
    one, two, three = hall.phones
    for phone, number in ((one, 1), (two, 2), (three, 3)):
        hall.table(phone, number).see("Hand für Hand ist angesagt", OWN)
        hall.report(phone, number)
        phone.see("Keine neue Hand", "#next-hand")
        expect(phone.page.get_by_role("button", name="Nächste Hand")).to_have_count(0)
    has_no_barriers(one, "phone-no-hand")
    hall.laptop.see("3 von 3 Tischen fertig", PANEL)
    stood = remaining(hall)
    hall.laptop.press("Nächste Hand freigeben", PANEL)
    two.see("Hand für Hand: Hand 1", OWN)
    expect(one.page.get_by_role("button", name="Nächste Hand")).to_be_visible()
    hall.projector.see("Hand für Hand")
    has_no_barriers(two, "phone-round")
    expect(hall.laptop.page.locator("#clock-main")).to_contain_text("Weiter")
    assert stood - remaining(hall) == 2 * 60


def tda_2024_rp8_two_tables_bust_one_each(hall):
    """The second is told when the next hand runs already; his place is shared once it is named."""
    one, two, three = hall.phones
    assert out(hall, one, 1) == "Platz 9"
    hall.report(one, 1)
    the_director_reports_for_a_table(hall, 2)
    hall.report(three, 3)
    hall.laptop.press("Nächste Hand freigeben", PANEL)
    two.see("Hand für Hand: Hand 2", OWN)
    hall.table(two, 2).page.locator("button.seat-face").first.click()
    two.press(re.compile(r"^Aus\b"), "dialog#sheet")
    two.see("In welcher Hand?", "dialog#sheet")
    two.sheet.get_by_role("button", name="Hand 1").click()
    expect(two.sheet.get_by_role("button", name="Hand 1")).to_be_disabled()
    has_no_barriers(two, "out-late")
    two.press("Fertig", "dialog#sheet")
    has_no_barriers(hall.laptop, "laptop-round")
    for phone, number in ((one, 1), (two, 2), (three, 3)):
        hall.report(phone, number)
    for person in (hall.laptop, *hall.phones):
        person.go(f"{hall.event}ergebnis/")
        expect(person.page.locator("tbody .place")).to_have_text(["8", "8"])
    expect(hall.projector.page.locator("[data-part=left]")).to_have_text("7")
    hall.laptop.go(f"{hall.event}leitung/")


def the_director_reports_for_a_table(hall, number):
    hall.laptop.page.locator(f"#reported-{number}").click()
    hall.laptop.see("Ist jemand aus?", PANEL)
    has_no_barriers(hall.laptop, "laptop-reports")
    hall.laptop.press("Nein, oder schon eingetragen", f"{PANEL} details[open]")
    hall.laptop.see("2 von 3 Tischen fertig", PANEL)


def star_sydney_every_table_is_counted(hall):
    one, two, _three = hall.phones
    hall.laptop.see("Noch nicht nachgezählt: Tische 1, 2, 3", PANEL)
    for phone, number in ((one, 1), (two, 2), (two, 3)):
        hall.table(phone, number)
        has_no_barriers(phone, f"phone-heads-{number}")
        hall.count(phone, number, 2)
    for part in (PANEL, "#director-due"):
        hall.laptop.see("Tisch 3: 2 gezählt, 3 eingetragen", part)
    expect(hall.laptop.page.locator("#money-reach")).to_be_disabled()
    has_no_barriers(hall.laptop, "laptop-differs")
    two.see("2 gezählt, 3 eingetragen", OWN)
    has_no_barriers(two, "phone-differs")
    hall.count(two, 3, 3)
    two.see("Spieler gezählt", OWN)


def in_the_money(hall):
    expect(hall.laptop.page.locator("#money-reach")).to_be_enabled(timeout=10_000)
    has_no_barriers(hall.laptop, "laptop-money")
    hall.laptop.press("„Im Geld“ ansagen", PANEL)
    expect(hall.laptop.page.locator("#bubble-title")).to_have_text("Im Geld")
    hall.laptop.press("Hand für Hand beenden", PANEL)
    expect(hall.laptop.page.locator("#bubble-title")).to_have_count(0)
    hall.laptop.see("Im Geld: noch 7 im Spiel, 7 Plätze bezahlt", "#director-log")
    expect(hall.laptop.page.locator("#clock-main")).to_contain_text("Anhalten")
    hall.projector.see("bekommen einen Preis")


def an_undo_takes_it_back_in_plain_sight(hall):
    hall.laptop.page.locator("#log-more > summary").click()
    line = hall.laptop.page.locator("#director-log li", has_text="Ausgeschieden: ").last
    line.get_by_role("button", name="Zurücknehmen").click()
    hall.laptop.press("Zurücknehmen", "dialog#sheet")
    hall.projector.see("„Im Geld“ gilt nicht mehr: Noch 8 im Spiel", ".announcement")
    hall.laptop.see("Die Tische werden neu gezählt", "#director-due")
    hall.laptop.see("„Im Geld“ gilt nicht mehr: 8 im Spiel, 7 bezahlt", "#director-log")
    hall.phones[0].see("Bitte Spieler zählen", OWN)
    has_no_barriers(hall.laptop, "laptop-taken-back")
