"""Evenings with bounties. Their books are kept by the rule's text alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tests.evenings.side import MINUTE, side_evening
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Entry, Registration
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.seating.services.seats import seats_draw

PRICE = 1001
PLAYERS = 7


@dataclass(slots=True)
class BountyBooks:
    """Bounties by entry in cents: on heads, and won."""

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


def play_bounties(seed: int) -> list[Evening]:
    """Play an evening of each kind to its winner, who is paid out with the others."""
    return [_play_one(seed, kind) for kind in ("fixed", "progressive", "mystery")]


def _play_one(seed: int, kind: str) -> Evening:
    side = side_evening(
        seed,
        f"Bountys {kind}",
        seats_per_table=PLAYERS,
        bounty_kind=kind,
        fee_cents=PRICE,
        fee_parts=[["bounty", PRICE, ""]],
    )
    side.do(rehearsal_fill, players=PLAYERS)
    side.do(seats_draw)
    side.do(clock_start)
    side.reload()
    alive = sorted(side.event.entries.live().values_list("pk", flat=True))
    books = BountyBooks(kind, dict.fromkeys(alive, PRICE))
    if kind == "mystery":
        side.do(mystery_begin, tops=[2 * PRICE])
    while len(alive) > 1:
        side.now += MINUTE
        _one_out(side, books, alive)
        _compare(side, books)
    _end(side, books, alive[0])
    return side


def _one_out(side: Evening, books: BountyBooks, alive: list[int]) -> None:
    """Put somebody out; by whom is told at once, later, or wrongly at first."""
    out = alive.pop(side.rng.randrange(len(alive)))
    takers = side.rng.sample(alive, min(len(alive), side.rng.choice([1, 1, 2])))
    gone = side.do(entries_eliminate, by=ARBITER, entries=[side.entry(out)])
    if side.rng.random() < 0.3:
        side.undo(gone)
        _compare(side, books)
        side.do(entries_eliminate, by=ARBITER, entries=[side.entry(out)])
    if side.rng.random() < 0.3:
        _tell_takers(side, out, alive[:1])
    _tell_takers(side, out, takers)
    books.take(out, takers, _draw(side, out) if books.kind == "mystery" else None)


def _entry(pk: int) -> Entry:
    """Return an entry as a page has it that has read it."""
    return Entry.objects.select_related("registration__person").get(pk=pk)


def _tell_takers(side: Evening, out: int, takers: Iterable[int]) -> None:
    """Tell who took somebody's stack, at once, later, or otherwise than before."""
    outs = Elimination.objects.live().filter(event=side.event, entry=out)
    found = list(outs.select_related("entry__registration__person"))
    by = [_entry(taker) for taker in takers]
    side.do(knockout_set, by=ARBITER, takers=by, eliminations=found)


def _draw(side: Evening, out: int) -> int:
    """Draw an envelope, and return what is in it."""
    action = side.do(mystery_draw, by=ARBITER, entry=side.entry(out))
    return int(action.payload["amount_cents"])


def _compare(side: Evening, books: BountyBooks) -> None:
    side.reload()
    stands = bounties_of(side.event)
    is_over = len(books.heads) == 1
    if not is_over:
        side.expect(stands.won == {k: v for k, v in books.won.items() if v}, "won", stands)
        if books.kind != "mystery":
            side.expect(stands.heads == books.heads, "heads", stands.heads, books.heads)
    side.expect(stands.total() == PLAYERS * PRICE, "bounties in all", stands.total())


def _end(side: Evening, books: BountyBooks, winner: int) -> None:
    """Pay each player what was won; the winner what is left, with the winner's own head."""
    side.do(event_end)
    side.reload()
    rest = PLAYERS * PRICE - sum(books.won.values())
    books.won[winner] = books.won.get(winner, 0) + rest
    owed = {_entry(entry).registration_id: cents for entry, cents in books.won.items() if cents}
    found = {due.registration: due.open for due in bounties_due(side.event)}
    side.expect(found == owed, "bounties to be paid out", found, owed)
    for registration in owed:
        row = Registration.objects.get(pk=registration)
        side.do(payout_pay, by=DESK, registration=row)
    left = [due.open for due in bounties_due(side.event)]
    side.expect(not any(left), "bounties not paid out", left)
