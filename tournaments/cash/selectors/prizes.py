"""What is planned and known of an event's prizes before anybody has a place. Reads only.

`paid_places` is the one answer to how many are paid: the bubble, the walls and the prizes ask it.
"""

from __future__ import annotations

from django.db.models import Min, Q

from clock.snapshot import read_once
from tournaments.cash.domain.accounts import Account
from tournaments.cash.domain.prizes import Pool, Way, places_paid, pool_of
from tournaments.cash.selectors.journal import account_cents
from tournaments.event.selectors.event import entries_live_count
from tournaments.models import Entry, Event, HandForHand, MoneyReached, PrizeFreeze


@read_once
def prizes_frozen(event: Event) -> PrizeFreeze | None:
    """Return the prizes as the director fixed them, or None. Without a plan there are none."""
    if not event.prizes:
        return None
    return PrizeFreeze.objects.live().filter(event=event).first()


@read_once
def prize_pool(event: Event) -> Pool:
    """Return the pool by what has been paid so far."""
    return pool_of(event.prize_plan, -account_cents(event, Account.POOL, Account.FEES))


@read_once
def paid_places(event: Event) -> int:
    """Return how many places are paid; 0 while nobody can say.

    As the director fixed them; else as planned, or typed. From the announcement of hand-for-hand or
    "in the money" on, entries made later do not count for it: everybody plays by it from then on.
    """
    plan = event.prize_plan
    if not event.prizes:
        return event.paid_places
    frozen = prizes_frozen(event)
    if frozen is not None:
        return frozen.places
    pool = prize_pool(event).cents if plan.way is Way.SEATS else 0
    entries = entries_that_count(event) if plan.counts_itself else 0
    return places_paid(plan, typed=event.paid_places, entries=entries, pool_cents=pool)


def entries_that_count(event: Event) -> int:
    """Return how many entries there are, or were when the end of the bubble was announced."""
    begun = HandForHand.objects.filter(event=event).exclude(voided_by__undoes__isnull=False)
    reached = MoneyReached.objects.live().filter(event=event)
    planned = [
        pk
        for rows in (begun, reached)
        if (pk := rows.aggregate(first=Min("made_by"))["first"]) is not None
    ]
    if not planned or event.is_clock_only:
        return entries_live_count(event)
    were_in = Q(voided_by__isnull=True) | Q(voided_by__gt=min(planned))
    return Entry.objects.filter(were_in, event=event, made_by__lt=min(planned)).count()
