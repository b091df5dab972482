"""Signed-in devices. The server checks them before it knows the page."""

from tournaments.changes.access import device_of
from tournaments.models import Grant, StaffDevice


def device_signed_in(token: str) -> StaffDevice | None:
    """Return the device of a cookie's token if it has a role anywhere, else None."""
    device = device_of(token)
    if device is None:
        return None
    grants = Grant.objects.filter(device=device, revoked_at__isnull=True)
    return device if grants.exists() else None
