"""How many tries a draw took: each draw undone and made again counts."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import Any

from tournaments.models import Draw, Entry, Event

OF_MANY = ("field", "redraw", "final", "break")


def tries_by_number(event: Event) -> dict[int, int]:
    """Return by draw number how many draws of its kind were undone in a row before it.

    Each broken table and each player's seat is a kind of its own.
    """
    gone = Draw.objects.filter(event=event, voided_by__isnull=False)
    if not gone.exists():
        return {}
    rows = Draw.objects.filter(event=event, kind__in=[*OF_MANY, "seat"]).order_by("number")
    found = list(
        rows.values_list(
            "number", "kind", "voided_by_id", "made_by__payload__table", "outcome__0__0"
        )
    )
    seated = [entry for _number, kind, *_rest, entry in found if kind == "seat"]
    people = dict(Entry.objects.filter(pk__in=seated).values_list("pk", "registration_id"))
    taken_back: Counter[Any] = Counter()
    tries = {}
    for number, kind, voided_by, table, entry in found:
        kin = (kind, {"break": table, "seat": people.get(entry)}.get(kind))
        tries[number] = taken_back[kin]
        taken_back[kin] = taken_back[kin] + 1 if voided_by else 0
    return tries


def taken_back_so_far(event: Event, kind: str, table: int = 0) -> int:
    """Return how many draws of this kind were undone since one was kept."""
    rows = Draw.objects.filter(event=event, kind=kind).order_by("-number")
    if table:
        rows = rows.filter(made_by__payload__table=table)
    return len(list(takewhile(bool, rows.values_list("voided_by_id", flat=True))))
