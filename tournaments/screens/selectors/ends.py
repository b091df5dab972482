"""A big screen before and after an event: stack, free places, podium.

Names as in the public results.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tournaments.event.selectors.chips import stack_pieces
from tournaments.models import Event
from tournaments.payouts.selectors.prizes_in_words import prizes_in_words
from tournaments.screens.selectors.screens import hall_places

ON_THE_PODIUM = 3


def screen_free(event: Event, registered: int) -> int | None:
    """Return the free places for registration; None after the start, or without registrations."""
    if event.has_started or event.is_clock_only:
        return None
    return max(event.capacity - registered, 0)


def screen_dealt(event: Event) -> dict[str, Any] | None:
    """Return the starting stack as [value, count, colour]; None if unknown or after the start."""
    pieces = [] if event.has_started else stack_pieces(event)
    if not pieces:
        return None
    rows = [[piece.value, piece.count, piece.colour] for piece in pieces]
    return {"chips": event.starting_stack, "pieces": rows}


def screen_podium(event: Event, now: datetime, *, has_winner: bool) -> list[list[Any]]:
    """Return [place, name] of the first three after a winner or the end, else without a query.

    With prizes [place, name, prize].
    """
    if not (has_winner or event.is_over) or event.is_clock_only:
        return []
    told = prizes_in_words(event, now)
    rows = hall_places(event, told.by_entry if told else None)
    return [row for row in rows[:ON_THE_PODIUM] if row[0] <= ON_THE_PODIUM]
