"""Recent moves for a returning player, starting with that player's table. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.changes.kinds import kind_names
from tournaments.models import Event, Seating
from tournaments.people.domain.naming import shown_name

SHOWN_FOR = timedelta(minutes=30)
MOST_MOVES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentMove:
    """A player got this seat at `at`; `came_from` is the former table, None for a first seat."""

    at: datetime
    name: str
    came_from: int | None
    table: int
    seat: int
    is_here: bool


def recent_moves(event: Event, now: datetime, table: int | None) -> list[RecentMove]:
    """Return the latest moves still valid: from or to `table` first, then the newest."""
    moving = kind_names(lambda kind: kind.moves_players)
    rows = (
        Seating.objects.live()
        .filter(event=event, made_by__kind__in=moving, seated_at__gt=now - SHOWN_FOR)
        .select_related("table", "entry__registration__person")
        .order_by("-seated_at", "-pk")[:MOST_MOVES]
    )
    found = list(rows)
    left = Seating.objects.filter(
        entry__in=[row.entry_id for row in found],
        voided_by__in=[row.made_by_id for row in found],
    ).select_related("table")
    before = {(row.entry_id, row.voided_by_id): row.table.number for row in left}
    moves = [_move(row, before.get((row.entry_id, row.made_by_id)), table) for row in found]
    return sorted(moves, key=lambda move: not move.is_here)


def _move(row: Seating, came_from: int | None, table: int | None) -> RecentMove:
    registration = row.entry.registration
    return RecentMove(
        at=row.seated_at,
        name=shown_name(registration.person.name, is_listed=registration.is_listed, to_staff=False),
        came_from=came_from,
        table=row.table.number,
        seat=row.seat,
        is_here=table is not None and table in (came_from, row.table.number),
    )
