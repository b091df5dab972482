"""Hall numbers: called out in the hall, bound in the log before a draw uses them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from tournaments.changes.access import Role
from tournaments.models import Action, Event

NUMBER_SET = "draw.hall_number_set"
DRAWS_OF_MANY = ("seats.drawn", "tables.redrawn", "final_table.drawn", "table.broken")


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A hall number as it was bound. `sequence` is the position of its entry in the log."""

    number: str
    at: datetime
    by: str
    sequence: int


def numbers_called(event: Event) -> list[Called]:
    """Return the hall numbers of an event in the order of binding. One query."""
    rows = (
        Action.objects.filter(event=event)
        .filter(Q(kind=NUMBER_SET) | Q(kind__in=DRAWS_OF_MANY, payload__hall_number__isnull=False))
        .order_by("sequence")
    )
    return [
        Called(
            number=row.payload["number" if row.kind == NUMBER_SET else "hall_number"],
            at=row.at,
            by=_name_of(Role(row.role)),
            sequence=row.sequence,
        )
        for row in rows
    ]


def _name_of(role: Role) -> str:
    return str(role.work.name if role.work else role.place)
