"""A player's QR code opened on a device of the desk: leads to check-in."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from tournaments.changes.access import Permission, actor_of, allows, roles_that_may
from tournaments.door.selectors.desk import desk_line
from tournaments.models import Event, Grant, Registration, StaffDevice


def door_of(device: StaffDevice | None, registration: Registration) -> dict[str, Any] | None:
    """Return the desk's data on the person of this link; None for any other device.

    The desk of another event gets the name of this event.
    """
    if device is None:
        return None
    event = registration.event
    if event.is_clock_only:
        return None
    if not allows(actor_of(device, event), Permission.CHECK_IN):
        elsewhere = _desk_elsewhere(device)
        return {"event": event, "elsewhere": elsewhere} if elsewhere else None
    is_gone = registration.voided_by_id is not None
    return {
        "event": event,
        "line": None if is_gone else desk_line(registration),
        "is_gone": is_gone,
        "url": reverse("desk-check-in", args=[event.slug, registration.pk]),
        "desk_url": reverse("desk", args=[event.slug]),
    }


def _desk_elsewhere(device: StaffDevice) -> Event | None:
    """Return the event whose desk this device serves, the latest of several."""
    desks = roles_that_may(Permission.CHECK_IN)
    grants = Grant.objects.filter(device=device, revoked_at=None, role__in=desks)
    row = grants.filter(event__isnull=False).select_related("event").order_by("-pk").first()
    return row.event if row else None
