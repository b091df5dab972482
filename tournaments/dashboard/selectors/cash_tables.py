"""Due at cash tables, on the director's page."""

from __future__ import annotations

from datetime import datetime

from tournaments.cashgame.selectors.books import open_tables
from tournaments.cashgame.selectors.due import cash_due
from tournaments.cashgame.selectors.pictures import tables_shown
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event


def cash_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of cash tables; empty without any."""
    if not event.has_cash_game or event.is_over:
        return []
    tables = tables_shown(event, open_tables(event), now)
    return [
        DueItem(
            kind=DueKind.CASH_GAME if one.table is None else DueKind.CASH_TABLE,
            urgency=Urgency(one.when.value),
            title=one.title,
            note=one.note,
            rule=one.rule,
            number=one.table,
        )
        for one in cash_due(event, tables, now)
    ]
