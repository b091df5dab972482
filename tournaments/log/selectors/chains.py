"""The hashes of every log, present and in a backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field

from tournaments.models import Action, Event

# (event, club): the event is 0 for the log of a club.
Owner = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The hashes of one log, from entry 1. `name` is the event's slug, empty for a club.

    `may_go`: a sample evening's log, which may be removed.
    """

    name: str
    may_go: bool = False
    hashes: list[str] = field(default_factory=list)


def chains_now() -> dict[Owner, Chain]:
    """Return every log of the present database."""
    events = Event.objects.values_list("pk", "slug", "is_sample")
    rows = Action.objects.order_by("sequence").values_list("event", "club", "hash")
    return _chains(events, rows.iterator())


def chains_in(database: sqlite3.Connection) -> dict[Owner, Chain]:
    """Return every log of an open database."""
    events = database.execute("SELECT id, slug, is_sample FROM tournaments_event")
    rows = database.execute(
        "SELECT event_id, club_id, hash FROM tournaments_action ORDER BY sequence"
    )
    return _chains(events, rows)


def _chains(
    events: Iterable[tuple[int, str, bool]], rows: Iterable[tuple[int | None, int, str]]
) -> dict[Owner, Chain]:
    of_events = {event: (slug, bool(may_go)) for event, slug, may_go in events}
    found: dict[Owner, Chain] = {}
    for event, club, hash_ in rows:
        owner = (event or 0, club)
        if owner not in found:
            name, may_go = of_events[event] if event is not None else ("", False)
            found[owner] = Chain(name=name, may_go=may_go)
        found[owner].hashes.append(hash_)
    return found
