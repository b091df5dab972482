"""Due by bounties and deals: the taker of a bounty, an envelope to draw, an open deal."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.selectors.event import entry_names, players_left
from tournaments.models import Event
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    event_has_bounties,
    heads_waiting,
    taker_asked,
)
from tournaments.payouts.selectors.deals import MOST_AT_A_DEAL, deal_open

MOST_HEADS = 3


def bounty_items(event: Event) -> list[DueItem]:
    """Return the due items of bounties, each with the entry as its number."""
    if not event_has_bounties(event):
        return []
    waiting, undrawn = heads_waiting(event)[:MOST_HEADS], bounties_of(event).undrawn[:MOST_HEADS]
    names = entry_names({*undrawn, *(stack.entry for stack, _cents in waiting)})
    takers = [
        DueItem(
            kind=DueKind.TAKER,
            urgency=Urgency.LATER,
            title=taker_asked(stack, names[stack.entry]),
            note=_("Das Kopfgeld wartet darauf."),
            number=stack.entry,
            lost=stack.lost,
        )
        for stack, _cents in waiting
    ]
    draws = [
        DueItem(
            kind=DueKind.ENVELOPE,
            urgency=Urgency.SOON,
            title=_("Umschlag ziehen für den Kopf von %(name)s") % {"name": names[entry]},
            number=entry,
        )
        for entry in undrawn
    ]
    return [*takers, *draws]


def deal_items(event: Event) -> list[DueItem]:
    """Return a deal that waits for answers, or that can no longer be agreed."""
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
