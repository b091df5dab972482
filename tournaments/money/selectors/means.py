"""The means of payment of a club, by name."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Club
from tournaments.money.domain.means import Means

# Names of means the club no longer names.
USUAL_NAMES = {
    Means.CASH: gettext_lazy("bar"),
    Means.CARD: gettext_lazy("Karte"),
    Means.TRANSFER: gettext_lazy("Überweisung"),
    Means.VOUCHER: gettext_lazy("Gutschein"),
}


def means_taken(club: Club) -> dict[Means, str]:
    """Return the club's means of payment with their names; cash always and first."""
    own = club.payment_means
    others = {means: own[means.value] for means in Means if means.value in own}
    return {Means.CASH: _("bar"), **others}


def means_name(club: Club, means: str) -> str:
    """Return a name; None means cash, from before other means existed.

    A means no longer accepted keeps a name.
    """
    kind = Means(means or Means.CASH)
    return str(club.payment_means.get(kind.value) or USUAL_NAMES[kind])
