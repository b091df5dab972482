"""What single faces of a big screen show: cash tables, begin and end, next event, forecast, money.

Names are those of the hall on a claimed screen, and of the public results on any other.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clock.domain import instant_ms
from tournaments.cashgame.selectors.books import end_of, last_hands_of, open_tables
from tournaments.cashgame.selectors.layout import tables_shown
from tournaments.contests.selectors.contests import ends_with_bags, stage_of
from tournaments.event.selectors.chips import stack_pieces
from tournaments.event.selectors.event import (
    event_accepts_late,
    left_in_rooms,
    money_reached,
    rooms_of,
    tables_live_count,
)
from tournaments.event.selectors.labels import money
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Club, Event, What
from tournaments.payouts.domain.pictures import PrizeRow, prize_rows
from tournaments.payouts.selectors.prize_labels import prize_words, prizes_in_words, sold_of
from tournaments.payouts.selectors.prizes import table_after_deals
from tournaments.people.selectors.people import names_shown
from tournaments.play.domain.bubble import is_near_the_money
from tournaments.prizes.selectors.plans import paid_left, prize_pool, prizes_frozen
from tournaments.rebuys.selectors.offers import goods_of, may_come_in, name_of, position_at
from tournaments.screens.selectors.screens import hall_hunters, hall_places


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
    known = names_shown(event, in_hall=True) if with_names else {}
    return [
        {
            "table": shown.row.number,
            "game": shown.game,
            "stakes": shown.stakes,
            "terms": " · ".join(filter(None, (shown.range, shown.fee))),
            "empty": sum(1 for seat in shown.seats if seat.row is None) - len(shown.moves),
            "line": [
                [
                    known.get(one.row.registration_id, ""),
                    instant_ms(one.until) if one.until else 0,
                ]
                for one in shown.line
            ],
            "stage": shown.standing.stage.value,
            "left": shown.standing.left,
            "runs": shown.standing.is_hand_running,
        }
        for shown in tables
    ]


def hall_cash_end(event: Event) -> dict[str, Any]:
    """Return the end of the cash game and the announced last hands; None for each if not set."""
    ends_at, last = end_of(event), last_hands_of(event)
    return {
        "ends": instant_ms(ends_at) if ends_at else None,
        "last": last.hands if last else None,
    }


# --- A big screen before and after an event: stack, free places, podium


ON_THE_PODIUM = 3


def screen_dealt(event: Event) -> dict[str, Any] | None:
    """Return the starting stack as [value, count, colour]; None if unknown or after the start."""
    pieces = [] if event.has_started else stack_pieces(event)
    if not pieces:
        return None
    rows = [[piece.value, piece.count, piece.colour] for piece in pieces]
    return {"chips": event.starting_stack, "pieces": rows}


def screen_podium(
    event: Event, now: datetime, *, has_winner: bool, in_hall: bool
) -> list[list[Any]]:
    """Return [place, name] of the first three after a winner or the end, else without a query.

    With prizes [place, name, prize].
    """
    if not (has_winner or event.is_over) or event.is_clock_only:
        return []
    # A flight ends with bags, and without a winner.
    stage = stage_of(event)
    if not has_winner and stage is not None and ends_with_bags(stage):
        return []
    told = prizes_in_words(event, now)
    rows = hall_places(event, told.by_entry if told else None, in_hall=in_hall)
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


# --- Prizes and money on a big screen


def hall_prizes(event: Event, now: datetime) -> list[list[Any]]:
    """Return [place, name] of all with a place; with prizes [place, name, prize].

    Prizes still played for come first, without a name and with equal ones together.
    """
    told = prizes_in_words(event, now)
    if told is None:
        return hall_places(event)
    placed = hall_places(event, told.by_entry)
    left = left_in_rooms(event) if len(rooms_of(event)) > 1 or not placed else placed[0][0] - 1
    return [*([_span(row), "", prize_words(row)] for row in _open(event, left)), *placed]


def screen_prizes(event: Event, now: datetime) -> list[list[str]]:
    """Return [place, prize] of all places still played for; empty before they are public.

    After a deal the amounts it left, never those it gave.
    """
    if prizes_in_words(event, now) is None:
        return []
    return [[_span(row), prize_words(row)] for row in _open(event, left_in_rooms(event))]


def _open(event: Event, left: int) -> list[PrizeRow]:
    rows = prize_rows(table_after_deals(event).prizes, event.prize_plan.in_kind)
    return [
        replace(row, last=min(row.last, left))
        for row in rows
        if row.first <= left and (row.cents or row.in_kind)
    ]


def _span(row: PrizeRow) -> str:
    return str(row.first) if row.first == row.last else f"{row.first}–{row.last}"


def screen_to_money(event: Event, now: datetime) -> int:
    """Return how many go out before the money; 0 if it is far, reached, or others may come in."""
    if not event.has_started or may_come_in(event, now) or money_reached(event) is not None:
        return 0
    left, paid = left_in_rooms(event), paid_left(event)
    tables = sum(map(tables_live_count, rooms_of(event)))
    room = {"seats_per_table": event.seats_per_table, "tables": tables}
    return max(0, left - paid) if is_near_the_money(left, paid, **room) else 0


def screen_stakes(event: Event, now: datetime, *, in_hall: bool) -> dict[str, Any] | None:
    """Return the money played for and the goods sold; None where there is none of it.

    `sells` are [name, price, first level, last level], `addon` the name and chips of the add-on,
    `sold` the numbers of re-buys and add-ons, `hunter` the leader by bounties. A screen knows by
    its own clock what is on sale. `is_final`: the pot grows no more.
    """
    if event.is_cash_only or event.is_clock_only or not event.has_started:
        return None
    pot, goods = max(0, prize_pool(event).cents), [good for good in goods_of(event) if good.cents]
    if not (pot or goods or event.prize_plan.has_money):
        return None
    sold, position = sold_of(event), position_at(event, now) or 0
    is_sold = any(position <= (good.offer.last or 0) for good in goods)
    addon = next((good for good in goods if good.what == What.ADDON), None)
    return {
        "pot": money(pot) if pot else "",
        "is_final": prizes_frozen(event) is not None
        or not (is_sold or event_accepts_late(event, now)),
        "prizes": screen_prizes(event, now),
        "sells": [
            [name_of(good.what), money(good.cents), good.offer.first, good.offer.last]
            for good in goods
        ],
        "addon": addon and {"name": name_of(addon.what), "chips": addon.chips},
        "sold": [
            [name, count]
            for name, count in ((_("Re-buys"), sold.rebuys), (_("Add-ons"), sold.addons))
            if count
        ],
        "hunter": next(iter(hall_hunters(event, 1, in_hall=in_hall)), None),
    }
