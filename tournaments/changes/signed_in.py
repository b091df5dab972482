"""Which devices are signed in anywhere. The server asks before it knows the page."""

from __future__ import annotations

from tournaments.changes.access import device_of
from tournaments.models import Grant, StaffDevice


def device_signed_in(token: str) -> StaffDevice | None:
    """Return the device a cookie's token belongs to if it holds a role anywhere, else None."""
    device = device_of(token)
    if device is None:
        return None
    grants = Grant.objects.filter(device=device, revoked_at__isnull=True)
    return device if grants.exists() else None
