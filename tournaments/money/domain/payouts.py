"""What each place gets of the pool: by a curve, by typed shares or amounts, or in seats.

Whole numbers throughout, powers and roots included, so that everybody reckons the same cents. The
rules are ours; `docs/reference/payouts.md` says them with worked examples.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from math import isqrt

from tournaments.cash.domain.prizes import PrizePlan, Shape, Way

# Of the pool so many percent go to all places alike, the rest falls with the place to the power of
# so many eighths.
CURVES = {Shape.TOP_HEAVY: (15, 11), Shape.USUAL: (25, 9), Shape.FLAT: (40, 6)}
_SCALE = 10**12


class Unpayable(ValueError):
    """Prizes that cannot be paid of this pool; `code` says why, `cents` how much it is about."""

    def __init__(self, code: str, cents: int = 0) -> None:
        super().__init__(code)
        self.code, self.cents = code, cents


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """The prizes by place, the first one first, and what the best without a prize gets back."""

    prizes: tuple[int, ...] = ()
    refund: int = 0

    @property
    def cents(self) -> int:
        return sum(self.prizes) + self.refund


def prize_table(
    plan: PrizePlan, *, pool_cents: int, places: int, entries: int, buy_in_cents: int = 0
) -> PrizeTable:
    """Return the prizes of an event: they sum to the pool, and none is above a better place's.

    >>> plan = PrizePlan(way=Way.CURVE, unit_cents=500)
    >>> prize_table(plan, pool_cents=37000, places=3, entries=37).prizes
    (19000, 10500, 7500)
    >>> plan = PrizePlan(way=Way.SEATS, seat_cents=25000)
    >>> prize_table(plan, pool_cents=62000, places=3, entries=9).prizes
    (25000, 25000, 12000)

    :param places: How many are paid, see `places_paid`; never more than there are entries.
    :param buy_in_cents: What an entry costs: for the least prize, and the refund of the bubble.
    :raises Unpayable: "empty": there is nothing to share; "places": nobody said how many are paid;
        "minimum": not all places can get the least; "refund": it is more than there is;
        "over_pool", "under_pool": typed amounts are not what there is; "seats": there are more
        seats than players.
    """
    places = min(places, entries)
    if not plan.has_money:
        return PrizeTable()
    if plan.way is not Way.AMOUNTS and pool_cents <= 0:
        raise Unpayable("empty")
    if not places:
        raise Unpayable("places")
    refund = buy_in_cents if plan.refunds_bubble and places < entries else 0
    if refund and refund >= pool_cents:
        raise Unpayable("refund", refund)
    shared = pool_cents - refund
    least = max(plan.unit_cents, -(-buy_in_cents * plan.minimum_tenths // 10))
    if plan.way is Way.SEATS:
        return PrizeTable(prizes=_seats(plan.seat_cents, shared, entries), refund=refund)
    if plan.way is Way.AMOUNTS:
        return PrizeTable(prizes=_typed(plan.amounts[:places], shared), refund=refund)
    if plan.way is Way.SHARES:
        found = shared_by(plan.shares[:places], shared, plan.unit_cents, least=least)
    else:
        found = by_curve(plan.shape, shared, places, plan.unit_cents, least=least)
    return PrizeTable(prizes=tuple(found), refund=refund)


def _seats(seat: int, shared: int, entries: int) -> tuple[int, ...]:
    """Return equal seats, and for the next place what is left over."""
    many, left = divmod(shared, seat)
    if many + bool(left) > entries:
        raise Unpayable("seats", shared - entries * seat)
    return (seat,) * many + ((left,) if left else ())


def _typed(amounts: tuple[int, ...], shared: int) -> tuple[int, ...]:
    off = sum(amounts) - shared
    if off:
        raise Unpayable("over_pool" if off > 0 else "under_pool", abs(off))
    return amounts


@cache
def curve_weights(eighths: int, places: int) -> tuple[int, ...]:
    """Return how the steep part falls: place to the power of minus so many eighths, times 10^12.

    >>> curve_weights(8, 3)
    (1000000000000, 500000000000, 333333333333)
    """
    scaled = _SCALE**8
    return tuple(isqrt(isqrt(isqrt(scaled // place**eighths))) for place in range(1, places + 1))


def by_curve(
    shape: Shape, pool_cents: int, places: int, unit_cents: int = 1, *, least: int = 0
) -> list[int]:
    """Return the prizes by the formula: an even part for all places, and one that falls.

    A share e of the pool goes to all n places alike, the rest in proportion to 1/place^s. With the
    usual e = 1/4 the last of a sixth of the field, paid of what they paid, gets more than 1.5 times
    the buy-in; and three prizes are near 50, 30 and 20 percent, as clubs have them.

    >>> by_curve(Shape.USUAL, 100_00, 3, 100), by_curve(Shape.TOP_HEAVY, 100_00, 3, 100)
    ([5100, 2800, 2100], [5800, 2500, 1700])
    >>> by_curve(Shape.FLAT, 100_00, 3, 100)
    [4300, 3100, 2600]

    :raises Unpayable: "minimum", if not every place can get the least.
    """
    even, eighths = CURVES[shape]
    weights = curve_weights(eighths, places)
    units, lowest = _units(pool_cents, places, unit_cents, least)
    # Above the least, in hundredths of a unit: what all get alike, and what falls.
    alike = max(0, even * units - 100 * places * lowest)
    falls = 100 * (units - places * lowest) - alike
    total = sum(weights)
    parts = [alike * total + falls * places * weight for weight in weights]
    return _rounded(parts, pool_cents, unit_cents, lowest)


def shared_by(
    shares: Sequence[int], pool_cents: int, unit_cents: int = 1, *, least: int = 0
) -> list[int]:
    """Return the prizes by typed shares. Who would get less than the least gets that.

    >>> shared_by([5000, 3000, 2000], 370_00, 500)
    [18500, 11000, 7500]

    :raises Unpayable: "minimum", if not every place can get the least.
    """
    units, lowest = _units(pool_cents, len(shares), unit_cents, least)
    if units * shares[-1] >= lowest * sum(shares):
        return _rounded(shares, pool_cents, unit_cents, 0)
    # The last places get the least; the others share what is left by their shares.
    above = [share for share in shares if units * share >= lowest * sum(shares)]
    many = min(len(above), len(shares) - 1)
    while many and (units - (len(shares) - many) * lowest) * shares[many - 1] < lowest * sum(
        shares[:many]
    ):
        many -= 1
    fixed = [lowest * unit_cents] * (len(shares) - many)
    rest = pool_cents - sum(fixed)
    if not many:
        return [fixed[0] + rest, *fixed[1:]]
    return [*_rounded(shares[:many], rest, unit_cents, 0), *fixed]


def _units(pool_cents: int, places: int, unit_cents: int, least: int) -> tuple[int, int]:
    """Return how many whole units there are, and how many of them everybody gets at the least."""
    units, lowest = pool_cents // unit_cents, max(1, -(-least // unit_cents))
    if units < places * lowest:
        raise Unpayable("minimum", lowest * unit_cents)
    return units, lowest


def _rounded(parts: Sequence[int], pool_cents: int, unit_cents: int, lowest: int) -> list[int]:
    """Share whole units in proportion to the parts, above the least of each place.

    Everybody gets the whole units of a part; those left go, one each, to whom most is missing,
    and where that is the same to the better place. What is less than a unit goes to the first.
    """
    units, below = divmod(pool_cents, unit_cents)
    units -= lowest * len(parts)
    total = sum(parts)
    if not total:
        return [lowest * unit_cents + below, *[lowest * unit_cents] * (len(parts) - 1)]
    found, missing = zip(*(divmod(units * part, total) for part in parts), strict=True)
    prizes = [lowest + many for many in found]
    order = sorted(range(len(parts)), key=lambda place: -missing[place])
    for place in order[: units - sum(found)]:
        prizes[place] += 1
    amounts = [many * unit_cents for many in prizes]
    amounts[0] += below
    return amounts


def prizes_by_entry(
    table: PrizeTable, places: Mapping[int, int], *, without: Collection[int] = ()
) -> dict[int, int]:
    """Return what each entry gets for its place; who gets nothing is not in it.

    Who ties shares the prizes of the places together, to the cent; cents that do not go into that
    go, one each, to the entries with the lowest numbers. Who is `without` a prize (disqualified, by
    the rules) is passed over, and who is behind gets the prize of the place before.

    >>> table = PrizeTable(prizes=(5000, 3000, 2001), refund=1000)
    >>> prizes_by_entry(table, {7: 1, 8: 2, 9: 2, 4: 4, 5: 5})
    {7: 5000, 8: 2501, 9: 2500, 4: 1000}
    >>> prizes_by_entry(table, {7: 1, 8: 2, 9: 3, 4: 4}, without=[8])
    {7: 5000, 9: 3000, 4: 2001}
    """
    all_prizes = [*table.prizes, *([table.refund] if table.refund else [])]
    found: dict[int, int] = {}
    for ahead, entries in ranked(places, without):
        if ahead >= len(all_prizes):
            break
        each, odd = divmod(sum(all_prizes[ahead : ahead + len(entries)]), len(entries))
        for number, entry in enumerate(entries):
            if each or number < odd:
                found[entry] = each + (number < odd)
    return found


def ranked(
    places: Mapping[int, int], without: Collection[int] = ()
) -> Iterator[tuple[int, list[int]]]:
    """Give who ties, best first, with how many prizes go to others before them.

    >>> list(ranked({7: 3, 8: 4, 9: 4, 4: 6}, without=[7]))
    [(2, [8, 9]), (4, [4])]
    """
    # Those still in come first; only who is out, or has won, is in `places`.
    ahead = min(places.values(), default=1) - 1
    gone = frozenset(without)
    rows = sorted((place, entry) for entry, place in places.items() if entry not in gone)
    for _place, tied in groupby(rows, key=lambda row: row[0]):
        entries = [entry for _, entry in tied]
        yield ahead, entries
        ahead += len(entries)
