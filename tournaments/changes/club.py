"""The club: one row, made on first use."""

from django.utils.translation import gettext as _

from tournaments.models import Club


def club_get() -> Club:
    club = Club.objects.order_by("pk").first()
    return club or Club.objects.create(name=_("Unser Verein"))
