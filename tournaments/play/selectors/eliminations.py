"""Eliminations with names; players at a table at an instant. Reads only, bounded."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F, Q

from tournaments.models import Elimination, Event, Knockout, Seating


def outs_of(event: Event, entries: Iterable[int]) -> list[Elimination]:
    """Return the eliminations in force of these entries, earliest first."""
    rows = Elimination.objects.live().filter(event=event, entry__in=list(entries))
    rows = rows.select_related("entry__registration__person", "made_by", "table")
    return list(rows.order_by("at", "pk"))


def outs_before(event: Event, at: datetime, most: int) -> list[Elimination]:
    """Return the eliminations before an instant, latest first."""
    rows = Elimination.objects.live().filter(event=event, at__lt=at).order_by("-at", "-sequence")
    return list(rows.select_related("entry__registration__person")[:most])


def takers_of(event: Event) -> dict[int, list[tuple[str, bool]]]:
    """Return the known takers by entry: each name with "is listed"."""
    person = "by__registration"
    rows = Knockout.objects.live().filter(
        elimination__event=event, elimination__voided_by__isnull=True
    )
    found: dict[int, list[tuple[str, bool]]] = {}
    for entry, name, is_listed in rows.order_by("pk").values_list(
        "elimination__entry", f"{person}__person__name", f"{person}__is_listed"
    ):
        found.setdefault(entry, []).append((name, is_listed))
    return found


def entries_at(table_id: int, at: datetime) -> list[int]:
    """Return the entries in play at a table at an instant, by seat."""
    still = Q(voided_by__isnull=True) | Q(voided_by__at__gt=at)
    rows = Seating.objects.filter(still, table=table_id, seated_at__lte=at).order_by("seat", "pk")
    # Ignore a seat given and then undone.
    rows = rows.exclude(voided_by__isnull=False, voided_by__undoes=F("made_by"))
    out = Elimination.objects.live().filter(table=table_id, at__lte=at).values("entry_id")
    return list(dict.fromkeys(rows.exclude(entry__in=out).values_list("entry_id", flat=True)))
