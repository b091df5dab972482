"""Shares of people who take an option, from a club's own events. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

ASSUMED = 0.7
"""The assumed share without data; not measured."""

WEIGHS = 10
"""The weight of that assumption, in people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A share, 0 to 1, and the number of people of the club it is based on."""

    share: float = ASSUMED
    people: int = 0

    @property
    def percent(self) -> int:
        return round(100 * self.share)


def share_of(evenings: Iterable[tuple[int, int]]) -> Share:
    """Return the share, drawn towards the assumed one while the people are few.

    :param evenings: For each event the number of people who could, and who did.

    >>> share_of([]).share, share_of([(10, 10)]).percent, share_of([(500, 100)]).percent
    (0.7, 85, 21)
    """
    could = did = 0
    for people, own in evenings:
        could += people
        did += min(people, own)
    return Share(share=(did + ASSUMED * WEIGHS) / (could + WEIGHS), people=could)
