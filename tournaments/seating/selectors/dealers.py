"""Tables without a first dealer."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.models import DealerDraw, Event, Table
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.seat_cards import tables_to_draw


def tables_without_dealer(event: Event, counts: Sequence[TableCount]) -> list[int]:
    """Return the numbers of tables with two or more players and no first dealer.

    Tables that still have to draw cards for seats are left out.
    """
    drawn = DealerDraw.objects.live().filter(table__event=event)
    tables = Table.objects.live().filter(event=event).exclude(pk__in=drawn.values("table"))
    tables = tables.exclude(number__in=tables_to_draw(event))
    missing = set(tables.values_list("number", flat=True))
    return [count.number for count in counts if count.players > 1 and count.number in missing]
