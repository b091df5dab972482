"""The end of a cash game: its instant, the announced last hands, the stage of a table.

A hand running at the end is finished; after it none begins. Source: HOME (S18): the end is fixed
before the beginning.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum

DAY = timedelta(days=1)


class Stage(StrEnum):
    """A table's stage before the end."""

    PLAYS = "plays"
    LAST_HANDS = "last_hands"
    LAST_HAND = "last_hand"
    FINISHES = "finishes"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class LastHands:
    """The number of last hands, announced at an instant."""

    announced_at: datetime
    hands: int


def end_instant(begins: datetime, ends: time, zone: tzinfo) -> datetime:
    """Return the first instant after the beginning at which the clock shows `ends`.

    Past midnight it is the next day. If an hour comes twice in October, it is the first of the two
    after the beginning. An hour left out in March ends when the next one begins.

    :param begins: The beginning of the event, with its zone.

    >>> from datetime import UTC
    >>> from zoneinfo import ZoneInfo
    >>> vienna = ZoneInfo("Europe/Vienna")
    >>> evening = datetime(2026, 10, 24, 19, tzinfo=vienna)
    >>> end_instant(evening, time(2, 30), vienna).astimezone(UTC).isoformat()
    '2026-10-25T00:30:00+00:00'
    >>> later = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    >>> end_instant(later, time(2, 30), vienna).astimezone(UTC).isoformat()
    '2026-10-25T01:30:00+00:00'
    """
    day = begins.astimezone(zone).date()
    found = [
        datetime.combine(day + DAY * more, ends, zone).replace(fold=fold)
        for more in (0, 1)
        for fold in (0, 1)
    ]
    return next(at for at in found if at.timestamp() > begins.timestamp())


def hands_left(last: LastHands, began: Iterable[datetime]) -> int:
    """Return how many hands a table may still begin after the announcement.

    A hand running at the announcement is finished and does not count.

    >>> from datetime import UTC
    >>> at = datetime(2026, 11, 24, 1, tzinfo=UTC)
    >>> minute = timedelta(minutes=1)
    >>> hands_left(LastHands(at, 3), [at - minute, at + minute, at + minute * 3])
    1
    """
    return max(0, last.hands - sum(1 for begun in began if begun >= last.announced_at))


def stage(
    now: datetime,
    *,
    ends_at: datetime | None,
    last: LastHands | None,
    began: Iterable[datetime],
    is_hand_running: bool,
) -> Stage:
    """Return a table's stage.

    An announcement applies even beyond the fixed end. Without one, no hand begins after the end.

    :param began: The starts of the table's hands.

    >>> from datetime import UTC
    >>> end = datetime(2026, 11, 24, 1, tzinfo=UTC)
    >>> own = {"ends_at": end, "last": None, "began": []}
    >>> str(stage(end - DAY, **own, is_hand_running=False))
    'plays'
    >>> str(stage(end, **own, is_hand_running=True))
    'finishes'
    >>> str(stage(end, **own, is_hand_running=False))
    'over'
    """
    if last is not None:
        left = hands_left(last, began)
        if left:
            return Stage.LAST_HANDS if left + is_hand_running > 1 else Stage.LAST_HAND
        return Stage.LAST_HAND if is_hand_running else Stage.OVER
    if ends_at is None or now < ends_at:
        return Stage.PLAYS
    return Stage.FINISHES if is_hand_running else Stage.OVER


def may_begin(found: Stage, *, is_hand_running: bool) -> bool:
    """Tell whether a hand may begin at a table.

    >>> may_begin(Stage.LAST_HAND, is_hand_running=False)
    True
    >>> may_begin(Stage.LAST_HAND, is_hand_running=True)
    False
    """
    return not is_hand_running and found not in (Stage.FINISHES, Stage.OVER)
