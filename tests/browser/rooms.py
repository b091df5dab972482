"""A room that plays already: a laptop and arbiters' phones, on a server of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from krru.devtools.serving import ServerProcess
from tests.browser.hall import LAPTOP, PHONE, PROJECTOR, Arbiter, Director, Person, seats_shown
from tests.laptops import director_link, has_spoken, laptop_with_tables
from tournaments.changes.access import COOKIE
from tournaments.devtools.room import room

PANEL, OWN = "#director-bubble", "#floor-hand-for-hand"


class Room:
    """Everybody who works there. `made` says who sat where at the beginning, by table."""

    def __init__(self, browser: Browser, server: ServerProcess, made: dict[str, Any]) -> None:
        self.base = f"http://krru.test:{server.port}"
        self.server, self.made, self.event = server, made, f"/t/{made['slug']}/"
        self.laptop = Director(browser, self.base, LAPTOP)
        self.phones = [Arbiter(browser, self.base, PHONE) for _token in made["tokens"]]
        for phone, token in zip(self.phones, made["tokens"], strict=True):
            phone.context.add_cookies([{"name": COOKIE, "value": token, "url": self.base}])
        self.projector = Person(browser, self.base, PROJECTOR)
        self.projector.go(f"{self.event}screen/")
        self.laptop.sign_in(director_link(server, self.base))

    @classmethod
    @contextmanager
    def opened(
        cls, browser: Browser, folder: Path, *, players: int, seats: int, phones: int
    ) -> Iterator[Room]:
        """Lay a room out in a data folder, serve it, and end all of it."""
        server = has_spoken(laptop_with_tables(folder))
        made = room(server, players=players, seats=seats, phones=phones)
        server.start()
        try:
            hall = cls(browser, server, made)
            yield hall
            for person in (hall.laptop, hall.projector, *hall.phones):
                person.context.close()
        finally:
            server.kill()

    def names(self, number: int) -> list[str]:
        """Return who sat at a table at the beginning, by seat."""
        return [player["name"] for player in self.made["tables"][str(number)]]

    def seats(self, laptop: Director) -> dict[str, tuple[int, int]]:
        """Return table and seat by name, as a laptop's dashboard shows them."""
        names = {
            str(player["entry"]): player["name"]
            for players in self.made["tables"].values()
            for player in players
        }
        return seats_shown(laptop, lambda _name, entry: names[entry])

    def table(self, phone: Arbiter, number: int) -> Arbiter:
        """Have a phone look at a table."""
        path = f"{self.event}tische/{number}/"
        if not phone.page.url.endswith(path):
            phone.go(path)
        return phone

    def report(self, phone: Arbiter, number: int) -> None:
        """Report the hand of a round of hand-for-hand."""
        self.table(phone, number).page.locator(OWN).get_by_text("Hand fertig").first.click()
        phone.press("Nein, oder schon eingetragen", OWN)
        phone.see("Fertig gemeldet", OWN)

    def count(self, phone: Arbiter, number: int, players: int) -> None:
        """Count the heads at a table."""
        self.table(phone, number).press(re.compile(rf"^Hier sitzen\s*{players}$"), OWN)

    def out(self, phone: Arbiter, number: int, name: str, place: int) -> None:
        """Record that somebody is out; the place must appear at once."""
        self.table(phone, number).page.locator("button.seat-face", has_text=name).click()
        phone.press(re.compile(r"^Aus\b"), "dialog#sheet")
        phone.see(f"Platz {place}", "dialog#sheet .outs")
        phone.press("Fertig", "dialog#sheet")

    def out_in_a_round(self, phone: Arbiter, number: int) -> str:
        """Put the first of a table out in a round, and return the place that is shown at once."""
        self.table(phone, number).page.locator("button.seat-face").first.click()
        phone.press(re.compile(r"^Aus\b"), "dialog#sheet")
        phone.see("Vorläufig", "dialog#sheet")
        return phone.sheet.locator(".outs-place").inner_text()
