"""Places, computed from who went out when.

A list of places is a *weak order*: of k entries tied at p all have place p, and the next one has
p + k. Nothing here is stored; a place follows from the outs that are in force, so taking one back
leaves no stale place behind. Prizes and points are computed elsewhere.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby


@dataclass(frozen=True, slots=True, kw_only=True)
class Out:
    """One entry that has left the event, by elimination or disqualification.

    `at` is when it happened and decides; `sequence`, unique in the event, is the order in which
    outs were recorded and decides between equal instants. Outs of one hand at one table share a
    `group`. `start_stack` is the chips held when that hand began, if known.
    """

    entry_id: int
    at: datetime
    sequence: int
    group: int | None = None
    start_stack: int | None = None


def places(
    outs: Iterable[Out],
    alive: Collection[int],
    *,
    is_over: bool = False,
    counted: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """Return the place of every entry that has one.

    Later out is better. Those out in one hand at one table rank by their stack at its start, the
    larger higher; equal stacks share (common practice). While a stack of such a hand is unknown,
    all of that hand share. The hand counts at the instant of its earliest out. A disqualified entry
    ranks as an ordinary out (ours).

    Who is still in has no place while play goes on. When it `is_over`, the only one left has place
    1; several left (an event ended early) rank by `counted` stacks if all of theirs were counted,
    and otherwise share place 1.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> outs = [Out(entry_id=4, at=nine, sequence=1),
    ...         Out(entry_id=2, at=nine, sequence=2, group=7, start_stack=300),
    ...         Out(entry_id=3, at=nine, sequence=3, group=7, start_stack=900)]
    >>> places(outs, alive=[1])
    {3: 2, 2: 3, 4: 4}
    >>> places(outs, alive=[1], is_over=True)
    {1: 1, 3: 2, 2: 3, 4: 4}

    :raises ValueError: If an entry is out twice, or both out and in.
    """
    hands = _hands(outs)
    if len({out.entry_id for hand in hands for out in hand} | set(alive)) < (
        sum(map(len, hands)) + len(alive)
    ):
        raise ValueError("An entry is out twice, or both out and in.")
    tiers = _survivors(alive, counted or {}) if is_over else []
    for hand in hands:
        tiers += _within_a_hand(hand)
    placed: dict[int, int] = {}
    first = 1 if is_over else place_of_latest(len(alive))
    for tier in tiers:
        place = first + len(placed)
        placed.update(dict.fromkeys(tier, place))
    return placed


def place_of_latest(alive_count: int) -> int:
    """Return the place of the entry that went out last and alone, from how many are left now.

    >>> place_of_latest(36)
    37
    """
    return alive_count + 1


def is_weak_order(places: Mapping[int, int], first: int = 1) -> bool:
    """Return whether the places, from `first` on, are a weak order without gaps.

    >>> is_weak_order({1: 1, 2: 2, 3: 2, 4: 4}), is_weak_order({1: 1, 2: 2, 3: 2, 4: 3})
    (True, False)
    """
    expected = first
    for place, tied in groupby(sorted(places.values())):
        if place != expected:
            return False
        expected += len(list(tied))
    return True


def _hands(outs: Iterable[Out]) -> list[list[Out]]:
    """Gather the outs by hand, the latest hand first."""
    hands: dict[tuple[str, int], list[Out]] = {}
    for out in sorted(outs, key=lambda out: (out.at, out.sequence)):
        key = ("alone", out.sequence) if out.group is None else ("group", out.group)
        hands.setdefault(key, []).append(out)
    return list(reversed(hands.values()))


def _within_a_hand(hand: list[Out]) -> list[list[int]]:
    stacks = {out.entry_id: out.start_stack for out in hand}
    known = {entry: stack for entry, stack in stacks.items() if stack is not None}
    return _by_stack(known) if len(known) == len(stacks) else [list(stacks)]


def _survivors(alive: Collection[int], counted: Mapping[int, int]) -> list[list[int]]:
    if all(entry in counted for entry in alive):
        return _by_stack({entry: counted[entry] for entry in alive})
    return [list(alive)]


def _by_stack(stacks: Mapping[int, int]) -> list[list[int]]:
    """Return the entries in tiers of equal stacks, the largest stack first."""
    largest_first = sorted(stacks, key=lambda entry: (-stacks[entry], entry))
    return [list(tier) for _, tier in groupby(largest_first, key=lambda entry: stacks[entry])]
