"""What a club takes as payment, by what it calls it."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cash.domain.means import Means
from tournaments.models import Club

# What a kind of payment is called where a club no longer says it.
USUAL_NAMES = {
    Means.CASH: gettext_lazy("bar"),
    Means.CARD: gettext_lazy("Karte"),
    Means.TRANSFER: gettext_lazy("Überweisung"),
    Means.VOUCHER: gettext_lazy("Gutschein"),
}


def means_taken(club: Club) -> dict[Means, str]:
    """Return what the club takes and what it calls that; cash always, and first."""
    own = club.payment_means
    others = {means: own[means.value] for means in Means if means.value in own}
    return {Means.CASH: _("bar"), **others}


def means_name(club: Club, means: str) -> str:
    """Return what a kind of payment is called; without one it was cash, before there were others.

    What was taken once keeps a name, though it is taken no longer.
    """
    kind = Means(means or Means.CASH)
    return str(club.payment_means.get(kind.value) or USUAL_NAMES[kind])
