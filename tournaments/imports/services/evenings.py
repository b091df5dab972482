"""Enter an evening that was played elsewhere: it was not played here, and counts all the same."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time, timedelta
from itertools import count
from uuid import uuid5

from django.db import transaction
from django.utils.timezone import make_aware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.models import ScheduleTemplate
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import Game
from tournaments.event.services.lifecycle import event_create
from tournaments.imports.domain.results import EarlierEvening, Player
from tournaments.models import (
    Action,
    Elimination,
    Entry,
    Event,
    Knockout,
    LostStack,
    Registration,
    RulePreset,
)
from tournaments.people.services.people import Newcomer, register

BEGINS, SEATS = time(19), 8
EVENING_ENTERED = Kind(
    "event.entered_afterwards",
    lazy("Abend nachgetragen, Spieler: %(count)s"),
    Group.EVENT,
    outlives_the_end=True,
    is_entered_anew=True,
)


def evenings_enter(
    command: ClubCommand, *, name: str, evenings: Sequence[EarlierEvening]
) -> list[Action]:
    """Make an event of each evening and enter its result, all or none.

    :raises Refused: Saying what is wrong with one of them.
    """
    with transaction.atomic():
        return [
            _enter(command, evening, evening_name(evening, name), number)
            for number, evening in enumerate(evenings)
        ]


def evening_name(evening: EarlierEvening, told: str) -> str:
    """Return the name of an evening: as told, or as in its file."""
    return told or evening.name or _("Nachgetragener Abend")


def _enter(command: ClubCommand, evening: EarlierEvening, name: str, number: int) -> Action:
    if evening.day is None:
        raise Refused(_("Bitte sagen, an welchem Tag das war."), code="no_day")
    begins = make_aware(datetime.combine(evening.day, BEGINS))
    if begins > command.at:
        raise Refused(_("Nachtragen lässt sich nur ein Tag, der vorbei ist."), code="not_past")
    keys = [uuid5(command.key, f"{step}-{number}") if command.key else None for step in "ab"]
    made = event_create(
        replace(command, key=keys[0]),
        name=name,
        starts_at=begins,
        schedule=ScheduleTemplate.objects.earliest("pk"),
        preset=RulePreset.objects.earliest("pk"),
        game=Game.HOLDEM,
        limit="no_limit",
        seats_per_table=SEATS,
        capacity=max(2, len(evening.players)),
        is_registration_open=False,
    )
    event = Event.objects.get(pk=made.payload["event"])
    own = Command(event=event, by=command.by, at=begins, recorded_at=command.at, key=keys[1])
    return evening_enter(own, evening=evening)


@service(EVENING_ENTERED, Permission.MANAGE, Topic.SETTINGS, Topic.TABLES, after_the_end=True)
def evening_enter(change: Change, *, evening: EarlierEvening) -> None:
    """Enter people, places, takers and money of an evening, and end it unplayed."""
    event, players = change.event, evening.players
    if event.has_started or event.is_over or Registration.objects.filter(event=event).exists():
        raise Refused(_("Dieser Abend hat schon Anmeldungen."), code="not_empty")
    rows = [Newcomer(name=one.name, email=one.email, is_listed=False) for one in players]
    registrations = register(change, rows, by_staff=True)
    # Keep the consent of people who agreed to be named at all their other evenings.
    others = Registration.objects.live().filter(person__in=[row.person_id for row in registrations])
    others = others.exclude(pk__in=[row.pk for row in registrations])
    agreed = set(others.filter(is_listed=True).values_list("person", flat=True))
    refused = set(others.filter(is_listed=False).values_list("person", flat=True))
    own = [row.pk for row in registrations if row.person_id in agreed - refused]
    Registration.objects.filter(pk__in=own).update(is_listed=True)
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
    _put_out(change, players, entries)
    change.set(
        ended_by=change.action,
        earlier={
            "buy_in": evening.buy_in,
            "pool": sum(player.prize for player in players),
            "of": {
                entry.pk: {
                    "spent": player.spent, "rebuys": player.rebuys, "addons": player.addons,
                    "prize": player.prize,
                }
                for entry, player in zip(entries, players, strict=True)
            },
        },
    )  # fmt: skip
    change.record(count=len(players))


def _put_out(change: Change, players: Sequence[Player], entries: Sequence[Entry]) -> None:
    minutes = count(1)
    best = players[0].place
    for player, entry in reversed(list(zip(players, entries, strict=True))):
        stays = player.place == best
        for takers in player.lost if stays else player.lost[:-1]:
            at = change.at + timedelta(minutes=next(minutes))
            row = LostStack.objects.create(
                event=change.event, entry=entry, at=at, made_by=change.action
            )
            _taken(change, entries, takers, lost=row)
        if not stays:
            out = Elimination.objects.create(
                event=change.event,
                entry=entry,
                way=Elimination.Way.BUST,
                at=change.at + timedelta(minutes=next(minutes)),
                sequence=change.action.sequence,
                group=player.place,
                made_by=change.action,
            )
            _taken(change, entries, player.lost[-1] if player.lost else (), elimination=out)


def _taken(
    change: Change, entries: Sequence[Entry], takers: Sequence[int], **of: Elimination | LostStack
) -> None:
    for taker in takers:
        Knockout.objects.create(by=entries[taker], made_by=change.action, **of)


@undoes(EVENING_ENTERED)
def _undo_entered(change: Change, action: Action) -> None:
    """Void all that was entered, and cancel the evening: it was never played here."""
    if change.event.ended_by_id != action.pk:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    for model in (Knockout, LostStack, Elimination, Entry, Registration):
        model.objects.live().filter(made_by=action).update(voided_by=change.action)
    change.set(ended_by=None, cancelled_by=change.action, earlier={})
