"""The rules of a tournament: chosen by the director, shown to players, kept in the log.

A preset (`fixtures/rules.json`, or one of the club's own) plus the director's changes. Each rule is
applied elsewhere; names and limits are in `rules.selectors.rules`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, get_type_hints


class ButtonRule(StrEnum):
    """How the button moves."""

    MOVING = "moving"  # to the next player present: KRRU 3.0, HOME, WIESBADEN
    DEAD = "dead"  # TDA 2024 32


class MinimumRaise(StrEnum):
    """The minimum raise in no limit and pot limit."""

    DOUBLE_BET = "double_bet"  # to at least double the bet: KRRU 3.0
    BY_DOUBLE = "by_double"  # by at least double the bet: the second reading of KRRU 3.0
    PREVIOUS_RAISE = "previous_raise"  # by at least the previous raise: HOME
    LARGEST_RAISE = "largest_raise"  # by the largest bet or raise of the round: TDA 2024 43


class RaiseCap(StrEnum):
    """When the limit of three raises in split limit ends."""

    LAST_ROUND = "last_round"  # in the last betting round between two players: STEFFEN
    EVENT = "event"  # only when two are left in the tournament: TDA 2024 48


class ClockCall(StrEnum):
    """The result of a countdown at zero; `CLOCK_CALLS` holds the rule books' seconds."""

    KRRU = "krru"
    TDA = "tda"


class BreakOrder(StrEnum):
    """The order of breaking tables; published before play (TDA 2024 11-C: the event decides)."""

    HIGHEST_NUMBER = "highest_number"
    LOWEST_NUMBER = "lowest_number"


class SameHand(StrEnum):
    """The ranking of players busted in one hand at one table."""

    BY_STACK = "by_stack"  # the larger stack at its start ranks higher, equal stacks share
    SHARED = "shared"


class BustTies(StrEnum):
    """The ranking of players busted in one round of hand-for-hand at different tables."""

    SHARED = "shared"
    BY_STACK = "by_stack"


class NoShow(StrEnum):
    """The treatment of a registered player who does not come."""

    NO_SEAT = "no_seat"  # the seat is given on site: KRRU 3.0
    BLINDED = "blinded"  # seated beforehand and posts blinds; the director may remove the stack


class SeatDraw(StrEnum):
    """The way to draw seats once a table's players are drawn."""

    PROGRAM = "program"
    CARDS = "cards"  # real cards, drawn by the players: HOME


class LanguageRule(StrEnum):
    """The languages allowed at the table."""

    GERMAN = "german"  # staff announces exceptions: KRRU 3.0
    HOUSE = "house"  # as the house announces


class DisqualifiedPrize(StrEnum):
    """The prize of a disqualified player."""

    NONE = "none"
    PLACE = "place"  # the prize of the place, like any other player


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCallRule:
    """The procedure to put a player on the clock.

    It may be requested once an action has taken `allowed_after_seconds`. The player then has
    `thinking_seconds`, followed by a countdown of `countdown_seconds`. At zero the hand is dead;
    with `checks_when_unbet` it is a check if there is no bet to call.
    """

    allowed_after_seconds: int
    thinking_seconds: int
    countdown_seconds: int
    checks_when_unbet: bool


CLOCK_CALLS: Mapping[ClockCall, ClockCallRule] = MappingProxyType(
    {
        ClockCall.KRRU: ClockCallRule(
            allowed_after_seconds=30,
            thinking_seconds=0,
            countdown_seconds=10,
            checks_when_unbet=False,
        ),
        ClockCall.TDA: ClockCallRule(
            allowed_after_seconds=0,
            thinking_seconds=25,
            countdown_seconds=5,
            checks_when_unbet=True,
        ),
    }
)


# Settings with a valid empty value: no wait, no text.
MAY_BE_NOTHING = frozenset(
    {"clock_after_seconds", "clock_thinking_seconds", "hand_for_hand_minutes", "own_text"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All rules of one tournament. `rules.selectors.rules` gives their sources.

    A default is the program's behaviour before the rule existed, for stored rule sets older than
    it. `unknown` is data for newer programs.
    """

    key: str = ""
    name: str = ""
    version: str = ""
    button_rule: ButtonRule = ButtonRule.MOVING
    minimum_raise: MinimumRaise = MinimumRaise.DOUBLE_BET
    raise_cap: RaiseCap = RaiseCap.LAST_ROUND
    clock_call: ClockCall = ClockCall.KRRU
    clock_after_seconds: int = 30
    clock_thinking_seconds: int = 0
    clock_countdown_seconds: int = 10
    arbiters_may_call_clock: bool = False
    phones_at_table: bool = True
    balancing_tolerance: int = 1
    halt_when_short_by: int = 3
    break_order: BreakOrder = BreakOrder.HIGHEST_NUMBER
    redraws_final_table: bool = True
    same_hand: SameHand = SameHand.BY_STACK
    bust_ties: BustTies = BustTies.SHARED
    hand_for_hand_minutes: int = 2
    tap_holds_minutes: int = 10
    seat_draw: SeatDraw = SeatDraw.PROGRAM
    no_show: NoShow = NoShow.NO_SEAT
    deals_allowed: bool = False
    language_rule: LanguageRule = LanguageRule.HOUSE
    disqualified_prize: DisqualifiedPrize = DisqualifiedPrize.NONE
    own_text: str = ""
    unknown: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def tap_holds(self) -> timedelta:
        """Return how long a single tap at a table stays valid."""
        return timedelta(minutes=self.tap_holds_minutes)

    @property
    def clock(self) -> ClockCallRule:
        """Return the procedure to put a player on the clock."""
        return ClockCallRule(
            allowed_after_seconds=self.clock_after_seconds,
            thinking_seconds=self.clock_thinking_seconds,
            countdown_seconds=self.clock_countdown_seconds,
            checks_when_unbet=CLOCK_CALLS[self.clock_call].checks_when_unbet,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the stored form: plain texts, numbers and booleans by name.

        Unknown values stay as read.
        """
        written = {name: getattr(self, name) for name in _kinds()}
        plain = {
            name: value.value if isinstance(value, StrEnum) else value
            for name, value in written.items()
        }
        return {**plain, **self.unknown}


def rule_set_from(data: Mapping[str, Any]) -> RuleSet:
    """Read a stored rule set, from an older or a newer program too.

    A missing setting has its default. An unknown setting, or an unknown choice, is kept without
    effect.

    >>> rules = rule_set_from({"key": "own", "same_hand": "by_cards", "straddle": True})
    >>> rules.same_hand, dict(rules.unknown)
    (<SameHand.BY_STACK: 'by_stack'>, {'same_hand': 'by_cards', 'straddle': True})
    >>> rule_set_from({"balancing_tolerance": 0})
    Traceback (most recent call last):
    ...
    ValueError: Not a value of balancing_tolerance: 0

    :raises ValueError: Naming a setting whose value is not of its kind.
    """
    known: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, value in _modern(data).items():
        kind = _kinds().get(name)
        read = None if kind is None else _read(name, kind, value)
        (unknown if read is None else known)[name] = value if read is None else read
    return RuleSet(**known, unknown=unknown)


def _modern(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored form with present names.

    Earlier the seconds of the clock followed from `clock_call`, and KRRU's second reading had a
    setting of its own.
    """
    found = dict(data)
    if found.pop("raises_by_double", False) and found.get("minimum_raise") == "double_bet":
        found["minimum_raise"] = MinimumRaise.BY_DOUBLE.value
    if found.get("clock_call") not in tuple(ClockCall):
        return found
    figures = CLOCK_CALLS[ClockCall(found["clock_call"])]
    return {
        "clock_after_seconds": figures.allowed_after_seconds,
        "clock_thinking_seconds": figures.thinking_seconds,
        "clock_countdown_seconds": figures.countdown_seconds,
        **found,
    }


@cache
def _kinds() -> dict[str, Any]:
    # Cached: resolving annotations takes longer than all else here.
    return {name: kind for name, kind in get_type_hints(RuleSet).items() if name != "unknown"}


def _read(name: str, kind: type, value: Any) -> Any:
    """Return a setting's value, None for an unknown choice.

    Texts must not be empty and numbers at least 1, except those in `MAY_BE_NOTHING`.
    """
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value:
            try:
                return kind(value)
            except ValueError:
                return None
    # In Python a bool is an int, so compare the exact types.
    elif type(value) is kind and (kind is bool or value or name in MAY_BE_NOTHING):
        return value
    raise ValueError(f"Not a value of {name}: {value!r}")
