"""The club's other events under way. Reads only."""

from __future__ import annotations

from tournaments.changes.access import WORK, Role
from tournaments.models import Event, Grant, StaffDevice


def others_served(event: Event, device: StaffDevice) -> list[tuple[Event, Role]]:
    """Return the other events under way with this device's highest role there.

    They follow in the order of their start, the next after this event first and round again.
    """
    grants = Grant.objects.filter(device=device, revoked_at=None).values_list("event", "role")
    roles: dict[int | None, set[str]] = {}
    for at, granted in grants:
        roles.setdefault(at, set()).add(granted)
    rows = Event.objects.under_way().filter(club=event.club_id).exclude(pk=event.pk)
    found = []
    for row in rows.order_by("starts_at", "pk"):
        own = roles.get(row.pk, set()) | roles.get(None, set())
        role = next((role for role in WORK if role in own), None)
        if role is not None:
            found.append((row, role))
    here = (event.starts_at, event.pk)
    return sorted(found, key=lambda pair: (pair[0].starts_at, pair[0].pk) < here)
