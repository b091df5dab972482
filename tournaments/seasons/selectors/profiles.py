"""A person's record at the club: events, places, knockouts, longest run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import chain

from tournaments.models import Entry, Event, Person, ProfileConsent
from tournaments.people.domain.naming import shown_name
from tournaments.play.selectors.lost_stacks import stacks_lost_at
from tournaments.seasons.domain.points import Counts, people_places
from tournaments.seasons.domain.runs import longest_run
from tournaments.seasons.selectors.evenings import evenings_of
from tournaments.seasons.selectors.leagues import events_that_may, hidden_people

MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One event of a person: best place of all entries, and the number of people."""

    event: Event
    place: int
    players: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """All data of a person's profile.

    :param places: The events, latest first.
    :param knocked_out: People with the number of knockouts, most first; initials if unlisted.
    :param run: The longest run of the club's events in a row.
    """

    name: str
    places: Sequence[Place]
    knockouts: int
    knocked_out: Sequence[tuple[str, int]]
    run: int

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
    every = list(events_that_may(person.club).exclude(ended_by=None))
    entries = Entry.objects.live().filter(registration__person=person, event__in=every)
    played = set(entries.values_list("event", flat=True))
    events = [event for event in every if event.pk in played]
    places = []
    for event, evening in zip(events, evenings_of(events), strict=True):
        people = people_places(Counts.BEST, evening.starts)
        places.append(Place(event=event, place=people[person.pk], players=len(people)))
    taken = _taken(set(entries.values_list("pk", flat=True)), events)
    return Profile(
        name=person.name,
        places=places[::-1],
        knockouts=len(taken),
        knocked_out=_knocked_out(taken, events),
        run=longest_run([event.pk in played for event in every]),
    )


def _taken(own: Set[int], events: Sequence[Event]) -> list[int]:
    """Return the entries knocked out by these, once for each stack."""
    lost = stacks_lost_at([event.pk for event in events]).values()
    return [stack.entry for stack in chain.from_iterable(lost) if own & set(stack.takers)]


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
