"""Registrations that came from one device or connection: who of them would go, who would stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, Min, OuterRef, QuerySet

from tournaments.models import Entry, Event, Posting, Registration

# So many in so short a time are more than a family.
FLOOD = 15
FLOOD_WINDOW = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class SameOrigin:
    """Who registered from one origin since some time. `stay` are here already, or have paid."""

    go: list[Registration]
    stay: list[Registration]


def origin_registrations(registration: Registration) -> QuerySet[Registration]:
    """Return the live registrations of its event that came from where it did, the first first."""
    rows = Registration.objects.live().filter(event=registration.event_id)
    if not registration.origin:
        return rows.none()
    found = rows.filter(origin=registration.origin).select_related("person")
    return found.order_by("registered_at", "pk")


def same_origin(registration: Registration, since: datetime) -> SameOrigin:
    """Return who of the same origin registered since then."""
    own = {"registration": OuterRef("pk")}
    is_here = Exists(Entry.objects.live().filter(**own))
    has_paid = Exists(Posting.objects.live().filter(**own))
    rows = origin_registrations(registration).filter(registered_at__gte=since)
    found = list(rows.annotate(stays=is_here | has_paid))
    return SameOrigin(
        go=[row for row in found if not row.stays],
        stay=[row for row in found if row.stays],
    )


def origins_flooding(event: Event, now: datetime) -> list[tuple[int, int]]:
    """Return the origins that many came from lately: a registration of each, and how many."""
    rows = Registration.objects.live().filter(event=event, registered_at__gt=now - FLOOD_WINDOW)
    counted = rows.exclude(origin="").values("origin").annotate(first=Min("pk"), count=Count("pk"))
    found = counted.filter(count__gte=FLOOD).order_by("-count", "first")
    return list(found.values_list("first", "count"))
