"""A rehearsal: an event with invented people, on the real pages and phones, for training.

Like any simulated event it is a sample: marked as such, and removed in one click.
"""

import json
import secrets
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import Clock, ScheduleTemplate
from clock.services import is_due, schedules_load
from tournaments.changes.access import SYSTEM, Actor, Permission
from tournaments.changes.audit import Change, club_service, service
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.domain.rules import rule_set_from
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_create
from tournaments.models import (
    Action,
    ChipMovement,
    ChipSet,
    Club,
    Entry,
    Event,
    EventHead,
    IdempotencyRecord,
    Person,
    Receipt,
    Registration,
    RulePreset,
    link_columns,
)
from tournaments.people.domain.naming import normal_name, sort_key
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.domain.rehearsal import invented_names
from tournaments.screens.services.screens import screens_turn_away
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import dealer_draw_make
from tournaments.undo.services.dependencies import facts_removable

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
    parts = _shipped("rehearsal.json")
    names = invented_names(parts["first_names"], parts["last_names"], count=players)
    # Invented names: no log contains them.
    people = Person.objects.bulk_create(
        Person(club=event.club, name=name, sort_name=sort_key(name), plain_name=normal_name(name))
        for name in names
    )
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


# --- Defaults of a new installation: schedules, chip set, rule presets, the sample event


def house_load(*, at: datetime, with_sample: bool = True) -> Club:
    """Load the defaults shipped with the program, and newer revisions of them.

    The club's own data and its events do not change.
    """
    with transaction.atomic():
        club = club_get()
        is_new = not Event.objects.exists() and not RulePreset.objects.exists()
        schedules_load(settings.FIXTURES / "schedules.json")
        _rules_load()
        _chips_load(club)
        if is_new and with_sample:
            sample_make(club=club, at=at)
    return club


def _rules_load() -> None:
    data = _shipped("rules.json")
    known = dict(RulePreset.objects.values_list("key", "revision"))
    for preset in data["presets"]:
        rules = rule_set_from(preset)
        if is_due(data["revision"], known, rules.key):
            RulePreset.objects.update_or_create(
                key=rules.key,
                defaults={
                    "name": rules.name,
                    "rules": rules.as_data(),
                    "revision": data["revision"],
                },
            )


def _chips_load(club: Club) -> None:
    data = _shipped("chips.json")
    known = dict(club.chip_sets.values_list("name", "revision"))
    for row in data["chip_sets"]:
        if is_due(data["revision"], known, row["name"]):
            _keep_for_events(club.chip_sets.filter(name=row["name"]).first())
            values = {name: row[name] for name in ("pieces", "distributions")}
            club.chip_sets.update_or_create(
                name=row["name"], defaults={**values, "revision": data["revision"]}
            )


def _keep_for_events(before: ChipSet | None) -> None:
    """Keep a replaced chip set under another name for the events that use it."""
    events = Event.objects.filter(chip_set=before)
    if before is None or not events.exists():
        return
    kept = ChipSet.objects.create(
        club=before.club,
        name=f"{before.name} ({before.revision})",
        pieces=before.pieces,
        distributions=before.distributions,
    )
    events.update(chip_set=kept)


def _shipped(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((settings.FIXTURES / name).read_text("utf-8"))
    return data


def sample_make(*, club: Club, at: datetime) -> Event:
    """Play the first part of an event of 37 players up to `at`, from the fixture."""
    plan = _shipped("sample.json")
    begins = at - timedelta(minutes=plan["minutes_played"])
    event = _event(club, plan, begins)
    system = partial(Command, event=event, by=SYSTEM)
    arrival = begins - timedelta(minutes=30)
    for position, name in enumerate(plan["people"]):
        moment = arrival + timedelta(seconds=40 * position)
        made = registration_create(system(at=moment), name=name)
        person = Registration.objects.get(pk=made.payload["registration"])
        entry_check_in(system(at=moment), registration=person)
    for table in tables_live(event):
        dealer_draw_make(system(at=begins - timedelta(minutes=2)), table=table)
    clock_start(system(at=begins))
    for out in plan["out"]:
        pictures = table_pictures(event, begins)
        picture = next(p for p in pictures if p.number == out["table"])
        seat = next(seat for seat in picture.seats[out["from_seat"] - 1 :] if seat.entry)
        entry = Entry.objects.get(pk=seat.entry or 0)
        entries_eliminate(system(at=begins + timedelta(minutes=out["minute"])), entries=[entry])
    return Event.objects.get(pk=event.pk)


def _event(club: Club, plan: dict[str, Any], begins: datetime) -> Event:
    made = event_create(
        ClubCommand(club=club, by=SYSTEM, at=begins - timedelta(hours=2)),
        name=plan["name"],
        starts_at=begins,
        schedule=ScheduleTemplate.objects.get(name=plan["schedule"]),
        preset=RulePreset.objects.get(key=plan["preset"]),
        game=plan["game"],
        limit=plan["limit"],
        seats_per_table=plan["seats_per_table"],
        capacity=plan["capacity"],
        chip_set=ChipSet.objects.filter(club=club).first(),
        late_registration_level=plan["late_registration_level"],
        draw_secret=plan["draw_secret"],
        is_sample=True,
    )
    return Event.objects.get(pk=made.payload["event"])


SAMPLE_REMOVED = Kind("sample.removed", lazy("Beispielabend entfernt"), Group.CLUB, is_final=True)


@club_service(SAMPLE_REMOVED, Permission.MANAGE)
def sample_remove(change: Change, *, event: Event) -> None:
    """Delete a sample event and its invented people; no other event is ever deleted."""
    if not event.is_sample:
        raise Refused(_("Das ist kein Beispielabend. Er wird nicht gelöscht."), code="not_sample")
    if not Event.objects.filter(pk=event.pk).exists():
        raise Refused(_("Der Beispielabend ist schon entfernt."), code="gone")
    clock = event.clock_id
    people = list(Registration.objects.filter(event=event).values_list("person_id", flat=True))
    heads = EventHead.objects.filter(pk=event.pk)
    heads.update(started_by=None, ended_by=None, cancelled_by=None)
    Receipt.objects.filter(event=event).update(counters=None)
    Receipt.objects.filter(event=event).delete()
    for model in facts_removable():
        model.objects.filter(made_by__event=event).delete()
    actions = Action.objects.filter(event=event)
    actions.update(undoes=None)
    IdempotencyRecord.objects.filter(action__in=actions).delete()
    actions.delete()
    change.record(event=event.pk)
    change.tell(name=event.name)
    screens_turn_away(change, event)
    Event.objects.filter(pk=event.pk).delete()
    Clock.objects.filter(pk=clock).delete()
    Person.objects.filter(pk__in=people, registrations__isnull=True).delete()
