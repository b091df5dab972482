"""The facts known of an event at any instant. Reads only.

An undone action counts from its recording until its undo, as it did in the hall.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from clock.domain.history import Past
from clock.selectors import clock_past
from clock.snapshot import read_once
from tournaments.forecast.domain.course import Change
from tournaments.models import (
    ChipMovement,
    Elimination,
    Entry,
    Event,
    HeadCount,
    Purchase,
    Registration,
    What,
)

_MADE = ("made_by__at", "voided_by__at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """The course of an event: clock, all changes, start of play."""

    past: Past
    changes: tuple[Change, ...]
    began_at: datetime | None


@read_once
def course_of(event: Event) -> Course:
    """Return the course of an event; seven queries, whatever its length."""
    found = _counted(event) if event.is_clock_only else _from_entries(event)
    began = event.started_by.at if event.started_by else None
    return Course(
        past=clock_past(event.clock),
        changes=tuple(sorted(found, key=attrgetter("at"))),
        began_at=began,
    )


def _from_entries(event: Event) -> Iterator[Change]:
    for made, voided in Registration.objects.filter(event=event).values_list(*_MADE):
        yield from _change(made, voided, registered=1)
    for made, voided in Entry.objects.filter(event=event).values_list(*_MADE):
        yield from _change(made, voided, left=1, entries=1)
    outs = Elimination.objects.filter(event=event)
    for at, voided in outs.values_list("at", "voided_by__at"):
        yield from _change(at, voided, left=-1, lost=1)
    chips = ChipMovement.objects.filter(event=event, amount__isnull=False)
    for amount, made, voided in chips.values_list("amount", *_MADE):
        yield from _change(made, voided, chips=amount)
    bought = Purchase.objects.filter(event=event)
    for what, number, at, voided in bought.values_list(
        "what", "number", "bought_at", "voided_by__at"
    ):
        if what == What.ADDON:
            yield from _change(at, voided, added=number)
        else:
            # A re-entry follows a recorded elimination; a re-buy does not.
            yield from _change(at, voided, again=1, lost=1 if what == What.REBUY else 0)


def _counted(event: Event) -> Iterator[Change]:
    rows = HeadCount.objects.filter(event=event)
    names = ("entries", "left", "rebuys", "chips")
    for entries, left, rebuys, chips, made, voided in rows.values_list(*names, *_MADE):
        yield from _change(
            made,
            voided,
            entries=entries,
            registered=entries,
            left=left,
            chips=chips,
            again=rebuys,
            lost=rebuys + entries - left,
        )


def _change(at: datetime, voided: datetime | None, **counts: Any) -> Iterator[Change]:
    yield Change(at=at, **counts)
    if voided is not None:
        yield Change(at=max(at, voided), **{name: -count for name, count in counts.items()})
