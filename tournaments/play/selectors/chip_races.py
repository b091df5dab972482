"""Chips that leave play now, the tables done, and the chips won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from clock.domain import ClockState, Level, smallest_chips
from clock.selectors import clock_levels, clock_state
from tournaments.event.domain.cards import card_from_code
from tournaments.event.selectors.chips import chips_used
from tournaments.event.selectors.event import entry_names
from tournaments.models import ChipRace, Event
from tournaments.seating.selectors.tables import table_counts


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceDue:
    """Chips that leave play: `values`, exchanged for `new`, by the schedule row `level`."""

    level: int
    values: tuple[int, ...]
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceTable:
    """A table with chips that leave play."""

    number: int
    players: int
    is_done: bool


def race_due(event: Event, now: datetime) -> RaceDue | None:
    """Return the chips that leave play at this time, or None.

    Chips that leave in a break can be exchanged until the next level is over; chips that leave with
    a level, from the break before it on.
    """
    if not event.has_started or event.is_over:
        return None
    levels = clock_levels(event.clock)
    at = _row_leaving(levels, clock_state(event.clock, now))
    if at is None:
        return None
    used = chips_used(event)
    new = smallest_chips(levels, used)[at]
    values = tuple(value for value in levels[at].colour_up if value in used)
    if new is None or not values or new < max(values):
        return None
    return RaceDue(level=levels[at].id, values=values, new=new)


def _row_leaving(levels: Sequence[Level], state: ClockState) -> int | None:
    """Return the schedule row whose chips are being exchanged."""
    rows = [state.index]
    if state.level.is_break:
        rows.append(state.index + 1)
    elif state.index and levels[state.index - 1].is_break:
        rows.append(state.index - 1)
    return next((row for row in rows if row < len(levels) and levels[row].colour_up), None)


def race_tables(event: Event, due: RaceDue) -> list[RaceTable]:
    """Return the tables with players, and whether their race is done."""
    rows = ChipRace.objects.live().filter(event=event, level_id=due.level)
    done = set(rows.values_list("table__number", flat=True))
    return [
        RaceTable(number=count.number, players=count.players, is_done=count.number in done)
        for count in table_counts(event)
        if count.players
    ]


def race_made(event: Event, number: int, due: RaceDue) -> ChipRace | None:
    """Return the race of a table, if it is done."""
    rows = ChipRace.objects.live().filter(event=event, level_id=due.level)
    return rows.filter(table__number=number).select_related("draw", "made_by").first()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRaced:
    """One seat's chips given, cards dealt, and larger chips received in all."""

    seat: int
    name: str
    worth: int
    cards: Sequence[str]
    chips: int
    is_winner: bool


def race_seats(race: ChipRace) -> list[SeatRaced]:
    """Return the result of a race, by seat."""
    cards: dict[int, list[str]] = {}
    for row in race.draw.outcome if race.draw else ():
        cards.setdefault(row["entry"], []).append(card_from_code(row["card"]).symbol)
    names = entry_names({row["entry"] for row in race.seats})
    return [_seat(row, race.new, names, cards.get(row["entry"], [])) for row in race.seats]


def _seat(
    row: Mapping[str, Any], new: int, names: Mapping[int, str], cards: Sequence[str]
) -> SeatRaced:
    return SeatRaced(
        seat=row["seat"],
        name=names[row["entry"]],
        worth=row["worth"],
        cards=cards,
        chips=row["worth"] // new + row["won"],
        is_winner=bool(row["won"]),
    )
