"""What single faces of a big screen show: cash tables, begin and end, next event, forecast, prizes.

Names as in the public results.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils.formats import time_format
from django.utils.timezone import localtime

from clock.domain import instant_ms
from tournaments.cashgame.selectors.books import end_of, last_hands_of, open_tables
from tournaments.cashgame.selectors.layout import TableShown, tables_shown
from tournaments.event.selectors.chips import stack_pieces
from tournaments.event.selectors.event import players_left
from tournaments.event.selectors.labels import money
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Club, Event
from tournaments.payouts.domain.pictures import PrizeRow
from tournaments.payouts.selectors.prize_labels import prize_words, prizes_in_words
from tournaments.people.domain.naming import shown_name
from tournaments.screens.selectors.screens import hall_places


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


# --- A big screen before and after an event: stack, free places, podium


ON_THE_PODIUM = 3


def screen_free(event: Event, registered: int) -> int | None:
    """Return the free places for registration; None after the start, or without registrations."""
    if event.has_started or event.is_clock_only:
        return None
    return max(event.capacity - registered, 0)


def screen_dealt(event: Event) -> dict[str, Any] | None:
    """Return the starting stack as [value, count, colour]; None if unknown or after the start."""
    pieces = [] if event.has_started else stack_pieces(event)
    if not pieces:
        return None
    rows = [[piece.value, piece.count, piece.colour] for piece in pieces]
    return {"chips": event.starting_stack, "pieces": rows}


def screen_podium(event: Event, now: datetime, *, has_winner: bool) -> list[list[Any]]:
    """Return [place, name] of the first three after a winner or the end, else without a query.

    With prizes [place, name, prize].
    """
    if not (has_winner or event.is_over) or event.is_clock_only:
        return []
    told = prizes_in_words(event, now)
    rows = hall_places(event, told.by_entry if told else None)
    return [row for row in rows[:ON_THE_PODIUM] if row[0] <= ON_THE_PODIUM]


# --- The next event for a big screen after its event is gone


BEGUN_WITHIN = timedelta(hours=6)
BEGINS_WITHIN = timedelta(hours=12)


def event_of_evening(club: Club, now: datetime, *, but: Event | None = None) -> Event | None:
    """Return the running event, else the one about to begin, else a running sample, or None.

    At most two queries.
    """
    rows = Event.objects.open().filter(club=club)
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    running = rows.exclude(head__started_by=None).order_by("is_sample", "-starts_at", "-pk").first()
    if running is not None and not running.is_sample:
        return running
    near = (now - BEGUN_WITHIN, now + BEGINS_WITHIN)
    planned = rows.filter(head__started_by=None, is_sample=False, starts_at__range=near)
    return planned.order_by("starts_at", "pk").first() or running


# --- The forecast of the end on a big screen, if enabled


def screen_end(event: Event, now: datetime) -> list[str] | None:
    """Return the expected end and the range of eight in ten evenings: times of the hall.

    None if not enabled, then without a query, or if unknown.
    """
    forecast = forecast_of(event, now) if event.shows_end else None
    if forecast is None:
        return None
    times = (forecast.ends_at, forecast.earliest, forecast.latest)
    at, first, last = (time_format(localtime(time), "H:i") for time in times)
    return [at, f"{first}–{last}"]


# --- Prizes on a big screen: beside the places, on the podium, and the first prize


def hall_prizes(event: Event, now: datetime) -> list[list[Any]]:
    """Return [place, name] of all with a place; with prizes [place, name, prize].

    Prizes still played for come first, without a name and with equal ones together.
    """
    told = prizes_in_words(event, now)
    if told is None:
        return hall_places(event)
    placed = hall_places(event, told.by_entry)
    left = placed[0][0] - 1 if placed else players_left(event)
    ahead = [(row, min(row.last, left)) for row in told.rows if row.first <= left]
    return [*([_span(row, last), "", prize_words(row)] for row, last in ahead), *placed]


def _span(row: PrizeRow, last: int) -> str:
    return str(row.first) if row.first == last else f"{row.first}–{last}"


def first_prize(event: Event, now: datetime) -> str:
    """Return the first prize, money before a prize in kind; empty before it is public."""
    told = prizes_in_words(event, now)
    if told is None:
        return ""
    first = told.rows[0]
    return money(first.cents) if first.cents else first.in_kind
