"""The club: one row, made on first use."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.models import Club


def club_get(name: str = "") -> Club:
    """Return the club, made on first use."""
    club = Club.objects.order_by("pk").first()
    return club or Club.objects.create(name=name or _("Unser Verein"))
