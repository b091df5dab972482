"""Statistics over the club's finished events: attendance, durations. Reads only.

The number of queries is fixed, except for past forecasts: these are read for the latest few events,
and cached by version.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, groupby
from statistics import median
from typing import Any

from django.core.cache import cache
from django.db.models import CharField, Count, Exists, Max, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Cast, Substr
from django.utils.timezone import localtime

from clock.snapshot import snapshot
from tournaments.forecast.selectors.forecast import ended_at, forecast_from, hall_of
from tournaments.models import (
    CashTable,
    Club,
    Elimination,
    Entry,
    Event,
    HeadCount,
    Person,
    ProfileConsent,
    Registration,
)
from tournaments.people.domain.naming import shown_name
from tournaments.people.selectors.people import has_come, plays_cash
from tournaments.play.selectors.eliminations import stacks_lost_at
from tournaments.seasons.domain.points import Counts, people_places
from tournaments.seasons.domain.review import evening_hours
from tournaments.seasons.selectors.labels import span_in_words
from tournaments.seasons.selectors.leagues import events_that_may, hidden_people
from tournaments.seasons.selectors.review import evenings_of

# --- A person's record at the club: events, places, knockouts, longest run


MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One event of a person: best place of all entries, and the number of people."""

    event: Event
    place: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All data of a person's profile, latest events first; others with initials if unlisted."""

    name: str
    places: Sequence[Place]
    knockouts: int
    knocked_out: Sequence[tuple[str, int]]
    run: int
    cash: int

    @property
    def wins(self) -> int:
        return sum(place.place == 1 for place in self.places)

    @property
    def best(self) -> Place | None:
        return min(self.places, key=lambda place: place.place, default=None)


def has_open_profile(person: Person) -> bool:
    """Tell whether a person's profile is public."""
    if person.erased_at is not None:
        return False
    return ProfileConsent.objects.live().filter(person=person).exists()


def profile_of(person: Person) -> Profile:
    """Return a person's profile, from finished events."""
    every = list(events_that_may(person.club).exclude(head__ended_by=None))
    entries = Entry.objects.live().filter(registration__person=person, event__in=every)
    played = set(entries.values_list("event", flat=True))
    events = [event for event in every if event.pk in played]
    at_cash = Registration.objects.live().filter(plays_cash(), person=person)
    ended = at_cash.exclude(event__head__ended_by=None).exclude(event__is_sample=True)
    cash = set(ended.values_list("event", flat=True))
    places = []
    for event, evening in zip(events, evenings_of(events), strict=True):
        people = people_places(Counts.BEST, evening.starts)
        places.append(Place(event=event, place=people[person.pk], players=len(people)))
    own = set(entries.values_list("pk", flat=True))
    lost = chain.from_iterable(stacks_lost_at([event.pk for event in events]).values())
    taken = [stack.entry for stack in lost if own & set(stack.takers)]
    was_there = [event.pk in played | cash for event in every]
    return Profile(
        name=person.name,
        places=places[::-1],
        knockouts=len(taken),
        knocked_out=_knocked_out(taken, events),
        run=max((len([*row]) for is_there, row in groupby(was_there) if is_there), default=0),
        cash=len(cash),
    )


def _knocked_out(taken: Sequence[int], events: Sequence[Event]) -> list[tuple[str, int]]:
    person = "registration__person"
    rows = Entry.objects.filter(pk__in=taken)
    people = {
        entry: row
        for entry, *row in rows.values_list("pk", person, f"{person}__name", f"{person}__erased_at")
    }
    times: Counter[int] = Counter()
    names: dict[int, str] = {}
    hidden = hidden_people([event.pk for event in events])
    for entry in taken:
        pk, name, erased_at = people[entry]
        times[pk] += 1
        is_listed = pk not in hidden or erased_at is not None
        names[pk] = shown_name(name, is_listed=is_listed, to_staff=False)
    return [(names[pk], number) for pk, number in times.most_common(MOST_NAMED)]


MINUTE = timedelta(minutes=1)
SAID_AFTER = timedelta(hours=1)
MOST_CHECKED = 10
KEPT_SECONDS = 24 * 3600
OF_AN_EVENING = (
    "pk", "name", "slug", "starts_at", "is_clock_only", "kind",
    "head__started_by__at", "head__ended_by__at",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """One event: people, entries, delay of the start, duration.

    :param late: Minutes from the planned to the true start, below zero if earlier.
    """

    name: str
    slug: str
    starts_at: datetime
    has_places: bool
    people: int
    entries: int
    late: int
    minutes: int

    @property
    def lasted(self) -> str:
        return span_in_words(self.minutes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The forecast one hour after the start, and the true end; `off` in minutes."""

    name: str
    slug: str
    at: datetime
    ends_at: datetime
    earliest: datetime
    latest: datetime
    ended: datetime

    @property
    def off(self) -> int:
        return round((self.ends_at - self.ended) / MINUTE)

    @property
    def has_held(self) -> bool:
        return self.earliest <= self.ended <= self.latest


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """All finished events of the club, earliest first.

    :param hours: Hours of the day, each with its stacks handed out (`entries`) and its `outs`.
    """

    evenings: Sequence[Figures]
    different: int
    hours: Sequence[Mapping[str, int]]

    @property
    def average(self) -> float:
        return sum(one.people for one in self.evenings) / max(1, len(self.evenings))

    @property
    def lasted(self) -> str:
        """Return the median duration: an event left running does not distort it."""
        return span_in_words(round(median(one.minutes for one in self.evenings)))

    @property
    def longest(self) -> str:
        return span_in_words(max(one.minutes for one in self.evenings))

    @property
    def most_people(self) -> int:
        return max(one.people for one in self.evenings)

    @property
    def late(self) -> int:
        """Return the median of minutes from the planned to the true start."""
        return round(median(one.late for one in self.evenings))


def over_of(club: Club) -> QuerySet[Event]:
    """Return the finished tournaments, earliest first."""
    return (
        Event.objects.with_tournament(club)
        .exclude(head__started_by=None)
        .exclude(head__ended_by=None)
    )


def statistics_of(club: Club) -> Statistics:
    """Return the statistics; only finished events count."""
    opened = CashTable.objects.live().filter(event=OuterRef("pk"))
    cash = Event.objects.filter(Exists(opened), club=club, is_sample=False)
    cash = cash.filter(kind=Event.Kind.CASH_GAME, head__cancelled_by=None)
    cash = cash.exclude(head__ended_by=None)
    events = Event.objects.filter(Q(pk__in=over_of(club)) | Q(pk__in=cash))
    entries = Entry.objects.live().filter(event__in=events)
    counts = entries.values("event").annotate(entries=Count("pk")).order_by()
    guests = Registration.objects.live().filter(has_come(), event__in=events)
    who = set(guests.values_list("event", "person"))
    stacks = dict(counts.values_list("event", "entries"))
    present_at = Counter(event for event, _person in who)
    people = {event: (came, stacks.get(event, 0)) for event, came in present_at.items()}
    outs = Elimination.objects.live().filter(event__in=events, entry__voided_by=None)
    gone = {
        row["event"]: (row["outs"], row["last"])
        for row in outs.values("event").annotate(outs=Count("pk"), last=Max("at")).order_by()
    }
    heads = HeadCount.objects.live().filter(event__in=events).values_list("event")
    counted = dict(heads.annotate(Sum("entries")).order_by())
    came, went = _by_hour(entries, "made_by__at"), _by_hour(outs, "at")
    begun = events.annotate(opened=Min("cash_tables__opened_at")).order_by("starts_at", "pk")
    return Statistics(
        evenings=[
            _figures(row, people, gone, counted) for row in begun.values(*OF_AN_EVENING, "opened")
        ],
        different=len({person for _event, person in who}),
        hours=[
            {"hour": hour, "entries": came.get(hour, 0), "outs": went.get(hour, 0)}
            for hour in evening_hours({*came, *went})
        ],
    )


def _figures(
    row: Mapping[str, Any],
    people: Mapping[int, tuple[int, int]],
    gone: Mapping[int, tuple[int, datetime]],
    counted: Mapping[int, int],
) -> Figures:
    key, began = row["pk"], row["head__started_by__at"] or row["opened"]
    alone = (counted.get(key, 0),) * 2
    came, entries = alone if row["is_clock_only"] else people.get(key, (0, 0))
    outs, last = gone.get(key, (0, None))
    ended = last if last is not None and entries - outs <= 1 else row["head__ended_by__at"]
    return Figures(
        name=row["name"],
        slug=row["slug"],
        starts_at=row["starts_at"],
        has_places=not row["is_clock_only"] and row["kind"] != Event.Kind.CASH_GAME,
        people=came,
        entries=entries,
        late=round((began - row["starts_at"]) / MINUTE),
        minutes=max(0, round((ended - began) / MINUTE)),
    )


def _by_hour(rows: QuerySet[Any], at: str) -> dict[int, int]:
    # By text, in UTC: SQLite would call Python for each row to extract a local hour.
    beginnings = rows.annotate(begins=Substr(Cast(at, CharField()), 1, len("2026-03-05 19")))
    hours: Counter[int] = Counter()
    for begins, number in beginnings.values_list("begins").annotate(Count("pk")).order_by():
        hours[localtime(datetime.fromisoformat(f"{begins}:00+00:00")).hour] += number
    return hours


def checked_of(club: Club) -> list[Checked]:
    """Return the forecasts of the latest events, latest first, where there were any."""
    rows = over_of(club).select_related("clock", "head__started_by", "head__ended_by")
    found = map(_checked, rows.reverse()[:MOST_CHECKED])
    return [one for one in found if one is not None]


def _checked(event: Event) -> Checked | None:
    key = f"krru-checked-{event.pk}-{event.version}"
    kept = cache.get_or_set(key, lambda: _checked_read(event), KEPT_SECONDS)
    return None if kept is None else Checked(name=event.name, slug=event.slug, **kept)


def _checked_read(event: Event) -> dict[str, datetime] | None:
    snapshot(event, event.clock)
    ended = ended_at(event)
    if event.started_by is None or ended is None:
        return None
    at = event.started_by.at + SAID_AFTER
    hall = hall_of(event, at) if at < ended else None
    predicted = None if hall is None else forecast_from(event, hall, at)
    if predicted is None:
        return None
    return {
        "at": at,
        "ends_at": predicted.ends_at,
        "earliest": predicted.earliest,
        "latest": predicted.latest,
        "ended": ended,
    }
