"""A whole evening of twenty, on four devices, from the new tournament to the prize.

What is pressed often is pressed by hand the first times, and at the end.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import by_request
from tests.browser.hall import Hall, short
from tests.laptops import director_link

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]

PETRA, WALTER = "Petra Probst", "Walter Spät"
FROM_LIST = [f"{first} {last}" for first in ["Ada", "Ben", "Cem"] for last in
             ["Auer", "Brandl", "Czerny", "Dorn", "Egger", "Fink"]]  # fmt: skip
FIELD = len(FROM_LIST) + 2


@pytest.fixture
def hall(browser, server):
    hall = Hall.of(browser, server)
    hall.laptop.sign_in(director_link(server, hall.laptop.base))
    yield hall
    hall.close()


def test_an_evening(hall, tmp_path):
    make_and_register(hall, tmp_path)
    check_in(hall)
    first_dealers(hall)
    run_the_clock(hall)
    a_wrong_tap(hall)
    the_director_alone(hall)
    down_to_the_winner(hall)
    the_prize(hall)
    assert [person.complaints for person in hall.people] == [[]] * 4


def make_and_register(hall, tmp_path):
    hall.event = hall.laptop.make_tournament(
        "Freitagabend", schedule="T200", seats=5, capacity=FIELD
    )
    hall.projector.go(f"{hall.event}screen/")
    hall.projector.see("Freitagabend")

    hall.player.go(hall.event)
    hall.player.page.get_by_label("Dein Name").fill(PETRA)
    hall.player.page.locator("#anmelden [name=is_listed]").check()
    hall.player.page.get_by_label("Ich spiele nach diesen Regeln").check()
    hall.player.press("Platz sichern")
    hall.player.page.wait_for_url("**/p/**")
    hall.player.see("Du bist angemeldet, Nummer")
    expect(hall.player.page.locator(".own-number")).to_contain_text("Nummer 1")

    people = tmp_path / "liste.csv"
    people.write_text("Name;E-Mail\n" + "".join(f"{name};\n" for name in FROM_LIST), "utf-8")
    hall.laptop.read_list(hall.event, people, len(FROM_LIST))
    hall.laptop.see("Ada Auer", "#desk-list")


def seat_told(table, seat):
    """Return how the own page says where one sits, with the card of the seat."""
    return re.compile(rf"Tisch\s*{table}\s*Platz\s*(Platzkarte \w+\s*)?{seat}")


def check_in(hall):
    table, seat = hall.laptop.walk_in(WALTER)
    assert table >= 1
    assert seat >= 1
    table, seat = hall.laptop.check_in(PETRA)
    expect(hall.player.page.locator("#card")).to_contain_text("Tisch")
    hall.player.see(seat_told(table, seat), "#card .slip")
    by_hand, *others = FROM_LIST
    drawn = [hall.laptop.check_in(by_hand)]
    drawn += [by_request.check_in(hall.laptop, name) for name in others]
    assert len({(table, seat), *drawn}) == len(drawn) + 1
    expect(hall.projector.page.locator("[data-part=seats]")).to_have_text(str(FIELD))


def first_dealers(hall):
    hall.arbiter.sign_in(hall.laptop.link_for(hall.event, "Schiedsrichter"))
    tables = hall.arbiter.tables()
    assert tables == [1, 2, 3, 4]
    for table in tables:
        assert re.search(r"Platz \d", hall.arbiter.draw_dealer(hall.event, table))
    hall.player.see(re.compile(r"Du gibst als Erster|Erster Geber ist Platz \d"))


def run_the_clock(hall):
    laptop, projector = hall.laptop.page, hall.projector.page
    hall.laptop.go(f"{hall.event}leitung/")
    expect(projector.locator("body")).to_have_attribute("data-face", "before")
    hall.laptop.drive_clock("Space", "Uhr starten", then="Anhalten")
    expect(projector.locator("body")).to_have_attribute("data-face", "playing")
    hall.projector.see("Stufe 1", "[data-part=level]")
    expect(projector.locator("[data-part=left]")).to_have_text(str(FIELD))
    expect(projector.locator("[data-part=average]")).to_have_text("200")
    first_blinds = projector.locator("[data-part=blinds]").inner_text()

    hall.laptop.drive_clock("Space", "Anhalten", then="Weiter")
    expect(projector.locator("body")).to_have_attribute("data-face", "paused")
    hall.arbiter.see("angehalten")
    before = projector.locator("[data-part=time]").text_content()
    laptop.keyboard.press("-")
    expect(projector.locator("[data-part=time]")).not_to_have_text(before)
    laptop.keyboard.press("+")
    expect(projector.locator("[data-part=time]")).to_have_text(before)
    hall.laptop.drive_clock("Space", "Weiter", then="Anhalten")
    expect(projector.locator("body")).to_have_attribute("data-face", "playing")

    hall.laptop.press("Nächste Stufe")
    expect(projector.locator("[data-part=takeover]")).to_be_visible()
    hall.projector.see("gilt ab der nächsten Hand", "[data-part=takeover]")
    hall.projector.see("Stufe 2", "[data-part=level]")
    assert projector.locator("[data-part=blinds]").inner_text() != first_blinds
    hall.laptop.press("Vorige Stufe")
    hall.projector.see("Stufe 1", "[data-part=level]")


def a_wrong_tap(hall):
    """Out, the place, and back in one tap; then the right one."""
    wrong, table = next(
        (n, at[0]) for n, at in hall.seats().items() if n not in {short(PETRA), short(WALTER)}
    )
    left = hall.projector.page.locator("[data-part=left]")
    hall.arbiter.out(hall.event, wrong, table, FIELD)
    expect(left).to_have_text(str(FIELD - 1))
    hall.arbiter.press("Zurücknehmen", "dialog#sheet")
    expect(left).to_have_text(str(FIELD))
    expect(hall.laptop.page.locator("#table-grid")).to_contain_text(wrong)
    hall.arbiter.out(hall.event, WALTER, hall.seats()[short(WALTER)][0], FIELD)
    expect(hall.laptop.page.locator("#table-grid")).not_to_contain_text(short(WALTER))
    expect(left).to_have_text(str(FIELD - 1))


def the_director_alone(hall):
    """Re-seats and disqualifies."""
    seats = hall.seats()
    name = next(name for name in seats if name != short(PETRA))
    source = seats[short(PETRA)][0]
    count = {number: [at[0] for at in seats.values()].count(number) for number in range(1, 5)}
    target = min((n for n in count if n != source), key=lambda number: count[number])
    seat = hall.laptop.reseat(PETRA, target)
    hall.player.see("Du ziehst um")
    hall.player.see(seat_told(target, seat), "#card .moved")

    hall.laptop.disqualify(name, "Chips vom Tisch genommen", 150)
    expect(hall.projector.page.locator("[data-part=left]")).to_have_text(str(FIELD - 2))
    # 20 stacks of 200 without the 150, over 18.
    expect(hall.projector.page.locator("[data-part=average]")).to_have_text("213")


def down_to_the_winner(hall):
    """Everybody else goes out; what the rules ask for in between is done on the laptop."""
    done = hall.laptop.do_what_is_due()
    left = FIELD - 2
    while left > 1:
        seats = hall.seats()
        name = next(n for n in sorted(seats) if n != short(PETRA))
        with hall.laptop.due_is_read():
            if left in {FIELD - 2, 3, 2}:
                hall.arbiter.out(hall.event, name, seats[name][0], left)
            else:
                by_request.out(hall.arbiter, hall.laptop, hall.event, name, left)
        left -= 1
        if left > 1:
            expect(hall.laptop.page.locator("#table-grid")).not_to_contain_text(name)
            done += hall.laptop.do_what_is_due()
    assert done.count("break") >= 2
    assert done.count("final_table") == 1


def the_prize(hall):
    hall.projector.see("Gewonnen hat")
    hall.projector.see(PETRA, "[data-part=winner]")
    hall.player.see("Du hast gewonnen")
    hall.laptop.see(f"{PETRA} hat gewonnen")
    hall.laptop.page.get_by_role("link", name="Ergebnis ansehen").click()
    rows = hall.laptop.page.locator("table tbody tr")
    expect(rows).to_have_count(FIELD)
    expect(rows.first).to_contain_text(PETRA)
    expect(rows.last).to_contain_text(WALTER)
    expect(rows.nth(FIELD - 2)).to_contain_text("disqualifiziert")
