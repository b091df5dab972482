"""The form of a due item: kind, urgency and words."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zlib import crc32

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from tournaments.seating.domain.moves import Suggestion

SOON_MINUTES = 10


class Urgency(StrEnum):
    """The most urgent first."""

    NOW = "now"
    SOON = "soon"
    LATER = "later"


NOW, SOON, LATER = Urgency


class DueKind(StrEnum):
    DESK = "desk"
    DRAW_SEATS = "draw_seats"
    CARDS = "cards"
    DEALER = "dealer"
    START = "start"
    START_CALL = "start_call"
    MOVE = "move"
    BALANCE = "balance"
    BREAK = "break"
    CLOSE = "close"
    FINAL_TABLE = "final_table"
    REDRAW = "redraw"
    HALT = "halt"
    RACE = "race"
    SLIPS = "slips"
    COUNT_STACK = "count_stack"
    STACKS = "stacks"
    CLOSING_PROPOSED = "closing_proposed"
    CLOSING_COUNT = "closing_count"
    CLOSING_END = "closing_end"
    PURCHASE = "purchase"
    ADDONS = "addons"
    REBUY = "rebuy"
    STACK = "stack"
    LATE_TAP = "late_tap"
    MISSING = "missing"
    PENALTY = "penalty"
    LATE_REGISTRATION = "late_registration"
    CLOCK_STANDS = "clock_stands"
    CLOCK_RUNS = "clock_runs"
    HANDS_PLAYED = "hands_played"
    AWAY_CLOCK = "away_clock"
    CLOCK_SET_BACK = "clock_set_back"
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
    HEADS = "heads"
    HEADS_OPEN = "heads_open"
    MONEY = "money"
    MONEY_BACK = "money_back"
    LEAST = "least"
    LEAST_MET = "least_met"
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
    HALL_FREE = "hall_free"
    HALL_FULL = "hall_full"
    CASH_GAME = "cash_game"
    CASH_TABLE = "cash_table"


@dataclass(frozen=True, slots=True)
class DueItem:
    """One thing to do or to know. `number` is the table's, or the entry's of a stack to count.

    `asks` are the tables that must first tell their button; `heads` those to count, with their
    number of players. `lost` is a lost stack without an elimination. `fact` is what the item rests
    on, if its words change by themselves: an item put aside comes back with another fact.
    """

    kind: DueKind
    urgency: Urgency
    title: str
    note: str = ""
    _: KW_ONLY
    rule: str = ""
    number: int | None = None
    lost: int | None = None
    move: Suggestion | None = None
    asks: tuple[int, ...] = ()
    heads: tuple[tuple[int, int], ...] = ()
    fact: str = ""

    @property
    def key(self) -> str:
        """Return the name by which the item is put aside.

        >>> item = DueItem(DueKind.DESK, Urgency.NOW, "3 fehlen", fact="desk")
        >>> item.key
        'desk-0-056e2466'
        """
        rests_on = self.fact or f"{self.title} {self.note}"
        return f"{self.kind}-{self.number or 0}-{crc32(rests_on.encode()):08x}"


def minutes_of(duration: timedelta) -> int:
    """Return minutes, rounded up."""
    return -(-duration // timedelta(minutes=1))


def time_of(at: datetime) -> str:
    """Return the time of day of an instant."""
    return time_format(timezone.localtime(at), "H:i")


def words_joined(words: Sequence[str]) -> str:
    """Return a list as it is said.

    >>> words_joined(["9", "9", "2"])
    '9, 9 und 2'
    """
    if len(words) == 1:
        return words[0]
    return _("%(first)s und %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}
