"""The stack of a tournament, the sets for it, and the colour-ups."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from clock.domain import Level
from clock.selectors import clock_levels, clock_past
from tournaments.event.domain import dealing
from tournaments.event.domain.chips import (
    colour_up_plan,
    distribution_for,
    distributions_from,
    pieces_from,
)
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.selectors.labels import COLOURS
from tournaments.event.selectors.schedule import row_name
from tournaments.models import ChipMovement, ChipSet, Event, StackCount


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A starting stack, the levels to play with it, and the chips for it."""

    chips: int
    levels: Sequence[Level]
    owned: ChipSet | None
    players: int
    seats: int

    @property
    def values(self) -> dict[int, int]:
        """Return how many pieces there are of each value."""
        return pieces_from(self.owned.pieces) if self.owned else {}

    @property
    def need(self) -> dealing.Need | None:
        """Return the stack and the first level's blinds, or its other forced bets.

        At least the smallest chip.
        """
        first = next((level for level in self.levels if not level.is_break), None)
        if first is None:
            return None
        posted = [amount for amount in first.amounts if amount > 0]
        smallest = min(self.values, default=1)
        return dealing.Need(
            stack=self.chips,
            small_blind=max(smallest, first.small_blind or min(posted, default=1)),
            big_blind=max(smallest, first.unit or max(posted, default=1)),
        )

    @property
    def printed(self) -> Mapping[int, int] | None:
        """Return the stack as printed with the set, if it is."""
        table = distributions_from(self.owned.distributions) if self.owned else ()
        found = distribution_for(table, self.chips, self.seats)
        return found.pieces if found else None

    def needed(self, need: dealing.Need) -> Mapping[int, int]:
        bets = [amount for level in self.levels for amount in level.amounts if amount]
        return dealing.pieces_needed(self.values, self.players, need, bets)

    @property
    def pieces(self) -> list[Pieces]:
        """Return what everybody gets; empty if unknown or impossible.

        All players get the same (HOME: identical stacks).
        """
        need, pieces = self.need, self.printed
        if need and not pieces and dealing.most_players(self.values, need) >= FEWEST:
            dealt = dealing.dealt_to(self.needed(need), self.players, need)
            pieces = dealt.pieces if dealt else None
        return pieces_shown(self.owned, pieces or {})


def stack_of(event: Event, players: int = 0) -> Stack:
    """Return an event's starting stack, for so many players or for the full field."""
    return Stack(
        chips=event.starting_stack,
        levels=clock_levels(event.clock),
        owned=event.chip_set,
        players=players or event.capacity,
        seats=event.seats_per_table,
    )


def stack_pieces(event: Event) -> list[Pieces]:
    """Return the chips of a starting stack; empty if unknown or impossible."""
    return stack_of(event).pieces


def dealing_of(event: Event, players: int) -> Dealing | None:
    """Return the stack for so many players; None without known chips."""
    stack = stack_of(event, players)
    need, owned = stack.need, stack.values
    if not owned or need is None:
        return None
    printed, have = stack.printed, stack.needed(need)
    found = None if printed else dealing.dealt_to(have, players, need)
    pieces = printed or (found.pieces if found else {})
    needed = {value: count * players for value, count in pieces.items()}
    lacking = {
        value: count - owned[value] for value, count in needed.items() if count > owned[value]
    }
    if not pieces:
        lacking = dealing.missing_pieces(have, players, need) or {}
    if printed:
        most = min(owned[value] // count for value, count in printed.items())
    else:
        most = dealing.most_players(have, need)
    return Dealing(
        players=players,
        pieces=pieces_shown(event.chip_set, pieces),
        is_printed=printed is not None,
        sets=max((-(-count // owned[value]) for value, count in needed.items()), default=0),
        most=most,
        lacks=dealing.measure(pieces, need)[1] if pieces else 0,
        missing=pieces_shown(event.chip_set, lacking),
    )


FEWEST_DEEP, MOST_DEEP = 20, 500
FEWEST = 2


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
    small = first.small_blind or first.unit
    need = dealing.Need(stack=stack, small_blind=small, big_blind=first.unit)
    if chips and dealing.most_players(have, need) < FEWEST:
        text = _("Ein Startstapel von %(stack)s lässt sich mit den Chips „%(chips)s“ nicht "
                 "auszahlen. Andere wählt der Abend unter „Chips“.")  # fmt: skip
        notes.append(text % {**words, "chips": chips.name})
    elif chips and min(have) > small:
        text = _("Der kleinste Chip von „%(chips)s“ ist %(value)s: Die Blinds der ersten Stufe "
                 "lassen sich damit nicht setzen.")  # fmt: skip
        notes.append(text % {"chips": chips.name, "value": intcomma(min(have))})
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
    return [value for value in stack_of(event).values if not dealt or value >= min(dealt)]


def pieces_shown(chips: ChipSet | None, pieces: Mapping[int, int]) -> list[Pieces]:
    """Return pieces by value, with the colours of these chips."""
    rows = chips.pieces if chips else []
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


def carried_stacks(event: Event) -> dict[int, int]:
    """Return by entry the stacks given to their owners before play: of a bag, or by points."""
    if event.has_started:
        return {}
    rows = ChipMovement.objects.live().filter(event=event, reason=ChipMovement.Reason.CARRIED)
    return {entry: amount for entry, amount in rows.values_list("entry", "amount") if amount}
