"""The first half hour for the screenshots: from the poster to the seats, and what can come between.

Three evenings are laid out through the services, as the pages do it: one that is planned, one whose
doors are open, one that has just begun. `taken` says what somebody does on a page before its
picture is taken. Needs Django set up, and a scene that has been played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone

from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.devtools.picture_evening import MINUTE, Evening, next_evening
from tournaments.devtools.picture_screens import Faces
from tournaments.door.services.arrivals import (
    noshows_release,
    registration_arrive,
    registration_expect,
)
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.fees import fee_pay
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Club, Event, Registration
from tournaments.post.services.announcements import announcement_made
from tournaments.seating.selectors.tables import free_seats, tables_live
from tournaments.seating.services.tables import entry_move

if TYPE_CHECKING:
    from playwright.sync_api import Page

CAPACITY, REGISTERED, ARRIVED, PAID = 20, 23, 9, 7
NEWCOMER, LIST_NAME = "Xaver Zwettler", "mitglieder.csv"
LIST = (
    "Vorname;Nachname;Mail;Mitglied\n"
    "Agnes;Thaler;agnes@example.org;ja\nBruno;Zach;;nein\nClara;Uhl;clara@example;ja\n"
    "Dario;Vogl;dario@example.org;ja\nElif;Yilmaz;;ja\n"
)
SHEET = "dialog#sheet"
AREAS = [[1, 2, "Großer Saal, rechts vom Eingang"], [3, 4, "Galerie, die Treppe hinauf"]]
SETTINGS: Mapping[str, Any] = {
    "fee_cents": 1000,
    "offer_minutes": 30,
    "capacity": CAPACITY,
    "areas": AREAS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One picture: the page, who looks at it, what is done there before, which part is shown."""

    name: str
    path: str
    who: str = "phone"
    taken: Callable[[Page], None] | None = None
    part: str = ""


class FirstHalfHour:
    """The evenings, and who is where in them."""

    def __init__(self, club: Club) -> None:
        faces = Faces(club)
        self.evening: Evening = faces.evening
        self.people: list[str] = faces.people
        self.now = timezone.now()

    def _event(
        self, name: str, starts_at: datetime, here: int, *, people: int = REGISTERED, **own: Any
    ) -> Event:
        """Return an event for which so many are registered, and the first so many checked in."""
        event = self.evening.event(name, starts_at)
        made_at = min(starts_at, self.now) - timedelta(hours=2)
        event_update(Command(event=event, by=SYSTEM, at=made_at), settings={**SETTINGS, **own})
        until = min(starts_at, self.now) - 2 * MINUTE
        self.evening.arrive(event, self.people[:people], until, 0)
        for row in self.rows(event)[:here]:
            entry_check_in(Command(event=event, by=SYSTEM, at=until), registration=row)
        return Event.objects.get(pk=event.pk)

    def planned(self) -> Event:
        return self._event("Adventpokal", next_evening(self.now) + timedelta(days=5), 0, people=14)

    def open_doors(self) -> Event:
        """Somebody has cancelled, so a place is offered; others come later, have paid, wait."""
        event = self._event("Freitagsturnier", self.now + 40 * MINUTE, ARRIVED)
        rows, command = self.rows(event), self.command(event)
        for row in rows[:PAID]:
            fee_pay(command, registration=row)
        registration_expect(
            command, registration=rows[ARRIVED + 1], expected_at=self.now + 90 * MINUTE
        )
        registration_withdraw(command, registration=rows[ARRIVED + 4])
        return event

    def begun(self) -> Event:
        """Two never came, and lose their places to the first in line who is here."""
        begun = self.now - 6 * MINUTE
        event = self._event(
            "Samstagsturnier", begun, CAPACITY - 4, no_show_minutes=5, late_registration_level=3
        )
        rows = self.rows(event)
        early = Command(event=event, by=SYSTEM, at=begun - MINUTE)
        registration_expect(
            early, registration=rows[CAPACITY - 1], expected_at=self.now + 20 * MINUTE
        )
        registration_arrive(early, registration=rows[CAPACITY])
        self.evening.begin(event, begun)
        entry_check_in(
            Command(event=event, by=SYSTEM, at=begun + MINUTE), registration=rows[CAPACITY - 2]
        )
        with suppress(Refused):  # the server serves already, and may have been quicker
            noshows_release(
                Command(event=event, by=SYSTEM, at=begun + 5 * MINUTE, recorded_at=self.now)
            )
        self._moves(event, rows[0])
        return event

    def _moves(self, event: Event, row: Registration) -> None:
        """Send somebody to another table."""
        entry = row.entries.live().get()
        table = entry.seatings.live().get().table
        other = next(one for one in tables_live(event) if one.pk != table.pk)
        entry_move(
            self.command(event),
            entry=entry,
            table=other,
            seat=free_seats(event)[other.number][0],
            reason="sieht die Leinwand nicht",
        )

    def rows(self, event: Event) -> list[Registration]:
        return list(Registration.objects.live().filter(event=event).order_by("pk"))

    def command(self, event: Event) -> Command:
        return Command(event=event, by=SYSTEM, at=self.now)


def steps(club: Club) -> Iterable[Step]:
    """Return the pictures in the order of an evening; each event is made just before its first."""
    half_hour = FirstHalfHour(club)
    yield Step(name="step-new", path=reverse("new-event"), who="director", taken=_new)
    yield from _before(half_hour, half_hour.planned())
    yield from _at_the_door(half_hour, half_hour.open_doors())
    yield from _in_play(half_hour, half_hour.begun())


def _before(half_hour: FirstHalfHour, event: Event) -> Iterable[Step]:
    rows = half_hour.rows(event)
    yield Step(
        name="step-settings",
        path=_of(event, "event-settings"),
        who="director",
        taken=_to(".field:has([name=fee_cents])"),
    )
    yield Step(name="step-rules", path=_of(event, "event-rules"), who="director")
    yield Step(name="step-read-rules", path=_of(event, "rules"), taken=_to("#rules-table"))
    yield Step(name="step-poster", path=_of(event, "paper-poster"), who="paper")
    yield Step(name="step-register", path=_of(event, "tournament"), taken=_fill_in)
    yield Step(name="step-own", path=_own(rows[3]))
    yield Step(name="step-link", path=_own(rows[3]), taken=_to("#own-link"))
    yield Step(name="step-import", path=_of(event, "import"), who="desk-tall", taken=_read_list)
    yield Step(name="step-papers", path=_of(event, "papers"), who="desk")
    yield Step(name="step-privacy", path=reverse("privacy"))


def _at_the_door(half_hour: FirstHalfHour, event: Event) -> Iterable[Step]:
    rows, desk = half_hour.rows(event), _of(event, "desk")
    missing = rows[ARRIVED + 2]
    yield Step(name="step-offer", path=_own(rows[-3]))
    yield Step(name="step-waiting", path=_own(rows[-1]))
    yield Step(name="step-later", path=_own(rows[ARRIVED + 1]), taken=_to(".player-later"))
    yield Step(name="step-here", path=_own(missing))
    yield Step(name="step-desk", path=desk, who="desk")
    yield Step(name="step-search", path=desk, who="desk", taken=_search(missing.person.name[:5]))
    yield Step(name="step-scan", path=_own(missing), who="desk-phone")
    yield Step(
        name="step-sheet", path=desk, who="desk", taken=_tap(f"#in-{missing.pk}"), part=SHEET
    )
    yield Step(name="step-seat", path=desk, who="desk", taken=_check_in(f"#in-{missing.pk}"))
    yield Step(name="step-slip", path=_slip(rows[0]), who="slip")
    yield Step(name="step-walk-in", path=desk, who="desk", taken=_walk_in, part=SHEET)
    yield Step(name="step-card", path=_own(rows[2]))


def _in_play(half_hour: FirstHalfHour, event: Event) -> Iterable[Step]:
    rows, desk = half_hour.rows(event), _of(event, "desk")
    yield Step(name="step-late", path=_own(rows[CAPACITY - 1]))
    yield Step(name="step-noshows", path=f"{desk}?only=waiting", who="desk")
    yield Step(name="step-moved-up", path=_own(rows[CAPACITY]))
    yield Step(name="step-moved", path=_own(rows[0]))
    announcement_made(half_hour.command(event), text="In der Pause gibt es Suppe.")
    yield Step(name="step-told", path=_own(rows[5]))
    yield Step(
        name="step-announce",
        path=_of(event, "director"),
        who="director",
        taken=_announce,
        part=SHEET,
    )
    yield Step(
        name="step-message", path=_of(event, "director"), who="director", taken=_message, part=SHEET
    )


def _of(event: Event, name: str) -> str:
    return reverse(name, args=[event.slug])


def _own(row: Registration) -> str:
    return reverse("player", args=[row.link_token])


def _slip(row: Registration) -> str:
    return reverse("slip", args=[row.event.slug, row.entries.live().get().pk])


def _to(where: str) -> Callable[[Page], None]:
    def taken(page: Page) -> None:
        page.locator(where).evaluate("(it) => it.scrollIntoView({ block: 'center' })")

    return taken


def _tap(where: str) -> Callable[[Page], None]:
    def taken(page: Page) -> None:
        page.locator(where).click()
        page.locator("dialog#sheet[open] h2").wait_for()

    return taken


def _check_in(where: str) -> Callable[[Page], None]:
    def taken(page: Page) -> None:
        _tap(where)(page)
        page.locator("#sheet").get_by_role("button", name="Einchecken", exact=True).click()
        page.locator(".desk-seat-name").wait_for()
        page.locator("#toasts > *").wait_for(state="detached")

    return taken


def _search(text: str) -> Callable[[Page], None]:
    def taken(page: Page) -> None:
        page.locator("#desk-find [name=q]").press_sequentially(text)
        page.locator("#desk-enter").wait_for()

    return taken


def _new(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill("Adventpokal")
    page.locator("details.more summary").click()
    page.get_by_label("Startgeld in Euro").fill("10")
    page.locator("details.more").evaluate("(it) => it.scrollIntoView()")


def _fill_in(page: Page) -> None:
    page.locator("#anmelden [name=name]").fill(NEWCOMER)
    page.locator("#anmelden [name=agrees_to_rules]").check()
    page.locator("#anmelden").evaluate("(it) => it.scrollIntoView()")


def _read_list(page: Page) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": LIST_NAME, "mimeType": "text/csv", "buffer": LIST.encode()}
    )
    page.get_by_role("button", name="Vorschau zeigen").click()
    page.locator(".import-table").first.wait_for()


def _walk_in(page: Page) -> None:
    page.get_by_role("link", name="Neue Person").click()
    page.locator("#sheet [name=name]").fill(NEWCOMER)


def _announce(page: Page) -> None:
    page.get_by_role("button", name="Durchsage …").click()
    page.locator("#announce-text").fill("In fünf Minuten geht es los.")


def _message(page: Page) -> None:
    page.locator(".menu > summary", has_text="Saal").click()
    page.get_by_role("button", name="Nachricht …").click()
    page.locator("#message-found input").first.check()
    page.locator("#message-text").fill("Bitte Stapel nach Farben ordnen, es wird gezählt.")
