"""The chips of a stack. Colours belong to a club's chip set and are not used here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import Any, TypeGuard

from clock.domain import Level

MOST_CHIPS = 100_000_000  # the largest typed number
MOST_VALUES = 8  # denominations in a set
CHIP_COLOURS = (
    "white", "red", "blue", "green", "black", "yellow", "orange", "violet", "brown", "grey", "pink",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """The chips of a stack for tables of so many players."""

    min_players: int
    max_players: int
    stack: int
    pieces: Mapping[int, int]


def total(pieces: Mapping[int, int]) -> int:
    """Return the total value of the pieces.

    >>> total({1: 25, 5: 11, 10: 2})
    100
    """
    return sum(value * count for value, count in pieces.items())


def distribution_for(
    distributions: Iterable[Distribution], stack: int, largest_table: int
) -> Distribution | None:
    """Return the distribution of a stack, None if none is known: by the largest table (HOME).

    All players of an event get the same pieces, so `largest_table` is the number of players at the
    fullest table, not at a player's own.

    >>> small = Distribution(min_players=2, max_players=7, stack=5, pieces={1: 5})
    >>> large = Distribution(min_players=8, max_players=10, stack=5, pieces={5: 1})
    >>> distribution_for([small, large], 5, 9).pieces
    {5: 1}
    """
    for one in distributions:
        if one.stack == stack and one.min_players <= largest_table <= one.max_players:
            return one
    return None


def pieces_from(data: Iterable[Mapping[str, Any]]) -> dict[int, int]:
    """Parse pieces from a list of objects with `value` and `count`.

    >>> pieces_from([{"value": 1, "count": 150, "colour": "white"}])
    {1: 150}

    :raises ValueError: If a value or count is no positive whole number, or a value comes twice.
    """
    pieces: dict[int, int] = {}
    for piece in data:
        value, count = piece.get("value"), piece.get("count")
        if not (_is_positive(value) and _is_positive(count)) or value in pieces:
            raise ValueError(f"No pieces: {dict(piece)!r}")
        pieces[value] = count
    return pieces


def distributions_from(data: Iterable[Mapping[str, Any]]) -> tuple[Distribution, ...]:
    """Parse distributions as in `fixtures/chips.json`.

    >>> distributions_from([{"stack": 5, "min_players": 2, "max_players": 7,
    ...                      "pieces": [{"value": 1, "count": 5}]}])[0].max_players
    7

    :raises ValueError: If a bracket is empty or its pieces are not worth the stack.
    """
    made = []
    for row in data:
        own = {name: row[name] for name in ("min_players", "max_players", "stack")}
        one = Distribution(**own, pieces=pieces_from(row["pieces"]))
        if one.min_players > one.max_players or total(one.pieces) != one.stack:
            raise ValueError(f"No distribution: {dict(row)!r}")
        made.append(one)
    return tuple(made)


def _is_positive(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0


# --- Colour-up of chips no longer needed: its time, and its race (TDA 2024 24)


CARDS_OF_A_SEAT = 100
CARDS_OF_A_DECK = 52


def colour_up_plan(levels: Sequence[Level], values: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Return the chips to colour up, by the index of the break or level.

    A chip leaves once larger ones can pay every later amount: in the next break, or before the
    first hand of the level if there is no later break.

    >>> play = [Level(id=n, small_blind=s, big_blind=2 * s) for n, s in enumerate((1, 2, 25, 50))]
    >>> colour_up_plan(play, [1, 5, 25, 100])
    {2: (1, 5)}
    """
    found = dict[int, tuple[int, ...]]()
    for value in sorted(values)[:-1]:
        needed = _last_need(levels, value, values)
        later = [] if needed is None else range(needed + 1, len(levels))
        if later:
            at = next((row for row in later if levels[row].is_break), later[0])
            found[at] = (*found.get(at, ()), value)
    return found


def _last_need(levels: Sequence[Level], value: int, values: Sequence[int]) -> int | None:
    """Return the last row that needs this chip; None if none does."""
    larger = {other for other in values if other > value}
    for index in reversed(range(len(levels))):
        level = levels[index]
        if level.is_break:
            continue
        larger = {other for other in larger if not any(amount % other for amount in level.amounts)}
        if not larger:
            return index
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """The race at a table from chips of `old` to chips of `new`.

    :param odd: The pieces of each seat that do not make a larger chip; one card is dealt for each,
        from seat 1 on, all cards of one seat before the next.
    :param chips: How many larger chips are raced for.
    """

    old: int
    new: int
    odd: Mapping[int, int]
    chips: int


def race_at(odd: Mapping[int, int], *, old: int, new: int) -> Race:
    """Return the race for the odd pieces of a table.

    A remainder of half a chip or more is rounded up, less is rounded down (common practice).

    >>> race_at({3: 2, 1: 4, 5: 3}, old=5, new=25)
    Race(old=5, new=25, odd={1: 4, 3: 2, 5: 3}, chips=2)

    :raises ValueError: If the smaller does not go into the larger, or somebody has a whole chip.
    """
    if old <= 0 or new <= old or new % old:
        raise ValueError(f"No race from {old} to {new}.")
    if any(not 0 <= count < new // old for count in odd.values()):
        raise ValueError("Somebody can still exchange a whole chip.")
    racing = {seat: count for seat, count in sorted(odd.items()) if count}
    worth = sum(racing.values()) * old
    return Race(old=old, new=new, odd=racing, chips=(2 * worth + new) // (2 * new))


def race_of(worths: Mapping[int, int], values: Sequence[int], new: int) -> Race:
    """Return the race at a table from each seat's value of the leaving chips.

    Whole larger chips are exchanged; each odd chip counts one card. If chips of several values
    leave, or the larger is no multiple, a card stands for their greatest common divisor.

    >>> race_of({1: 45, 2: 50, 3: 5}, [5], 25)
    Race(old=5, new=25, odd={1: 4, 3: 1}, chips=1)
    >>> race_of({1: 45, 2: 30}, [5, 10], 25).odd, race_of({1: 30}, [10], 25).odd
    ({1: 4, 2: 1}, {1: 1})

    :raises ValueError: If none leaves, or a worth is none that these chips make.
    """
    unit = gcd(new, *values)
    if not values or any(worth < 0 or worth % gcd(*values) for worth in worths.values()):
        raise ValueError("A worth that these chips do not make.")
    odd = {seat: worth % new // unit for seat, worth in worths.items()}
    return race_at(odd, old=unit, new=new)


def race_cards(race: Race) -> dict[int, tuple[int, int]]:
    """Return the cards in dealing order: seat and its card, by a number for each.

    >>> race_cards(race_at({3: 2, 1: 1}, old=5, new=25))
    {101: (1, 1), 301: (3, 1), 302: (3, 2)}
    """
    return {
        CARDS_OF_A_SEAT * seat + card: (seat, card)
        for seat, count in race.odd.items()
        for card in range(1, count + 1)
    }


def race_won(race: Race, ranked: Sequence[int], broke: Sequence[int] = ()) -> dict[int, int]:
    """Return the larger chips of each seat with odd pieces.

    :param ranked: The seats by their highest card, the highest first. Suits break ties, so there
        are none.
    :param broke: The seats that have no other chips. One of them who does not win gets a chip all
        the same: nobody is raced out.

    >>> race = race_at({1: 4, 3: 2, 5: 3}, old=5, new=25)
    >>> race_won(race, [5, 3, 1]), race_won(race, [5, 3, 1], broke=[1])
    ({1: 0, 3: 1, 5: 1}, {1: 1, 3: 1, 5: 1})

    :raises ValueError: If not every racing seat has its rank.
    """
    if sorted(ranked) != list(race.odd):
        raise ValueError("The ranking names other seats than those that race.")
    winners = set(ranked[: race.chips])
    return {seat: int(seat in winners or seat in broke) for seat in race.odd}


def race_changes(race: Race, won: Mapping[int, int]) -> dict[int, int]:
    """Return the change of each seat's stack in chips; the sum is the change of chips in play.

    >>> race = race_at({1: 4, 3: 2, 5: 3}, old=5, new=25)
    >>> race_changes(race, race_won(race, [5, 3, 1]))
    {1: -20, 3: 15, 5: 10}
    """
    return {seat: won[seat] * race.new - count * race.old for seat, count in race.odd.items()}
