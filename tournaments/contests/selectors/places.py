"""The pool of a contest, and the places behind its second day: bags gone, outs paid in flights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, Sum

from tournaments.contests.domain.carrying import ContestPool, contest_pool, places_behind
from tournaments.contests.selectors.contests import feeding, sealed_bags, stage_of
from tournaments.event.selectors.event import entries_live_count, is_later_day, rooms_of
from tournaments.models import Bag, Carry, Event, Posting, Registration, Stage
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.prizes import OF_THE_POOL, paid_in, payouts
from tournaments.people.domain.naming import shown_name


def pool_of_contest(stages: Sequence[Stage]) -> ContestPool | None:
    """Return the pool of all stages with the prizes beside the places; None without money."""
    if not stages:
        return None
    # The pool includes bonuses for further qualifications, paid or not.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Behind:
    """A place behind those of the day, won in the flight `label`; `chips` of a bag, or none."""

    place: int
    name: str
    label: str
    chips: int | None
    cents: int


def ranked_behind(event: Event, *, to_staff: bool) -> list[Behind]:
    """Return the places behind the day of the flights, best first; none for any other event."""
    stage = stage_of(event) if is_later_day(event) else None
    flights = feeding(stage) if stage else []
    if stage is None or not flights or feeding(flights[0]):
        return []
    labels = {row.event_id: row.label for row in flights}
    rows = [*_removed(event, stage, labels), *(row for one in flights for row in _outs(one))]
    people = sum(map(entries_live_count, rooms_of(event)))
    places = places_behind(people, [tier for tier, *_rest in rows])
    who = Registration.objects.filter(pk__in=[row[1] for row in rows])
    names = {
        pk: shown_name(name, is_listed=is_listed, to_staff=to_staff)
        for pk, name, is_listed in who.values_list("pk", "person__name", "is_listed")
    }
    found = [
        Behind(place=place, name=names[own], label=label, chips=chips, cents=cents)
        for place, (_tier, own, label, chips, cents) in zip(places, rows, strict=True)
    ]
    return sorted(found, key=lambda row: (row.place, row.name))


# The tier, the registration, the flight, the chips, the prize in cents.
Row = tuple[int, int, str, int | None, int]


def _removed(event: Event, stage: Stage, labels: Mapping[int, str]) -> Iterator[Row]:
    """Return the bags gone from play: they share, before all outs."""
    carried = Carry.objects.live().filter(is_removed=True, entry__event__in=rooms_of(event))
    cents = stage.contest.reckoning.bonus_cents
    bags = carried.values_list("bag__entry__registration", "bag__event", "bag__amount")
    for registration, flight, chips in bags:
        yield 0, registration, labels[flight], chips, cents


def _outs(flight: Stage) -> Iterator[Row]:
    """Return the outs paid in a flight, each by its distance from the bags."""
    if not paid_in(flight.event):
        return
    bags = Bag.objects.live().filter(event=flight.event).count()
    for row in payouts(flight.event):
        if row.place is not None and row.prize:
            yield row.place - bags, row.registration, flight.label, None, row.prize
