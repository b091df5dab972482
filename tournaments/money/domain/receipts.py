"""Receipt numbers: format and gaps."""

from __future__ import annotations

from collections.abc import Iterable


def receipt_name(year: int, number: int, *, is_sample: bool = False) -> str:
    """Return a receipt's printed number.

    >>> receipt_name(2026, 17)
    '2026-0017'
    >>> receipt_name(2026, 17, is_sample=True)
    'M-2026-0017'
    """
    return f"{'M-' if is_sample else ''}{year}-{number:04}"


def numbers_missing(numbers: Iterable[int]) -> list[int]:
    """Return the numbers missing between 1 and the highest given one.

    >>> numbers_missing([1, 2, 4])
    [3]
    >>> numbers_missing([])
    []
    """
    found = set(numbers)
    return [number for number in range(1, max(found, default=0) + 1) if number not in found]
