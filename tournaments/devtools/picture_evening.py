"""The club of the screenshots: one event running, one planned, one over.

Made through the services like the pages, with the people of the sample event. Needs Django set up
and empty tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from django.conf import settings
from django.utils.timezone import localtime

from clock.models import ScheduleTemplate
from tournaments.changes.access import COOKIE, SYSTEM, VISITOR, Actor, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.club.services.staff import device_sign_in, link_make
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.services.clock import clock_adjust, clock_pause, clock_start
from tournaments.event.services.lifecycle import event_create, event_end
from tournaments.models import ChipSet, Club, Entry, Event, Registration, RulePreset, StaffDevice
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.services.sample import house_load
from tournaments.seating.selectors.balancing import FloorAdvice, floor_advice
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.tables import (
    balance_step,
    dealer_draw_make,
    final_table_draw,
    table_break,
)
from tournaments.undo.services.undo import action_undo

MINUTE = timedelta(minutes=1)
PLAYED = 84 * MINUTE  # level 5 of T200 has run for four minutes
LEFT = 23
SMALL_FIELD = 14
EXPECTED, ARRIVED = 28, 17
SEED = 8
DRAW_SECRET = "6b72" * 16  # a fixed secret keeps the seats of earlier pictures


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Data for the pictures: the events, and the cookies of three devices."""

    cookie_name: str
    running: str
    planned: str
    ended: str
    director: str
    desk: str
    arbiter: str
    player: str
    table: int


class Evening:
    """The running club: the actor and the instant, which only advances."""

    def __init__(self, club: Club, begins_at: datetime, cast: dict[Role, Actor]) -> None:
        self.club, self.begins_at, self.cast = club, begins_at, cast
        self.rng = Random(SEED)

    def event(self, name: str, starts_at: datetime, **own: Any) -> Event:
        made = event_create(
            ClubCommand(
                club=self.club,
                by=self.cast[Role.DIRECTOR],
                at=min(starts_at, self.begins_at) - timedelta(hours=3),
            ),
            name=name,
            starts_at=starts_at,
            schedule=ScheduleTemplate.objects.get(name="T200"),
            preset=RulePreset.objects.get(key="krru-3"),
            game="holdem",
            limit="no_limit",
            seats_per_table=10,
            capacity=60,
            chip_set=ChipSet.objects.filter(club=self.club).first(),
            late_registration_level=3,
            draw_secret=DRAW_SECRET,
            **own,
        )
        return Event.objects.get(pk=made.payload["event"])

    def arrive(self, event: Event, names: Iterable[str], until: datetime, here: int) -> None:
        """Register everybody, then check in the first `here`, the last of them at `until`."""
        commanded = partial(Command, event=event, by=self.cast[Role.DESK])
        before = commanded(at=until - timedelta(seconds=40 * (here + 1)))
        made = [registration_create(before, name=name) for name in names]
        for position, action in enumerate(made[:here]):
            row = Registration.objects.get(pk=action.payload["registration"])
            at = until - timedelta(seconds=40 * (here - position))
            entry_check_in(commanded(at=at), registration=row, plays_at_both=True)

    def begin(self, event: Event, at: datetime) -> None:
        """Draw the first dealers and start the clock; advice knows of the start from the row."""
        commanded = partial(Command, event=event, by=self.cast[Role.DIRECTOR])
        for table in tables_live(event):
            dealer_draw_make(commanded(at=at - 2 * MINUTE), table=table)
        clock_start(commanded(at=at))
        event.refresh_from_db()

    def play(self, event: Event, at: datetime, pace: timedelta, left: int) -> None:
        """Eliminate players until `left` remain, following the advice for tables."""
        commanded = partial(Command, event=event, by=self.cast[Role.ARBITER])
        while len(alive := event_alive_entry_ids(event)) > left:
            entry = Entry.objects.get(pk=self.rng.choice(alive))
            entries_eliminate(commanded(at=at), entries=[entry])
            at += pace
            while len(alive) - 1 > left and self.follow(event, floor_advice(event, at), at):
                pass

    def follow(self, event: Event, advice: FloorAdvice, at: datetime) -> bool:
        """Do the first advised step; tell whether there was one."""
        command = Command(event=event, by=self.cast[Role.DIRECTOR], at=at)
        if advice.draws_final:
            final_table_draw(command)
        elif advice.breaks_table is not None:
            (table,) = [t for t in tables_live(event) if t.number == advice.breaks_table]
            table_break(command, table=table)
        elif advice.moves:
            move = advice.moves[0]
            balance_step(
                command,
                entry=Entry.objects.get(pk=move.entry),
                from_table=move.from_table,
                to_table=move.to_table,
                to_seat=move.to_seat,
            )
        else:
            return False
        return True

    def wrong_tap(self, event: Event, at: datetime) -> None:
        """Record an elimination and undo it."""
        commanded = partial(Command, event=event, by=self.cast[Role.ARBITER])
        entry = Entry.objects.get(pk=event_alive_entry_ids(event)[-1])
        tapped = entries_eliminate(commanded(at=at), entries=[entry])
        action_undo(commanded(at=at + timedelta(seconds=20)), action=tapped)


def make_scene(now: datetime) -> Scene:
    """Fill the empty tables and return the scene."""
    begins_at = now - PLAYED
    opened_at = now - timedelta(days=9)
    club = house_load(at=opened_at, with_sample=False)
    cast, cookies = {}, {}
    devices = {Role.DIRECTOR: "Laptop", Role.DESK: "Tablet am Eingang", Role.ARBITER: "Arnos Handy"}
    for role, name in devices.items():
        cast[role], cookies[role] = _device(club, role, name, opened_at)
    people = json.loads((settings.FIXTURES / "sample.json").read_text("utf-8"))["people"]
    evening = Evening(club, begins_at, cast)
    ended = _ended(evening, people, next_evening(now) - timedelta(days=8))
    running = _running(evening, people)
    planned = evening.event("Winterpokal", next_evening(now))
    evening.arrive(planned, people[-EXPECTED:], now - MINUTE, ARRIVED)
    seated = Registration.objects.filter(event=running, entries__eliminations=None)
    return Scene(
        cookie_name=COOKIE,
        running=running.slug,
        planned=planned.slug,
        ended=ended.slug,
        director=cookies[Role.DIRECTOR],
        desk=cookies[Role.DESK],
        arbiter=cookies[Role.ARBITER],
        player=seated.order_by("pk")[1].link_token,
        table=tables_live(running)[1].number,
    )


def next_evening(now: datetime) -> datetime:
    """Return the next seven o'clock in the evening."""
    evening = localtime(now).replace(hour=19, minute=0, second=0, microsecond=0)
    return evening if evening > now else evening + timedelta(days=1)


def _device(club: Club, role: Role, name: str, at: datetime) -> tuple[Actor, str]:
    """Sign a device in like the hall does; return the actor and the cookie's secret."""
    link, cookie = f"picture-link-{role}", f"picture-device-{role}"
    link_make(ClubCommand(club=club, by=SYSTEM, at=at), token=link, role=role)
    made = device_sign_in(
        ClubCommand(club=club, by=VISITOR, at=at), token=link, name=name, device_token=cookie
    )
    return Actor(role=role, device=StaffDevice.objects.get(pk=made.payload["device"])), cookie


def _ended(evening: Evening, people: list[str], at: datetime) -> Event:
    """Play last week's small tournament to its end."""
    event = evening.event("Vereinsturnier", at)
    evening.arrive(event, people[:SMALL_FIELD], at - 5 * MINUTE, SMALL_FIELD)
    evening.begin(event, at)
    evening.play(event, at + 31 * MINUTE, 13 * MINUTE, 1)
    event_end(Command(event=event, by=evening.cast[Role.DIRECTOR], at=at + timedelta(hours=4)))
    return event


def _running(evening: Evening, people: list[str]) -> Event:
    """Play tonight's tournament until now, with a pause, a wrong tap and an open task."""
    at = evening.begins_at
    event = evening.event("Vereinsturnier", at)
    evening.arrive(event, people, at - 5 * MINUTE, len(people))
    evening.begin(event, at)
    evening.play(event, at + 9 * MINUTE, 4 * MINUTE, LEFT + 1)
    commanded = partial(Command, event=event, by=evening.cast[Role.DIRECTOR])
    clock_pause(commanded(at=at + 66 * MINUTE))
    clock_start(commanded(at=at + 67 * MINUTE))
    clock_adjust(commanded(at=at + 68 * MINUTE), seconds=-60)
    evening.wrong_tap(event, at + 79 * MINUTE)
    evening.play(event, at + 82 * MINUTE, MINUTE, LEFT)
    return event
