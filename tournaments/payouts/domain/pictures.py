"""Prizes as a picture and as rows; neighbouring places with equal prizes are grouped."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

WIDTH, HEIGHT = 320, 120
MOST_POINTS = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeRow:
    """Places with the same prize, and the prize of each."""

    first: int
    last: int
    cents: int
    in_kind: str = ""


def prize_rows(prizes: Sequence[int], in_kind: Sequence[str] = ()) -> list[PrizeRow]:
    """Return the prizes by place; equal ones are grouped unless a prize in kind differs.

    >>> [(row.first, row.last, row.cents) for row in prize_rows([500, 300, 300, 300])]
    [(1, 1, 500), (2, 4, 300)]
    >>> [(row.first, row.cents, row.in_kind) for row in prize_rows([500], ["Pokal", "Buch"])]
    [(1, 500, 'Pokal'), (2, 0, 'Buch')]
    """
    many = max(len(prizes), len(in_kind))
    each = [
        (prizes[at] if at < len(prizes) else 0, in_kind[at] if at < len(in_kind) else "")
        for at in range(many)
    ]
    found, first = [], 1
    for (cents, kind), group in groupby(each):
        last = first + len(list(group)) - 1
        found.append(PrizeRow(first=first, last=last, cents=cents, in_kind=kind))
        first = last + 1
    return found


def rows_ahead(rows: Sequence[PrizeRow], left: int) -> list[PrizeRow]:
    """Return the next two prizes with so many players left, and the first prize.

    >>> rows = prize_rows([500, 300, 200, 100, 50])
    >>> [row.first for row in rows_ahead(rows, 9)], [row.first for row in rows_ahead(rows, 2)]
    ([5, 4, 1], [2, 1])
    """
    open_still = [row for row in reversed(rows) if row.first <= left]
    return open_still[:2] + open_still[2:][-1:]


def curve_path(prizes: Sequence[int]) -> str:
    """Return the outline of the prizes as steps, as path of an SVG of WIDTH by HEIGHT.

    Long tables are sampled to the number of visible steps.

    >>> curve_path([400, 100])
    'M0 120 V0 H160 V90 H320 V120 Z'
    """
    if not prizes or not prizes[0]:
        return ""
    many = min(len(prizes), MOST_POINTS)
    shown = [prizes[at * len(prizes) // many] for at in range(many)]
    steps = [
        f"V{HEIGHT - HEIGHT * cents // prizes[0]} H{WIDTH * (at + 1) // many}"
        for at, cents in enumerate(shown)
    ]
    return f"M0 {HEIGHT} {' '.join(steps)} V{HEIGHT} Z"
