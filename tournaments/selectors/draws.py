"""The draws of an event as people read them, and made again to see that they come out the same.

What a draw rested on is kept with it. Where it was too long to be kept, it cannot be made again
from here, and the picture says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournaments.domain.cards import card_from_code, deck
from tournaments.domain.draws import (
    SEPARATOR,
    dealer_draw,
    draw_order,
    entry_item,
    field_draw,
    seat_draw,
    seat_item,
    seats_drawn,
)
from tournaments.domain.naming import shown_name
from tournaments.models import DealerDraw, Draw, Entry, Event, Table

Sizes = Mapping[int, int]  # seats by table number
Rule = Callable[[Draw, Sizes, dict[str, Any]], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One text that was hashed; `digest` is empty while the secret is not published."""

    text: str
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPicture:
    """One draw. `agrees` says whether it came out the same again, None when too little is kept."""

    number: int
    kind: str
    at: datetime
    hall_number: str
    is_voided: bool
    table: int | None
    outcome: tuple[dict[str, Any], ...]
    lots: tuple[Lot, ...]
    agrees: bool | None


def draws_of(event: Event) -> QuerySet[Draw]:
    """Return all draws, the latest first; those taken back are among them."""
    return Draw.objects.filter(event=event).select_related("made_by").order_by("-number")


def draw_pictures(event: Event, draws: Sequence[Draw], *, to_staff: bool) -> list[DrawPicture]:
    """Return pictures of these draws, in a fixed number of queries."""
    names = _names(draws, to_staff=to_staff)
    dealers = DealerDraw.objects.filter(draw__in=draws)
    dealt_at = dict(dealers.values_list("draw_id", "table__number"))
    tables = list(
        Table.objects.filter(event=event)
        .order_by("made_by__sequence")
        .values_list("made_by__sequence", "number", "seats")
    )
    pictures = []
    for draw in draws:
        # A number may have been given again since, to a table of another size.
        made = draw.made_by.sequence
        sizes = {number: seats for opened, number, seats in tables if opened <= made}
        pictures.append(_picture(event, draw, sizes, names, dealt_at.get(draw.pk)))
    return pictures


def _picture(
    event: Event, draw: Draw, sizes: Sizes, names: dict[int, str], table: int | None
) -> DrawPicture:
    lots = lots_of(draw, sizes)
    said = _said(event, draw)
    return DrawPicture(
        number=draw.number,
        kind=draw.kind,
        at=draw.made_by.at,
        hall_number=draw.hall_number,
        is_voided=draw.voided_by_id is not None,
        table=table,
        outcome=tuple(_outcome(row, names) for row in draw.outcome),
        lots=_hashed(lots, said) if event.is_over else tuple(Lot(text=text) for text in lots),
        agrees=comes_out_the_same(event, draw, sizes),
    )


def comes_out_the_same(event: Event, draw: Draw, sizes: Sizes) -> bool | None:
    """Make a draw again, by the functions that made it; None when its lots were not kept."""
    if not draw.items or not draw.outcome:
        return None
    return _RULES[draw.kind](draw, sizes, _said(event, draw))


def lots_of(draw: Draw, sizes: Sizes) -> list[str]:
    """Return the texts that were put in order, named as the specification in `domain.draws` does.

    None where they were too many to be kept.
    """
    if not draw.items or not draw.outcome:
        return []
    if draw.kind == "dealer":
        return [f"card:{card.code}" for card in deck()]
    if draw.kind == "seat":
        entry = entry_item(draw.outcome[0][0])
        return [
            f"{entry}@{seat_item(table, seat)}" for table, seats in draw.items for seat in seats
        ]
    if draw.kind == "balance":
        movers, (table, *free) = draw.items
        return [*map(entry_item, movers), *(seat_item(table, seat) for seat in free)]
    entries = [entry_item(row[0]) for row in draw.outcome]
    if draw.kind == "break":
        return [*entries, *(seat_item(table, seat) for table, free in draw.items for seat in free)]
    return [*entries, *(seat_item(*place) for place in _all_seats(draw, sizes))]


def _seat_again(draw: Draw, _sizes: Sizes, said: dict[str, Any]) -> bool:
    [[entry, table, seat]] = draw.outcome
    free = dict(draw.items)
    return seat_draw(entry_item(entry), free, dict.fromkeys(free, 0), **said) == (table, seat)


def _dealer_again(draw: Draw, _sizes: Sizes, said: dict[str, Any]) -> bool:
    cards = sorted(dealer_draw(draw.items, **said).items(), key=lambda held: held[1], reverse=True)
    dealt = [(seat, card.code) for seat, card in cards]
    return dealt == [(row["seat"], row["card"]) for row in draw.outcome]


def _field_again(draw: Draw, sizes: Sizes, said: dict[str, Any]) -> bool:
    entries = [entry_item(row[0]) for row in draw.outcome]
    return field_draw(entries, _all_seats(draw, sizes), **said) == _places(draw)


def _break_again(draw: Draw, sizes: Sizes, said: dict[str, Any]) -> bool:
    free = dict(draw.items)
    counts = {table: sizes[table] - len(seats) for table, seats in free.items()}
    entries = [entry_item(row[0]) for row in draw.outcome]
    return seats_drawn(entries, free, counts, **said) == _places(draw)


def _balance_again(draw: Draw, _sizes: Sizes, said: dict[str, Any]) -> bool:
    """A move is drawn in the player, the seat, or both; what a rule decided is not drawn again."""
    movers, (table, *free) = draw.items
    [[entry, _table, seat]] = draw.outcome
    mover_reason, _dot, seat_reason = draw.made_by.payload["rule"].partition(".")
    is_mover = draw_order(map(entry_item, movers), **said)[0] == entry_item(entry)
    first = draw_order((seat_item(table, one) for one in free), **said)[0]
    is_seat = first == seat_item(table, seat)
    return (is_mover or mover_reason != "drawn") and (is_seat or seat_reason != "drawn")


_RULES: Mapping[str, Rule] = {
    "seat": _seat_again,
    "dealer": _dealer_again,
    "field": _field_again,
    "final": _field_again,
    "break": _break_again,
    "balance": _balance_again,
}


def _said(event: Event, draw: Draw) -> dict[str, Any]:
    return {
        "secret": event.draw_secret,
        "hall_number": draw.hall_number,
        "draw_number": draw.number,
    }


def _all_seats(draw: Draw, sizes: Sizes) -> list[tuple[int, int]]:
    """Return all seats of the tables that were filled: every one of them was free."""
    tables = sorted({row[1] for row in draw.outcome})
    return [(table, seat) for table in tables for seat in range(1, sizes[table] + 1)]


def _places(draw: Draw) -> dict[str, tuple[int, int]]:
    return {entry_item(entry): (table, seat) for entry, table, seat in draw.outcome}


def _hashed(lots: Iterable[str], said: dict[str, Any]) -> tuple[Lot, ...]:
    """Return the lots in drawn order, each with its hash."""
    prefix = SEPARATOR.join(map(str, said.values()))
    found = [
        Lot(text=lot, digest=hashlib.sha256(f"{prefix}{SEPARATOR}{lot}".encode()).hexdigest())
        for lot in lots
    ]
    return tuple(sorted(found, key=lambda lot: (lot.digest, lot.text)))


def _outcome(row: Any, names: dict[int, str]) -> dict[str, Any]:
    if isinstance(row, dict):
        entry, card = row["entry"], card_from_code(row["card"]).symbol
        return {"entry": entry, "name": names.get(entry, ""), "seat": row["seat"], "card": card}
    entry, table, seat = row
    return {"entry": entry, "name": names.get(entry, ""), "table": table, "seat": seat}


def _names(draws: Sequence[Draw], *, to_staff: bool) -> dict[int, str]:
    wanted = {
        row["entry"] if isinstance(row, dict) else row[0] for draw in draws for row in draw.outcome
    }
    rows = Entry.objects.filter(pk__in=wanted).values_list(
        "pk", "registration__person__name", "registration__is_listed"
    )
    return {
        pk: shown_name(name, is_listed=is_listed, to_staff=to_staff) for pk, name, is_listed in rows
    }
