"""The heads of an event's chain, for people who keep them: hashes and numbers, no content."""

from __future__ import annotations

from collections.abc import Collection

from tournaments.changes.domain.logchain import head_of
from tournaments.models import Action, Event

MOST_ASKED = 8


def heads_at(event: Event, numbers: Collection[int]) -> dict[int, str | None]:
    """Return the head that the chain had at these entries; None where there is no such entry.

    Found by an index, and kept nowhere: what is kept might hide that the log was written anew.
    """
    rows = Action.objects.filter(event=event, sequence__in=numbers)
    found = {number: head_of(hash_) for number, hash_ in rows.values_list("sequence", "hash")}
    return {number: found.get(number) for number in numbers}
