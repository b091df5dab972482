"""The means of payment a club accepts, with their names."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import Club
from tournaments.money.domain.means import Means
from tournaments.money.selectors.means import means_taken

LONGEST_MEANS = 30


CLUB_MEANS_SET = Kind("club.means_set", lazy("Zahlungsarten geändert"), Group.CLUB)


@club_service(CLUB_MEANS_SET, Permission.MANAGE)
def club_means_set(change: Change, *, names: Mapping[str, str]) -> None:
    """Set the means accepted beside cash, by name; one without a name is not accepted."""
    found = {}
    for key, name in names.items():
        means, said = Means(key), name.strip()
        if means == Means.CASH or not said:
            continue
        if len(said) > LONGEST_MEANS:
            raise Refused(_("Eine Zahlungsart hat höchstens 30 Zeichen."), code="long_means")
        found[means.value] = said
    said_names = [name.casefold() for name in found.values()]
    if len(set(said_names)) < len(said_names):
        raise Refused(_("Zwei Zahlungsarten heißen gleich."), code="means_twice")
    change.set(payment_means=found)
    change.record(means=sorted(found))


def refuse_means_not_taken(club: Club, means: Means) -> None:
    """Refuse a means of payment the club does not accept."""
    if means not in means_taken(club):
        raise Refused(_("So nimmt der Verein kein Geld."), code="means_not_taken")
