"""Tables whose seats can be drawn with real cards now (HOME). Reads only.

Before the start this lasts until the first dealer is drawn. After a redraw it lasts until play
continues at the table.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, QuerySet

from clock.snapshot import read_once
from tournaments.event.domain.rules import SeatDraw
from tournaments.models import DealerDraw, Draw, Elimination, Event, Hand, Seating, Table
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.balancing import REDRAWS

BY_CARDS = "cards"  # the kind of a draw with real cards
FEWEST = 2


def draws_seats(event: Event, number: int) -> bool:
    """Tell whether the seats of a table can be drawn now."""
    return _being_drawn(event, _last_redraw(event)).filter(number=number).exists()


def were_drawn(event: Event, table: Table) -> bool:
    """Tell whether a table's seats were drawn with real cards since the last redraw."""
    return _drawn(event, _last_redraw(event)).get(table.number, 0) > table.made_by_id


@read_once
def tables_to_draw(event: Event) -> list[int]:
    """Return the numbers of tables still to draw cards; empty unless the rule set uses cards."""
    if event.rule_set.seat_draw != SeatDraw.CARDS or event.is_over:
        return []
    since = _last_redraw(event)
    drawn = _drawn(event, since)
    rows = _being_drawn(event, since).order_by("number").values_list("number", "made_by_id")
    return [number for number, made in rows if drawn.get(number, 0) < made]


def _drawn(event: Event, since: int) -> dict[int, int]:
    rows = Draw.objects.live().filter(event=event, kind=BY_CARDS, made_by__gt=since)
    made = rows.order_by("number").values_list("outcome", "made_by_id")
    return {outcome[0][1]: action for outcome, action in made}


def _last_redraw(event: Event) -> int:
    rows = Draw.objects.live().filter(event=event, kind__in=REDRAWS).order_by("-number")
    return rows.values_list("made_by_id", flat=True).first() or 0


def _being_drawn(event: Event, since: int) -> QuerySet[Table]:
    """Return the tables without play or other arrivals after `since`."""
    rows = Table.objects.live().filter(event=event)
    if event.has_started and not since:
        return rows.none()
    if event.has_started:
        draws = Draw.objects.live().filter(event=event, kind__in=(*REDRAWS, BY_CARDS))
        given = draws.filter(made_by__gte=since).values("made_by")
        here = Seating.objects.live().filter(table=OuterRef("pk"))
        rows = rows.filter(~Exists(here.exclude(made_by__in=given)))
    for model in (Hand, Elimination, DealerDraw):
        later = model.objects.live().filter(table=OuterRef("pk"), made_by__gt=since)
        rows = rows.filter(~Exists(later))
    return rows


# --- Tables without a first dealer


def tables_without_dealer(event: Event, counts: Sequence[TableCount]) -> list[int]:
    """Return the numbers of tables with two or more players and no first dealer."""
    drawn = DealerDraw.objects.live().filter(table__event=event)
    tables = Table.objects.live().filter(event=event).exclude(pk__in=drawn.values("table"))
    tables = tables.exclude(number__in=tables_to_draw(event))
    missing = set(tables.values_list("number", flat=True))
    return [count.number for count in counts if count.players > 1 and count.number in missing]
