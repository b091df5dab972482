"""A rehearsal: an event with invented people, on the real pages and phones, for training.

Like any simulated event it is a sample: marked as such, and removed in one click.
"""

from __future__ import annotations

import json
import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import ScheduleTemplate
from tournaments.changes.access import Actor, Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.services.lifecycle import event_create
from tournaments.models import (
    Action,
    ChipMovement,
    Club,
    Entry,
    Event,
    IdempotencyRecord,
    Person,
    Registration,
    RulePreset,
    link_columns,
)
from tournaments.people.domain.naming import normal_name, sort_key
from tournaments.practice.domain.rehearsal import invented_names
from tournaments.seating.services.seats import seats_draw

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10_112
BEGINS_AFTER = timedelta(minutes=5)
SCHEDULE, PRESET = "T200", "krru-3"
LATE_UNTIL = 4


def rehearsal_open(
    command: ClubCommand,
    *,
    players: int,
    seats_per_table: int,
    level_minutes: int,
    are_here: bool = True,
) -> Action:
    """Open a rehearsal: all players are seated, and the clock is ready to start.

    :param are_here: If false, players are only registered; some may come late.
    :raises Refused: When the numbers make no event.
    """
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise Refused(
            _("Möglich sind %(least)d bis %(most)d Spieler.")
            % {"least": FEWEST_PLAYERS, "most": MOST_PLAYERS},
            code="bad_players",
        )
    opened = _opened_before(command.by, command.key)
    if opened is not None:
        return opened
    with transaction.atomic():
        made = event_create(
            command,
            name=_("Probe mit %(players)d Spielern") % {"players": players},
            seats_per_table=seats_per_table,
            capacity=players,
            level_minutes=level_minutes,
            draw_mode=Event.DrawMode.FIELD if are_here else Event.DrawMode.ROLLING,
            late_registration_level=0 if are_here else LATE_UNTIL,
            **_usual(command),
        )
        event = Event.objects.get(pk=made.payload["event"])
        then = Command(event=event, by=command.by, at=command.at)
        if are_here:
            rehearsal_fill(then, players=players)
            seats_draw(then)
        else:
            rehearsal_announce(then, players=players)
    return made


def _usual(command: ClubCommand) -> dict[str, Any]:
    """Return the settings shared by all rehearsals."""
    return {
        "starts_at": (command.at + BEGINS_AFTER).replace(second=0, microsecond=0),
        "schedule": ScheduleTemplate.objects.get(name=SCHEDULE),
        "preset": RulePreset.objects.get(key=PRESET),
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
        "is_sample": True,
    }


def _opened_before(by: Actor, key: UUID | None) -> Action | None:
    """Return the action of an earlier request with this key: the start time would differ now."""
    if key is None:
        return None
    served = IdempotencyRecord.objects.filter(
        scope=by.scope, key=key, action__kind=event_create.kind
    )
    found = served.select_related("action").first()
    return found.action if found else None


REHEARSAL_FILLED = Kind(
    "rehearsal.filled", lazy("Probe: %(entries)s erfundene Spieler"), Group.PEOPLE
)


@service(REHEARSAL_FILLED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.ENTRIES)
def rehearsal_fill(change: Change, *, players: int) -> None:
    """Register and check in invented people in a fixed number of statements."""
    event = change.event
    registrations = _register(change, players)
    entries = Entry.objects.bulk_create(
        Entry(
            event=event,
            registration=registration,
            number=number,
            entered_at=change.at,
            made_by=change.action,
        )
        for number, registration in enumerate(registrations, start=1)
    )
    ChipMovement.objects.bulk_create(
        ChipMovement(
            event=event,
            entry=entry,
            reason=ChipMovement.Reason.STARTING_STACK,
            amount=event.starting_stack,
            made_by=change.action,
        )
        for entry in entries
    )
    change.record(entries=len(entries), chips=event.starting_stack)


REHEARSAL_ANNOUNCED = Kind(
    "rehearsal.announced", lazy("Probe: %(entries)s erfundene Spieler angemeldet"), Group.PEOPLE
)


@service(REHEARSAL_ANNOUNCED, Permission.MANAGE, Topic.REGISTRATIONS)
def rehearsal_announce(change: Change, *, players: int) -> None:
    """Register invented people who are still to come."""
    change.record(entries=len(_register(change, players)))


def _register(change: Change, players: int) -> list[Registration]:
    event = change.event
    if not event.is_sample:
        raise Refused(_("Erfundene Spieler gibt es nur bei einer Probe."), code="not_sample")
    people = Person.objects.bulk_create(_person(event.club, name) for name in _names(players))
    return Registration.objects.bulk_create(
        Registration(
            event=event,
            person=person,
            **link_columns(secrets.token_urlsafe(18)),
            registered_at=change.at,
            made_by=change.action,
        )
        for person in people
    )


def _names(count: int) -> list[str]:
    parts = json.loads((settings.FIXTURES / "rehearsal.json").read_text("utf-8"))
    return invented_names(parts["first_names"], parts["last_names"], count=count)


def _person(club: Club, name: str) -> Person:
    # Invented names: no log contains them.
    keys = {"sort_name": sort_key(name), "plain_name": normal_name(name)}
    return Person(club=club, name=name, **keys)
