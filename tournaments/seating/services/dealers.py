"""Draw the first dealers by high card, for one table or all tables without one."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import DealerDraw, Table
from tournaments.seating.domain.draws import dealer_draw
from tournaments.seating.selectors.dealers import tables_without_dealer
from tournaments.seating.selectors.tables import table_counts, tables_seated
from tournaments.seating.services.seats import draw_begin, live_table, record_draw

DEALER_DRAWN = Kind(
    "dealer.drawn", lazy("Erster Geber an Tisch %(table)s ausgelost: Platz %(seat)s"), Group.TABLES
)


@service(DEALER_DRAWN, Permission.DRAW_DEALER, Topic.TABLES)
def dealer_draw_make(change: Change, *, table: Table) -> None:
    """Deal one open card to each seat; the highest deals first, ♠ > ♥ > ♦ > ♣ (KRRU)."""
    row = live_table(change.event, table.pk)
    if DealerDraw.objects.live().filter(table=row).exists():
        raise Refused(_("Der erste Geber dieses Tischs ist schon ausgelost."), code="already_drawn")
    view = tables_seated(change.event, [row.number])[row.number]
    if len(view.players) < 2:
        raise Refused(_("An diesem Tisch sitzen noch keine zwei."), code="too_few")
    seat, number = _deal(change, row, view.players)
    change.record(table=row.number, seat=seat, draw=number)


DEALERS_DRAWN = Kind(
    "dealers.drawn", lazy("Erste Geber an %(tables)s Tischen ausgelost"), Group.TABLES
)


@service(DEALERS_DRAWN, Permission.DRAW_DEALER, Topic.TABLES)
def dealers_draw(change: Change) -> None:
    """Draw the first dealer of every table without one, table by table (KRRU).

    Each table gets a draw number of its own, like a single draw.
    """
    event = change.event
    numbers = tables_without_dealer(event, table_counts(event))
    if not numbers:
        raise Refused(_("Kein Tisch wartet auf den ersten Geber."), code="already_drawn")
    rows = Table.objects.live().filter(event=event, number__in=numbers).order_by("number")
    seated = tables_seated(event, numbers)
    dealt = [[row.number, *_deal(change, row, seated[row.number].players)] for row in rows]
    change.record(tables=len(dealt), dealt=dealt)


def _deal(change: Change, row: Table, players: Mapping[int, int]) -> tuple[int, int]:
    """Deal one card to each player of a table; return the dealer's seat and the draw number."""
    draw = draw_begin(change.event)
    cards = dealer_draw(sorted(players), **draw)
    ranked = sorted(cards.items(), key=lambda item: item[1], reverse=True)
    outcome = [{"seat": seat, "entry": players[seat], "card": card.code} for seat, card in ranked]
    made = record_draw(change, "dealer", draw, items=sorted(players), outcome=outcome)
    DealerDraw.objects.create(table=row, draw=made, cards=outcome, made_by=change.action)
    return ranked[0][0], made.number
