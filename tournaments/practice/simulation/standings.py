"""Places by the text of the rules, for the simulator's books. Imports no code of the program.

Common practice: of those who bust in one hand the larger stack at its start places higher, equal
ones share. Decided by the house, where the rules are silent: with an unknown stack all of that hand
share; a disqualified player takes the place of the next one out.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Hand:
    """The entries out in one hand at one table: entry to its starting stack, if known."""

    at: datetime
    sequence: int
    outs: Mapping[int, int | None]


def tiers_of(hands: Iterable[Hand]) -> list[list[int]]:
    """Return all entries that are out, in groups that share a place, best first.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> tiers_of([Hand(nine, 1, {4: None}), Hand(nine, 2, {2: 30, 3: 90}),
    ...           Hand(nine, 3, {5: 10, 6: None})])
    [[5, 6], [3], [2], [4]]
    """
    played = sorted(hands, key=lambda hand: (hand.at, hand.sequence), reverse=True)
    return [tier for hand in played for tier in _tiers(hand.outs)]


def _tiers(outs: Mapping[int, int | None]) -> list[list[int]]:
    known = {entry: stack for entry, stack in outs.items() if stack is not None}
    if len(known) < len(outs):
        return [sorted(outs)]
    return [
        sorted(entry for entry, stack in known.items() if stack == size)
        for size in sorted(set(known.values()), reverse=True)
    ]


def level_reached(lengths: list[float | None], seconds: float) -> int:
    """Return the position of the level shown by a clock some seconds after its start.

    >>> [level_reached([1200, 600, None], at) for at in (0, 1199, 1200, 1800, 9999)]
    [0, 0, 1, 2, 2]
    """
    for position, length in enumerate(lengths):
        if length is None or seconds < length or position + 1 == len(lengths):
            return position
        seconds -= length
    raise ValueError("There are no levels.")
