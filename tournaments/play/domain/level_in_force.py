"""The level in force at a table, beside the one the clock announces.

A level is announced by the clock and in force at a table from its next hand (TDA 2024 23, KRRU
3.0). A hand keeps its level until the table's next hand begins, even if the clock is changed. So
two histories are needed: the starts of hands at the table, and the clock at those instants. After
the longest possible duration of a hand without a tap, the table is assumed to have played on, at
the announced level.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from clock.domain import Level, Past


class Ground(StrEnum):
    """The ground for a level being in force."""

    NOT_STARTED = "not_started"  # the clock has not run yet
    NOT_TAPPED = "not_tapped"  # no hand known: from the next hand
    NOT_TAPPED_BREAK = "not_tapped_break"  # no hand known, and the clock shows a break
    HAND_SINCE = "hand_since"  # the hand began under the announced level
    HAND_BEFORE_BREAK = "hand_before_break"  # the clock shows a break; the hand began before it
    HAND_IN_BREAK = "hand_in_break"  # the clock shows a break; the hand began during it
    HAND_BEFORE = "hand_before"  # another level was announced after the hand began
    ASSUMED = "assumed"  # the same, but the last tap is older than the longest hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """A hand that began at the table."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The announcement of the clock at an instant: a level of play, and whether on break.

    `since` is when the clock first ran in that level or break; None before.
    """

    level: Level
    is_break: bool
    has_started: bool
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """The level in force at a table, with start and ground.

    `since` is the start of the first of the hands played in a row under it; without a recent hand,
    the instant of its announcement. `announced` is the clock's present level of play.
    """

    level: Level
    since: datetime | None
    ground: Ground
    announced: Level
    hand: Began | None = None

    @property
    def is_behind(self) -> bool:
        """Tell whether the table plays another level than the announced one."""
        return self.level.id != self.announced.id

    @property
    def is_assumed(self) -> bool:
        """Tell whether this is assumed because the last tap is too old."""
        return self.ground is Ground.ASSUMED


class ClockHistory:
    """The announcements of a clock by instant; each is computed once."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._shown: dict[datetime, Shown] = {}

    def at(self, instant: datetime) -> Shown:
        """Return the announcement at `instant`; later actions are ignored.

        During a break it is the level of play before it (for a break at the very start: after it),
        because a hand that begins then plays that level.

        :raises ValueError: If the schedule has no level of play.
        """
        if instant not in self._shown:
            state = self._past.state(instant)
            self._shown[instant] = Shown(
                level=_play_level(self._past.levels(instant), state.index),
                is_break=state.level.is_break,
                has_started=state.has_started,
                since=state.level_began_at,
            )
        return self._shown[instant]


def _play_level(levels: Sequence[Level], index: int) -> Level:
    for level in (*reversed(levels[: index + 1]), *levels[index + 1 :]):
        if not level.is_break:
            return level
    raise ValueError("The schedule has no level of play.")


def level_in_force(
    hands: Iterable[Began], clock: ClockHistory, now: datetime, *, longest: timedelta
) -> InForce:
    """Return the level in force at a table at `now`, possibly past (TDA 2024 23, KRRU 3.0).

    A hand that begins at the instant of a change is played under the new level. Hands that began
    after `now` are ignored.

    :param longest: How long a hand may last.

    >>> from datetime import UTC, timedelta
    >>> from clock.domain import ActionKind, ClockAction
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> minutes = lambda n: timedelta(minutes=n)
    >>> levels = (Level(id=1, number=1, duration=minutes(20), big_blind=2),
    ...           Level(id=2, number=2, duration=minutes(20), big_blind=4))
    >>> started = ClockAction(kind=ActionKind.STARTED, at=noon)
    >>> clock = ClockHistory(Past((started,), (levels,)))
    >>> hand = Began(number=12, at=noon + minutes(20) - timedelta(seconds=1))
    >>> answer = level_in_force([hand], clock, noon + minutes(25), longest=minutes(10))
    >>> answer.level.number, answer.announced.number, answer.ground.value
    (1, 2, 'hand_before')
    >>> answer = level_in_force([hand], clock, noon + minutes(31), longest=minutes(10))
    >>> answer.level.number, answer.ground.value
    (2, 'assumed')
    >>> hands = [hand, Began(number=13, at=noon + minutes(26))]
    >>> level_in_force(hands, clock, noon + minutes(26), longest=minutes(10)).level.number
    2
    >>> level_in_force([], clock, noon + minutes(25), longest=minutes(10)).ground.value
    'not_tapped'

    :raises ValueError: If the schedule has no level of play.
    """
    shown = clock.at(now)
    begun = sorted(
        (hand for hand in hands if hand.at <= now), key=lambda hand: (hand.at, hand.number)
    )
    if not begun:
        ground = Ground.NOT_TAPPED_BREAK if shown.is_break else Ground.NOT_TAPPED
        return InForce(
            level=shown.level,
            since=shown.since,
            ground=ground if shown.has_started else Ground.NOT_STARTED,
            announced=shown.level,
        )
    last = begun[-1]
    under = clock.at(last.at)
    ground = _ground(under, shown)
    is_old = ground is Ground.HAND_BEFORE and now - last.at > longest
    return InForce(
        level=shown.level if is_old else under.level,
        since=shown.since if is_old else _since(begun, clock),
        ground=Ground.ASSUMED if is_old else ground,
        announced=shown.level,
        hand=last,
    )


def _ground(under: Shown, shown: Shown) -> Ground:
    if under.level.id != shown.level.id:
        return Ground.HAND_BEFORE
    if not shown.is_break:
        return Ground.HAND_SINCE
    return Ground.HAND_IN_BREAK if under.is_break else Ground.HAND_BEFORE_BREAK


def _since(begun: Sequence[Began], clock: ClockHistory) -> datetime:
    """Return the start of the first of the last hands in a row under one level."""
    level, since = clock.at(begun[-1].at).level.id, begun[-1].at
    for hand in reversed(begun[:-1]):
        if clock.at(hand.at).level.id != level:
            break
        since = hand.at
    return since
