"""The end of a flight or a day: at a number of players, after a level, or at a time.

The rules are those of the house; the TDA rules have none. Whatever comes first ends the day, and
the hands in play are finished.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from tournaments.prizes.domain.plans import WHOLE, Rounding, share_rounded
from tournaments.seating.domain.draws import draw_order, envelope_item

FEWEST_HANDS, MOST_HANDS = 3, 7
MOST_LEVELS = 200


class By(StrEnum):
    """What ended a day."""

    PLAYERS = "players"
    LEVELS = "levels"
    TIME = "time"


class Unstoppable(ValueError):
    """An impossible rule; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """The end of a flight or a day. Without any of them it is played to a winner.

    :param players: Players left; 0: not by a number.
    :param percent: Share of the entries left, in hundredths of a percent; 0: not by a share.
    :param level: Levels of play done; 0: not by level.
    :param time: Time of day, as "23:30"; empty: not by time.
    """

    players: int = 0
    percent: int = 0
    rounding: Rounding = Rounding.NEAREST
    level: int = 0
    time: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the stored form: the differences from an empty rule.

        >>> StopRule(percent=1500).as_data()
        {'percent': 1500}
        """
        own = [(one.name, getattr(self, one.name), one.default) for one in fields(self)]
        return {name: value for name, value, usual in own if value != usual}


def stop_rule_from(data: Mapping[str, Any]) -> StopRule:
    """Return a rule from its stored form.

    >>> stop_rule_from({"players": 48, "level": 10}).level
    10
    """
    known: dict[str, Any] = {one.name: one.default for one in fields(StopRule)}
    return StopRule(**{name: type(own)(data.get(name, own)) for name, own in known.items()})


def check_stop(rule: StopRule) -> None:
    """Refuse a rule that no flight can meet.

    >>> check_stop(StopRule(percent=10100))
    Traceback (most recent call last):
    tournaments.contests.domain.stopping.Unstoppable: percent

    :raises Unstoppable: With the code of the error.
    """
    if not 0 <= rule.percent < WHOLE:
        raise Unstoppable("percent")
    if rule.players < 0:
        raise Unstoppable("players")
    if not 0 <= rule.level <= MOST_LEVELS:
        raise Unstoppable("level")


def mark(rule: StopRule, entries: int) -> int:
    """Return the number of players that ends the day: of two marks the first reached.

    >>> mark(StopRule(percent=1500), 362), mark(StopRule(percent=1500, players=60), 362)
    (54, 60)
    """
    share = share_rounded(entries, rule.percent, rule.rounding) if rule.percent else 0
    return max(rule.players, share)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a flight."""

    entries: int
    left: int
    levels_done: int = 0
    is_entry_open: bool = False
    is_past_time: bool = False


def stopped_by(rule: StopRule, now: Progress) -> By | None:
    """Return what ends the day now; None while it goes on.

    >>> rule = StopRule(players=48, level=10)
    >>> stopped_by(rule, Progress(entries=200, left=47, levels_done=9))
    <By.PLAYERS: 'players'>
    >>> stopped_by(rule, Progress(entries=200, left=49, levels_done=9)) is None
    True
    """
    if not now.is_entry_open and now.left <= mark(rule, now.entries):
        return By.PLAYERS
    if rule.level and now.levels_done >= rule.level:
        return By.LEVELS
    return By.TIME if rule.time and now.is_past_time else None


def to_go(rule: StopRule, now: Progress) -> int | None:
    """Return how many players are still to go; None without a mark, or while it may move.

    >>> to_go(StopRule(percent=1500), Progress(entries=362, left=56))
    2
    """
    goal = mark(rule, now.entries)
    return None if not goal or now.is_entry_open else max(0, now.left - goal)


HAND_ITEMS = tuple(envelope_item(number) for number in range(FEWEST_HANDS, MOST_HANDS + 1))


def hands_drawn(*, secret: str, hall_number: str, draw_number: int) -> int:
    """Draw the number of last hands, from three to seven, by the published arithmetic.

    Of the items `envelope:3` to `envelope:7` the first in drawn order counts.

    >>> hands_drawn(secret="00ff", hall_number="", draw_number=1)
    3
    """
    published = {"secret": secret, "hall_number": hall_number}
    first = draw_order(HAND_ITEMS, **published, draw_number=draw_number)[0]
    return int(first.rpartition(":")[2])
