"""Means of payment. The club sets the ones accepted beside cash, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

NOTES_CENTS = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
MOST_NOTES = 4


class Means(StrEnum):
    """A means of payment. Only cash is kept in a drawer and counted."""

    CASH = "cash"
    CARD = "card"
    TRANSFER = "transfer"
    VOUCHER = "voucher"


def handed_over(cents: int) -> list[tuple[int, int]]:
    """Return likely cash sums for an amount, each with the change, in cents.

    For each note, the least sum payable with that note only; the exact sum is left out.

    >>> handed_over(3000)
    [(4000, 1000), (5000, 2000), (10000, 7000), (20000, 17000)]
    >>> handed_over(1250)
    [(1500, 250), (2000, 750), (5000, 3750), (10000, 8750)]
    >>> handed_over(0)
    []
    """
    if cents <= 0:
        return []
    sums = sorted(set(_sums(cents)))
    return [(given, given - cents) for given in sums[:MOST_NOTES]]


def _sums(cents: int) -> Iterator[int]:
    for note in NOTES_CENTS:
        given = -(-cents // note) * note
        if given > cents:
            yield given
