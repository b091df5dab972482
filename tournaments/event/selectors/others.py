"""The club's other events under way. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from tournaments.changes.access import WORK, Role
from tournaments.event.selectors.hall import not_forgotten
from tournaments.models import Event, Grant, StaffDevice


def others_served(event: Event, device: StaffDevice) -> list[tuple[Event, Role]]:
    """Return the other events under way with this device's highest role there, in one query.

    They follow in the order of their start, the next after this event first and round again.
    """
    grants = Grant.objects.filter(Q(event=None) | Q(event=OuterRef("pk")), device=device)
    held = {f"is_{role}": Exists(grants.filter(role=role, revoked_at=None)) for role in WORK}
    rows = Event.objects.under_way().filter(not_forgotten(event, ""), club=event.club_id)
    rows = rows.exclude(pk=event.pk)
    found = []
    for row in rows.annotate(**held).order_by("starts_at", "pk"):
        role = next((role for role in WORK if getattr(row, f"is_{role}")), None)
        if role is not None:
            found.append((row, role))
    here = (event.starts_at, event.pk)
    return sorted(found, key=lambda pair: (pair[0].starts_at, pair[0].pk) < here)
