"""A stream: what a longer delay does not take back, and the secret addresses of its overlays."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, follows_change, service, touches
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Event


@follows_change(touches(frozenset({"stream_delay"})))
def hold_what_was_told(change: Change) -> None:
    """Keep the instant told last, so that a longer delay takes nothing back."""
    former = Event.objects.filter(pk=change.event.pk).first()
    if former is None:
        return
    told, held = change.at - timedelta(seconds=former.stream_delay), former.stream_told_at
    change.set(stream_told_at=told if held is None else max(told, held))


OVERLAYS_RENEWED = Kind(
    "overlays.renewed", lazy("Neue Adressen für den Stream"), Group.EVENT, outlives_the_end=True
)


@service(OVERLAYS_RENEWED, Permission.MANAGE, after_the_end=True)
def overlays_renew(change: Change) -> None:
    """Give the overlays new addresses: the former ones end."""
    change.set(overlay_round=change.event.overlay_round + 1)
    change.record(round=change.event.overlay_round)
