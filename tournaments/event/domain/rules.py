"""The rule set of a tournament: data that the director chooses, players see, and the log keeps.

A preset (`fixtures/rules.json`) plus the director's changes. What the settings do is done where
they apply; settings that no part of the program asks for yet are not here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints


class ButtonRule(StrEnum):
    """How the button moves."""

    MOVING = "moving"  # to the next player present: KRRU 3.0, HOME, WIESBADEN
    DEAD = "dead"  # TDA 2024 32


class MinimumRaise(StrEnum):
    """By how much a bet must be raised at least, in no limit and pot limit."""

    DOUBLE_BET = "double_bet"  # to at least double the bet: KRRU 3.0
    PREVIOUS_RAISE = "previous_raise"  # by at least the previous raise: HOME
    LARGEST_RAISE = "largest_raise"  # by the largest bet or raise of the round: TDA 2024 43


class ClockCall(StrEnum):
    """How a player is put on the clock; `CLOCK_CALLS` holds the figures."""

    KRRU = "krru"
    TDA = "tda"


class BreakOrder(StrEnum):
    """Which table is broken next; published before play (TDA 2024 11-C leaves it to the event)."""

    HIGHEST_NUMBER = "highest_number"
    LOWEST_NUMBER = "lowest_number"


class SameHand(StrEnum):
    """How those who go out in one hand at one table rank."""

    BY_STACK = "by_stack"  # the larger stack at its start is higher, equal stacks share
    SHARED = "shared"


class BustTies(StrEnum):
    """How those rank who go out in one round of hand-for-hand at different tables."""

    SHARED = "shared"
    BY_STACK = "by_stack"


class NoShow(StrEnum):
    """What becomes of somebody who is registered and does not come."""

    NO_SEAT = "no_seat"  # the seat is given on site: KRRU 3.0
    BLINDED = "blinded"  # seated beforehand, posts blinds; the director may remove the stack


class LanguageRule(StrEnum):
    """What may be spoken at the table."""

    GERMAN = "german"  # staff announces exceptions: KRRU 3.0
    HOUSE = "house"  # as the house announces


class DisqualifiedPrize(StrEnum):
    """What a disqualified player gets for his place."""

    NONE = "none"
    PLACE = "place"  # the prize of the place, as anybody out there


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockCallRule:
    """The figures of one way to put a player on the clock.

    It may be asked for once an action has taken `allowed_after_seconds`. Then the player has
    `thinking_seconds`, and then `countdown_seconds` are counted down aloud. At zero the hand is
    dead; with `checks_when_unbet` it is a check where no bet is faced.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """All settings of one tournament, each with the rule it comes from.

    A default is what the program did before there was the setting: it is read where a stored rule
    set is older than the setting. `unknown` is what only a newer program understands.
    """

    key: Annotated[str, "identifies the preset it came from"] = ""
    name: Annotated[str, "what people call the preset"] = ""
    version: Annotated[str, "edition of the rule book"] = ""
    button_rule: Annotated[ButtonRule, "KRRU 3.0, HOME, WIESBADEN: moving; TDA 2024 32: dead"] = (
        ButtonRule.MOVING
    )
    minimum_raise: Annotated[MinimumRaise, "KRRU 3.0; HOME; TDA 2024 43"] = MinimumRaise.DOUBLE_BET
    # KRRU can also be read "raise by double the bet"; only with DOUBLE_BET.
    raises_by_double: Annotated[bool, "second reading of KRRU 3.0, off"] = False
    clock_call: Annotated[ClockCall, "KRRU 3.0; TDA 2024 29"] = ClockCall.KRRU
    arbiters_may_call_clock: Annotated[bool, "KRRU 3.0: the director counts; else ours"] = False
    phones_at_table: Annotated[bool, "KRRU 3.0: no electronic devices at the table; else ours"] = (
        True
    )
    balancing_tolerance: Annotated[int, "TDA 2024 11-C, figure ours"] = 1
    halt_when_short_by: Annotated[int, "TDA 2024 11-D"] = 3
    break_order: Annotated[BreakOrder, "published procedure, ours"] = BreakOrder.HIGHEST_NUMBER
    redraws_final_table: Annotated[bool, "ours; the size is TDA 2024 RP-9"] = True
    same_hand: Annotated[SameHand, "common practice"] = SameHand.BY_STACK
    bust_ties: Annotated[BustTies, "common practice beside TDA 2024 RP-8"] = BustTies.SHARED
    hand_for_hand_minutes: Annotated[int, "TDA 2024 RP-8, figure ours"] = 2
    tap_holds_minutes: Annotated[int, "ours: no hand lasts longer, so what was tapped is old"] = 10
    no_show: Annotated[NoShow, "KRRU 3.0; common practice"] = NoShow.NO_SEAT
    deals_allowed: Annotated[bool, "KRRU 3.0: only with the director's express leave"] = False
    language_rule: Annotated[LanguageRule, "KRRU 3.0; else as the house announces"] = (
        LanguageRule.HOUSE
    )
    disqualified_prize: Annotated[DisqualifiedPrize, "ours"] = DisqualifiedPrize.NONE
    unknown: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def tap_holds(self) -> timedelta:
        """Return how long a tap at a table is believed without another."""
        return timedelta(minutes=self.tap_holds_minutes)

    def as_data(self) -> dict[str, Any]:
        """Return the written form: plain texts, numbers and booleans by name.

        What is unknown is written as it was read.
        """
        written = {name: getattr(self, name) for name in _kinds()}
        plain = {
            name: value.value if isinstance(value, StrEnum) else value
            for name, value in written.items()
        }
        return {**plain, **self.unknown}


def rule_set_from(data: Mapping[str, Any]) -> RuleSet:
    """Return the rule set from its written form, which an older or a newer program may have made.

    A missing setting has its default. An unknown setting, or an unknown choice of a known one, is
    kept but does not apply.

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
    for name, value in data.items():
        kind = _kinds().get(name)
        read = None if kind is None else _read(name, kind, value)
        (unknown if read is None else known)[name] = value if read is None else read
    return RuleSet(**known, unknown=unknown)


@cache
def _kinds() -> dict[str, Any]:
    # Working the annotations out takes longer than everything else here together.
    return {name: kind for name, kind in get_type_hints(RuleSet).items() if name != "unknown"}


def _read(name: str, kind: type, value: Any) -> Any:
    """Return a setting's value, None for a choice of another program.

    Texts must say something, numbers be at least 1.
    """
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value:
            try:
                return kind(value)
            except ValueError:
                return None
    # Python counts a bool as an int; so the types must be the very same.
    elif type(value) is kind and (kind is bool or value):
        return value
    raise ValueError(f"Not a value of {name}: {value!r}")
