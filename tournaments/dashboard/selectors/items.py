"""The form of a due item: kind, urgency and words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from tournaments.seating.domain.moves import Suggestion

SOON_MINUTES = 10


class Urgency(StrEnum):
    """The most urgent first."""

    NOW = "now"
    SOON = "soon"
    LATER = "later"


class DueKind(StrEnum):
    DESK = "desk"
    DRAW_SEATS = "draw_seats"
    CARDS = "cards"
    DEALER = "dealer"
    START = "start"
    START_CALL = "start_call"
    MOVE = "move"
    BREAK = "break"
    CLOSE = "close"
    FINAL_TABLE = "final_table"
    REDRAW = "redraw"
    HALT = "halt"
    RACE = "race"
    SLIPS = "slips"
    COUNT_STACK = "count_stack"
    STACKS = "stacks"
    CLOSING = "closing"
    CLOSING_PROPOSED = "closing_proposed"
    CLOSING_COUNT = "closing_count"
    CLOSING_END = "closing_end"
    PURCHASE = "purchase"
    REBUY = "rebuy"
    STACK = "stack"
    LATE_TAP = "late_tap"
    MISSING = "missing"
    WALKING = "walking"
    AWAY = "away"
    PENALTY = "penalty"
    LATE_REGISTRATION = "late_registration"
    CLOCK_STANDS = "clock_stands"
    CLOCK_RUNS = "clock_runs"
    HANDS_PLAYED = "hands_played"
    AWAY_CLOCK = "away_clock"
    CLOCK_SET_BACK = "clock_set_back"
    PAUSE = "pause"
    COUNTING = "counting"
    WINNER = "winner"
    RESULTS = "results"
    COUNTED_OUT = "counted_out"
    CANCELLED = "cancelled"
    BACKUP = "backup"
    MACHINE = "machine"
    SCREEN = "screen"
    HAND_FOR_HAND = "hand_for_hand"
    HAND_FOR_HAND_END = "hand_for_hand_end"
    ROUND = "round"
    ROUND_WAITS = "round_waits"
    HEADS = "heads"
    HEADS_OPEN = "heads_open"
    MONEY = "money"
    MONEY_BACK = "money_back"
    PRIZES = "prizes"
    PAYOUTS = "payouts"
    PAID_TOO_MUCH = "paid_too_much"
    FEES_OPEN = "fees_open"
    SUMMONED = "summoned"
    COMING = "coming"
    TAKER = "taker"
    ENVELOPE = "envelope"
    DEAL = "deal"
    FLIGHT_END = "flight_end"
    DAY_DRAW = "day_draw"
    CASH_GAME = "cash_game"
    CASH_TABLE = "cash_table"


@dataclass(frozen=True, slots=True, kw_only=True)
class DueItem:
    """One thing to do or to know. `number` is the table's, or the entry's of a stack to count.

    `asks` are the tables that must first tell their button; `heads` those to count, with their
    number of players. `lost` is a lost stack without an elimination.
    """

    kind: DueKind
    urgency: Urgency
    title: str
    note: str = ""
    rule: str = ""
    number: int | None = None
    lost: int | None = None
    move: Suggestion | None = None
    asks: tuple[int, ...] = ()
    heads: tuple[tuple[int, int], ...] = ()


def minutes_of(duration: timedelta) -> int:
    """Return minutes, rounded up."""
    return -(-duration // timedelta(minutes=1))
