"""Divide the pool among places: by a curve, typed shares or amounts, or in seats.

All arithmetic, powers and roots included, uses integers, so that every computer gets the same
cents. The rules are ours; `docs/reference/payouts.md` gives worked examples.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from math import isqrt

from tournaments.prizes.domain.plans import PrizePlan, Shape, Way

# Percent of the pool divided equally; the rest falls with place to the power of so many eighths.
CURVES = {Shape.TOP_HEAVY: (15, 11), Shape.USUAL: (25, 9), Shape.FLAT: (40, 6)}
_SCALE = 10**12


class Unpayable(ValueError):
    """Prizes this pool cannot pay; `code` says why, `cents` the amount concerned."""

    def __init__(self, code: str, cents: int = 0) -> None:
        super().__init__(code)
        self.code, self.cents = code, cents


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeTable:
    """The prizes by place, first place first, and the refund of the bubble."""

    prizes: tuple[int, ...] = ()
    refund: int = 0

    @property
    def cents(self) -> int:
        return sum(self.prizes) + self.refund

    @property
    def refunds_above_last(self) -> bool:
        """Tell whether the bubble's refund is more than the last prize."""
        return bool(self.prizes) and self.refund > self.prizes[-1]


def prize_table(
    plan: PrizePlan,
    *,
    pool_cents: int,
    places: int,
    entries: int,
    buy_in_cents: int = 0,
    advance: int = 0,
) -> PrizeTable:
    """Return the prizes of an event: they sum to the pool and never rise with the place.

    >>> plan = PrizePlan(way=Way.CURVE, unit_cents=500)
    >>> prize_table(plan, pool_cents=37000, places=3, entries=37).prizes
    (19000, 10500, 7500)
    >>> plan = PrizePlan(way=Way.SEATS, seat_cents=25000)
    >>> prize_table(plan, pool_cents=62000, places=3, entries=9).prizes
    (25000, 25000, 12000)

    The last prize of a curve or of shares is no less than the refund, where the pool allows it.

    >>> plan = PrizePlan(way=Way.SHARES, shares=(6000, 3000, 1000), refunds_bubble=True)
    >>> prize_table(plan, pool_cents=12000, places=3, entries=6, buy_in_cents=2000)
    PrizeTable(prizes=(5300, 2700, 2000), refund=2000)

    A flight pays those out behind the ones who advance, all alike:

    >>> plan = PrizePlan(way=Way.FLIGHT, each_cents=150000, places_percent=15)
    >>> prize_table(plan, pool_cents=20000000, places=4, entries=20, advance=2).prizes
    (0, 0, 150000, 150000)

    :param advance: The number of those who go on from a flight.
    :param places: The number of paid places, see `places_paid`; at most the number of entries.
    :param buy_in_cents: The entry price: for the least prize, and the refund of the bubble.
    :raises Unpayable: "empty": nothing to share; "places": number of places unknown; "minimum": the
    least prize is not possible for all; "refund": above the pool; "over_pool", "under_pool": typed
    amounts differ from the pool; "seats": more seats than players.
    """
    plan = replace(plan, shares=plan.shares_for(entries))
    places = min(places, entries)
    if not plan.has_money:
        return PrizeTable()
    if plan.way is not Way.AMOUNTS and pool_cents <= 0:
        raise Unpayable("empty")
    if not places:
        raise Unpayable("places")
    if plan.way is Way.FLIGHT:
        behind = max(0, places - advance)
        return PrizeTable(prizes=(0,) * advance + (plan.each_cents,) * behind if behind else ())
    refund = buy_in_cents if plan.refunds_bubble and places < entries else 0
    if refund and refund >= pool_cents:
        raise Unpayable("refund", refund)
    shared = pool_cents - refund
    least = max(plan.unit_cents, -(-buy_in_cents * plan.minimum_tenths // 10))
    if plan.way is Way.SEATS:
        return PrizeTable(prizes=_seats(plan.seat_cents, shared, entries), refund=refund)
    if plan.way is Way.AMOUNTS:
        return PrizeTable(prizes=_typed(plan.amounts[:places], shared), refund=refund)
    with suppress(Unpayable):
        prizes = _falling(plan, shared, places, max(least, refund))
        return PrizeTable(prizes=prizes, refund=refund)
    return PrizeTable(prizes=_falling(plan, shared, places, least), refund=refund)


def _falling(plan: PrizePlan, shared: int, places: int, least: int) -> tuple[int, ...]:
    if plan.way is Way.SHARES:
        return tuple(shared_by(plan.shares[:places], shared, plan.unit_cents, least=least))
    return tuple(by_curve(plan.shape, shared, places, plan.unit_cents, least=least))


def _seats(seat: int, shared: int, entries: int) -> tuple[int, ...]:
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
    """Return the falling weights: place to the power of minus so many eighths, times 10^12.

    >>> curve_weights(8, 3)
    (1000000000000, 500000000000, 333333333333)
    """
    scaled = _SCALE**8
    return tuple(isqrt(isqrt(isqrt(scaled // place**eighths))) for place in range(1, places + 1))


def by_curve(
    shape: Shape, pool_cents: int, places: int, unit_cents: int = 1, *, least: int = 0
) -> list[int]:
    """Return the prizes by formula: an even part for all places, and a falling part.

    A share e of the pool is divided equally among all n places, the rest in proportion to
    1/place^s. With the usual e = 1/4 and a sixth of the field paid, the last paid place gets more
    than 1.5 times the buy-in; three prizes are near 50, 30 and 20 percent, as is usual in clubs.

    >>> by_curve(Shape.USUAL, 100_00, 3, 100), by_curve(Shape.TOP_HEAVY, 100_00, 3, 100)
    ([5100, 2800, 2100], [5800, 2500, 1700])
    >>> by_curve(Shape.FLAT, 100_00, 3, 100)
    [4300, 3100, 2600]

    :raises Unpayable: "minimum", if not every place can get the least.
    """
    even, eighths = CURVES[shape]
    weights = curve_weights(eighths, places)
    units, lowest = _units(pool_cents, places, unit_cents, least)
    # Above the least prize, in hundredths of a unit: even part and falling part.
    alike = max(0, even * units - 100 * places * lowest)
    falls = 100 * (units - places * lowest) - alike
    total = sum(weights)
    parts = [alike * total + falls * places * weight for weight in weights]
    return _rounded(parts, pool_cents, unit_cents, lowest)


def shared_by(
    shares: Sequence[int], pool_cents: int, unit_cents: int = 1, *, least: int = 0
) -> list[int]:
    """Return the prizes by typed shares. A prize below the least is raised to it.

    >>> shared_by([5000, 3000, 2000], 370_00, 500)
    [18500, 11000, 7500]

    :raises Unpayable: "minimum", if not every place can get the least.
    """
    units, lowest = _units(pool_cents, len(shares), unit_cents, least)
    if units * shares[-1] >= lowest * sum(shares):
        return _rounded(shares, pool_cents, unit_cents, 0)
    # The last places get the least prize; the others share the rest by their shares.
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
    units, lowest = pool_cents // unit_cents, max(1, -(-least // unit_cents))
    if units < places * lowest:
        raise Unpayable("minimum", lowest * unit_cents)
    return units, lowest


def _rounded(parts: Sequence[int], pool_cents: int, unit_cents: int, lowest: int) -> list[int]:
    """Share whole units in proportion to the parts, above the least of each place.

    Each place gets the whole units of its part; remaining units go to the largest fractions, on a
    tie to the better place. A remainder below one unit goes to the first.
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
    """Return each entry's prize for its place, without entries that get none.

    Tied entries share the prizes of their places to the cent; remaining cents go to the lowest
    entry numbers. Entries in `without` (disqualified, by the rules) are skipped: the ones behind
    them move up a prize.

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
    """Yield tied entries, best first, with the number of prizes before them.

    >>> list(ranked({7: 3, 8: 4, 9: 4, 4: 6}, without=[7]))
    [(2, [8, 9]), (4, [4])]
    """
    # Entries still in play come before those in `places`, which are out or have won.
    ahead = min(places.values(), default=1) - 1
    gone = frozenset(without)
    rows = sorted((place, entry) for entry, place in places.items() if entry not in gone)
    for _place, tied in groupby(rows, key=lambda row: row[0]):
        entries = [entry for _, entry in tied]
        yield ahead, entries
        ahead += len(entries)
