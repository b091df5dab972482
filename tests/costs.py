"""The services, taps and pages whose cost is held, in rooms of any size. Needs Django set up.

Each is prepared first and then carried out, so that only the service is measured: statements by
`tests/test_costs.py`, times by `bench cost`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.urls import reverse

from clock.models import Clock
from tests.rooms import running_room, seated_room
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.devtools.made import sign_in
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.models import ButtonMark, Entry, Event, Hand, Registration, Screen, Seating, Table
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin
from tournaments.screens.services.screens import screen_claim, screen_make
from tournaments.seating.services.tables import entry_move
from tournaments.undo.services.undo import action_undo, undo_preview

SEATS = 9
FRAMES = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")
Do = Callable[[], Any]
Prepare = Callable[[], Do]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the statements that are executed, but for those that frame a transaction."""
    found: list[str] = []

    def note(execute: Any, sql: str, *rest: Any) -> Any:
        if not sql.startswith(FRAMES):
            found.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(note):
        yield found


@dataclass(slots=True)
class Room:
    """An event under way and one before its start, both of one size, at an instant."""

    running: Event
    planned: Event
    at: datetime

    @classmethod
    def laid_out(cls, name: str, sizes: list[int], *, at: datetime, to_come: int = 60) -> Room:
        """Make both; the running one has begun half an hour before `at`, and hands are tapped."""
        own: dict[str, Any] = {"seats": SEATS, "to_come": to_come, "at": at - timedelta(minutes=30)}
        running = running_room(f"{name} läuft", sizes, **own)
        marks = ButtonMark.objects.filter(table__event=running).values_list("table", "seat")
        tapped = {"number": 1, "began_at": at - timedelta(minutes=1), "made_by": running.started_by}
        Hand.objects.bulk_create(Hand(table_id=pk, button=seat, **tapped) for pk, seat in marks)
        return cls(running, seated_room(f"{name} geplant", sizes, **own), at)

    def command(self, event: Event) -> Command:
        """Return the command of the system at an event; each a second after the last."""
        self.at += timedelta(seconds=1)
        return Command(event=event, by=SYSTEM, at=self.at)

    def actions(self) -> dict[str, Prepare]:
        """Return by name what prepares an action; what it returns carries the action out."""
        return {
            "seat_move": self._seat_move,
            "out": self._out,
            "undo_of_an_out": self._undo,
            "look_at_an_undo": self._look,
            "check_in_late": lambda: self._check_in(self.running),
            "check_in_before_the_start": lambda: self._check_in(self.planned),
            "registration": self._registration,
            "hand": self._hand,
            "clock": self._clock,
            "payment": self._payment,
        }

    def _seat_move(self) -> Do:
        # From the fullest table to another: which one the procedure would take needs no reason.
        row = Seating.objects.live().filter(event=self.running).order_by("-pk")[0]
        table = Table.objects.live().filter(event=self.running).exclude(pk=row.table_id)[0]
        taken = Seating.objects.live().filter(table=table).values_list("seat", flat=True)
        seat = next(number for number in range(1, SEATS + 1) if number not in taken)
        entry, command = Entry.objects.get(pk=row.entry_id), self.command(self.running)
        return lambda: entry_move(command, entry=entry, table=table, seat=seat, reason="Messung")

    def _out(self) -> Do:
        entry, command = self.seated()[-1].entry, self.command(self.running)
        return lambda: entries_eliminate(command, entries=[entry])

    def _undo(self) -> Do:
        action, command = self._out()(), self.command(self.running)
        return lambda: action_undo(command, action=action)

    def _look(self) -> Do:
        action, at = self._out()(), self.at
        return lambda: undo_preview(event=self.running, by=SYSTEM, at=at, action=action)

    def _check_in(self, event: Event) -> Do:
        rows = Registration.objects.live().filter(event=event, entries=None)
        row, command = rows.order_by("pk")[0], self.command(event)
        return lambda: entry_check_in(command, registration=row, plays_at_both=True)

    def _registration(self) -> Do:
        command, name = self.command(self.planned), f"Neuling {secrets.token_hex(4)}"
        return lambda: registration_create(command, name=name)

    def _hand(self) -> Do:
        table = Table.objects.live().filter(event=self.running).order_by("-number")[0]
        self.at += timedelta(minutes=2)
        command = self.command(self.running)
        return lambda: hand_begin(command, table=table)

    def _clock(self) -> Do:
        last = Clock.objects.get(pk=self.running.clock_id).actions.latest("sequence")
        command = self.command(self.running)
        return lambda: (clock_start if last.kind == "paused" else clock_pause)(command)

    def _payment(self) -> Do:
        row, command = self.seated()[0].entry.registration, self.command(self.running)
        return lambda: fee_pay(command, registration=row, amount_cents=2_000)

    def seated(self) -> list[Seating]:
        rows = Seating.objects.live().filter(event=self.running).order_by("table__number", "seat")
        return list(rows.select_related("entry__registration", "table"))

    def laptop(self, *, is_htmx: bool = True) -> Client:
        """Return the browser of a director."""
        client = Client(headers={"HX-Request": "true"} if is_htmx else {})
        token = sign_in(self.running.club, Role.DIRECTOR, "Laptop", at=self.at)
        client.cookies["krru_device"] = token
        return client

    def pages(self) -> dict[str, Do]:
        """Return by name what asks for a page, its device signed in.

        :raises RuntimeError: When called, if the answer is no page.
        """
        event, planned = [self.running.slug], [self.planned.slug]
        laptop, strange = self.laptop(is_htmx=False), Client()
        seated = self.seated()[0]
        row, phone = seated.entry.registration, Client()
        phone.cookies["krru_own"] = row.link_token
        beamer = self._beamer()
        table = [*event, seated.table.number]
        asked: dict[str, tuple[Client, str, list[Any]]] = {
            "director": (laptop, "director", event),
            "director_clock": (laptop, "director-clock", event),
            "director_tables": (laptop, "director-tables", event),
            "director_due": (laptop, "director-due", event),
            "director_bubble": (laptop, "director-bubble", event),
            "director_in_force": (laptop, "director-in-force", event),
            "director_log": (laptop, "director-log", event),
            "floor": (laptop, "floor", event),
            "floor_table": (laptop, "floor-table", table),
            "floor_table_panel": (laptop, "floor-table-panel", table),
            "floor_player": (laptop, "floor-player", [*event, seated.entry_id]),
            "tournament": (laptop, "tournament", event),
            "tournament_stranger": (strange, "tournament", planned),
            "tournament_own": (laptop, "tournament", planned),
            "screen": (strange, "screen", event),
            "screen_state": (strange, "screen-state", event),
            "screen_claimed": (beamer, "screen-any", []),
            "player": (phone, "player", [row.link_token]),
            "player_card": (phone, "player-card", [row.link_token]),
            "desk": (laptop, "desk", planned),
            "desk_list": (laptop, "desk-list", planned),
            "results": (laptop, "results", event),
            "home": (strange, "home", []),
            "health": (strange, "health", []),
        }
        return {name: _ask(*how) for name, how in asked.items()}

    def taps(self) -> dict[str, Prepare]:
        """Return by name what prepares a request of the phone at the table: an out, its sheet."""
        laptop, (out,) = self.laptop(), self._out()().payload["entries"]
        sheet = reverse("floor-outs", args=[self.running.slug])

        def tap() -> Do:
            url = reverse("floor-out", args=[self.running.slug, self.seated()[-1].entry_id])
            return lambda: checked(laptop.post(url))

        ask = lambda: checked(laptop.get(sheet, {"entry": out}))
        return {"tap_of_an_out": tap, "sheet_after_an_out": lambda: ask}

    def _beamer(self) -> Client:
        secret = secrets.token_hex()
        row: Screen = screen_make(club=self.running.club, secret=secret, at=self.at)
        command = ClubCommand(club=self.running.club, by=SYSTEM, at=self.at)
        screen_claim(command, code=row.code, name=secret[:8], event=self.running)
        client = Client()
        client.cookies["krru_screen"] = secret
        return client


def _ask(client: Client, name: str, arguments: list[Any]) -> Do:
    url = reverse(name, args=arguments)
    return lambda: checked(client.get(url))


def checked(answer: Any) -> None:
    """Look that an answer is a page."""
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.content.decode()[:500]}")
