"""The one pool of a contest: what is in it, and what is set aside."""

from collections.abc import Sequence

from django.db.models import Q, Sum

from tournaments.contests.domain.carrying import ContestPool, contest_pool
from tournaments.contests.selectors.contests import sealed_bags
from tournaments.models import Posting, Stage
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import OF_THE_POOL, paid_in


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
        bonus_each=terms.bonus_cents,
        in_flight=sum(paid_in(row.event) for row in flights),
        travel_each=terms.travel_cents,
    )
