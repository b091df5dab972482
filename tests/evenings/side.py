"""An evening that a test plays: made by the services, with chance from a seed."""

import hashlib
from datetime import timedelta
from random import Random
from typing import Any

from clock.models import ScheduleTemplate
from tests import factories as f
from tournaments.changes.access import Actor
from tournaments.changes.commands import ClubCommand
from tournaments.door.services.registration import registration_create
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.services.lifecycle import event_create
from tournaments.models import Entry, Event, Registration, RulePreset
from tournaments.practice.simulation import Plan
from tournaments.practice.simulation.evening import DESK, DIRECTOR, Evening

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def side_evening(seed: int, name: str, **settings: Any) -> Evening:
    """Make an evening of the house; nobody has come yet."""
    club, plan = f.house(), Plan(entries=10, seed=seed)
    usual: dict[str, Any] = {
        "starts_at": f.START + 5 * HOUR,
        "schedule": ScheduleTemplate.objects.get(name=plan.schedule),
        "preset": RulePreset.objects.get(key=plan.preset),
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
        "seats_per_table": 5,
        "capacity": 10,
        "draw_secret": hashlib.sha256(f"{name} {seed}".encode()).hexdigest(),
        "is_sample": True,
    }
    command = ClubCommand(club=club, by=DIRECTOR, at=f.START)
    made = event_create(command, name=name, **usual | settings)
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    return Evening(plan=plan, rng=Random(seed), event=event, now=f.START)


def register(side: Evening, name: str, *, by: Actor = DESK, **own: Any) -> Registration:
    made = side.do(registration_create, by=by, name=name, **own)
    return Registration(pk=made.payload["registration"])


def entry_read(entry: int) -> Entry:
    """Return an entry as a page has it that has read it."""
    return Entry.objects.select_related("registration__person").get(pk=entry)


def registration_of(entry: int) -> Registration:
    return entry_read(entry).registration
