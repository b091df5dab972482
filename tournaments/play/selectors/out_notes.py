"""What other areas add to the line of a player who is out, beside the place: a prize, for one.

Those areas know the play, and the play knows none of them: they register here what they add.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from tournaments.models import Event

# Of an event and the places of some entries at an instant: words, by entry.
Notes = Callable[[Event, Mapping[int, int], datetime], Mapping[int, str]]
_ADDED: list[Notes] = []


def adds_out_notes(notes: Notes) -> None:
    """Have these notes added to those who are out."""
    _ADDED.append(notes)


def out_notes(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, list[str]]:
    """Return the notes on each of these, by entry."""
    found: dict[int, list[str]] = {}
    for notes in _ADDED:
        for entry, words in notes(event, places, now).items():
            found.setdefault(entry, []).append(words)
    return found
