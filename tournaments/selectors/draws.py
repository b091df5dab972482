"""The draws of an event as people read and recompute them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from tournaments.domain.cards import card_from_code, deck
from tournaments.domain.draws import entry_item, seat_item
from tournaments.models import DealerDraw, Draw, Entry, Event
from tournaments.selectors.people import shown_name


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPicture:
    """One draw: `lots` are the texts that were hashed, as far as they were kept."""

    number: int
    kind: str
    at: datetime
    hall_number: str
    is_voided: bool
    table: int | None
    outcome: tuple[dict[str, Any], ...]
    lots: tuple[str, ...]


def draws_of(event: Event) -> QuerySet[Draw]:
    """Return all draws, the latest first; those taken back are among them."""
    return Draw.objects.filter(event=event).select_related("made_by").order_by("-number")


def draw_pictures(event: Event, draws: Sequence[Draw], *, to_staff: bool) -> list[DrawPicture]:
    names = _names(draws, to_staff=to_staff)
    dealers = DealerDraw.objects.filter(draw__in=draws)
    tables = dict(dealers.values_list("draw_id", "table__number"))
    return [_picture(draw, names, tables.get(draw.pk)) for draw in draws]


def _picture(draw: Draw, names: dict[int, str], table: int | None) -> DrawPicture:
    rows = [_outcome(row, names) for row in draw.outcome]
    return DrawPicture(
        number=draw.number,
        kind=draw.kind,
        at=draw.made_by.at,
        hall_number=draw.hall_number,
        is_voided=draw.voided_by_id is not None,
        table=table,
        outcome=tuple(rows),
        lots=tuple(_lots(draw)),
    )


def _outcome(row: Any, names: dict[int, str]) -> dict[str, Any]:
    if isinstance(row, dict):
        entry, card = row["entry"], card_from_code(row["card"]).symbol
        return {"entry": entry, "name": names.get(entry, ""), "seat": row["seat"], "card": card}
    entry, table, seat = row
    return {"entry": entry, "name": names.get(entry, ""), "table": table, "seat": seat}


def _lots(draw: Draw) -> list[str]:
    """Return the texts that were put in order, as the specification in `domain.draws` names them."""
    if draw.kind == "dealer":
        return [f"card:{card.code}" for card in deck()]
    if draw.kind == "seat" and draw.outcome:
        entry = entry_item(draw.outcome[0][0])
        return [
            f"{entry}@{seat_item(table, seat)}" for table, seats in draw.items for seat in seats
        ]
    if draw.kind == "break":
        seats = [seat_item(table, seat) for table, free in draw.items for seat in free]
        return [*(entry_item(row[0]) for row in draw.outcome), *seats]
    return [entry_item(entry) for entry in draw.items]


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
