"""The chips of a stack. Colours belong to a club's chip set and are not used here."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

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
) -> Distribution:
    """Return the distribution of a stack: the bracket is that of the largest table (HOME).

    All players of an event get the same pieces, so `largest_table` is the number of players at the
    fullest table, not at a player's own.

    >>> small = Distribution(min_players=2, max_players=7, stack=5, pieces={1: 5})
    >>> large = Distribution(min_players=8, max_players=10, stack=5, pieces={5: 1})
    >>> distribution_for([small, large], 5, 9).pieces
    {5: 1}

    :raises ValueError: If no distribution is known for this stack and number of players.
    """
    for distribution in distributions:
        if (
            distribution.stack == stack
            and distribution.min_players <= largest_table <= distribution.max_players
        ):
            return distribution
    raise ValueError(f"No distribution for {stack} chips and a table of {largest_table}.")


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
        distribution = Distribution(
            min_players=row["min_players"],
            max_players=row["max_players"],
            stack=row["stack"],
            pieces=pieces_from(row["pieces"]),
        )
        if (
            distribution.min_players > distribution.max_players
            or total(distribution.pieces) != distribution.stack
        ):
            raise ValueError(f"No distribution: {dict(row)!r}")
        made.append(distribution)
    return tuple(made)


def _is_positive(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0
