"""The course of an evening: players, spells of play, schedule to come. Pure.

Input is a clock and a list of changes; a past instant uses only facts known then.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter

from clock.domain import ClockState, Level
from clock.domain.history import Past
from tournaments.forecast.domain.end import Stretch
from tournaments.forecast.domain.rates import Spell

MINUTE = timedelta(minutes=1)
HAND_MINUTES = 2.5
"""Minutes of a hand at a full table, for levels in hands."""

LOOKED_AT = timedelta(minutes=4)
"""The step length for the past."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The sum of all changes until an instant.

    :param lost: Stacks lost, including those followed by a re-buy.
    :param held: Of these the ones whose players may still re-buy: neither in play nor out.
    :param again: The number of these followed by a re-buy or re-entry.
    :param added: Add-ons.
    :param registered: Registrations.
    """

    left: int = 0
    entries: int = 0
    chips: int = 0
    lost: int = 0
    held: int = 0
    again: int = 0
    added: int = 0
    registered: int = 0


_COUNTED = tuple(each.name for each in fields(Known))
_counts = attrgetter(*_COUNTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Known):
    """A change of the known facts at an instant; an undo is one with opposite signs."""

    at: datetime


def known_at(changes: Iterable[Change], at: datetime) -> Known:
    """Return the facts known at `at`, including changes of that instant.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> changes = [Change(at=noon, left=9, entries=9, chips=900),
    ...            Change(at=noon + MINUTE, left=-1, lost=1)]
    >>> known_at(changes, noon).left, known_at(changes, noon + MINUTE).left
    (9, 8)
    """
    return next(knowns_at([change for change in changes if change.at <= at], [at]))


def knowns_at(changes: Sequence[Change], instants: Sequence[datetime]) -> Iterator[Known]:
    """Yield the same for several instants in order of time, in one pass.

    :param changes: In order of time.
    """
    found, position = [0] * len(_COUNTED), 0
    for at in instants:
        while position < len(changes) and changes[position].at <= at:
            found = [sum(pair) for pair in zip(found, _counts(changes[position]), strict=True)]
            position += 1
        yield Known(**dict(zip(_COUNTED, found, strict=True)))


def stretches_of(levels: Sequence[Level], state: ClockState) -> list[Stretch]:
    """Return the schedule to come, beginning with the rest of the present level.

    A break at the end of the schedule is left out: the last level goes on until there is a winner.
    Empty if a level but the last has neither minutes nor hands: its length is unknown.
    """
    rows = [state.level, *levels[state.index + 1 :]]
    while len(rows) > 1 and rows[-1].is_break:
        rows.pop()
    if any(_minutes(row) is None for row in rows[:-1]):
        return []
    found = [
        Stretch(minutes=_minutes(row) or 0.0, unit=row.unit, is_break=row.is_break) for row in rows
    ]
    first = found[0]
    found[0] = Stretch(minutes=_rest(state), unit=first.unit, is_break=first.is_break)
    return found


def _minutes(level: Level) -> float | None:
    if level.duration is not None:
        return level.duration / MINUTE
    return None if level.hands is None else level.hands * HAND_MINUTES


def _rest(state: ClockState) -> float:
    if state.remaining is not None:
        return max(0.0, state.remaining / MINUTE)
    return max(0, (state.level.hands or 0) - state.hands) * HAND_MINUTES


def spells_of(
    past: Past, changes: Sequence[Change], since: datetime, until: datetime
) -> Iterator[Spell]:
    """Yield the spells of play between two instants, in steps of LOOKED_AT.

    :param changes: In order of time.
    """
    edges = [since]
    while edges[-1] < until:
        edges.append(min(edges[-1] + LOOKED_AT, until))
    middles = [begin + (end - begin) / 2 for begin, end in pairwise(edges)]
    for (begin, end), state, known in zip(
        pairwise(edges), past.states(middles), knowns_at(changes, middles), strict=True
    ):
        if known.left > 1 and state.is_running and not state.level.is_break:
            yield Spell(
                minutes=(end - begin) / MINUTE,
                left=known.left,
                entries=max(known.entries, known.left),
                chips=known.chips,
                unit=state.level.unit,
            )


# --- Forecasts by time as a picture: the band, the middle, and the true end


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
