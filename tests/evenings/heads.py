"""Whose head is worth what, reckoned by the rule's text alone; and telling who took one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.evenings.side import entry_read
from tournaments.models import Elimination, LostStack
from tournaments.play.services.elimination_details import knockout_set
from tournaments.practice.simulation.evening import ARBITER, Evening


@dataclass(slots=True)
class BountyBooks:
    """What lies on whose head, what everybody has won, and what waits for a taker, in cents."""

    kind: str
    heads: dict[int, int]
    won: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)

    def lose(self, entry: int) -> None:
        """Let a head fall with the stack; whose it is, is told later."""
        self.waiting[entry] = self.heads.pop(entry)

    def put_on(self, entry: int, cents: int) -> None:
        """Put a price on a head, which may have one already."""
        self.heads[entry] = self.heads.get(entry, 0) + cents

    def take(self, out: int, takers: Sequence[int], worth: int | None = None) -> None:
        """Give a head away; halves go onto heads where they grow, odd cents to the first."""
        head = self.waiting.pop(out) if out in self.waiting else self.heads.pop(out)
        worth = head if worth is None else worth
        for place, taker in enumerate(sorted(takers)):
            part = worth // len(takers) + (1 if place < worth % len(takers) else 0)
            cash = part // 2 if self.kind == "progressive" else part
            self.won[taker] = self.won.get(taker, 0) + cash
            if self.kind == "progressive":
                self.heads[taker] += part - cash


def tell_takers(side: Evening, out: int, takers: Iterable[int]) -> None:
    """Tell who took somebody's stack, at once, later, or otherwise than before."""
    outs = Elimination.objects.live().filter(event=side.event, entry=out)
    found = list(outs.select_related("entry__registration__person"))
    lost = LostStack.objects.live().filter(event=side.event, entry=out).order_by("-pk")[:1]
    by = [entry_read(taker) for taker in takers]
    stack = {"eliminations": found} if found else {"lost": list(lost)}
    side.do(knockout_set, by=ARBITER, takers=by, **stack)
