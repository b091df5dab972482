"""The heads of an event's chain, for people to save: hashes and numbers, no content."""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet

from tournaments.changes.domain.logchain import facts_hash, head_of
from tournaments.models import Action, Event
from tournaments.models.log import FACTS, VOIDS, Fact, Noted, columns_of, fields_noted, noted_models

MOST_ASKED = 8


def heads_at(event: Event, numbers: Collection[int]) -> dict[int, str | None]:
    """Return the chain's head at these entries; None for a missing entry.

    Read by an index and never cached: a cache might hide a rewritten log.
    """
    rows = Action.objects.filter(event=event, sequence__in=numbers)
    found = {number: head_of(hash_) for number, hash_ in rows.values_list("sequence", "hash")}
    return {number: found.get(number) for number in numbers}


# --- The hashes of every log, present and in a backup


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
    events = Event.objects.values_list("pk", "slug", "is_sample")
    rows = Action.objects.order_by("sequence").values_list("event", "club", "hash")
    return _chains(events, rows.iterator())


def chains_in(database: sqlite3.Connection) -> dict[Owner, Chain]:
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


# --- Compare the tables with each log entry's hashes of its facts


# The entry that voids a fact now, or None; by table and key.
State = Mapping[tuple[str, int], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference between an entry and a table; `fact`: only that fact's voiding differs."""

    entry: int
    table: str
    fact: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsChecked:
    """Differences between tables and log, and the number of old entries without hashes of facts."""

    differences: list[Difference]
    of_before: int


def facts_checked(event: Event | None = None) -> FactsChecked:
    """Compare an event's log with the tables, or all logs without an event."""
    entries = Action.objects.all() if event is None else Action.objects.filter(event=event)
    noted: dict[int, dict[str, Any]] = {}
    of_before = 0
    state: dict[tuple[str, int], int | None] = {}
    for entry, payload in entries.order_by("pk").values_list("pk", "payload").iterator():
        facts = payload.get(FACTS, {})
        # An older version logged lists of some facts.
        if "made" not in facts:
            of_before += 1
            continue
        noted[entry] = facts["made"]
        for table, by, keys in facts.get("voided", ()):
            state.update(dict.fromkeys(((table, key) for key in keys), by))
    found = [one for model in noted_models() for one in _of_table(model, entries, noted, state)]
    found.sort(key=lambda one: (one.entry, one.table, one.fact or 0))
    return FactsChecked(differences=found, of_before=of_before)


def _of_table(
    model: type[Noted], entries: QuerySet[Action], noted: Mapping[int, Mapping[str, str]],
    state: State,
) -> Iterator[Difference]:  # fmt: skip
    table, maker = model.__name__, f"{model.maker}_id"
    void = (f"{VOIDS}_id",) if issubclass(model, Fact) else ()
    columns = (each.attname for each in fields_noted(model))
    rows = model._default_manager.filter(**{f"{model.maker}__in": entries}).order_by(maker, "pk")
    expected = {entry: made[table] for entry, made in noted.items() if table in made}
    found = rows.values_list(maker, "pk", *columns, *void).iterator()
    for entry, made in groupby(found, key=itemgetter(0)):
        hashed = []
        for _entry, key, *values in made:
            by = values.pop() if void else None
            if by != state.get((table, key), None if entry in noted or by in noted else by):
                yield Difference(entry=entry, table=table, fact=key)
            hashed.append((key, columns_of(model, values)))
        if entry in noted and facts_hash(hashed) != expected.pop(entry, None):
            yield Difference(entry=entry, table=table)
    for entry in expected:
        yield Difference(entry=entry, table=table)
