"""Longest run of events."""

from __future__ import annotations

from collections.abc import Iterable


def longest_run(was_there: Iterable[bool]) -> int:
    """Return the longest run of events in a row with the person there.

    >>> longest_run([True, True, False, True]), longest_run([])
    (2, 0)
    """
    longest = now = 0
    for there in was_there:
        now = now + 1 if there else 0
        longest = max(longest, now)
    return longest
