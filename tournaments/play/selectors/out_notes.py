"""Notes of other apps on eliminated players, besides the place: a prize, for example.

Those apps import this one, not the reverse: they register their notes here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from tournaments.models import Event

# From event, places and instant to notes by entry.
Notes = Callable[[Event, Mapping[int, int], datetime], Mapping[int, str]]
_ADDED: list[Notes] = []


def adds_out_notes(notes: Notes) -> None:
    """Register a function that returns such notes."""
    _ADDED.append(notes)


def out_notes(event: Event, places: Mapping[int, int], now: datetime) -> dict[int, list[str]]:
    """Return the notes on these entries, by entry."""
    found: dict[int, list[str]] = {}
    for notes in _ADDED:
        for entry, words in notes(event, places, now).items():
            found.setdefault(entry, []).append(words)
    return found
