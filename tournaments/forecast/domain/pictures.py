"""Forecasts by time as a picture: the band, the middle, and the true end. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 240
Row = tuple[float, float, float, float]
"""Minutes since the start: time of the forecast; its earliest, likely and latest end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Paths of an SVG of WIDTH by HEIGHT: time to the right, forecast end upwards.

    :param now: The diagonal, where time and forecast end are equal.
    :param truth: The height of the true end; None before it.
    :param hours: The height of each full hour since the start, with its number.
    """

    band: str
    middle: str
    now: str
    truth: int | None
    hours: tuple[tuple[int, int], ...]


def picture_of(rows: Sequence[Row], truth: float | None) -> Picture | None:
    """Return the picture of two or more forecasts, else None.

    :param truth: Minutes from the start to the end, if over.

    >>> picture = picture_of([(0, 180, 240, 300), (120, 220, 240, 250)], truth=230)
    >>> picture.middle, picture.truth, picture.hours[0]
    ('M0 48 L334 48', 56, (192, 1))
    >>> picture_of([(0, 1, 2, 3)], truth=None)
    """
    if len(rows) < 2:
        return None
    highest = max(60.0, *(row[3] for row in rows), truth or 0.0)
    widest = max(60.0, rows[-1][0], truth or 0.0)

    def point(at: float, end: float) -> str:
        return f"{round(at / widest * WIDTH)} {round(HEIGHT - end / highest * HEIGHT)}"

    latest = [point(at, high) for at, _low, _middle, high in rows]
    earliest = [point(at, low) for at, low, _middle, _high in rows]
    return Picture(
        band=f"M{' L'.join([*latest, *reversed(earliest)])} Z",
        middle=f"M{' L'.join(point(at, middle) for at, _low, middle, _high in rows)}",
        now=f"M0 {HEIGHT} L{point(min(widest, highest), min(widest, highest))}",
        truth=None if truth is None else round(HEIGHT - truth / highest * HEIGHT),
        hours=tuple(
            (round(HEIGHT - hour * 60 / highest * HEIGHT), hour)
            for hour in range(1, int(highest // 60) + 1)
        ),
    )
