"""The stack of a tournament, the sets for it, and the colour-ups."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from clock.domain import Level
from clock.selectors import clock_levels, clock_past
from tournaments.event.domain.chips import (
    colour_up_plan,
    distribution_for,
    distributions_from,
    pieces_from,
)
from tournaments.event.domain.dealing import (
    Dealt,
    Need,
    dealt_to,
    measure,
    missing_pieces,
    most_players,
    pieces_needed,
)
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.selectors.labels import COLOURS
from tournaments.event.selectors.schedule import row_name
from tournaments.models import ChipSet, Event, StackCount


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """Pieces of one value, dealt or missing."""

    value: int
    count: int
    colour: str

    @property
    def worth(self) -> int:
        return self.value * self.count

    @property
    def colour_name(self) -> str:
        return str(COLOURS.get(self.colour, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """The stack of a field from the tournament's chips.

    :param is_printed: Whether it is the table that came with the set; else it was computed.
    :param sets: How many such sets it takes; 0 if no number gives the stack.
    :param most: How many players one set is enough for.
    :param lacks: The change that everybody lacks, in chips.
    :param missing: What would have to be got so that one set is enough for all.
    """

    players: int
    pieces: list[Pieces]
    is_printed: bool
    sets: int
    most: int
    lacks: int
    missing: list[Pieces]


def stack_pieces(event: Event) -> list[Pieces]:
    """Return the chips of a starting stack; empty if unknown or impossible.

    All players get the same (HOME: identical stacks).
    """
    need, have = first_need(event), _owned(event)
    dealt = _printed(event)
    if dealt is None and need is not None and most_players(have, need) >= 2:
        dealt = dealt_to(_needed(event, event.capacity, need), event.capacity, need)
    return pieces_shown(event, dealt.pieces) if dealt else []


def dealing_of(event: Event, players: int) -> Dealing | None:
    """Return the stack for so many players; None without known chips."""
    need, owned = first_need(event), _owned(event)
    if not owned or need is None:
        return None
    printed, have = _printed(event), _needed(event, players, need)
    dealt = printed or dealt_to(have, players, need)
    if dealt is None:
        missing = missing_pieces(have, players, need) or {}
        lacking, sets, lacks = missing, 0, 0
    else:
        needed = {value: count * players for value, count in dealt.pieces.items()}
        lacking = {value: count - owned[value] for value, count in needed.items()}
        sets = max(-(-count // owned[value]) for value, count in needed.items())
        _posts_not, lacks, _count = measure(dealt.pieces, need)
    return Dealing(
        players=players,
        pieces=pieces_shown(event, dealt.pieces if dealt else {}),
        is_printed=printed is not None,
        sets=sets,
        most=min(owned[v] // n for v, n in printed.pieces.items())
        if printed
        else most_players(have, need),
        lacks=lacks,
        missing=pieces_shown(
            event, {value: count for value, count in lacking.items() if count > 0}
        ),
    )


def first_need(event: Event) -> Need | None:
    """Return the stack and the first level's blinds, or its other forced bets.

    At least the smallest chip.
    """
    first = next((level for level in clock_levels(event.clock) if not level.is_break), None)
    if first is None:
        return None
    posted = [amount for amount in first.amounts if amount > 0]
    smallest = min(_owned(event), default=1)
    return Need(
        stack=event.starting_stack,
        small_blind=max(smallest, first.small_blind or min(posted, default=1)),
        big_blind=max(smallest, first.unit or max(posted, default=1)),
    )


FEWEST_DEEP, MOST_DEEP = 20, 500


def stack_notes(stack: int, levels: Sequence[Level], chips: ChipSet | None) -> list[str]:
    """Return what does not fit between a starting stack, a schedule and the chips."""
    first = next((level for level in levels if not level.is_break and level.unit), None)
    if first is None:
        return []
    notes, words = [], {"depth": intcomma(stack // first.unit), "stack": intcomma(stack)}
    if stack < FEWEST_DEEP * first.unit:
        notes.append(_("Nur %(depth)s Big Blinds am Anfang: Der Startstapel ist klein für diesen "
                       "Plan.") % words)  # fmt: skip
    elif stack > MOST_DEEP * first.unit:
        notes.append(_("%(depth)s Big Blinds am Anfang: Der Startstapel ist groß für diesen "
                       "Plan.") % words)  # fmt: skip
    have = pieces_from(chips.pieces) if chips else {}
    need = Need(stack=stack, small_blind=first.small_blind or first.unit, big_blind=first.unit)
    if chips and most_players(have, need) < 2:
        text = _("Ein Startstapel von %(stack)s lässt sich mit den Chips „%(chips)s“ nicht "
                 "auszahlen.")  # fmt: skip
        notes.append(text % {**words, "chips": chips.name})
    return notes


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Chips that could leave play in a break or at a level."""

    index: int
    where: str
    values: tuple[int, ...]
    is_planned: bool


def chips_leaving(event: Event) -> list[Leaving]:
    """Return when each dealt chip is no longer needed, and whether the schedule has it."""
    levels = clock_levels(event.clock)
    wanted = colour_up_plan(levels, chips_used(event))
    return [
        Leaving(
            index=index,
            where=row_name(levels, index),
            values=values,
            is_planned=set(values) <= set(levels[index].colour_up),
        )
        for index, values in sorted(wanted.items())
    ]


def levels_with_plan(event: Event, begun: Collection[int]) -> list[Level]:
    """Return the schedule with colour-ups as computed, in rows not yet begun.

    :param begun: The ids of the rows that have.
    """
    levels = clock_levels(event.clock)
    plan = colour_up_plan(levels, chips_used(event))
    return [
        level if level.id in begun else replace(level, colour_up=plan.get(index, ()))
        for index, level in enumerate(levels)
    ]


def chips_used(event: Event) -> list[int]:
    """Return the values in play: dealt ones and larger ones."""
    dealt = [row.value for row in stack_pieces(event)]
    return [value for value in _owned(event) if not dealt or value >= min(dealt)]


def _owned(event: Event) -> dict[int, int]:
    return pieces_from(event.chip_set.pieces) if event.chip_set else {}


def _printed(event: Event) -> Dealt | None:
    """Return the printed stack of the set, if there is one."""
    if event.chip_set is None or not event.chip_set.distributions:
        return None
    table = distributions_from(event.chip_set.distributions)
    try:
        dealt = distribution_for(table, event.starting_stack, event.seats_per_table)
    except ValueError:
        return None
    return Dealt(pieces=dealt.pieces, sets=1)


def _needed(event: Event, players: int, need: Need) -> Mapping[int, int]:
    """Return the pieces that the schedule needs."""
    bets = [amount for level in clock_levels(event.clock) for amount in level.amounts if amount]
    return pieces_needed(_owned(event), players, need, bets)


def pieces_shown(event: Event, pieces: Mapping[int, int]) -> list[Pieces]:
    """Return pieces by value, with the colours of the tournament's chips."""
    rows = event.chip_set.pieces if event.chip_set else []
    colours = {piece["value"]: piece.get("colour", "") for piece in rows}
    return [
        Pieces(value=value, count=count, colour=colours.get(value, ""))
        for value, count in sorted(pieces.items())
    ]


# --- Group counted stacks into counts


def stacks_counted(event: Event) -> dict[int, int]:
    """Return the last counted stacks of players in play."""
    rows = StackCount.objects.live().filter(entry__in=event_alive_entry_ids(event))
    return dict(rows.order_by("pk").values_list("entry", "amount"))


def stacks_counted_now(event: Event, now: datetime) -> dict[int, int]:
    """Return the stacks counted in the present break or level, of players in play."""
    return stacks_of_row(event, row_counted(event, now))


def stacks_of_row(event: Event, level: int) -> dict[int, int]:
    """Return the stacks counted in a row of the schedule, of players in play."""
    rows = StackCount.objects.live().filter(entry__in=event_alive_entry_ids(event))
    counted = list(rows.order_by("pk").values_list("counted_at", "entry", "amount"))
    of_row = {at for at in {at for at, *_rest in counted} if row_counted(event, at) == level}
    return {entry: amount for at, entry, amount in counted if at in of_row}


def row_counted(event: Event, at: datetime) -> int:
    """Return the id of the schedule's row for a count at this time."""
    past = clock_past(event.clock)
    levels, index = past.levels(at), past.state(at).index
    if index and levels[index - 1].is_break and not levels[index].is_break:
        index -= 1
    return levels[index].id
