"""The club of the screenshots: one event running, one planned, one over.

The engine of rehearsals plays them, with the people of the sample event. Needs Django set up and
empty tables.
"""

import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from random import Random

from django.conf import settings
from django.urls import reverse
from django.utils.timezone import localtime

from tournaments.changes.access import COOKIE, Actor, Role
from tournaments.changes.commands import Command
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registrations_import
from tournaments.event.domain.hours import next_evening
from tournaments.models import ChipSet, Club, Event, Registration, StaffDevice
from tournaments.practice.services.engine import next_deed
from tournaments.practice.services.rehearsal import house_load
from tournaments.seating.selectors.tables import tables_live

MINUTE = timedelta(minutes=1)
PLAYED = 66 * MINUTE
FOR_ARRIVALS = 12 * MINUTE
SMALL_FIELD = 14
EXPECTED, ARRIVED = 28, 17
DEVICES = {Role.DIRECTOR: "Laptop", Role.DESK: "Tablet am Eingang", Role.ARBITER: "Arnos Handy"}
LOT = Random(8)


def make_scene(now: datetime) -> dict[str, tuple[str, dict[str, str]]]:
    """Fill the empty tables; return the path of each picture's page, and the cookies to open it."""
    opened_at = now - timedelta(days=9)
    club = house_load(at=opened_at, with_sample=False)
    cookies = {role: sign_in(club, role, name, at=opened_at) for role, name in DEVICES.items()}
    people = json.loads((settings.FIXTURES / "sample.json").read_text("utf-8"))["people"]
    evening = next_evening(localtime(now))
    ended = _planned(club, "Vereinsturnier", evening - timedelta(days=8), people[:SMALL_FIELD])
    _play(ended, evening)
    running = _planned(club, "Vereinsturnier", now - PLAYED, people)
    _play(running, now)
    planned = _planned(club, "Winterpokal", evening, people[-EXPECTED:])
    for row in Registration.objects.filter(event=planned).order_by("pk")[:ARRIVED]:
        command = Command(event=planned, by=_director(), at=now - MINUTE)
        entry_check_in(command, registration=row, plays_at_both=True)
    seated = Registration.objects.filter(event=running, entries__eliminations=None)
    table, player = tables_live(running)[1].number, seated.order_by("pk")[1].link_token
    director, desk, arbiter = ({COOKIE: secret} for secret in cookies.values())
    return {
        "screen": (reverse("screen", args=[running.slug]), {}),
        "director": (reverse("director", args=[running.slug]), director),
        "desk": (reverse("desk", args=[planned.slug]), desk),
        "results": (reverse("results", args=[ended.slug]), {}),
        "arbiter": (reverse("floor-table", args=[running.slug, table]), arbiter),
        "player": (reverse("player", args=[player]), {}),
        "tournament": (planned.get_absolute_url(), {}),
    }


def _director() -> Actor:
    return Actor(role=Role.DIRECTOR, device=StaffDevice.objects.get(name=DEVICES[Role.DIRECTOR]))


def _planned(club: Club, name: str, starts_at: datetime, people: Iterable[str]) -> Event:
    made_at = starts_at - timedelta(days=1)
    event = make_event(
        name,
        at=made_at,
        starts_at=starts_at,
        by=_director(),
        seats_per_table=10,
        capacity=60,
        chip_set=ChipSet.objects.filter(club=club).first(),
        late_registration_level=3,
    )
    named = [{"name": person} for person in people]
    registrations_import(Command(event=event, by=_director(), at=made_at), people=named)
    return event


def _play(event: Event, until: datetime) -> None:
    at = event.starts_at - FOR_ARRIVALS
    while at < until and not event.is_over:
        if deed := next_deed(event, at, LOT):
            deed.carry_out(Command(event=event, by=_director(), at=at))
        at += timedelta(seconds=deed.takes) if deed else MINUTE
        event = Event.objects.select_related("clock", "club").get(pk=event.pk)
