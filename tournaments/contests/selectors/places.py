"""The places of a contest behind its second day: bags gone from play, and outs paid in flights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tournaments.contests.domain.carrying import places_behind
from tournaments.contests.selectors.contests import feeding, stage_of
from tournaments.event.selectors.event import entries_live_count, is_later_day, rooms_of
from tournaments.models import Bag, Carry, Event, Registration, Stage
from tournaments.payouts.selectors.prizes import paid_in, payouts
from tournaments.people.domain.naming import shown_name


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
