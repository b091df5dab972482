"""The one pool of a contest: what is in it, what is set aside, what the flights still hold."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, Sum

from tournaments.contests.domain.carrying import ContestPool, Further, contest_pool
from tournaments.contests.selectors.contests import sealed_bags
from tournaments.models import Event, Posting, Stage
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import payouts
from tournaments.prizes.domain.plans import Way

OF_THE_POOL = (Account.POOL, Account.FEES)


def pools_left(flights: Sequence[Stage]) -> dict[int, int]:
    """Return by event what a flight holds for the next day: without prizes it pays itself."""
    ids = [row.event_id for row in flights]
    rows = Posting.objects.live().filter(event__in=ids, account__in=OF_THE_POOL)
    sums = rows.values("event").annotate(sum=Sum("amount_cents")).order_by()
    held = {event: -cents for event, cents in sums.values_list("event", "sum")}
    return {row.event_id: held.get(row.event_id, 0) - paid_in(row.event) for row in flights}


def paid_in(event: Event) -> int:
    """Return the prizes that a flight or a day pays itself, to those out before its bags."""
    if event.prize_plan.way is Way.NONE:
        return 0
    return sum(row.prize for row in payouts(event))


def pool_of_contest(stages: Sequence[Stage]) -> ContestPool | None:
    """Return the pool of all stages with the prizes beside the places; None without money."""
    if not stages:
        return None
    # What is set aside for further qualifications is of the pool, paid or not.
    of_all = Q(account__in=OF_THE_POOL) | Q(account=Account.BONUS, amount_cents__lt=0)
    rows = Posting.objects.live().filter(of_all, event__in=[row.event_id for row in stages])
    pool = -(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)
    if not pool:
        return None
    first = min(row.order for row in stages)
    flights = [row for row in stages if row.order == first]
    bags = sealed_bags(flights)
    terms = stages[0].contest.reckoning
    return contest_pool(
        pool,
        people=len({bag.person for bag in bags}),
        bags=len(bags),
        bonus_each=0 if terms.further is Further.NOTHING else terms.further_cents,
        in_flight=sum(paid_in(row.event) for row in flights),
        travel_each=terms.travel_cents,
    )
