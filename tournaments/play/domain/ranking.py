"""Places, computed from who went out when.

A list of places is a *weak order*: of k entries tied at p all have place p, and the next one has
p + k. Nothing here is stored; a place follows from the outs that are in force, so taking one back
leaves no stale place behind. Prizes and points are computed elsewhere.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import groupby

from tournaments.event.domain.rules import BustTies, SameHand


@dataclass(frozen=True, slots=True, kw_only=True)
class Out:
    """One entry that has left the event, by elimination or disqualification.

    `at` is when it happened and decides; `sequence`, unique in the event, is the order in which
    outs were recorded and decides between equal instants. Outs of one hand at one table share a
    `group`. `start_stack` is the chips held when that hand began, if known. Outs of one round of
    hand-for-hand share a `round`; those of a round at the same `table` went out in one hand.
    """

    entry_id: int
    at: datetime
    sequence: int
    group: int | None = None
    start_stack: int | None = None
    round: int | None = None
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieRules:
    """What an event's rules say of those who go out at the same time."""

    same_hand: SameHand = SameHand.BY_STACK
    bust_ties: BustTies = BustTies.SHARED


class Beside(StrEnum):
    """Where somebody ranks, seen from another who is out."""

    ABOVE = "above"
    SHARES = "shares"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The director's word on a place: `entry_id` ranks so beside `other_id`.

    `sequence` is that of its action. It holds for outs recorded before, and is nothing once one of
    the two is back in play.
    """

    entry_id: int
    other_id: int
    way: Beside
    sequence: int


USUAL = TieRules()


def places(
    outs: Iterable[Out],
    alive: Collection[int],
    *,
    is_over: bool = False,
    counted: Mapping[int, int] | None = None,
    rules: TieRules = USUAL,
    rulings: Iterable[Ruling] = (),
) -> dict[int, int]:
    """Return the place of every entry that has one.

    Later out is better. Those out in one hand at one table rank by their stack at its start, the
    larger higher; equal stacks share (common practice), and with `SameHand.SHARED` all of a hand
    do. While a stack of such a hand is unknown, all of that hand share. The hand counts at the
    instant of its latest out: who was disqualified before that ranks below all of it (ours).

    A round of hand-for-hand is as one hand played at all tables (TDA 2024 RP-8), see
    `places_of_round`.

    Who is still in has no place while play goes on. When it `is_over`, the only one left has place
    1; several left (an event ended early) rank by `counted` stacks if all of theirs were counted,
    and otherwise share place 1.

    What the director has ruled is applied last, one after the other, to those who are out.

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
    tiers = [tier for hand in hands for tier in _within(hand, rules)]
    reported = {out.entry_id: out.sequence for hand in hands for out in hand}
    for ruling in rulings_in_force(rulings, reported):
        tiers = _set_beside(tiers, ruling)
    still_in = _survivors(alive, counted or {}) if is_over else []
    return _placed([*still_in, *tiers], 1 if is_over else place_of_latest(len(alive)))


def places_of_round(outs: Collection[Out], first: int, rules: TieRules = USUAL) -> dict[int, int]:
    """Return the places, from `first` on, of all who went out in one round of hand-for-hand.

    At the same table they rank by their stack at the start of the hand, at different tables they
    share the places reached (TDA 2024 RP-8, common practice): the best of each table share the
    first, those beaten by one at their own table share the next, and so on. So somebody is
    never placed better because another table lost more. With `BustTies.BY_STACK` all of the round
    rank by stack, whatever their table, once every stack is known; with `SameHand.SHARED` those of
    one table then count as the largest stack of theirs.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> outs = [Out(entry_id=1, at=nine, sequence=1, round=1, table=1, start_stack=900),
    ...         Out(entry_id=2, at=nine, sequence=2, round=1, table=1, start_stack=300),
    ...         Out(entry_id=3, at=nine, sequence=3, round=1, table=2, start_stack=500)]
    >>> places_of_round(outs, 7)
    {1: 7, 3: 7, 2: 9}
    >>> places_of_round(outs, 7, TieRules(bust_ties=BustTies.BY_STACK))
    {1: 7, 3: 8, 2: 9}
    """
    return _placed(_within_a_round(outs, rules), first)


def rulings_in_force(rulings: Iterable[Ruling], reported: Mapping[int, int]) -> list[Ruling]:
    """Return the rulings that hold, in the order given.

    :param reported: The sequence of each out, by entry.
    """
    return [
        ruling
        for ruling in sorted(rulings, key=lambda ruling: ruling.sequence)
        if all(
            entry in reported and reported[entry] < ruling.sequence
            for entry in (ruling.entry_id, ruling.other_id)
        )
    ]


def ruling_for(
    places: Mapping[int, int], entry: int, place: int, *, shares: bool
) -> tuple[int, Beside] | None:
    """Return beside whom, and how, an entry gets this place, or None if that leaves no weak order.

    `places` are those of all who are out. Those who are left keep the order: alone, the entry fits
    between two tiers; sharing, it joins one.

    >>> ruling_for({1: 8, 2: 9, 3: 9}, 3, 8, shares=True)
    (1, <Beside.SHARES: 'shares'>)
    >>> ruling_for({1: 8, 2: 9, 3: 9}, 1, 10, shares=False)
    (3, <Beside.BELOW: 'below'>)
    >>> ruling_for({1: 8, 2: 9, 3: 9}, 1, 9, shares=False) is None
    True
    """
    others = sorted((at, other) for other, at in places.items() if other != entry)
    at = min(places.values())
    for _place, tied in groupby(others, key=lambda row: row[0]):
        tier = [other for _at, other in tied]
        if at == place:
            return tier[0], Beside.SHARES if shares else Beside.ABOVE
        at += len(tier)
    return (others[-1][1], Beside.BELOW) if others and at == place and not shares else None


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


def _set_beside(tiers: Iterable[Sequence[int]], ruling: Ruling) -> list[list[int]]:
    """Take an entry out of its tier, and put it where the ruling says."""
    done: list[list[int]] = []
    for tier in tiers:
        rest = [entry for entry in tier if entry != ruling.entry_id]
        parts = {
            Beside.ABOVE: [[ruling.entry_id], rest],
            Beside.SHARES: [[*rest, ruling.entry_id]],
            Beside.BELOW: [rest, [ruling.entry_id]],
        }
        found = parts[ruling.way] if ruling.other_id in rest else [rest]
        done += [part for part in found if part]
    return done


def _hands(outs: Iterable[Out]) -> list[list[Out]]:
    """Gather the outs by hand, or by round of hand-for-hand, the latest first."""
    hands: dict[tuple[str, int], list[Out]] = {}
    for out in sorted(outs, key=lambda out: (out.at, out.sequence), reverse=True):
        hands.setdefault(_hand_of(out), []).append(out)
    return list(hands.values())


def _hand_of(out: Out) -> tuple[str, int]:
    if out.round is not None:
        return "round", out.round
    return ("alone", out.entry_id) if out.group is None else ("group", out.group)


def _within(hand: list[Out], rules: TieRules) -> list[list[int]]:
    if hand[0].round is not None:
        return _within_a_round(hand, rules)
    stacks = _stacks(hand)
    if stacks is None or rules.same_hand is SameHand.SHARED:
        return [[out.entry_id for out in hand]]
    return _by_stack(stacks)


def _within_a_round(outs: Collection[Out], rules: TieRules) -> list[list[int]]:
    """Return the tiers of a round: by stack, or by how many of the own table are better."""
    tables: dict[tuple[str, int], list[Out]] = {}
    for out in outs:
        at = ("alone", out.entry_id) if out.table is None else ("table", out.table)
        tables.setdefault(at, []).append(out)
    by_stack = rules.bust_ties is BustTies.BY_STACK and _stacks(outs) is not None
    worth: dict[int, int] = {}
    for hand in tables.values():
        stacks = _stacks_that_rank(hand, rules)
        worth |= stacks if by_stack else _less_by_each_better(stacks)
    return _by_stack(worth)


def _stacks_that_rank(hand: Sequence[Out], rules: TieRules) -> dict[int, int]:
    """Return the stacks of one table's hand; all the same where they do not rank its outs."""
    stacks = _stacks(hand)
    if stacks is None:
        return dict.fromkeys((out.entry_id for out in hand), 0)
    if rules.same_hand is SameHand.SHARED:
        return dict.fromkeys(stacks, max(stacks.values()))
    return stacks


def _less_by_each_better(stacks: Mapping[int, int]) -> dict[int, int]:
    """Return minus how many have more, by entry."""
    return {entry: 1 - place for entry, place in _placed(_by_stack(stacks), 1).items()}


def _stacks(hand: Iterable[Out]) -> dict[int, int] | None:
    """Return the stack of everybody, or None while one is unknown."""
    stacks: dict[int, int] = {}
    for out in hand:
        if out.start_stack is None:
            return None
        stacks[out.entry_id] = out.start_stack
    return stacks


def _survivors(alive: Collection[int], counted: Mapping[int, int]) -> list[list[int]]:
    if all(entry in counted for entry in alive):
        return _by_stack({entry: counted[entry] for entry in alive})
    return [list(alive)]


def _placed(tiers: Iterable[Sequence[int]], first: int) -> dict[int, int]:
    """Return places from `first` on: those of one tier share, the next skips as many."""
    placed: dict[int, int] = {}
    for tier in tiers:
        placed.update(dict.fromkeys(tier, first + len(placed)))
    return placed


def _by_stack(stacks: Mapping[int, int]) -> list[list[int]]:
    """Return the entries in tiers of equal stacks, the largest stack first."""
    largest_first = sorted(stacks, key=lambda entry: (-stacks[entry], entry))
    return [list(tier) for _, tier in groupby(largest_first, key=lambda entry: stacks[entry])]
