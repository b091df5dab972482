"""Prizes on a big screen: beside the places, on the podium, and the first prize.

As public at that time: nothing before the end of late registration.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tournaments.event.selectors.event import players_left
from tournaments.event.selectors.labels import money
from tournaments.models import Event
from tournaments.payouts.domain.pictures import PrizeRow
from tournaments.payouts.selectors.prizes_in_words import prize_words, prizes_in_words
from tournaments.screens.selectors.screens import hall_places


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
