"""Whose head is worth what, reckoned by the rule's text alone; and telling who took one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tournaments.models import Elimination
from tournaments.play.services.elimination_details import knockout_set
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, Evening


@dataclass(slots=True)
class BountyBooks:
    """What lies on whose head, and what everybody has won, in cents."""

    kind: str
    heads: dict[int, int]
    won: dict[int, int] = field(default_factory=dict)

    def take(self, out: int, takers: Sequence[int], worth: int | None = None) -> None:
        """Give a head away; halves go onto heads where they grow, odd cents to the first."""
        head = self.heads.pop(out)
        worth = head if worth is None else worth
        for place, taker in enumerate(sorted(takers)):
            part = worth // len(takers) + (1 if place < worth % len(takers) else 0)
            cash = part // 2 if self.kind == "progressive" else part
            self.won[taker] = self.won.get(taker, 0) + cash
            if self.kind == "progressive":
                self.heads[taker] += part - cash


@deed(knockout_set, when=When.ELSEWHERE)
def tell_takers(side: Evening, out: int, takers: Iterable[int]) -> None:
    """Tell who has put somebody out, at once, later, or otherwise than before."""
    rows = Elimination.objects.live().filter(event=side.event, entry=out)
    found = list(rows.select_related("entry__registration__person"))
    by = [side.row_of(taker) for taker in takers]
    side.do(knockout_set, by=ARBITER, eliminations=found, takers=by)
