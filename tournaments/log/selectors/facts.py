"""Compare the tables with each log entry's hashes of its facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet

from tournaments.changes.domain.logchain import facts_hash
from tournaments.models import Action, Event
from tournaments.models.log import FACTS, VOIDS, Fact, Noted, columns_of, fields_noted, noted_models

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
