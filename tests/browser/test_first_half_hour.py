"""From the poster's link to the seats: five phones, two desks, the director's laptop, a big screen.

A server of its own, its own tasks, its own time: nobody pushes the clock, the minute after which
a place is lost really passes.
"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.hall import LAPTOP, PHONE, PROJECTOR, Desk, Director, Person
from tests.laptops import director_link
from tournaments.changes.views.decorators import qr_svg
from tournaments.devtools.room import account

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]
PETRA, LENA, NORA, WILLI, EMMA = PHONES = (
    "Petra Probst", "Lena Spät", "Nora Nagel", "Willi Wart", "Emma Price",
)  # fmt: skip
HERE, ABSENT = ["Ada Auer", "Ben Brandl"], ["Dana Dorn"]
CAPACITY = 7
DOOR = {"offer_minutes": "10", "no_show_minutes": "1", "late_registration_level": "3"}


class Phone(Person):
    """A guest's own phone. `own` is the address of his page, once he is registered."""

    @property
    def card(self):
        return self.page.locator("#card")

    def register(self, link, name, button="Platz sichern"):
        """Register, and return the number that the own page shows at once."""
        self.page.goto(link)
        form = self.page.locator("#anmelden form")
        form.locator("[name=name]").fill(name)
        form.locator("[name=agrees_to_rules]").check()
        form.locator("[name=is_listed]").check()
        form.get_by_role("button", name=button, exact=True).click()
        self.page.wait_for_url("**/p/**")
        self.own = self.page.url
        number = self.card.locator(".own-number, .slip-figure").first.inner_text()
        return int(re.sub(r"\D", "", number))

    def sits(self, seat):
        """Wait until the card shows this seat, large and in the picture; say that one is there."""
        figures = self.card.locator(".slip-seat .slip-figure")
        expect(figures).to_have_text([str(part) for part in seat])
        expect(self.card.locator(".seat-map .is-me")).to_contain_text(str(seat[1]))
        asked = self.card.locator(".player-arrived")
        asked.get_by_role("button").click()
        expect(asked).to_have_count(0)


class Door:
    """Everybody of the first half hour, and the tournament."""

    def __init__(self, browser, server):
        base = f"http://krru.test:{server.port}"
        self.laptop, self.screen = Director(browser, base, LAPTOP), Person(browser, base, PROJECTOR)
        self.desks = [Desk(browser, base, LAPTOP), Desk(browser, base, PHONE)]
        languages = {EMMA: "en-GB"}
        self.phones = {
            name: Phone(browser, base, PHONE, languages.get(name, "de-DE")) for name in PHONES
        }
        self.people = [self.laptop, self.screen, *self.desks, *self.phones.values()]
        self.event, self.link, self.seats = "", "", {}

    def row(self, desk, name):
        return desk.page.locator("#desk-list tr", has_text=name)

    def open_sheet(self, desk, name):
        desk.page.get_by_role("link", name=re.compile(rf"Einchecken\s*: {name}$")).click()
        expect(desk.sheet.get_by_role("heading", name=name)).to_be_visible()

    def check_in_at_once(self, *names):
        """Have each desk check one person in, both in the same instant."""
        for desk, name in zip(self.desks, names, strict=True):
            self.open_sheet(desk, name)
        for desk in self.desks:
            button = desk.sheet.get_by_role("button", name="Einchecken", exact=True)
            button.click(no_wait_after=True)
        for desk, name in zip(self.desks, names, strict=True):
            self.seats[name] = desk.seat_shown(name)


@pytest.fixture
def door(browser, server):
    door = Door(browser, server)
    door.laptop.sign_in(director_link(server, door.laptop.base))
    yield door
    for person in door.people:
        person.context.close()


def test_from_the_posters_link_to_the_seats(door, server, tmp_path):
    the_director_makes_it(door, tmp_path)
    five_phones_open_the_poster(door)
    a_place_is_passed_on(door)
    two_desks_check_in(door)
    the_clock_starts_without_two(door)
    the_absent_lose_their_places(door)
    a_check_in_is_taken_back(door)
    assert account(server)["wrong"] == []
    assert [person.complaints for person in door.people] == [[]] * len(door.people)


def the_director_makes_it(door, tmp_path):
    laptop = door.laptop
    starts = timezone.localtime() + timedelta(minutes=30)
    laptop.go("/neu/")
    laptop.page.get_by_label("Name", exact=True).fill("Winterpokal")
    laptop.page.get_by_label("Tag").fill(f"{starts:%Y-%m-%d}")
    laptop.page.get_by_label("Beginn").fill(f"{starts:%H:%M}")
    laptop.page.get_by_label("Blindplan", exact=True).select_option("T200")
    laptop.page.get_by_label("Plätze je Tisch").fill("4")
    laptop.page.get_by_label("Startgeld in Euro").fill("10")
    laptop.press("Anlegen")
    laptop.page.wait_for_url("**/leitung/")
    door.event = laptop.page.url.removeprefix(laptop.base).removesuffix("leitung/")
    laptop.settle(door.event, "places", capacity=str(CAPACITY))
    laptop.settle(door.event, "registration", **DOOR)
    people = tmp_path / "liste.csv"
    people.write_text("\n".join(["Name", *HERE, *ABSENT]), "utf-8")
    laptop.read_list(door.event, people, len(HERE + ABSENT))
    for desk in door.desks:
        desk.sign_in(laptop.link_for(door.event, "Anmeldung"))
        desk.go(f"{door.event}anmeldung/")
    door.screen.go(f"{door.event}screen/")
    laptop.go(f"{door.event}drucken/aushang/")
    door.link = laptop.page.locator(".sheet-qr").get_attribute("data-opens")
    assert door.link.startswith(laptop.page.locator(".sheet-link").inner_text())
    code = laptop.page.locator(".sheet-qr path").get_attribute("d")
    assert re.search(r' d="([^"]+)"', qr_svg(door.link))[1] == code


def five_phones_open_the_poster(door):
    phones = door.phones
    numbers = [
        phones[PETRA].register(door.link, PETRA),
        phones[EMMA].register(door.link, EMMA, button="Reserve a seat"),
        phones[LENA].register(door.link, LENA),
        phones[NORA].register(door.link, NORA),
    ]
    assert numbers == [4, 5, 6, CAPACITY]
    phones[EMMA].see("You are registered, number", "#card")
    assert phones[WILLI].register(door.link, WILLI, button="Auf die Warteliste") == 1
    for desk in door.desks:
        desk.see("Warteliste 1", "#desk-list")


def a_place_is_passed_on(door):
    """One cancels; the next in line is asked on his page, which is open. The other waits again."""
    nora, willi = door.phones[NORA], door.phones[WILLI]
    nora.card.get_by_role("link", name="Abmelden").click()
    nora.press("Ja, abmelden")
    willi.see("Ein Platz ist frei", "#card")
    door.desks[0].see("angeboten bis", "#desk-list")
    willi.press("Platz annehmen", "#card")
    willi.see(re.compile(rf"Du bist angemeldet, Nummer\s*{CAPACITY}"), "#card")
    nora.page.get_by_role("link", name="Neu anmelden").click()
    assert nora.register(nora.page.url, NORA, button="Auf die Warteliste") == 1
    nora.press("Ich bin da", "#card")
    for desk in door.desks:
        expect(door.row(desk, NORA)).to_contain_text("ist da")


def two_desks_check_in(door):
    """Two at a time; the same one; with the scanner; with the camera of a phone."""
    first, second = door.desks
    door.check_in_at_once(*HERE)
    door.open_sheet(second, EMMA)
    door.seats[EMMA] = first.check_in(EMMA)
    # Behind the sheet the list of the other has followed already.
    expect(door.row(second, EMMA)).to_contain_text("Zettel")
    second.sheet.get_by_role("button", name="Einchecken", exact=True).click()
    expect(second.sheet).to_contain_text("Schon eingecheckt.")
    seat = [str(part) for part in door.seats[EMMA]]
    expect(second.sheet.locator(".desk-seat-where dd")).to_have_text(seat)
    assert [said[:4] for said in second.complaints] == ["422 "]
    second.complaints.clear()
    second.press("Schließen", "dialog#sheet")
    first.page.keyboard.type(door.phones[PETRA].own)
    first.page.keyboard.press("Enter")
    expect(first.sheet.get_by_role("heading", name=PETRA, exact=True)).to_be_visible()
    second.page.goto(door.phones[WILLI].own)
    second.page.get_by_role("link", name="Einchecken").click()
    for desk in door.desks:
        desk.page.get_by_role("button", name="Einchecken", exact=True).click()
    door.seats[PETRA] = first.seat_shown(PETRA)
    told = second.page.get_by_role("region", name="Zuletzt eingecheckt")
    expect(told).to_contain_text(WILLI)
    door.seats[WILLI] = tuple(int(one) for one in told.locator("dd").all_inner_texts())
    for name in (PETRA, WILLI, EMMA):
        door.phones[name].sits(door.seats[name])
    door.phones[EMMA].see("Table", "#card")


def the_clock_starts_without_two(door):
    """What is said at the laptop is on the screen, and on every phone until it is read."""
    laptop, text = door.laptop, "Die Küche schließt um neun."
    laptop.go(f"{door.event}leitung/")
    laptop.drive_clock("Space", "Uhr starten", then="Anhalten")
    expect(door.screen.page.locator("body")).to_have_attribute("data-face", "playing")
    laptop.press("Durchsage …")
    laptop.sheet.get_by_label("Text").fill(text)
    laptop.press("Durchsagen", "dialog#sheet")
    door.screen.see(text, ".announcement")
    for phone in door.phones.values():
        told = phone.page.locator("#player-messages")
        expect(told).to_contain_text(text)
        told.get_by_role("button").click()
        expect(told).not_to_contain_text(text)
        expect(phone.card.locator("[data-clock-show=remaining]")).to_contain_text(":")
    door.phones[LENA].see("Das Turnier läuft schon", "#card")
    door.seats[LENA] = door.desks[0].check_in(LENA)
    door.phones[LENA].sits(door.seats[LENA])


def the_absent_lose_their_places(door):
    """A minute after the start, by the rule: who waits and is here has a place, live."""
    expect(door.phones[NORA].card).to_contain_text("Du bist angemeldet", timeout=90_000)
    second = door.desks[1]
    second.go(f"{door.event}anmeldung/")
    expect(door.row(second, ABSENT[0])).to_contain_text("Warteliste")
    door.seats[NORA] = second.check_in(NORA)
    door.phones[NORA].sits(door.seats[NORA])


def a_check_in_is_taken_back(door):
    """Each desk sees at once what the other does, and that it was taken back."""
    first, second = door.desks
    expect(door.screen.page.locator("[data-part=left]")).to_have_text(str(CAPACITY))
    second.press("Rückgängig", ".desk-seat")
    expect(door.row(first, NORA)).to_contain_text("Einchecken")
    door.seats[NORA] = first.check_in(NORA)
    assert len(set(door.seats.values())) == len(door.seats) == CAPACITY
