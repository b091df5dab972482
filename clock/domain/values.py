"""The values the clock's functions take and return. No behaviour beyond what a value is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

ZERO = timedelta()

MOST_EXTRA = timedelta(hours=24)
"""How much longer than planned a level can be made: elapsed time is held above its negative."""


class LevelKind(StrEnum):
    """What a row of the schedule is."""

    PLAY = "play"
    BREAK = "break"


class AnteKind(StrEnum):
    """Who posts the ante of a level."""

    EACH = "each"
    BIG_BLIND = "big_blind"


class LimitKind(StrEnum):
    """How bets are bounded (STUD, WIESBADEN, STEFFEN)."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    SPLIT_LIMIT = "split_limit"
    SPREAD_LIMIT = "spread_limit"


class ActionKind(StrEnum):
    """What can be done to a clock. Never renamed once written."""

    STARTED = "started"
    PAUSED = "paused"
    ADJUSTED = "adjusted"
    JUMPED = "jumped"
    RESTORED = "restored"
    HAND_COUNTED = "hand_counted"
    LAST_HANDS_SET = "last_hands_set"
    BREAK_STOP_SET = "break_stop_set"
    EDITED = "edited"
    CORRECTED = "corrected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One row of a schedule: a level of play or a break.

    A level lasts `duration`, or a number of `hands`; with neither it lasts until somebody jumps on.
    `number` counts levels of play from 1 and is None for a break. `added_at` is set for a level
    that was appended later: it cannot begin before that instant, so the past keeps what it showed.
    `colour_up` holds the values of the chips that leave play there: in a break while it lasts, in a
    level of play before its first hand.

    `ante` is posted by each player, or with `ante_kind` BIG_BLIND once a hand by the big blind for
    the whole table. Then the blind is posted first and the ante of what is left of the stack, and
    the ante is as large at a short table (TDA 2024 RP-11).
    `small_bet` and `big_bet` are the two fixed bets of split limit. Where there are blinds the
    small bet is the big blind, and `small_bet` is 0; stud has it in place of blinds (STUD).
    `bring_in` is the forced bet of one player in stud. `game` and `limit` (a `LimitKind`) are empty
    where they are those of the event.

    `is_unplanned` marks a break that came in the course of play. `rest_of` is the id of the level
    that such a break cut in two, and that this row ends.
    """

    id: int
    kind: LevelKind = LevelKind.PLAY
    duration: timedelta | None = None
    hands: int | None = None
    number: int | None = None
    small_blind: int = 0
    big_blind: int = 0
    small_bet: int = 0
    big_bet: int = 0
    ante: int = 0
    ante_kind: AnteKind = AnteKind.EACH
    bring_in: int = 0
    game: str = ""
    limit: str = ""
    colour_up: tuple[int, ...] = ()
    added_at: datetime | None = None
    is_unplanned: bool = False
    rest_of: int | None = None

    @property
    def is_break(self) -> bool:
        return self.kind == LevelKind.BREAK

    @property
    def is_planned_break(self) -> bool:
        return self.is_break and not self.is_unplanned

    @property
    def is_big_blind_ante(self) -> bool:
        return self.ante > 0 and self.ante_kind == AnteKind.BIG_BLIND

    @property
    def amounts(self) -> tuple[int, ...]:
        """Return everything that may be posted or bet."""
        blinds, bets = (self.small_blind, self.big_blind), (self.small_bet, self.big_bet)
        return (*blinds, *bets, self.ante, self.bring_in)

    @property
    def unit(self) -> int:
        """Return what stacks are measured in: the big blind, in stud the small bet; 0 if neither.

        >>> Level(id=1, big_blind=200, ante=200).unit, Level(id=2, small_bet=40, ante=5).unit
        (200, 40)
        """
        return self.big_blind or self.small_bet

    def bets(self, *, shows_big_bet: bool) -> tuple[int, int]:
        """Return the small and the big bet as they are shown; 0 is not shown.

        :param shows_big_bet: Whether the event's limit has two fixed bets, for a level that names
            no limit of its own.

        >>> Level(id=1, big_blind=15, big_bet=30).bets(shows_big_bet=False)
        (0, 0)
        >>> Level(id=1, small_bet=40, big_bet=80).bets(shows_big_bet=False)
        (40, 80)
        >>> Level(id=1, big_bet=30, limit="split_limit").bets(shows_big_bet=False)
        (0, 30)
        """
        is_fixed = self.limit == LimitKind.SPLIT_LIMIT if self.limit else shows_big_bet
        return self.small_bet, self.big_bet if is_fixed or self.small_bet else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAction:
    """One thing somebody did to the clock, at an instant.

    `shift` belongs to ADJUSTED: how much elapsed time changes, so negative gives the players time.
    Of CORRECTED it is how far the server's time stepped: `at` follows upon `at - shift` at once.
    `level_id` and `elapsed` belong to JUMPED, RESTORED and EDITED; `last_hands` to LAST_HANDS_SET,
    `stops_after_break` to BREAK_STOP_SET. RESTORED and EDITED say everything anew.
    """

    kind: ActionKind
    at: datetime
    shift: timedelta = ZERO
    level_id: int | None = None
    elapsed: timedelta = ZERO
    is_running: bool = False
    hands: int = 0
    has_started: bool = True
    began_at: datetime | None = None
    last_hands: int | None = None
    stops_after_break: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Everything the actions come to: with the levels it says what any later instant shows.

    `elapsed` is the time spent in the level at `running_since`, or for good while the clock stands.
    It is negative when a level was made longer than planned before it had used that much.
    `began_at` is when the clock first ran in this level, None as long as it has not.
    `last_hands` are those still to be played while the clock stands for them, None otherwise.
    With `stops_after_break` the clock stands at the end of a break until it is started.
    `starts_at` is set while the clock is going to start by itself.
    """

    level_id: int
    elapsed: timedelta = ZERO
    running_since: datetime | None = None
    hands: int = 0
    has_started: bool = False
    began_at: datetime | None = None
    last_hands: int | None = None
    stops_after_break: bool = False
    starts_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockState:
    """What the clock shows at an instant.

    `remaining` is None in a level without a duration. `next_change_at` is the instant at which the
    level gives way by itself, None when it will not (standing, counted in hands, or the last one).
    `time_to_break` counts the clock's time, not the wall's, and is None when it cannot be known.
    `is_waiting` tells that a break is over and the clock stands until somebody starts it.
    """

    level: Level
    index: int
    elapsed: timedelta
    remaining: timedelta | None
    hands: int
    is_running: bool
    has_started: bool
    level_began_at: datetime | None
    next_level: Level | None
    next_change_at: datetime | None
    next_break: Level | None
    time_to_break: timedelta | None
    last_hands: int | None = None
    is_waiting: bool = False

    @property
    def is_last(self) -> bool:
        return self.next_level is None
