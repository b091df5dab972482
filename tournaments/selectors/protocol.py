"""The whole log of an event, filtered, and whether it is as it was written."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q, QuerySet

from tournaments.models import Action, Event, StaffDevice
from tournaments.selectors.log import log_actions, log_first_fault

# What people ask for, and the beginnings of the kinds it stands for.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "people": ("registration.", "entry.checked_in"),
    "outs": ("entry.eliminated", "entry.disqualified", "disqualification."),
    "tables": ("table.", "seat.", "seats.", "draw.", "dealer.", "final_table."),
    "clock": ("clock.", "schedule."),
    "event": ("event.", "announcement."),
    "undone": ("action.",),
}


def actions_found(
    event: Event, *, group: str = "", device: int | None = None, name: str = ""
) -> QuerySet[Action]:
    """Return the actions that fit, newest first, as `log_line` needs them."""
    found = log_actions(event)
    if group in GROUPS:
        wanted = Q()
        for beginning in GROUPS[group]:
            wanted |= Q(kind__startswith=beginning)
        found = found.filter(wanted)
    if device is not None:
        found = found.filter(device=device)
    for word in name.split():
        # SQLite compares without case in ASCII alone, so "öz" must find "Öz" by being asked twice.
        fits = Q(text__data__name__icontains=word)
        fits |= Q(text__data__name__icontains=word.capitalize())
        found = found.filter(fits)
    return found


def devices_that_acted(event: Event) -> QuerySet[StaffDevice]:
    return StaffDevice.objects.filter(actions__event=event).distinct().order_by("name", "pk")


def log_fault(event: Event) -> int | None:
    """Return the number of the first entry that is not as it was written, or None.

    A chain cannot tell that its end was cut off, so it is held against what the event remembers.
    """
    fault = log_first_fault(event)
    if fault is not None or not event.log_sequence:
        return fault
    head = Action.objects.filter(event=event, sequence=event.log_sequence, hash=event.log_hash)
    return None if head.exists() else event.log_sequence
