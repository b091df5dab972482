"""How many evenings in a row."""

from __future__ import annotations

from collections.abc import Iterable


def longest_run(was_there: Iterable[bool]) -> int:
    """Return the most evenings one after the other at which somebody was there.

    >>> longest_run([True, True, False, True]), longest_run([])
    (2, 0)
    """
    longest = now = 0
    for there in was_there:
        now = now + 1 if there else 0
        longest = max(longest, now)
    return longest
