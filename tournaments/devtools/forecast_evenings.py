"""Simulated evenings for the forecast, hand by hand without a database, for any poker.

The play of a hand is a parameter (`Poker`).
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random

from tournaments.forecast.domain.end import Hall, Pace, Stretch
from tournaments.forecast.domain.rates import MODEL, Spell, losses_expected

LONGEST_PLAYED = 20 * 60.0
RATIOS = (1.25, 1.33, 1.4, 1.5, 1.6)
HOUSE = {
    100: (1, 2, 3, 5, 10, 15, 25, 50, 75, 100, 150, 200, 250, 300, 400),
    200: (1, 2, 4, 8, 15, 25, 40, 60, 100, 150, 200, 300, 400, 500, 600),
    300: (2, 4, 6, 10, 20, 30, 50, 100, 150, 200, 300, 400, 500, 650, 800),
}
"""The schedules that the program brings: big blinds by starting stack."""

Poker = Callable[[dict[int, float], float, Random, dict[str, float]], None]
"""Play a hand at a table: stacks by player (changed in place), big blind, chance, manners.

The manners come from `Kind.manners`, once for an evening.
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of poker: the play of a hand, and the manners of an evening."""

    name: str
    play: Poker
    manners: Callable[[Random, int], dict[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of an evening. Levels and breaks are one list; minutes, chips."""

    entries: int
    late: int
    late_through: int
    stack: int
    rows: tuple[Stretch, ...]
    seats: int
    minutes_a_hand: float
    rebuy_share: float = 0.0
    rebuy_through: int = -1
    addon_chips: int = 0
    addon_share: float = 0.0
    addon_at: int = -1


@dataclass(frozen=True, slots=True)
class Moment:
    """The facts known at an instant, in minutes since the start. `lost` counts all lost stacks."""

    at: float
    left: int
    entries: int
    chips: int
    lost: int
    bought: int


@dataclass(slots=True)
class Evening:
    """A played evening: every change of the known facts, and its end."""

    terms: Terms
    moments: list[Moment] = field(default_factory=list)
    ended: float = 0.0

    def known(self, at: float) -> Moment:
        return [moment for moment in self.moments if moment.at <= at][-1]


def terms_drawn(rng: Random) -> Terms:
    """Return random terms of a club evening: small or large, fast or slow."""
    entries = min(200, max(8, round(rng.lognormvariate(3.5, 0.7))))
    length = float(rng.choice((10, 12, 15, 15, 20, 20, 20, 25, 30)))
    if rng.random() < 0.3:
        stack = rng.choice(list(HOUSE))
        blinds = list(HOUSE[stack])
    else:
        stack, ratio = 20_000, rng.choice(RATIOS)
        first = 2 * stack / rng.choice((100, 150, 200, 300, 400))
        blinds = [round(first * ratio**level) for level in range(30)]
    rows, every, rest = [], rng.choice((3, 4, 5)), float(rng.choice((10, 15)))
    for level, blind in enumerate(blinds, start=1):
        rows.append(Stretch(minutes=length, unit=blind))
        if level % every == 0 and level < 13:
            rows.append(Stretch(minutes=rest, unit=0, is_break=True))
    breaks = [position for position, row in enumerate(rows) if row.is_break]
    buys = rng.random() < 0.3
    adds = buys and rng.random() < 0.5
    is_late = rng.random() < 0.6
    return Terms(
        entries=entries,
        late=round(entries * rng.uniform(0, 0.25)) if is_late else 0,
        late_through=rng.randrange(2, 6) if is_late else -1,
        stack=stack,
        rows=tuple(rows),
        seats=rng.choice((8, 9, 10)),
        minutes_a_hand=rng.uniform(1.9, 3.1),
        rebuy_share=rng.uniform(0.3, 0.9) if buys else 0.0,
        rebuy_through=breaks[0] if buys else -1,
        addon_chips=round(stack * rng.uniform(1, 2)) if adds else 0,
        addon_share=rng.uniform(0.4, 1.0),
        addon_at=breaks[0] if adds else -1,
    )


def played(terms: Terms, kind: Kind, rng: Random) -> Evening:
    """Play an evening to its winner, one hand at every table at a time."""
    evening = Evening(terms)
    manners = kind.manners(rng, terms.entries)
    stacks = {number: float(terms.stack) for number in range(terms.entries - terms.late)}
    comes = _arrivals(terms, rng)
    counts = {"entries": len(stacks), "lost": 0, "bought": 0}
    ends = list(accumulate(row.minutes for row in terms.rows))
    at, position, order = 0.0, 0, list(stacks)
    _note(evening, at, stacks, counts)
    while at < LONGEST_PLAYED and (len(stacks) > 1 or comes):
        while position < len(ends) - 1 and at >= ends[position]:
            if position == terms.addon_at:
                _add_on(terms, stacks, rng)
                _note(evening, at, stacks, counts)
            position += 1
        row = terms.rows[position]
        while comes and comes[0] <= at:
            comes.pop(0)
            stacks[counts["entries"]] = float(terms.stack)
            order.append(counts["entries"])
            counts["entries"] += 1
            _note(evening, at, stacks, counts)
        if row.is_break:
            at = ends[position]
            continue
        at += terms.minutes_a_hand
        for table in _tables(order, terms.seats, rng):
            there = {number: stacks[number] for number in table}
            kind.play(there, row.unit, rng, manners)
            stacks.update(there)
        broke = [number for number in order if stacks[number] <= 0.5]
        if broke:
            _bust(terms, stacks, broke, counts, rng, may_buy=position <= terms.rebuy_through)
            order = [number for number in order if number in stacks]
            _note(evening, at, stacks, counts)
    evening.ended = at
    return evening


def _arrivals(terms: Terms, rng: Random) -> list[float]:
    if terms.late_through < 0:
        return []
    closes = sum(row.minutes for row in terms.rows[: terms.late_through + 1])
    # Most late players arrive early in the period.
    return sorted(closes * rng.random() ** 2 for _ in range(terms.late))


def _tables(order: list[int], seats: int, rng: Random) -> list[list[int]]:
    """Return the players by table: as few tables as needed, reseated at times like moves."""
    if rng.random() < 0.1:
        rng.shuffle(order)
    order.append(order.pop(0))
    many = -(-len(order) // seats)
    tables = [order[number::many] for number in range(many)]
    return [table for table in tables if len(table) > 1]


def _bust(
    terms: Terms,
    stacks: dict[int, float],
    broke: list[int],
    counts: dict[str, int],
    rng: Random,
    *,
    may_buy: bool,
) -> None:
    counts["lost"] += len(broke)
    for number in broke:
        if may_buy and rng.random() < terms.rebuy_share:
            stacks[number] = float(terms.stack)
            counts["bought"] += 1
        else:
            del stacks[number]


def _add_on(terms: Terms, stacks: dict[int, float], rng: Random) -> None:
    for number in stacks:
        if rng.random() < terms.addon_share:
            stacks[number] += terms.addon_chips


def _note(evening: Evening, at: float, stacks: dict[int, float], counts: dict[str, int]) -> None:
    chips = round(sum(stacks.values()))
    evening.moments.append(
        Moment(at, len(stacks), counts["entries"], chips, counts["lost"], counts["bought"])
    )


def hall_at(evening: Evening, at: float) -> Hall:
    """Return the facts a director's page knows at an instant, without the future.

    Arrivals are the registered players not there; most players are assumed to take an add-on;
    re-buys are those bought so far.
    """
    terms, known = evening.terms, evening.known(at)
    ends = list(accumulate(row.minutes for row in terms.rows))
    position = next((p for p, end in enumerate(ends) if at < end), len(ends) - 1)
    rest = max(0.0, ends[position] - at)
    here = terms.rows[position]
    stretches = [Stretch(minutes=rest, unit=here.unit, is_break=here.is_break)]
    stretches += terms.rows[position + 1 :]
    is_late = terms.late_through >= position
    buys = terms.rebuy_through >= position
    adds = terms.addon_at >= position
    return Hall(
        left=known.left,
        entries=known.entries,
        chips=known.chips,
        stretches=stretches,
        pace=Pace(
            losses=known.lost,
            expected=losses_expected(MODEL, spells_until(evening, at)),
        ),
        stack=terms.stack,
        to_come=float(terms.entries - known.entries) if is_late else 0.0,
        late_through=terms.late_through - position if is_late else -1,
        rebuy_share=(known.bought + 1) / (known.lost + 2) if buys else 0.0,
        rebuy_chips=terms.stack,
        rebuy_through=terms.rebuy_through - position if buys else -1,
        addon_chips=round(0.7 * known.left * terms.addon_chips) if adds else 0,
        addon_at=terms.addon_at - position if adds else -1,
    )


def spells_until(evening: Evening, until: float) -> list[Spell]:
    """Return the spells of play until an instant, each without a change; breaks are left out."""
    moments, rows = evening.moments, evening.terms.rows
    ends = list(accumulate(row.minutes for row in rows))
    edges = sorted({0.0, until, *(m.at for m in moments), *ends})
    edges = [edge for edge in edges if edge <= until]
    spells, moment, position = [], 0, 0
    for begin, end in pairwise(edges):
        while moment + 1 < len(moments) and moments[moment + 1].at <= begin:
            moment += 1
        while position < len(ends) - 1 and begin >= ends[position]:
            position += 1
        row, known = rows[position], moments[moment]
        if not row.is_break:
            spells.append(
                Spell(
                    minutes=end - begin,
                    left=known.left,
                    entries=known.entries,
                    chips=known.chips,
                    unit=row.unit,
                )
            )
    return spells
