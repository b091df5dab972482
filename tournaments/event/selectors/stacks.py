"""Group counted stacks into counts. Reads only.

A break and the level after it are one count: the last tables are often counted when play goes on.
"""

from __future__ import annotations

from datetime import datetime

from clock.selectors import clock_past
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.models import Event, StackCount


def stacks_counted(event: Event) -> dict[int, int]:
    """Return the last counted stacks of players in play."""
    rows = StackCount.objects.live().filter(entry__in=event_alive_entry_ids(event))
    return dict(rows.order_by("pk").values_list("entry", "amount"))


def stacks_counted_now(event: Event, now: datetime) -> dict[int, int]:
    """Return the stacks counted in the present break or level, of players in play."""
    return stacks_of_row(event, row_counted(event, now))


def stacks_of_row(event: Event, level: int) -> dict[int, int]:
    """Return the stacks counted in a row of the schedule, of players in play."""
    rows = StackCount.objects.live().filter(entry__in=event_alive_entry_ids(event))
    counted = list(rows.order_by("pk").values_list("counted_at", "entry", "amount"))
    of_row = {at for at in {at for at, *_rest in counted} if row_counted(event, at) == level}
    return {entry: amount for at, entry, amount in counted if at in of_row}


def row_counted(event: Event, at: datetime) -> int:
    """Return the id of the schedule's row for a count at this time."""
    past = clock_past(event.clock)
    levels, index = past.levels(at), past.state(at).index
    if index and levels[index - 1].is_break and not levels[index].is_break:
        index -= 1
    return levels[index].id
