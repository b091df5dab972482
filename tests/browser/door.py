"""Who meets at the door: guests with their own phones, two desks, the laptop, a big screen."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from email.message import EmailMessage

from playwright.sync_api import Browser, Locator, expect

from krru.devtools.serving import ServerProcess
from tests.browser.hall import LAPTOP, PHONE, PROJECTOR, Desk, Director, Person
from tests.post_office import PostOffice

ENGLISH = "en-GB"


class Phone(Person):
    """A guest's own phone. `own` is the address of his page, once he is registered."""

    def __init__(self, browser: Browser, base: str, locale: str = "de-DE") -> None:
        super().__init__(browser, base, PHONE, locale)
        self.own = ""

    @property
    def card(self) -> Locator:
        return self.page.locator("#card")

    @property
    def form(self) -> Locator:
        return self.page.locator("#anmelden form")

    def fill_in(self, link: str, name: str, **typed: str) -> None:
        """Open the poster's link and fill in what is asked there."""
        self.page.goto(link)
        for field_name, text in {"name": name, **typed}.items():
            self.form.locator(f"[name={field_name}]").fill(text)
        self.form.locator("[name=agrees_to_rules]").check()
        self.form.locator("[name=is_listed]").check()

    def send(self, button: str) -> None:
        """Press the button of the form, which must be called so; the own page follows."""
        self.form.get_by_role("button", name=button, exact=True).click()
        self.page.wait_for_url("**/p/**")
        self.own = self.page.url

    def register(self, link: str, name: str, *, button: str = "Platz sichern", **typed: str) -> int:
        """Register, and return the number that the own page shows at once."""
        self.fill_in(link, name, **typed)
        self.send(button)
        number = self.card.locator(".own-number, .slip-figure").first.inner_text()
        return int(re.sub(r"\D", "", number))

    def types_when(self, clock: str) -> None:
        """Begin to say that one comes later."""
        self.page.locator(".player-later summary").click()
        self.page.locator(".player-later [name=at]").fill(clock)

    def says_when(self, clock: str) -> None:
        """Send what was typed."""
        self.press("Bescheid sagen", "#card")
        self.see(f"Du kommst um {clock}", "#card")

    def withdraw(self) -> None:
        self.card.get_by_role("link", name="Abmelden").click()
        self.press("Ja, abmelden")
        self.see("Du bist abgemeldet")

    def sees_seat(self, seat: tuple[int, int]) -> None:
        """Wait until the card shows this table and seat, large and in the picture of the table."""
        expect(self.card.locator(".slip-seat .slip-figure")).to_have_text(
            [str(part) for part in seat], timeout=10_000
        )
        here = self.card.locator(".seat-map .is-me")
        expect(here).to_have_count(1)
        expect(here).to_contain_text(str(seat[1]))

    def confirms_seat(self) -> None:
        """Say that one sits there; then it is not asked any more."""
        asked = self.card.locator(".player-arrived")
        asked.get_by_role("button").click()
        expect(asked).to_have_count(0)

    def reads(self, text: str) -> None:
        """Wait for a message, and put it away."""
        told = self.page.locator("#player-messages")
        expect(told).to_contain_text(text, timeout=10_000)
        told.get_by_role("button").click()
        expect(told).not_to_contain_text(text)


@dataclass
class Door:
    """Everybody of the first half hour, and the tournament."""

    server: ServerProcess
    office: PostOffice
    laptop: Director
    screen: Person
    desks: list[Desk]
    phones: dict[str, Phone]
    event: str = ""
    link: str = ""
    seats: dict[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, browser: Browser, server: ServerProcess, office: PostOffice, names: Iterable[str]
    ) -> Door:
        """Return everybody; the guests by name, the last of them with a phone in English."""
        base = f"http://krru.test:{server.port}"
        *german, english = names
        phones = {name: Phone(browser, base) for name in german}
        return cls(
            server=server,
            office=office,
            laptop=Director(browser, base, LAPTOP),
            screen=Person(browser, base, PROJECTOR),
            desks=[Desk(browser, base, LAPTOP), Desk(browser, base, PHONE)],
            phones={**phones, english: Phone(browser, base, ENGLISH)},
        )

    @property
    def people(self) -> list[Person]:
        return [self.laptop, self.screen, *self.desks, *self.phones.values()]

    def check_in_at_once(self, *names: str) -> None:
        """Have each desk check one person in, both in the same instant."""
        for desk, name in zip(self.desks, names, strict=True):
            self.open_sheet(desk, name)
        for desk in self.desks:
            desk.sheet.get_by_role("button", name="Einchecken", exact=True).click(
                no_wait_after=True
            )
        for desk, name in zip(self.desks, names, strict=True):
            self.seats[name] = desk.seat_shown(name)

    def open_sheet(self, desk: Desk, name: str) -> None:
        desk.page.get_by_role("link", name=re.compile(rf"Einchecken\s*: {name}$")).click()
        expect(desk.sheet.get_by_role("heading", name=name)).to_be_visible()

    def two_want(self, name: str) -> None:
        """Have both desks press in the same person's sheet: one gets a seat, one is told."""
        for desk in self.desks:
            self.open_sheet(desk, name)
        for desk in self.desks:
            desk.sheet.get_by_role("button", name="Einchecken", exact=True).click()
        first, second = self.desks
        loser, winner = (first, second) if self._is_refused(first, name) else (second, first)
        assert self._is_refused(loser, name)
        assert not self._is_refused(winner, name)
        self.seats[name] = winner.seat_shown(name)
        (said,) = loser.complaints
        assert re.fullmatch(rf"422 {self.event}anmeldung/\d+/einchecken/", said)
        loser.complaints.clear()
        loser.press("Schließen", "dialog#sheet")
        expect(loser.page.locator("#desk-list tr", has_text=name)).to_contain_text("da")

    def _is_refused(self, desk: Desk, name: str) -> bool:
        no = desk.sheet.get_by_text("Schon eingecheckt.")
        yes = desk.page.locator(".desk-seat-name", has_text=name)
        expect(no.or_(yes).first).to_be_visible()
        return no.first.is_visible()

    def mails_are_out(self, name: str, address: str, count: int) -> list[EmailMessage]:
        """Wait until so many mails have gone out, each with the link to the own page."""
        own = self.phones[name].own.rpartition("/p/")[2]
        for _try in range(100):
            sent = [letter for to, letter in self.office.letters if to == address]
            if len(sent) >= count:
                break
            self.laptop.page.wait_for_timeout(100)
        assert len(sent) == count
        assert all(f"/p/{own}" in letter.get_content() for letter in sent)
        return sent

    def close(self) -> None:
        for person in self.people:
            person.context.close()
