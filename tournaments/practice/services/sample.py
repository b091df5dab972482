"""The sample event of a new installation: made through the services, removed in one click."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import Clock, ScheduleTemplate
from tournaments.changes.access import SYSTEM, Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.door.services.check_in import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_create
from tournaments.models import (
    Action,
    ChipSet,
    Club,
    Entry,
    Event,
    IdempotencyRecord,
    Person,
    Receipt,
    Registration,
    RulePreset,
)
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.screens.services.evening import screens_turn_away
from tournaments.seating.selectors.pictures import table_pictures
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.dealers import dealer_draw_make
from tournaments.undo.services.facts import facts_removable


def sample_make(*, club: Club, at: datetime, source: Path | None = None) -> Event:
    """Play the first part of an event of 37 players up to `at`, from the fixture."""
    plan = json.loads((source or settings.FIXTURES / "sample.json").read_text("utf-8"))
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
    Event.objects.filter(pk=event.pk).update(started_by=None, ended_by=None, cancelled_by=None)
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
