"""Places, computed from the times of eliminations.

A ranking is a *weak order*: k entries tied at p all have place p, and the next one has p + k. No
place is stored: each follows from the eliminations in force, so that an undo leaves no stale place
behind. Prizes and points are computed elsewhere.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import groupby

from tournaments.event.domain.rules import BustTies, SameHand


@dataclass(frozen=True, slots=True, kw_only=True)
class Out:
    """An entry that left the event, by elimination or disqualification.

    `at` is its time and decides; `sequence`, unique in the event, is the order of recording and
    decides between equal times. Outs of one hand at one table share a `group`. `start_stack` is the
    stack at the start of that hand, if known. Outs of one round of hand-for-hand share a `round`;
    those of a round at the same `table` went out in one hand.
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
    """The event's rules for simultaneous eliminations."""

    same_hand: SameHand = SameHand.BY_STACK
    bust_ties: BustTies = BustTies.SHARED


class Beside(StrEnum):
    """The rank of an entry relative to another one that is out."""

    ABOVE = "above"
    SHARES = "shares"
    BELOW = "below"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The director's decision on a place: `entry_id` ranks so beside `other_id`.

    `sequence` is that of its action. It applies to places known before, and lapses if one of the
    two is back in play.
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
    larger higher; equal stacks share (common practice); with `SameHand.SHARED` all of a hand share.
    If one stack of a hand is unknown, all of it share. The hand counts at the time of its latest
    out: an earlier disqualification ranks below all of it (ours).

    A round of hand-for-hand counts as one hand at all tables (TDA 2024 RP-8), see
    `places_of_round`.

    Entries in play have no place yet. When the event `is_over`, the only one left has place 1;
    several left (an event ended early) rank by `counted` stacks if all are counted, and otherwise
    share place 1.

    The director's decisions are applied last, in order, to entries that have a place.

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
    still_in = [list(alive)] if is_over else []
    if is_over and counted is not None and set(alive) <= counted.keys():
        still_in = _by_stack({entry: counted[entry] for entry in alive})
    tiers = [*still_in, *(tier for hand in hands for tier in _within(hand, rules))]
    known = placed_at((out for hand in hands for out in hand), alive if is_over else ())
    for ruling in rulings_in_force(rulings, known):
        tiers = _set_beside(tiers, ruling)
    return _placed(tiers, 1 if is_over else len(alive) + 1)


def placed_at(outs: Iterable[Out], survivors: Iterable[int]) -> dict[int, int]:
    """Return the sequence that gave each entry its place: of its own out, of the last for the rest.

    >>> from datetime import UTC
    >>> placed_at([Out(entry_id=4, at=datetime(2026, 1, 1, tzinfo=UTC), sequence=9)], [1])
    {4: 9, 1: 9}
    """
    known = {out.entry_id: out.sequence for out in outs}
    return known | dict.fromkeys(survivors, max(known.values(), default=0))


def places_of_round(outs: Collection[Out], first: int, rules: TieRules = USUAL) -> dict[int, int]:
    """Return the places, from `first` on, of all eliminated in one round of hand-for-hand.

    At one table they rank by stack at the start of the hand; at different tables they share places
    (TDA 2024 RP-8, common practice): the best of each table share the first, the second of each
    table share the next, and so on. So losses at another table improve no place. With
    `BustTies.BY_STACK` all of the round rank by stack, across tables, once every stack is known;
    with `SameHand.SHARED` those of one table then count with their largest stack.

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


def rulings_in_force(rulings: Iterable[Ruling], known: Mapping[int, int]) -> list[Ruling]:
    """Return the decisions in force, in the given order.

    :param known: The sequence that gave each entry its place.
    """
    return [
        ruling
        for ruling in sorted(rulings, key=lambda ruling: ruling.sequence)
        if all(
            entry in known and known[entry] < ruling.sequence
            for entry in (ruling.entry_id, ruling.other_id)
        )
    ]


def ruling_for(
    places: Mapping[int, int], entry: int, place: int, *, shares: bool
) -> tuple[int, Beside] | None:
    """Return the neighbour and rank that give an entry this place, or None if impossible.

    `places` are those of all entries with one. The others keep their order: alone, the entry goes
    between two tiers; shared, it joins one. The result must be a weak order.

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


def _set_beside(tiers: Iterable[Sequence[int]], ruling: Ruling) -> list[list[int]]:
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
    """Return the tiers of a round: by stack, or by rank within the own table."""
    tables: dict[tuple[str, int], list[Out]] = {}
    for out in outs:
        at = ("alone", out.entry_id) if out.table is None else ("table", out.table)
        tables.setdefault(at, []).append(out)
    by_stack = rules.bust_ties is BustTies.BY_STACK and _stacks(outs) is not None
    worth: dict[int, int] = {}
    for hand in tables.values():
        stacks = _stacks_that_rank(hand, rules)
        if not by_stack:  # less by one for each larger stack of the table
            placed = _placed(_by_stack(stacks), 1)
            stacks = {entry: 1 - place for entry, place in placed.items()}
        worth |= stacks
    return _by_stack(worth)


def _stacks_that_rank(hand: Sequence[Out], rules: TieRules) -> dict[int, int]:
    """Return the stacks of one table's hand; all equal where stacks do not rank."""
    stacks = _stacks(hand)
    if stacks is None:
        return dict.fromkeys((out.entry_id for out in hand), 0)
    if rules.same_hand is SameHand.SHARED:
        return dict.fromkeys(stacks, max(stacks.values()))
    return stacks


def _stacks(hand: Iterable[Out]) -> dict[int, int] | None:
    stacks: dict[int, int] = {}
    for out in hand:
        if out.start_stack is None:
            return None
        stacks[out.entry_id] = out.start_stack
    return stacks


def _placed(tiers: Iterable[Sequence[int]], first: int) -> dict[int, int]:
    """Return places from `first` on: a tier shares one, the next tier skips as many."""
    placed: dict[int, int] = {}
    for tier in tiers:
        placed.update(dict.fromkeys(tier, first + len(placed)))
    return placed


def _by_stack(stacks: Mapping[int, int]) -> list[list[int]]:
    largest_first = sorted(stacks, key=lambda entry: (-stacks[entry], entry))
    return [list(tier) for _, tier in groupby(largest_first, key=lambda entry: stacks[entry])]


# Recorded together but busted one after another: the grounds of the order.
STEP = timedelta(microseconds=1)


def stacks_matter(*, left: int, out: int, paid: int, final_table: int) -> bool:
    """Tell whether the starting stacks of a hand decide a relevant place.

    `left` are still in after the hand; `out` busted in it and rank by stack (common practice).
    Their best place must be paid, otherwise the order is irrelevant. While the paid places are not
    set (`paid` 0), the places of the final table count as relevant (ours).

    >>> stacks_matter(left=40, out=2, paid=5, final_table=9)
    False
    >>> stacks_matter(left=4, out=2, paid=5, final_table=9)  # places 5 and 6
    True
    >>> stacks_matter(left=4, out=1, paid=5, final_table=9)
    False
    >>> stacks_matter(left=8, out=2, paid=0, final_table=9)
    True

    :raises ValueError: If nobody went out.
    """
    if out < 1:
        raise ValueError("Nobody went out.")
    return out > 1 and left + 1 <= (paid or final_table)
