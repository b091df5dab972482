"""The four people of an evening, each with a browser of their own, doing what people do.

What a person sees is asserted through these; nothing here looks into the database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, expect

from krru.devtools.serving import ServerProcess

MOST_SHOWN = 200  # rows of a preview

LAPTOP = {"width": 1366, "height": 768}
PROJECTOR = {"width": 1920, "height": 1080}
PHONE = {"width": 390, "height": 844}
# Refused answers are noted with their address; the desk's list may bring news of a seat card that
# was put away meanwhile; and a page may be left while it still asks for something.
TOLD_OTHERWISE = (
    "Failed to load resource", "htmx:oobErrorNoTarget", "Response Status Error Code",
    "htmx:sendAbort", "htmx:afterRequest",
)  # fmt: skip


def short(name: str) -> str:
    """Return how a name begins wherever it is shown: first name and an initial, "Petra P"."""
    first, last = name.rstrip(".").split(" ")
    return f"{first} {last[0]}"


class Person:
    """Somebody at a device. What fails or is refused is kept in `complaints`."""

    def __init__(
        self, browser: Browser, base: str, size: dict[str, int], locale: str = "de-DE"
    ) -> None:
        self.base = base
        self.complaints: list[str] = []
        self.context = browser.new_context(
            viewport=size,  # type: ignore[arg-type]
            has_touch=size is PHONE,
            locale=locale,
            timezone_id="Europe/Vienna",
            accept_downloads=True,
        )
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)
        self.page.on("response", self._check)

    def _note(self, message) -> None:
        if message.type in {"error", "warning"} and not message.text.startswith(TOLD_OTHERWISE):
            self.complaints.append(message.text)

    def _check(self, answer) -> None:
        if answer.status >= 400:
            self.complaints.append(f"{answer.status} {answer.url.removeprefix(self.base)}")

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    @property
    def sheet(self) -> Locator:
        return self.page.locator("dialog#sheet")

    def see(self, text: str | re.Pattern[str], within: str = "body") -> None:
        """Wait until a text is to be seen."""
        expect(self.page.locator(within)).to_contain_text(text, timeout=10_000)

    def press(self, name: str | re.Pattern[str], within: str = "body") -> None:
        self.page.locator(within).get_by_role("button", name=name).first.click()

    def download(self, path: str) -> str:
        """Return the text of a file as this browser gets it."""
        return self.page.evaluate("async (path) => (await fetch(path)).text()", path)


class Staff(Person):
    """Somebody with a device of the club."""

    who: str

    def sign_in(self, link: str) -> None:
        self.page.goto(link)
        self.page.get_by_label("Wer arbeitet an diesem Gerät?").fill(self.who)
        self.press("Gerät anmelden")
        expect(self.page.get_by_role("button", name="Gerät anmelden")).to_have_count(0)
        self.page.wait_for_load_state()


class Desk(Staff):
    """At the door."""

    who = "Doris"

    def check_in(self, name: str) -> tuple[int, int]:
        """Confirm somebody's data at the desk, and return the table and seat that were drawn."""
        self.page.get_by_role("link", name=re.compile(rf"Einchecken\s*: {name}")).click()
        expect(self.sheet.get_by_label("Name", exact=True)).to_have_value(name)
        self.sheet.get_by_role("button", name="Einchecken", exact=True).click()
        return self.seat_shown(name)

    def walk_in(self, name: str) -> tuple[int, int]:
        """Type in and check in somebody who came unannounced."""
        self.page.get_by_role("link", name="Neue Person").click()
        self.sheet.get_by_label("Name", exact=True).fill(name)
        self.press("Anmelden und einchecken", "dialog#sheet")
        return self.seat_shown(name)

    def seat_shown(self, name: str) -> tuple[int, int]:
        card = self.page.locator(".desk-seat")
        expect(card.locator(".desk-seat-name")).to_have_text(name)
        table, seat = card.locator(".desk-seat-where dd").all_inner_texts()
        return int(table), int(seat)


class Director(Desk):
    """At the laptop."""

    who = "Dora"

    def make_tournament(self, name: str, *, schedule: str, seats: int, capacity: int) -> str:
        """Return the tournament's address, as in `/t/<slug>/`."""
        self.go("/neu/?art=tournament")
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Blindplan", exact=True).select_option(schedule)
        self.page.get_by_label("Plätze je Tisch").fill(str(seats))
        self.page.get_by_label("Wir sind etwa").fill(str(capacity))
        self.press("Anlegen")
        self.page.wait_for_url("**/leitung/")
        return self.page.url.removeprefix(self.base).removesuffix("leitung/")

    def settle(self, event: str, card: str, **by_field: str) -> None:
        """Change fields of a card of the settings."""
        self.go(f"{event}einstellungen/?karte={card}")
        for name, typed in by_field.items():
            field = self.page.locator(f"[name={name}]")
            if field.evaluate("(one) => one.tagName") == "SELECT":
                field.select_option(typed)
            elif field.get_attribute("type") == "checkbox":
                field.check()
            else:
                field.fill(typed)
        self.press("Speichern")
        self.page.wait_for_url("**/einstellungen/")

    def read_list(self, event: str, file: Path, people: int) -> None:
        self.go(f"{event}einlesen/")
        self.page.set_input_files("input[type=file]", file)
        self.press("Vorschau zeigen")
        more = people - MOST_SHOWN
        self.press(
            f"Angekreuzte und {more} weitere Personen übernehmen"
            if more > 0
            else "Angekreuzte übernehmen"
        )
        self.page.wait_for_url("**/anmeldung/")

    def link_for(self, event: str, role: str) -> str:
        """Show the code that signs a device in, and return its link."""
        self.go(f"{event}geraete/")
        self.press(f"QR-Code für {role} zeigen")
        return self.page.locator("#code-url").inner_text()

    def drive_clock(self, key: str, shown: str, *, then: str) -> None:
        """Press a key of the clock while its button says `shown`, and wait for what follows."""
        button = self.page.locator("#clock-main")
        expect(button).to_contain_text(shown)
        self.page.keyboard.press(key)
        at_once = self.sheet.get_by_role("button", name="Sofort starten")
        expect(button.filter(has_text=then).or_(at_once).first).to_be_visible()
        if at_once.is_visible():  # nobody was called five minutes before
            at_once.click()
        expect(button).to_contain_text(then)

    def tap(self, name: str) -> None:
        """Open what can be done with a player, from his seat on the dashboard."""
        self.page.locator("#table-grid .seat-face", has_text=short(name)).click()
        expect(self.sheet.get_by_role("heading", name=short(name))).to_be_visible()

    def reseat(self, name: str, table: int) -> int:
        """Move a player to the first free seat of a table and return the seat."""
        self.tap(name)
        self.press("Umsetzen", "dialog#sheet")
        self.sheet.get_by_label("Grund").fill("sieht schlecht")
        free = self.sheet.get_by_role("button", name=re.compile(rf"Tisch {table}, Platz"))
        seat = int(free.first.get_attribute("value").split("-")[1])
        with self.due_is_read():
            free.first.click()
        expect(self.sheet).to_be_hidden()
        return seat

    def disqualify(self, name: str, reason: str, stack: int) -> None:
        self.tap(name)
        self.press("Disqualifizieren", "dialog#sheet")
        self.sheet.get_by_label("Grund").fill(reason)
        self.sheet.get_by_label("Chips im Stapel").fill(str(stack))
        with self.due_is_read():
            self.press("Disqualifizieren", "dialog#sheet")
        expect(self.sheet).to_be_hidden()

    def do_what_is_due(self) -> list[str]:
        """Press what the floor's rules ask for now, until nothing is left; return what it was."""
        done = []
        while (kind := self._due_on_the_floor()) is not None:
            done.append(kind)
            with self.due_is_read():
                if kind == "button":  # here nobody knows where it is, and the move is drawn
                    asked = self.page.locator(".due-button:has([id^=ask-move-])").first
                    asked.get_by_role("button", name="Unbekannt").click()
                else:
                    shown = self.page.locator(f"[id^=duty-{kind}-]").first
                    form = self._form_of(shown)
                    shown.click()
                    # What was asked for before may be read once more, and is not pressed again.
                    if form:
                        expect(self.page.locator(form)).to_have_count(0)
                if kind in {"break", "final_table", "balance"}:
                    does = re.compile("^(Auslosen|Tisch .* auflösen|.* Umzüge ansagen)$")
                    self.sheet.get_by_role("button", name=does).click()
                    expect(self.sheet).to_be_hidden()
                    # What is due is read more than once while a draw is on its way.
                    expect(self.page.locator(f"[id^=duty-{kind}-]")).to_have_count(0)
        return done

    def _form_of(self, button: Locator) -> str:
        """Return a selector of the form that a button sends as it is, by all that it holds."""
        held = button.evaluate(
            "(one) => one.form && [...one.form.querySelectorAll('input[type=hidden]')]"
            ".map(({ name, value }) => [name, value])"
        )
        parts = "".join(f":has(input[name={name}][value='{value}'])" for name, value in held or ())
        return f"form{parts}" if parts else ""

    def due_is_read(self):
        """Wait, at the end of a block, until what is due was asked for again."""
        return self.page.expect_response(lambda answer: "/stand/was-ansteht/" in answer.url)

    def _due_on_the_floor(self) -> str | None:
        expect(self.page.locator(".htmx-request")).to_have_count(0)
        for kind in ("final_table", "break", "close", "balance", "move"):
            if self.page.locator(f"[id^=duty-{kind}-]").count():
                return kind
        return "button" if self.page.locator("[id^=ask-move-]").count() else None


class Arbiter(Staff):
    """In the hall, with a phone in one hand."""

    who = "Arno"

    def tables(self) -> list[int]:
        numbers = self.page.locator(".tile-table .tile-number").all_inner_texts()
        return [int(number) for number in numbers]

    def draw_dealer(self, event: str, table: int) -> str:
        """Draw the first dealer and return what the cards sheet says."""
        self.go(f"{event}tische/{table}/")
        self.press("Ersten Geber auslosen")
        expect(self.sheet.get_by_role("heading").first).to_be_visible()
        return self.sheet.inner_text()

    def tap(self, event: str, name: str, table: int) -> None:
        path = f"{event}tische/{table}/"
        if self.sheet.is_visible():
            self.press("Schließen", "dialog#sheet")
        if not self.page.url.endswith(path):
            self.go(path)
        self.page.locator("button.seat-face", has_text=short(name)).click()
        expect(self.sheet.get_by_role("heading", name=short(name))).to_be_visible()

    def out(self, event: str, name: str, table: int, place: int) -> None:
        """Record that somebody is out; the place must appear at once."""
        self.tap(event, name, table)
        self.press(re.compile(rf"Aus\s*: {short(name)}"), "dialog#sheet")
        self.see(f"Platz {place}", "dialog#sheet .outs")
        self.see(short(name), "dialog#sheet .outs")


def seats_shown(laptop: Director, called: Callable[[str, str], str]) -> dict[str, tuple[int, int]]:
    """Return table and seat by name, as a laptop's dashboard shows them."""
    found = {}
    for card in laptop.page.locator("#table-grid .table-card").all():
        table = int((card.get_attribute("id") or "").removeprefix("table-"))
        for seat in card.locator(".seat:not(.is-empty)").all():
            name = seat.locator(".seat-player").text_content() or ""
            number = re.search(r"\d+", seat.locator(".seat-number").text_content() or "")
            found[called(name, seat.get_attribute("data-entry") or "")] = (
                table,
                int(number[0]) if number else 0,
            )
    return found


@dataclass
class Hall:
    """Everybody who is there, and the tournament they are at."""

    laptop: Director
    projector: Person
    arbiter: Arbiter
    player: Person
    event: str = ""

    @classmethod
    def of(cls, browser: Browser, server: ServerProcess) -> Hall:
        base = f"http://krru.test:{server.port}"
        return cls(
            laptop=Director(browser, base, LAPTOP),
            projector=Person(browser, base, PROJECTOR),
            arbiter=Arbiter(browser, base, PHONE),
            player=Person(browser, base, PHONE),
        )

    @property
    def people(self) -> Iterable[Person]:
        return self.laptop, self.projector, self.arbiter, self.player

    def seats(self) -> dict[str, tuple[int, int]]:
        """Return table and seat by short name, as the laptop's dashboard shows them."""
        return seats_shown(self.laptop, lambda name, _entry: short(name))

    def close(self) -> None:
        for person in self.people:
            person.context.close()
