"""What a further day of a contest gets from its flights: their money and players. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum

from tournaments.event.selectors.event import entries_live_count, is_later_day
from tournaments.models import Bag, Event, Posting, Stage
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import payouts
from tournaments.people.selectors.people import meant_by
from tournaments.prizes.domain.plans import Way

OF_THE_POOL = (Account.POOL, Account.FEES)


def pools_left(flights: Sequence[Event]) -> dict[int, int]:
    """Return by event what a flight holds for the next day: without prizes it pays itself."""
    rows = Posting.objects.live().filter(event__in=flights, account__in=OF_THE_POOL)
    sums = rows.values("event").annotate(sum=Sum("amount_cents")).order_by()
    held = {event: -cents for event, cents in sums.values_list("event", "sum")}
    return {event.pk: held.get(event.pk, 0) - paid_in(event) for event in flights}


def paid_in(event: Event) -> int:
    """Return the prizes that a flight or a day pays itself, to those out before its bags."""
    if event.prize_plan.way is Way.NONE:
        return 0
    return sum(row.prize for row in payouts(event))


@dataclass(frozen=True, slots=True)
class Coming:
    """What is on its way to a day: the money for its places, and its players."""

    cents: int
    people: int


def coming_to(event: Event) -> Coming | None:
    """Return what the flights hold for a day not begun; None for any other event.

    Until the draw without the bonuses for further qualifications, afterwards what came since.
    """
    if event.has_started or not is_later_day(event):
        return None
    own = Stage.objects.live().select_related("contest").get(event=event)
    rows = Stage.objects.live().filter(contest=own.contest, event__head__cancelled_by=None)
    before = list(rows.filter(order__lt=own.order).select_related("event__head").order_by("-order"))
    flights = [row.event for row in before if row.order == before[0].order]
    cents = sum(pools_left(flights).values())
    if drawn := entries_live_count(event):
        return Coming(cents, drawn)
    same = meant_by(event.club_id)
    bags = Bag.objects.live().filter(event__in=flights)
    who = bags.values_list("entry__registration__person", flat=True)
    people = {same.get(person, person) for person in who}
    bonuses = own.contest.reckoning.bonus_cents * (len(who) - len(people))
    return Coming(cents - bonuses, len(people))
