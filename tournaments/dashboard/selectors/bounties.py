"""What bounties and deals make due: who took a head, an envelope to draw, a deal that waits."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.selectors.event import entry_names, players_left
from tournaments.models import Event
from tournaments.money.selectors.bounties import bounties_of, event_has_bounties
from tournaments.money.selectors.deals import MOST_AT_A_DEAL, deal_open

MOST_HEADS = 3


def bounty_items(event: Event) -> list[DueItem]:
    """Return what is due of heads, each with the entry as its number."""
    if not event_has_bounties(event):
        return []
    stands = bounties_of(event)
    names = entry_names({*stands.open, *stands.undrawn})
    takers = [
        DueItem(
            kind=DueKind.TAKER,
            urgency=Urgency.LATER,
            title=_("Gegen wen ist %(name)s ausgeschieden?") % {"name": names[entry]},
            note=_("Das Kopfgeld wartet darauf."),
            number=entry,
        )
        for entry in stands.open
    ]
    draws = [
        DueItem(
            kind=DueKind.ENVELOPE,
            urgency=Urgency.SOON,
            title=_("Umschlag ziehen für den Kopf von %(name)s") % {"name": names[entry]},
            number=entry,
        )
        for entry in stands.undrawn
    ]
    return [*takers[:MOST_HEADS], *draws[:MOST_HEADS]]


def deal_items(event: Event) -> list[DueItem]:
    """Return that a deal waits for answers, or that nobody can agree to it any more."""
    deal = deal_open(event) if players_left(event) <= MOST_AT_A_DEAL else None
    if deal is None:
        return []
    sentence = _("%(yes)s von %(all)s sagen Ja.") % {"yes": deal.yes, "all": len(deal.shares)}
    return [
        DueItem(
            kind=DueKind.DEAL,
            urgency=Urgency.SOON,
            title=_("Ein Deal ist vorgeschlagen"),
            note=deal.stale or sentence,
        )
    ]
