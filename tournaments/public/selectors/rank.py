"""A player's nearness to a move to another table. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournaments.event.domain.betting import Game
from tournaments.models import Event, Seating, Table
from tournaments.seating.domain.moves import movers_in_order
from tournaments.seating.selectors.tables import table_views


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """A player's rank in the order of moves from a table.

    `place` is None if the player to move would be drawn. `again_s` is the number of seconds until
    the button may be outdated.
    """

    table: int
    players: int
    place: int | None
    again_s: int | None


def rank_of(event: Event, seating: Seating | None, now: datetime) -> Rank | None:
    """Return a player's nearness to a move; None if no move is possible or it is unknown.

    In stud the free seat elsewhere decides the player to move (TDA 2024 11-A).
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
