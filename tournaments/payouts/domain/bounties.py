"""Bounties: values, winners, open questions.

All is derived from the lost stacks in order: each ends a bounty, and a re-buy starts a new one.
Amounts are whole cents. The bounty money paid in always equals bounties in play, winnings, amounts
waiting for a taker, and the left-over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class BountyKind(StrEnum):
    """Fixed: a bounty is worth its price. Progressive: a part goes onto the taker's own bounty.

    Mystery: an envelope is drawn for each knockout; before the envelopes exist, none pays.
    """

    FIXED = "fixed"
    PROGRESSIVE = "progressive"
    MYSTERY = "mystery"


@dataclass(frozen=True, slots=True, kw_only=True)
class Out:
    """A lost stack, with its takers if known.

    :param number: The number of the entry's stack, from 1.
    :param is_removed: Whether the stack left play, by disqualification or surrender.
    :param envelope: The content of the drawn envelope; None before the draw.
    """

    entry: int
    number: int = 1
    takers: tuple[int, ...] = ()
    is_removed: bool = False
    envelope: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A knockout: its value, the winnings, and the additions to bounties.

    :param number: The number of the entry's lost stack.
    """

    entry: int
    number: int
    cents: int
    won: Mapping[int, int]
    grown: Mapping[int, int]


@dataclass(slots=True, kw_only=True)
class Bounties:
    """The state of the bounties.

    :param heads: Value of each bounty in play; unknown with envelopes.
    :param won: Winnings of each entry.
    :param waiting: Lost stacks without a known taker, each with its amount.
    :param to_draw: Lost stacks with a known taker and no envelope yet.
    :param left_over: Amount without a taker, until the event is won.
    """

    heads: dict[int, int] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)
    waiting: list[tuple[Out, int]] = field(default_factory=list)
    to_draw: list[Out] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    left_over: int = 0

    @property
    def open(self) -> dict[int, int]:
        """Return the amounts that wait for a taker, by entry."""
        found: dict[int, int] = {}
        for out, cents in self.waiting:
            found[out.entry] = found.get(out.entry, 0) + cents
        return found

    @property
    def undrawn(self) -> list[int]:
        """Return the entries with an envelope to draw."""
        return [out.entry for out in self.to_draw]

    def total(self) -> int:
        """Return the total; always equal to the bounty money paid in."""
        parts = (self.heads, self.won, self.open)
        return sum(sum(part.values()) for part in parts) + self.left_over

    def win(self, entry: int, cents: int) -> None:
        if cents:
            self.won[entry] = self.won.get(entry, 0) + cents


def shared(cents: int, among: Sequence[int]) -> dict[int, int]:
    """Return an amount in equal parts; remaining cents go to the first, one each.

    >>> shared(1000, [7, 3, 9])
    {7: 334, 3: 333, 9: 333}
    """
    each, rest = divmod(cents, len(among))
    return {one: each + (place < rest) for place, one in enumerate(among)}


def bounties(
    kind: BountyKind,
    heads: Mapping[int, int],
    outs: Iterable[Out],
    winners: Sequence[int] = (),
    *,
    again: Mapping[int, Sequence[int]] | None = None,
    cut_percent: int = 50,
) -> Bounties:
    """Return fixed or progressive bounties after these outs, in order of time.

    Several takers share a bounty. Progressive: the given percent of each share, rounded down to the
    cent, is won; the rest goes onto the taker's own bounty, or is won too if the taker is out as
    well. The bounty of a stack that left play without a taker is left over.

    :param winners: The winners of the event, once decided. They keep their own bounties, and share
    the left-over.
    :param again: Bounty money on further stacks of an entry, each after a lost one.

    >>> stands = bounties(BountyKind.PROGRESSIVE, {1: 1000, 2: 1000, 3: 1000},
    ...                   [Out(entry=3, takers=(1,)), Out(entry=1, takers=(2,))], [2])
    >>> stands.won
    {1: 500, 2: 2500}
    >>> stands.heads, stands.left_over
    ({}, 0)
    >>> stands = bounties(BountyKind.FIXED, {1: 1000, 2: 1000}, [Out(entry=1, takers=(2,))],
    ...                   again={1: [500]})
    >>> stands.heads, stands.won
    ({2: 1000, 1: 500}, {2: 1000})
    """
    found = Bounties(heads=dict(heads))
    further = {entry: iter(cents) for entry, cents in (again or {}).items()}
    for out in outs:
        worth = found.heads.pop(out.entry, 0)
        if out.takers:
            _take(found, kind, out, worth, cut_percent)
        elif out.is_removed:
            found.left_over += worth
        else:
            found.waiting.append((out, worth))
        new = next(further.get(out.entry, iter(())), None)
        if new is not None:
            found.heads[out.entry] = new
    for winner in winners:
        found.win(winner, found.heads.pop(winner, 0))
    _share_what_is_left(found, winners)
    return found


def _take(found: Bounties, kind: BountyKind, out: Out, worth: int, cut_percent: int) -> None:
    won, grown = dict[int, int](), dict[int, int]()
    for taker, part in shared(worth, out.takers).items():
        grows = kind is BountyKind.PROGRESSIVE and taker in found.heads
        won[taker] = part * cut_percent // 100 if grows else part
        found.win(taker, won[taker])
        if grows:
            grown[taker] = part - won[taker]
            found.heads[taker] += grown[taker]
    found.hits.append(Hit(entry=out.entry, number=out.number, cents=worth, won=won, grown=grown))


def _share_what_is_left(found: Bounties, winners: Sequence[int]) -> None:
    if winners:
        for winner, part in shared(found.left_over, winners).items():
            found.win(winner, part)
        found.left_over = 0


def mystery_bounties(
    total: int, outs: Iterable[Out], winners: Sequence[int] = (), *, to_draw: int | None = None
) -> Bounties:
    """Return the state of a mystery bounty.

    :param total: All bounty money paid in.
    :param outs: Lost stacks since the envelopes were made, in order of time.
    :param winners: The winners of the event. They get the undrawn rest, once all envelopes to draw
    are drawn.
    :param to_draw: How many can still be drawn. Further outs win nothing.

    >>> stands = mystery_bounties(1000, [Out(entry=1, takers=(2, 3), envelope=301),
    ...                                  Out(entry=2, takers=(3,))])
    >>> stands.won, stands.undrawn, stands.left_over
    ({2: 151, 3: 150}, [2], 699)
    """
    found = Bounties(left_over=total)
    for out in outs:
        worth = out.envelope or 0
        found.left_over -= worth
        if out.takers and out.envelope is None:
            if to_draw is None or len(found.to_draw) < to_draw:
                found.to_draw.append(out)
        elif out.takers:
            parts = shared(worth, out.takers)
            for taker, part in parts.items():
                found.win(taker, part)
            found.hits.append(
                Hit(entry=out.entry, number=out.number, cents=worth, won=parts, grown={})
            )
        elif out.is_removed:
            found.left_over += worth
        else:
            found.waiting.append((out, worth))
    if not found.to_draw and all(worth for _out, worth in found.waiting):
        _share_what_is_left(found, winners)
    return found


class BadEnvelopes(ValueError):
    """Impossible envelopes; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def envelopes(total: int, many: int, tops: Sequence[int] = ()) -> list[int]:
    """Return the contents of the envelopes, fullest first: named ones, the rest in equal parts.

    >>> envelopes(10_000, 5, [5000, 2000])
    [5000, 2000, 1000, 1000, 1000]
    >>> envelopes(1000, 3)
    [334, 333, 333]

    :raises BadEnvelopes: "too_few" below two; "too_many" named; "bad_top" if one is not above zero;
    "no_rest" without money for the others, "some_left" without others for the money.
    """
    if many < 2:
        raise BadEnvelopes("too_few")
    if len(tops) > many:
        raise BadEnvelopes("too_many")
    if any(top <= 0 for top in tops):
        raise BadEnvelopes("bad_top")
    others, rest = many - len(tops), total - sum(tops)
    if rest < others:
        raise BadEnvelopes("no_rest")
    if rest and not others:
        raise BadEnvelopes("some_left")
    equal = shared(rest, range(others)).values() if others else ()
    return sorted([*tops, *equal], reverse=True)
