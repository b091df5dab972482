"""Compare saved heads and earlier chains with the present chain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """The first rewritten entry lies between `first` and `last`.

    `is_missing`: the chain ends before it.
    """

    first: int
    last: int
    is_missing: bool = False


def rewritten_since(chain: Sequence[str], kept: Iterable[tuple[int, str]]) -> Rewritten | None:
    """Return the saved heads around a rewritten part of the chain, or None if all agree.

    `chain` holds the heads (or the hashes, as in `kept`) of its entries, from number 1. If a saved
    one agrees, all before it agree. Of an earlier chain every entry is kept.

    >>> chain = ["aaaa", "bbbb", "cccc"]
    >>> rewritten_since(chain, [(1, "aaaa"), (3, "cccc")]) is None
    True
    >>> rewritten_since(chain, [(1, "aaaa"), (3, "dddd")])
    Rewritten(first=2, last=3, is_missing=False)
    >>> rewritten_since(chain, [(2, "bbbb"), (4, "dddd")])
    Rewritten(first=3, last=4, is_missing=True)
    >>> rewritten_since(["aaaa", "bbbb"], enumerate(["aaaa", "cccc"], 1))
    Rewritten(first=2, last=2, is_missing=False)
    """
    agrees = 0
    for number, head in sorted(kept):
        if number > len(chain):
            return Rewritten(first=agrees + 1, last=number, is_missing=True)
        if chain[number - 1] != head:
            return Rewritten(first=agrees + 1, last=number)
        agrees = number
    return None
