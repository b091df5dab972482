"""What other areas tell of those who are out, beside their place: a prize, for one.

Those areas know the play, and the play knows none of them: they register here what they tell.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from tournaments.models import Event

# Of an event and the places of some entries at an instant: words, by entry.
Tell = Callable[[Event, Mapping[int, int], datetime], Mapping[int, str]]
_TELLING: list[Tell] = []


def tells_of_outs(tell: Tell) -> None:
    """Have something told of those who are out."""
    _TELLING.append(tell)


def told_of_outs(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, list[str]]:
    """Return what is told of each of these, by entry."""
    found: dict[int, list[str]] = {}
    for tell in _TELLING:
        for entry, words in tell(event, places, now).items():
            found.setdefault(entry, []).append(words)
    return found
