"""How often something was drawn until it was left so: a draw taken back and made again is a try."""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import Any

from tournaments.models import Draw, Entry, Event

OF_MANY = ("field", "redraw", "final", "break")


def tries_by_number(event: Event) -> dict[int, int]:
    """Return by number of a draw how many of its kind before it were taken back in a row.

    The kind of a broken table is its own, and that of a seat its player's.
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
    """Return how many draws of many of a kind were taken back since one of them was left so."""
    rows = Draw.objects.filter(event=event, kind=kind).order_by("-number")
    if table:
        rows = rows.filter(made_by__payload__table=table)
    return len(list(takewhile(bool, rows.values_list("voided_by_id", flat=True))))
