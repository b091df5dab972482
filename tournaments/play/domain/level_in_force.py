"""Which level is in force at a table, beside the one the clock announces.

A level is announced at the clock's instant and in force at a table from its next hand (TDA 2024
23, KRRU 3.0). What a hand began under holds until the table's next hand begins, whatever the clock
does meanwhile. So the answer rests on two histories alone: when hands began at the table, and what
the clock showed at those instants. No hand lasts for ever: where nobody has tapped for longer than
one can last, the table is taken to play on, and the announced level is assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from clock.domain import Level, Past


class Ground(StrEnum):
    """Why a level is the one in force."""

    NOT_STARTED = "not_started"  # the clock has not run yet
    NOT_TAPPED = "not_tapped"  # no hand is known: from the next hand
    NOT_TAPPED_BREAK = "not_tapped_break"  # no hand is known, and the clock shows a break
    HAND_SINCE = "hand_since"  # the hand began under the level that is announced
    HAND_BEFORE_BREAK = "hand_before_break"  # the clock shows a break; the hand began before it
    HAND_IN_BREAK = "hand_in_break"  # the clock shows a break; the hand began during it
    HAND_BEFORE = "hand_before"  # another level is announced since the hand began
    ASSUMED = "assumed"  # the same, but no hand lasts as long as nobody has tapped


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """A hand that began at the table."""

    number: int
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What the clock announced at an instant: a level of play, and whether it showed a break.

    `since` is when the clock first ran in the level or break it showed, None before it did.
    """

    level: Level
    is_break: bool
    has_started: bool
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InForce:
    """The level in force at a table, since when, and why.

    `since` is when the first of the hands began that were played under it without a change; with
    no hand known, or none lately, when it was announced. `announced` is the level of play that the
    clock is at.
    """

    level: Level
    since: datetime | None
    ground: Ground
    announced: Level
    hand: Began | None = None

    @property
    def is_behind(self) -> bool:
        """Tell whether the table plays another level than the one that is announced."""
        return self.level.id != self.announced.id

    @property
    def is_assumed(self) -> bool:
        """Tell whether nobody has said so: the last tap is too old."""
        return self.ground is Ground.ASSUMED


class ClockHistory:
    """What a clock announced, at whatever instant is asked; each instant is worked out once."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._shown: dict[datetime, Shown] = {}

    def at(self, instant: datetime) -> Shown:
        """Return what was announced at `instant`; later actions are left out.

        During a break that is the level of play before it in the schedule (of a break at its
        very beginning: the one after it), because a hand that begins then plays that level.

        :raises ValueError: If the schedule has no level of play.
        """
        if instant not in self._shown:
            self._shown[instant] = self._ask(instant)
        return self._shown[instant]

    def _ask(self, instant: datetime) -> Shown:
        state = self._past.state(instant)
        return Shown(
            level=_play_level(self._past.levels(instant), state.index),
            is_break=state.level.is_break,
            has_started=state.has_started,
            since=state.level_began_at,
        )


def _play_level(levels: Sequence[Level], index: int) -> Level:
    for level in (*reversed(levels[: index + 1]), *levels[index + 1 :]):
        if not level.is_break:
            return level
    raise ValueError("The schedule has no level of play.")


def level_in_force(
    hands: Iterable[Began], clock: ClockHistory, now: datetime, *, longest: timedelta
) -> InForce:
    """Return the level in force at a table at `now`, which may be past (TDA 2024 23, KRRU 3.0).

    A hand that begins at the very instant of a change is played under the new level. Hands that
    began after `now` do not exist yet.

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
    begun = sorted((hand for hand in hands if hand.at <= now), key=_order)
    if not begun:
        return InForce(
            level=shown.level, since=shown.since, ground=_untapped(shown), announced=shown.level
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


def _order(hand: Began) -> tuple[datetime, int]:
    return hand.at, hand.number


def _untapped(shown: Shown) -> Ground:
    if not shown.has_started:
        return Ground.NOT_STARTED
    return Ground.NOT_TAPPED_BREAK if shown.is_break else Ground.NOT_TAPPED


def _ground(under: Shown, shown: Shown) -> Ground:
    if under.level.id != shown.level.id:
        return Ground.HAND_BEFORE
    if not shown.is_break:
        return Ground.HAND_SINCE
    return Ground.HAND_IN_BREAK if under.is_break else Ground.HAND_BEFORE_BREAK


def _since(begun: Sequence[Began], clock: ClockHistory) -> datetime:
    """Return when the first of the last hands began that were all played under one level."""
    level, since = clock.at(begun[-1].at).level.id, begun[-1].at
    for hand in reversed(begun[:-1]):
        if clock.at(hand.at).level.id != level:
            break
        since = hand.at
    return since
