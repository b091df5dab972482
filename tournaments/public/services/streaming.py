"""The secret addresses of a stream's overlays."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.kinds import Group, Kind

OVERLAYS_RENEWED = Kind(
    "overlays.renewed", lazy("Neue Adressen für den Stream"), Group.EVENT, outlives_the_end=True
)


@service(OVERLAYS_RENEWED, Permission.MANAGE, after_the_end=True)
def overlays_renew(change: Change) -> None:
    """Give the overlays new addresses: the former ones end."""
    change.set(overlay_round=change.event.overlay_round + 1)
    change.record(round=change.event.overlay_round)
