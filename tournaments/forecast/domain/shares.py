"""How many of those who could do something do it, by what a club's own evenings say. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

ASSUMED = 0.7
"""What is taken where no evening says anything; nobody has measured it."""

WEIGHS = 10
"""As many people as that assumption counts for beside those of the club's evenings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share, 0 to 1, and of how many people of the club's evenings it was made."""

    share: float = ASSUMED
    people: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.share)


def share_of(evenings: Iterable[tuple[int, int]]) -> Share:
    """Return the share of those who did it, drawn towards what is assumed while they are few.

    :param evenings: Of each how many could, and how many of them did.

    >>> share_of([]).share, share_of([(10, 10)]).percent, share_of([(500, 100)]).percent
    (0.7, 85, 21)
    """
    could = did = 0
    for people, own in evenings:
        could += people
        did += min(people, own)
    return Share(share=(did + ASSUMED * WEIGHS) / (could + WEIGHS), people=could)
