"""The terms of a betting round: players, deeds, options, and bars to raising."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Deed(StrEnum):
    """A deed of the player in turn."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"  # or raise: the total
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Step:
    """One deed; for a bet or raise, `to` is the player's total afterwards."""

    deed: Deed
    to: int = 0


class Bar(StrEnum):
    """Why a player may not raise."""

    CAPPED = "capped"  # three raises: STEFFEN, TDA 2024 48
    NOT_REOPENED = "not_reopened"  # acted before, without a full raise since: TDA 2024 47
    NO_CHIPS = "no_chips"  # calling takes the whole stack
    NOBODY_LEFT = "nobody_left"  # all others are all-in or out
    FORCED = "forced"  # in stud the forced bet is no check and no pass


@dataclass(slots=True)
class Player:
    """One player in the round. `seen` is the bet faced at the last action."""

    total: int | None
    bet: int = 0
    has_folded: bool = False
    seen: int | None = None

    @property
    def is_all_in(self) -> bool:
        return self.total is not None and self.bet >= self.total and not self.has_folded

    @property
    def may_act(self) -> bool:
        return not self.has_folded and not self.is_all_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of the next player. Amounts are totals afterwards; `call` is what is added."""

    player: int
    call: int
    may_check: bool
    is_bet: bool
    least: int | None = None
    most: int | None = None
    bar: Bar | None = None
