"""Anchor and levels as numbers for the browser: milliseconds, and instants since 1970."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from clock.domain.values import Anchor, Level

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def span_ms(span: timedelta) -> int:
    """Return a duration in whole milliseconds, rounded down.

    >>> span_ms(timedelta(minutes=20))
    1200000
    """
    return span // MILLISECOND


def instant_ms(at: datetime) -> int:
    """Return an instant in whole milliseconds since 1970, rounded down.

    >>> instant_ms(datetime(2026, 1, 1, tzinfo=UTC))
    1767225600000
    """
    return span_ms(at - EPOCH)


def instant_of(ms: int) -> datetime:
    """Return the instant of a number from `instant_ms`.

    >>> instant_of(1767225600000).isoformat()
    '2026-01-01T00:00:00+00:00'
    """
    return EPOCH + ms * MILLISECOND


def anchor_as_json(anchor: Anchor) -> dict[str, Any]:
    """Return the anchor as JSON for clock.js.

    >>> anchor_as_json(Anchor(level_id=3))["since"] is None
    True
    """
    return {
        "level": anchor.level_id,
        "elapsed": span_ms(anchor.elapsed),
        "since": _ms_or_none(anchor.running_since),
        "hands": anchor.hands,
        "started": anchor.has_started,
        "began": _ms_or_none(anchor.began_at),
        "last_hands": anchor.last_hands,
        "stops": anchor.stops_after_break,
        "starts": _ms_or_none(anchor.starts_at),
    }


def level_as_json(level: Level) -> dict[str, Any]:
    """Return a level as JSON for clock.js.

    >>> level_as_json(Level(id=3, duration=timedelta(minutes=1)))["duration"]
    60000
    """
    return {
        "id": level.id,
        "kind": level.kind.value,
        "duration": None if level.duration is None else span_ms(level.duration),
        "hands": level.hands,
        "number": level.number,
        "small_blind": level.small_blind,
        "big_blind": level.big_blind,
        "small_bet": level.small_bet,
        "big_bet": level.big_bet,
        "ante": level.ante,
        "ante_kind": level.ante_kind.value,
        "bring_in": level.bring_in,
        "game": level.game,
        "limit": level.limit,
        "colour_up": list(level.colour_up),
        "added": _ms_or_none(level.added_at),
    }


def _ms_or_none(at: datetime | None) -> int | None:
    return None if at is None else instant_ms(at)
