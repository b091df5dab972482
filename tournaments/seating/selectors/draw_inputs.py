"""The inputs of a draw in one form for all kinds, to recompute it here and in a browser.

Very long inputs are not stored: then there is no recipe, and they follow from the log.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from clock.snapshot import read_once
from tournaments.event.domain.cards import deck
from tournaments.models import Action, Draw, Entry, Event, KeepApart, Seating
from tournaments.seating.domain.draws import (
    NOBODY,
    KeptApart,
    dealer_draw,
    draw_order,
    entry_item,
    envelope_item,
    seat_draw,
    seat_item,
    seats_drawn,
)

# --- Wishes to keep people apart in draws and moves. One query when there are none


Pair = tuple[int, int]  # entries, the smaller id first


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


def _number(item: str) -> int:
    return int(item.partition(":")[2])


# Cards from one deck, the highest first; in a chip race each seat may have several.
BY_ONE_DECK = ("dealer", "race")
BY_ENVELOPES = ("mystery", "hands")
Sizes = Mapping[int, int]  # seats by table number
Free = tuple[tuple[int, tuple[int, ...], int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One draw. `free` holds each table's free seats and its player count before the draw.

    `outcome` is [entry, table, seat]; for a dealer [seat, card], highest card first; for a race
    [100 × seat + number of the card, card]; for an envelope [entry, its number, its prize in
    cents]; for the last hands [0, their number, 0].
    `movers` and `seats` are the candidates of one balancing move; `envelopes` the rest.
    """

    kind: str
    number: int
    hall: str
    outcome: tuple[tuple[Any, ...], ...]
    free: Free = ()
    dealt: tuple[int, ...] = ()
    movers: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    envelopes: tuple[str, ...] = ()
    apart: KeptApart

    @property
    def entries(self) -> list[int]:
        return [row[0] for row in self.outcome]

    def lots(self) -> list[str]:
        """Return the texts to hash, named as in `domain.draws`."""
        places = [(table, seat) for table, seats, _players in self.free for seat in seats]
        if self.kind in BY_ONE_DECK:
            return [f"card:{card.code}" for card in deck()]
        if self.kind == "seat":
            return [f"{entry_item(self.entries[0])}@{seat_item(*place)}" for place in places]
        if self.kind in ("balance", *BY_ENVELOPES):
            return [*self.movers, *self.seats, *self.envelopes]
        return [*map(entry_item, self.entries), *(seat_item(*place) for place in places)]

    def comes_out(self, secret: str) -> bool:
        """Recompute the draw and compare the outcome."""
        promise: dict[str, Any] = {
            "secret": secret, "hall_number": self.hall, "draw_number": self.number
        }  # fmt: skip
        if self.kind in BY_ONE_DECK:
            cards = dealer_draw(self.dealt, **promise)
            ranked = sorted(cards.items(), key=lambda held: held[1], reverse=True)
            return [(seat, card.code) for seat, card in ranked] == list(self.outcome)
        if self.kind in BY_ENVELOPES:
            [(_entry, number, _cents)] = self.outcome
            return draw_order(self.envelopes, **promise)[0] == envelope_item(number)
        places = {entry_item(entry): (table, seat) for entry, table, seat in self.outcome}
        if self.kind == "balance":
            # What a rule set, player or seat, was not drawn.
            [(entry, place)] = places.items()
            chosen = ((self.movers, entry), (self.seats, seat_item(*place)))
            return all(draw_order(lots, **promise)[0] == lot for lots, lot in chosen if lots)
        free = {table: seats for table, seats, _players in self.free}
        counts = {table: players for table, _seats, players in self.free}
        if self.kind == "seat":
            [(entry, place)] = places.items()
            return seat_draw(entry, free, {}, **promise) == place
        return seats_drawn(list(places), free, counts, **promise, apart=self.apart) == places

    def as_data(self) -> dict[str, Any]:
        own = {item.name: getattr(self, item.name) for item in fields(self) if item.name != "apart"}
        return {**own, "apart": [], "not_at": [], **keep_apart_as_data(self.apart)}


def recipe_of(draw: Draw, sizes: Sizes) -> Recipe | None:
    """Return the recipe of a draw; None if it was too long to store or drawn in the hall."""
    if not draw.items or not draw.outcome:
        return None
    is_dealer = draw.kind in BY_ONE_DECK
    rows = [(row["seat"], row["card"]) if is_dealer else tuple(row) for row in draw.outcome]
    own: dict[str, Any] = {"dealt": tuple(draw.items)} if is_dealer else {}
    if draw.kind == "balance":
        own = _lots_of_a_move(draw)
    elif draw.kind in BY_ENVELOPES:
        own = {"envelopes": tuple(draw.items)}
    elif not is_dealer:
        own = {"free": _free(draw, sizes)}
    kept = wishes_kept(draw.made_by)
    pairs = frozenset(frozenset(map(entry_item, pair)) for pair in kept.get("apart", ()))
    barred = {entry_item(entry): list(tables) for entry, tables in kept.get("not_at", ())}
    return Recipe(
        kind=draw.kind,
        number=draw.number,
        hall=draw.hall_number,
        outcome=tuple(rows),
        apart=KeptApart(pairs=pairs, barred=barred),
        **own,
    )


def _free(draw: Draw, sizes: Sizes) -> Free:
    is_break = draw.kind == "break"
    if not isinstance(draw.items[0], list):
        # Old form: entries only; all seats of the tables used were free.
        tables = sorted({row[1] for row in draw.outcome})
        return tuple((table, tuple(range(1, sizes[table] + 1)), 0) for table in tables)
    return tuple(
        # Where the players at a table are not stored, they are its size minus its free seats.
        (table, tuple(seats), rest[0] if rest else (sizes[table] - len(seats)) * is_break)
        for table, seats, *rest in draw.items
    )


def _lots_of_a_move(draw: Draw) -> dict[str, tuple[str, ...]]:
    """Return the candidates of a move; the old form has entries and seats fixed by rule too."""
    if isinstance(draw.items[0], str):
        return {
            "movers": tuple(lot for lot in draw.items if lot.startswith("entry:")),
            "seats": tuple(lot for lot in draw.items if lot.startswith("seat:")),
        }
    movers, (table, *free) = draw.items
    by_mover, _dot, by_seat = draw.made_by.payload["rule"].partition(".")
    return {
        "movers": tuple(map(entry_item, movers)) if by_mover == "drawn" else (),
        "seats": tuple(seat_item(table, seat) for seat in free) if by_seat == "drawn" else (),
    }
