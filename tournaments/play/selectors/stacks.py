"""Counted stacks: by table in a break, the leaders, the changes. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from clock.domain import Level, smallest_chips
from clock.selectors import clock_levels, clock_past, clock_state
from tournaments.event.domain.cards import card_from_code
from tournaments.event.selectors.chips import (
    chips_used,
    row_counted,
    stacks_counted_now,
    stacks_of_row,
)
from tournaments.event.selectors.event import chips_in_play, entry_names, event_alive_entry_ids
from tournaments.event.selectors.schedule import row_name
from tournaments.models import ChipRace, Event, StackCount, StackWord
from tournaments.seating.selectors.tables import table_counts, tables_seated


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRound:
    """The counts of one break, or of one level without a break before it.

    :param level: The id of the schedule row.
    :param name: Its name for display.
    :param at: When its last stack was counted.
    """

    level: int
    name: str
    at: datetime
    stacks: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCounted:
    """A table in a count: players by seat, and the counted chips."""

    number: int
    players: Mapping[int, int]
    stacks: Mapping[int, int]

    @property
    def total(self) -> int:
        return sum(self.stacks.values())

    @property
    def counted(self) -> int:
        return len(self.stacks)

    @property
    def seats(self) -> int:
        return len(self.players)

    @property
    def is_done(self) -> bool:
        return len(self.stacks) == len(self.players)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counting:
    """The present count against the ledger; `is_exact`: the ledger knows every stack."""

    tables: Sequence[TableCounted]
    counted: int
    players: int
    total: int
    chips: int
    is_exact: bool

    @property
    def is_complete(self) -> bool:
        return self.counted == self.players

    @property
    def over(self) -> int:
        """Return counted minus chips in play, as far as known; missing chips are negative."""
        if self.total > self.chips or (self.is_complete and self.is_exact):
            return self.total - self.chips
        return 0

    @property
    def missing(self) -> int:
        return -self.over


def stack_rounds(event: Event) -> list[StackRound]:
    """Return all counts of an event in order, without undone ones."""
    rows = StackCount.objects.filter(entry__event=event, entry__voided_by=None)
    kept = rows.exclude(voided_by__undoes__isnull=False).order_by("pk")
    found: dict[int, list[tuple[datetime, int, int]]] = {}
    named: dict[datetime, int] = {}
    for at, entry, amount in kept.values_list("counted_at", "entry", "amount"):
        if at not in named:
            named[at] = row_counted(event, at)
        found.setdefault(named[at], []).append((at, entry, amount))
    rounds = [
        _round(event, level, rows[-1][0], {entry: amount for _at, entry, amount in rows})
        for level, rows in found.items()
    ]
    return sorted(rounds, key=lambda one: one.at)


def stack_round_last(event: Event) -> StackRound | None:
    """Return the latest count of the entries still in play, or None."""
    last = StackCount.objects.live().filter(entry__event=event).order_by("counted_at", "pk").last()
    if last is None:
        return None
    level = row_counted(event, last.counted_at)
    return _round(event, level, last.counted_at, stacks_of_row(event, level))


def _round(event: Event, level: int, at: datetime, stacks: Mapping[int, int]) -> StackRound:
    levels: Sequence[Level] = clock_past(event.clock).levels(at)
    name = row_name(levels, next(row for row, one in enumerate(levels) if one.id == level))
    return StackRound(level=level, name=name, at=at, stacks=stacks)


def counting_of(event: Event, now: datetime) -> Counting:
    """Return the present count, table by table."""
    stacks = stacks_counted_now(event, now)
    tables = [
        TableCounted(
            number=number,
            players=view.players,
            stacks={entry: stacks[entry] for entry in view.players.values() if entry in stacks},
        )
        for number, view in sorted(tables_seated(event).items())
        if view.players
    ]
    chips, is_exact = chips_in_play(event)
    return Counting(
        tables=tables,
        counted=len(stacks),
        players=len(event_alive_entry_ids(event)),
        total=sum(stacks.values()),
        chips=chips,
        is_exact=is_exact,
    )


def names_of_seats(players: Mapping[int, int]) -> dict[int, tuple[int, str]]:
    """Return entry and name by seat."""
    names = entry_names(set(players.values()))
    return {seat: (entry, names[entry]) for seat, entry in sorted(players.items())}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStack:
    """A player's counted stack; equal stacks of the count share the `place`."""

    stack: int
    place: int
    counted: int
    at: datetime


def own_stack(event: Event, entry: int) -> OwnStack | None:
    """Return the entry's stack in the latest count, or None."""
    # Usually there is no count, and every player opens this page.
    is_counted = StackCount.objects.live().filter(entry=entry).exists()
    last = stack_round_last(event) if is_counted else None
    stack = last.stacks.get(entry) if last else None
    if last is None or stack is None:
        return None
    place = 1 + sum(other > stack for other in last.stacks.values())
    return OwnStack(stack=stack, place=place, counted=len(last.stacks), at=last.at)


# --- Stacks that players state on their own pages in a break


def says_stacks(event: Event, now: datetime) -> bool:
    """Tell whether players may state their stacks: in a break."""
    if not event.has_started or event.is_over or event.is_clock_only or event.is_cash_only:
        return False
    return clock_state(event.clock, now).level.is_break


def own_word_of(event: Event, entry: int, now: datetime) -> int | None:
    """Return what a player stated in the present break or level, or None."""
    row = StackWord.objects.live().filter(entry=entry).first()
    level = clock_state(event.clock, now).level.id
    return row.amount if row and row_counted(event, row.said_at) == level else None


# --- Chips that leave play now, the tables done, and the chips won


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
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    rows = [state.index]
    if state.level.is_break:
        rows.append(state.index + 1)
    elif state.index and levels[state.index - 1].is_break:
        rows.append(state.index - 1)
    at = next((row for row in rows if row < len(levels) and levels[row].colour_up), None)
    if at is None:
        return None
    used = chips_used(event)
    new = smallest_chips(levels, used)[at]
    values = tuple(value for value in levels[at].colour_up if value in used)
    if new is None or not values or new < max(values):
        return None
    return RaceDue(level=levels[at].id, values=values, new=new)


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
    return [
        SeatRaced(
            seat=row["seat"],
            name=names[row["entry"]],
            worth=row["worth"],
            cards=cards.get(row["entry"], []),
            chips=row["worth"] // race.new + row["won"],
            is_winner=bool(row["won"]),
        )
        for row in race.seats
    ]
