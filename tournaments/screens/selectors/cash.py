"""Cash tables on a big screen: stakes, free seats, waiting players, the end.

Names as in the public results.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from clock.domain import instant_ms
from tournaments.cashgame.selectors.books import open_tables
from tournaments.cashgame.selectors.ending import end_of, last_hands_of
from tournaments.cashgame.selectors.pictures import TableShown, tables_shown
from tournaments.models import Event
from tournaments.people.domain.naming import shown_name


def hall_cash(event: Event, now: datetime, *, with_names: bool = True) -> list[dict[str, Any]]:
    """Return each open cash table by number; empty without a cash game.

    `line` are the waiting players as [name, until], in order; `until` is 0 without a kept seat,
    else in milliseconds since 1970. `empty` includes kept seats: a screen knows when they expire. A
    seat for a move from a feeder table is not included.

    :param with_names: Whether the line has names; without them each is empty.
    """
    if not event.has_cash_game:
        return []
    tables = tables_shown(event, open_tables(event), now)
    return [_row(shown, with_names=with_names) for shown in tables]


def hall_cash_end(event: Event) -> dict[str, Any]:
    """Return the end of the cash game and the announced last hands; None for each if not set."""
    ends_at, last = end_of(event), last_hands_of(event)
    return {
        "ends": instant_ms(ends_at) if ends_at else None,
        "last": last.hands if last else None,
    }


def _row(shown: TableShown, *, with_names: bool) -> dict[str, Any]:
    names = [
        shown_name(
            one.row.registration.person.name,
            is_listed=one.row.registration.is_listed,
            to_staff=False,
        )
        if with_names
        else ""
        for one in shown.line
    ]
    until = [instant_ms(one.until) if one.until else 0 for one in shown.line]
    return {
        "table": shown.row.number,
        "game": shown.game,
        "stakes": shown.stakes,
        "empty": sum(1 for seat in shown.seats if seat.row is None) - len(shown.moves),
        "line": [list(pair) for pair in zip(names, until, strict=True)],
        "stage": shown.standing.stage.value,
        "left": shown.standing.left,
        "runs": shown.standing.is_hand_running,
    }
