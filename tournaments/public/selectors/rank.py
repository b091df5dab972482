"""How near a player is to being moved to another table. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.event.domain.betting import Game
from tournaments.models import Event, Seating, Table
from tournaments.seating.domain.moves import movers_in_order
from tournaments.seating.selectors.tables import table_views


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Where somebody is in the order in which players would be moved from a table.

    `place` is None while the mover would be drawn. `again_s` is after how many seconds the button
    may be too old to tell.
    """

    table: int
    players: int
    place: int | None
    again_s: int | None


def rank_of(event: Event, seating: Seating | None, now: datetime) -> Rank | None:
    """Return how near somebody is to being moved; None where nobody can be, or nobody can tell.

    In stud the mover is found by the seat that is free elsewhere (TDA 2024 11-A).
    """
    if seating is None or not event.has_started or event.is_over or event.game == Game.STUD:
        return None
    if Table.objects.live().filter(event=event).count() < 2:
        return None
    number = seating.table.number
    view = table_views(event, now, {number}, with_locks=False)[number]
    order = movers_in_order(view)
    return Rank(
        table=number,
        players=len(view.players),
        place=order.index(seating.seat) + 1 if seating.seat in order else None,
        again_s=int(event.rule_set.tap_holds.total_seconds()) + 1 if order else None,
    )
