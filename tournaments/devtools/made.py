"""Set-up shared by measurements, rooms and pictures: a tournament and a signed-in device."""

import secrets
from datetime import datetime
from typing import Any

from django.utils import timezone

from clock.models import ScheduleTemplate
from tournaments.changes.access import SYSTEM, VISITOR, Actor, Role
from tournaments.changes.commands import ClubCommand
from tournaments.club.services.staff import device_sign_in, link_make
from tournaments.event.services.lifecycle import event_create
from tournaments.models import Club, Event, RulePreset
from tournaments.practice.services.rehearsal import house_load


def make_event(
    name: str, *, at: datetime, starts_at: datetime, by: Actor = SYSTEM, **own: Any
) -> Event:
    """Make a tournament as clubs do, without the sample event; `own` overrides defaults."""
    club = Club.objects.first() if RulePreset.objects.exists() else None
    action = event_create(
        ClubCommand(club=club or house_load(at=at, with_sample=False), by=by, at=at),
        name=name,
        starts_at=starts_at,
        schedule=ScheduleTemplate.objects.get(name="T200"),
        preset=RulePreset.objects.get(key="krru-3"),
        **{"game": "holdem", "limit": "no_limit", "seats_per_table": 9, **own},
    )
    return Event.objects.select_related("club", "clock").get(pk=action.payload["event"])


def sign_in(
    club: Club, role: Role, name: str, *, event: Event | None = None, at: datetime | None = None
) -> str:
    """Sign a device in for an event or the whole club, and return the secret of its cookie."""
    at = at or timezone.now()
    link, token = secrets.token_urlsafe(), secrets.token_urlsafe()
    link_make(ClubCommand(club=club, by=SYSTEM, at=at), token=link, role=role, event=event)
    device_sign_in(
        ClubCommand(club=club, by=VISITOR, at=at), token=link, name=name, device_token=token
    )
    return token
