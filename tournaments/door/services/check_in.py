"""Check-in: a registered player who is here gets an entry, a stack and a seat."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.door.selectors.places import waiting_of
from tournaments.door.services.registration import live_registration
from tournaments.event.selectors.event import event_accepts_late
from tournaments.models import ChipMovement, Entry, Event, Registration
from tournaments.seating.services.seats import seat_by_draw, seats_are_drawn_singly

ENTRY_CHECKED_IN = Kind(
    "entry.checked_in",
    lazy("Eingecheckt: %(name)s"),
    Group.PEOPLE,
    brings_in=True,
    opens_tables=True,
    is_announced=True,
)


@service(ENTRY_CHECKED_IN, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, Topic.TABLES)
def entry_check_in(change: Change, *, registration: Registration) -> None:
    """Check a person in: one entry, one starting stack and, in a rolling draw, a drawn seat."""
    event = change.event
    row = live_registration(change, registration)
    reason = obstacle_to_check_in(event, row, change)
    if reason:
        raise Refused(reason, code="cannot_check_in")
    entry = entry_make(change, row)
    change.tell(name=row.person.name)
    if seats_are_drawn_singly(event):
        seat_by_draw(change, entry)


def obstacle_to_check_in(event: Event, registration: Registration, change: Change) -> str | None:
    """Return why this person cannot be checked in now, or None."""
    if registration.entries.live().exists():
        return _("Schon eingecheckt.")
    if waiting_of(registration) is not None:
        return _("Steht auf der Warteliste und hat noch keinen Platz.")
    may_overrule = allows(change.by, Permission.MANAGE)
    if event.has_started and not may_overrule and not event_accepts_late(event, change.at):
        return _("Die späte Anmeldung ist vorbei. Eine Ausnahme macht die Turnierleitung.")
    return None


def entry_make(change: Change, registration: Registration) -> Entry:
    """Create the entry and its stack, with the early bonus before the start if set."""
    event = change.event
    last = Entry.objects.filter(event=event).order_by("-number").values_list("number", flat=True)
    entry = Entry.objects.create(
        event=event,
        registration=registration,
        number=(last.first() or 0) + 1,
        entered_at=change.at,
        made_by=change.action,
    )
    brought = {ChipMovement.Reason.STARTING_STACK: event.starting_stack}
    if event.on_time_chips and not event.has_started:
        brought[ChipMovement.Reason.ON_TIME] = event.on_time_chips
    for reason, chips in brought.items():
        ChipMovement.objects.create(
            event=event, entry=entry, reason=reason, amount=chips, made_by=change.action
        )
    chips = sum(brought.values())
    change.record(entry=entry.pk, registration=registration.pk, chips=chips)
    return entry
