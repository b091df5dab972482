"""Possible purchases now, and the reason for a refusal as a sentence. Reads only."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db.models import Sum
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournaments.models import Elimination, Entry, Event, Purchase, RebuyChance, What
from tournaments.rebuys.domain.buying import (
    Buyer,
    No,
    obstacle_to_add_on,
    obstacle_to_rebuy,
    obstacle_to_reenter,
)
from tournaments.rebuys.selectors.offers import Good, good_of, position_at


def bought_of(event: Event, what: What, registrations: Collection[int]) -> dict[int, int]:
    """Return how many of a good these have bought, by registration."""
    rows = Purchase.objects.live().filter(
        event=event, what=what, registration__in=list(registrations)
    )
    sums = rows.values("registration").annotate(of_it=Sum("number")).order_by()
    return dict(sums.values_list("registration", "of_it"))


def chance_of(entry: Entry) -> RebuyChance | None:
    """Return the entry's held seat, or None."""
    rows = RebuyChance.objects.live().select_related("made_by__device", "entry__registration")
    return rows.filter(entry=entry).first()


def buyer_of(entry: Entry, what: What, stack: int | None = None) -> Buyer:
    """Return the buyer's data; of a person's entries the latest counts.

    :param stack: Remaining chips as told by the player.
    """
    event, person = entry.event, entry.registration_id
    outs = Elimination.objects.live().filter(event=event, entry__registration=person)
    told = dict(outs.values_list("entry_id", "way"))
    latest = Entry.objects.live().filter(registration=person).order_by("number").last()
    return Buyer(
        bought=bought_of(event, what, [person]).get(person, 0),
        stack=0 if chance_of(entry) is not None else stack,
        is_out=(latest.pk if what == What.REENTRY and latest else entry.pk) in told,
        is_disqualified=Elimination.Way.DISQUALIFIED in told.values(),
    )


def obstacle_to_buy(
    entry: Entry,
    good: Good,
    at: datetime,
    *,
    number: int = 1,
    stack: int | None = None,
    lets_pass: bool = False,
) -> No | None:
    """Return why this cannot be bought at an instant, or None.

    :param lets_pass: Whether a director allows a late or extra purchase.
    """
    what, offer = good.what, good.offer
    if offer.last is None:
        return No.NOT_OFFERED
    buyer, position = buyer_of(entry, what, stack), position_at(entry.event, at)
    if what == What.REBUY:
        return obstacle_to_rebuy(
            offer, buyer, position=position, number=number, lets_pass=lets_pass
        )
    rule = obstacle_to_add_on if what == What.ADDON else obstacle_to_reenter
    return rule(offer, buyer, position=position, lets_pass=lets_pass)


def name_of(what: What) -> str:
    """Return the good's name."""
    return {What.REBUY: _("Re-buy"), What.ADDON: _("Add-on"), What.REENTRY: _("Re-entry")}[what]


def no_words(no: No, good: Good) -> str:
    """Return why a good cannot be bought, as a sentence."""
    words = {
        No.NOT_OFFERED: _("%(what)s gibt es bei diesem Turnier nicht."),
        No.NOT_BEGUN: _("%(what)s gibt es erst, wenn gespielt wird."),
        No.NOT_YET: _("%(what)s gibt es jetzt noch nicht."),
        No.TOO_LATE: _("%(what)s gibt es nicht mehr: Die Zeit dafür ist vorbei."),
        No.TOO_OFTEN: _("%(what)s gibt es je Person höchstens %(most)s Mal."),
        No.ONE_AT_A_TIME: _("So viele auf einmal gibt es nicht."),
        No.STACK_UNKNOWN: _("Bitte sagen, wie viele Chips noch da sind."),
        No.HAS_CHIPS: _("%(what)s gibt es erst mit höchstens %(threshold)s Chips.")
        if good.offer.threshold
        else _("%(what)s gibt es erst, wenn alle Chips verloren sind."),
        No.IS_OUT: _("Schon ausgeschieden: %(what)s geht nicht mehr."),
        No.IS_IN: _("Noch im Spiel: %(what)s gibt es erst nach dem Ausscheiden."),
        No.LOST_ALL: _("Ohne Chips kein %(what)s: erst der Re-buy."),
        No.DISQUALIFIED: _("Disqualifiziert: %(what)s gibt es nicht."),
    }[no]
    return words % {
        "what": name_of(good.what),
        "most": good.offer.most,
        "threshold": number_format(good.offer.threshold, force_grouping=True),
    }


def may_still_rebuy(event: Event, entries: Collection[Entry], at: datetime) -> set[int]:
    """Return the entries among these without chips that may re-buy at an instant.

    Two queries for any number of them.
    """
    good, position = good_of(event, What.REBUY), position_at(event, at)
    if not good.is_offered:
        return set()
    people = {entry.pk: entry.registration_id for entry in entries}
    bought = bought_of(event, What.REBUY, set(people.values()))
    return {
        entry
        for entry, person in people.items()
        if obstacle_to_rebuy(
            good.offer, Buyer(stack=0, bought=bought.get(person, 0)), position=position
        )
        is None
    }
