"""The values of the clock's functions."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

ZERO = timedelta()

MOST_EXTRA = timedelta(hours=24)
"""The most time that can be added to a level: the lower bound of elapsed time, negated."""


# Columns of a schedule's row besides its kind, length and chips.
STATED = ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "ante_kind", "bring_in",
          "game", "limit")  # fmt: skip


class LevelKind(StrEnum):
    PLAY = "play"
    BREAK = "break"


class AnteKind(StrEnum):
    """The kind of an ante: from each player, or from the big blind."""

    EACH = "each"
    BIG_BLIND = "big_blind"


class LimitKind(StrEnum):
    """The betting structure (STUD, WIESBADEN, STEFFEN)."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    SPLIT_LIMIT = "split_limit"
    SPREAD_LIMIT = "spread_limit"


class ActionKind(StrEnum):
    """The kinds of actions on a clock. Never renamed once written."""

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

    A level lasts `duration`, or a number of `hands`; with neither it lasts until a jump.
    `number` counts levels of play from 1 and is None for a break. `added_at` is set for a level
    appended later: it cannot begin before that instant, so that past instants stay as shown.
    `colour_up` holds the values of the leaving chips: during a break, or before the first hand of a
    level of play.

    `ante` is posted by each player, or with `ante_kind` BIG_BLIND by the big blind for the whole
    table. The big blind is then posted first, the ante from the rest of the stack, and the ante
    stays the same at a short table (TDA 2024 RP-11).
    `small_bet` and `big_bet` are the two fixed bets of split limit. With blinds the small bet is
    the big blind, and `small_bet` is 0; stud has a small bet in place of blinds (STUD).
    `bring_in` is the forced bet of one player in stud. `game` and `limit` (a `LimitKind`) are empty
    for those of the event.

    `is_unplanned` marks a break added during play. `rest_of` is the id of the level cut by such a
    break, if this row is its rest.
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
        blinds, bets = (self.small_blind, self.big_blind), (self.small_bet, self.big_bet)
        return (*blinds, *bets, self.ante, self.bring_in)

    @property
    def unit(self) -> int:
        """Return the unit of stacks: the big blind, in stud the small bet; 0 if neither.

        >>> Level(id=1, big_blind=200, ante=200).unit, Level(id=2, small_bet=40, ante=5).unit
        (200, 40)
        """
        return self.big_blind or self.small_bet

    def bets(self, *, shows_big_bet: bool) -> tuple[int, int]:
        """Return the small and the big bet to show; 0 is hidden.

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
    """One action on the clock, at an instant.

    `shift` of ADJUSTED is the change of the elapsed time, so a negative one gives the players time.
    `shift` of CORRECTED is the step of the server's time: `at` follows `at - shift` at once.
    `level_id` and `elapsed` belong to JUMPED, RESTORED and EDITED; `last_hands` to LAST_HANDS_SET,
    `stops_after_break` to BREAK_STOP_SET. RESTORED and EDITED set everything anew.
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
    """The result of all actions: with the levels it gives the display at any later instant.

    `elapsed` is the time spent in the level at `running_since`, or while the clock stands. It is
    negative if the level was lengthened before that much time had passed. `began_at` is the clock's
    first run in this level; None before it. `last_hands` is the number still to be played; None
    outside of last hands. With `stops_after_break` the clock stops at the end of a break until
    started. `starts_at` is the planned automatic start.
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
    """The display of the clock at an instant.

    `remaining` is None in a level without a duration. `next_change_at` is the level's automatic
    end; None if it has none (standing, counted in hands, or the last one). `time_to_break` counts
    the clock's time, not the wall's; None if unknown. `is_waiting`: a break is over and the clock
    waits to be started.
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
