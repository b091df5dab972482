"""Prizes worked out from the rules' text. Imports nothing of ours.

The rules (docs/reference/payouts.md): a quarter of the pool goes to all paid places alike, the rest
in proportion to 1/place^(9/8), written with twelve digits; in whole units, rounded down together,
what is left a unit each to whom most is missing, then to the better place; less than a unit to the
first. Who ties shares the prizes of the places together, odd cents to who entered first. Who is
disqualified gets none, and those behind move up.
"""

from collections.abc import Collection, Mapping
from decimal import ROUND_DOWN, Decimal, localcontext
from fractions import Fraction


def own_table(pool: int, places: int, unit: int) -> list[int]:
    """Return the prizes by place, for a pool of at least four units a place."""
    with localcontext() as context:
        context.prec = 60
        digits = Decimal(10) ** -12
        weights = [
            Fraction((Decimal(place) ** Decimal("-1.125")).quantize(digits, ROUND_DOWN))
            for place in range(1, places + 1)
        ]
    units = pool // unit
    falls = Fraction(3 * units, 4)
    exact = [Fraction(units, 4 * places) + falls * weight / sum(weights) for weight in weights]
    whole = [int(share) for share in exact]
    missing = sorted(range(places), key=lambda at: (whole[at] - exact[at], at))
    for at in missing[: units - sum(whole)]:
        whole[at] += 1
    prizes = [unit * many for many in whole]
    prizes[0] += pool - sum(prizes)
    return prizes


def own_payouts(
    table: list[int], places: Mapping[int, int], disqualified: Collection[int]
) -> dict[int, int]:
    """Return what each entry gets once all have a place; who gets nothing is not in it."""
    left, found = list(table), dict[int, int]()
    for place in sorted(set(places.values())):
        tied = sorted(
            entry for entry, at in places.items() if at == place and entry not in disqualified
        )
        if not tied:
            continue
        pot, left = sum(left[: len(tied)]), left[len(tied) :]
        for number, entry in enumerate(tied):
            share = pot // len(tied) + (number < pot % len(tied))
            if share:
                found[entry] = share
    return found
