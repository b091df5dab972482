"""The names of an evening's players, in its hall and on the internet. Reads only."""

from __future__ import annotations

from collections.abc import Mapping

from clock.snapshot import read_once
from tournaments.models import Event, Registration
from tournaments.people.domain.naming import public_names, short_names


@read_once
def names_shown(event: Event, *, in_hall: bool) -> Mapping[int, str]:
    """Return the name of each registration as strangers see it (one query).

    :param in_hall: Whether on a wall of the hall; the club decides on first names there.
    """
    every = Registration.objects.filter(event=event).order_by("pk")
    rows = list(every.values_list("pk", "person__name", "is_listed"))
    if in_hall and event.club.has_hall_names:
        short = short_names([name for _pk, name, _is_listed in rows])
        return {pk: short[name] for pk, name, _is_listed in rows}
    return public_names(rows)
