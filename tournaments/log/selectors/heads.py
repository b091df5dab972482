"""The heads of an event's chain, for people to save: hashes and numbers, no content."""

from __future__ import annotations

from collections.abc import Collection

from tournaments.changes.domain.logchain import head_of
from tournaments.models import Action, Event

MOST_ASKED = 8


def heads_at(event: Event, numbers: Collection[int]) -> dict[int, str | None]:
    """Return the chain's head at these entries; None for a missing entry.

    Read by an index and never cached: a cache might hide a rewritten log.
    """
    rows = Action.objects.filter(event=event, sequence__in=numbers)
    found = {number: head_of(hash_) for number, hash_ in rows.values_list("sequence", "hash")}
    return {number: found.get(number) for number in numbers}
