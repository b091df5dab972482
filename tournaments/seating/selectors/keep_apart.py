"""Wishes to keep people apart in draws and moves. One query when there are none."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from clock.snapshot import read_once
from tournaments.models import Action, Entry, Event, KeepApart, Seating
from tournaments.seating.domain.draws import entry_item
from tournaments.seating.domain.keep_apart import NOBODY, KeptApart

Pair = tuple[int, int]  # entries, the smaller id first


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Two people to keep apart, with names for a page."""

    pk: int
    first: str
    second: str


def wishes_shown(event: Event) -> list[Wish]:
    """Return the wishes in force by name."""
    rows = KeepApart.objects.live().filter(event=event).order_by("pk")
    names = rows.values_list("pk", "first__person__name", "second__person__name")
    return [Wish(pk=pk, first=first, second=second) for pk, first, second in names]


@read_once
def pairs_kept_apart(event: Event) -> list[Pair]:
    """Return the pairs of entries to keep apart; people without an entry are left out."""
    rows = KeepApart.objects.live().filter(event=event).values_list("first_id", "second_id")
    wishes = list(rows)
    if not wishes:
        return []
    people = {person for wish in wishes for person in wish}
    entries: dict[int, list[int]] = defaultdict(list)
    alive = Entry.objects.live().filter(registration__in=people)
    for entry, registration in alive.values_list("pk", "registration_id"):
        entries[registration].append(entry)
    return sorted(
        (min(one, other), max(one, other))
        for first, second in wishes
        for one in entries[first]
        for other in entries[second]
    )


def partner_tables(event: Event, entries: Collection[int]) -> dict[int, set[int]]:
    """Return by entry the tables where a person to keep apart from already sits.

    Partners among `entries` are drawn too and do not count.
    """
    wanted = set(entries)
    if not wanted:
        return {}
    partners: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs_kept_apart(event):
        if one in wanted and other not in wanted:
            partners[other].add(one)
        if other in wanted and one not in wanted:
            partners[one].add(other)
    if not partners:
        return {}
    found: dict[int, set[int]] = defaultdict(set)
    rows = Seating.objects.live().filter(entry__in=list(partners))
    for partner, number in rows.values_list("entry_id", "table__number"):
        for entry in partners[partner]:
            found[entry].add(number)
    return dict(found)


def keep_apart_for(event: Event, entries: Collection[int], tables: Collection[int]) -> KeptApart:
    """Return the wishes relevant to a draw of these entries to these tables."""
    wanted, open_ones = set(entries), set(tables)
    pairs = [pair for pair in pairs_kept_apart(event) if wanted.issuperset(pair)]
    barred = {
        entry_item(entry): sorted(numbers & open_ones)
        for entry, numbers in partner_tables(event, entries).items()
        if numbers & open_ones
    }
    if not pairs and not barred:
        return NOBODY
    items = frozenset(frozenset(map(entry_item, pair)) for pair in pairs)
    return KeptApart(pairs=items, barred=barred)


def keep_apart_as_data(apart: KeptApart) -> dict[str, list[Any]]:
    """Return the wishes of a draw as numbers, or an empty dict."""
    if apart.is_empty:
        return {}
    return {
        "apart": sorted(sorted(map(_number, pair)) for pair in apart.pairs),
        "not_at": sorted([_number(item), list(found)] for item, found in apart.barred.items()),
    }


def wishes_kept(made_by: Action) -> dict[str, Any]:
    """Return the wishes in a draw's log entry: pairs, barred tables, wishes not kept.

    The chain holds only a hash; a person erased from the log remains as a number here.
    """
    texts = made_by.text.data if hasattr(made_by, "text") else {}
    kept: dict[str, Any] = json.loads(texts.get("wishes", "{}"))
    return kept


def keep_apart_from_data(kept: Mapping[str, Any]) -> KeptApart:
    """Return the wishes of a draw from its log data."""
    pairs = (frozenset(map(entry_item, pair)) for pair in kept.get("apart", ()))
    barred = {entry_item(entry): list(tables) for entry, tables in kept.get("not_at", ())}
    return KeptApart(pairs=frozenset(pairs), barred=barred)


def _number(item: str) -> int:
    return int(item.partition(":")[2])
