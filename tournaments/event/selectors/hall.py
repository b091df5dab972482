"""The club's hall: its plan, the way to a table, and the numbers that events hold. Reads only.

An event holds the numbers of its live tables until it is over, unless it was forgotten. A sample
has a hall of its own.
"""

from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import lru_cache

from django.db.models import Q, QuerySet

from tournaments.event.domain import hall_plan
from tournaments.models import Club, Event, Table

FORGOTTEN_AFTER = timedelta(hours=24)


@lru_cache(maxsize=8)
def _plan(text: str) -> tuple[hall_plan.Spot, ...]:
    try:
        return hall_plan.plan_typed(text)
    except hall_plan.HallError:  # typed when other bounds held
        return ()


def hall_of(club: Club) -> tuple[hall_plan.Spot, ...]:
    """Return the tables of the club's hall in the order of its plan; none without one."""
    return _plan(club.hall)


def way_at(event: Event, table: int) -> str:
    """Return the way to a table: in the event's words, else the area of the hall's plan."""
    words = hall_plan.way_to(event.areas, table)
    if words or not event.club.hall:
        return words
    return next((spot.area for spot in hall_of(event.club) if spot.number == table), "")


def numbers_in_use(club: Club | int) -> dict[int, str]:
    """Return the numbers held in a club's hall, each with its event's name."""
    rows = Table.objects.live().filter(_in_hall(club))
    return dict(rows.order_by("number").values_list("number", "event__name"))


def _in_hall(club: Club | int) -> Q:
    open_only = Q(event__head__ended_by=None, event__head__cancelled_by=None)
    return Q(event__club=club, event__is_sample=False) & open_only


def not_forgotten(event: Event, path: str = "event__") -> Q:
    """Return the condition of events with an entry in the log since the day before this one begins.

    An evening that nobody ended would hold its tables and players for ever.

    :param path: The way from the rows asked for to their event.
    """
    return Q(**{f"{path}head__log_recorded_at__gt": event.starts_at - FORGOTTEN_AFTER})


def tables_in_hall(event: Event) -> QuerySet[Table]:
    """Return the live tables of the event, and of those that share its hall."""
    shared = Q() if event.is_sample else _in_hall(event.club_id) & not_forgotten(event)
    own = Q(event=event)
    return Table.objects.live().filter(own | shared if shared else own).order_by("number")


def numbers_allowed(event: Event) -> tuple[int, ...] | None:
    """Return the numbers the event may take; None for any."""
    if event.is_sample:
        return None
    if event.hall_tables:
        return hall_plan.numbers_typed(event.hall_tables)
    return tuple(sorted(spot.number for spot in hall_of(event.club))) or None


def numbers_free(event: Event, count: int) -> tuple[list[int], Mapping[int, str]]:
    """Return the next free numbers, at most so many, and those of other events with their name."""
    live = list(tables_in_hall(event).values_list("number", "event", "event__name"))
    taken = {number for number, _event, _name in live}
    held = {number: name for number, holder, name in live if holder != event.pk}
    return hall_plan.free_numbers(count, taken, numbers_allowed(event)), held


def held_by_event(held: Mapping[int, str]) -> dict[str, list[int]]:
    """Return the numbers by event."""
    found: dict[str, list[int]] = {}
    for number, name in held.items():
        found.setdefault(name, []).append(number)
    return found


def held_words(held: Mapping[int, str], numbers: Collection[int] | None = None) -> str:
    """Return who holds these numbers, or all: "1–4 Main Event, 7 Satellit"."""
    asked = {number: held[number] for number in held if numbers is None or number in numbers}
    named = held_by_event(asked).items()
    return " · ".join(f"{hall_plan.numbers_text(found)} {name}" for name, found in named)
