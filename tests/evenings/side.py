"""Evenings that a test plays by the services: of bounties and of deals, with books of their own.

The books are kept by the rule's text alone; chance comes from a seed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from tests import factories as f
from tournaments.changes.access import Actor
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Deal, DealShare, Elimination, Entry, Registration
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of
from tournaments.payouts.selectors.deals import deal_open, deal_shares, deals_agreed
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.deals import deal_allow, deal_answer, deal_offer, deal_withdraw
from tournaments.payouts.services.payees import payout_pay
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.stacks import stacks_count
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation import Plan
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.practice.simulation.play import make_evening
from tournaments.seating.services.seats import seats_draw

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def side_evening(seed: int, name: str, **settings: Any) -> Evening:
    """Make an evening of the house; nobody has come yet."""
    plan = Plan(entries=10, seats=5, seed=seed, begins_at=f.START)
    usual = {"starts_at": f.START + 5 * HOUR, "is_sample": True}
    return make_evening(plan, f.house(), Random(seed), name=name, **usual | settings)


def register(side: Evening, name: str, *, by: Actor = DESK, **own: Any) -> Registration:
    made = side.do(registration_create, by=by, name=name, **own)
    return Registration(pk=made.payload["registration"])


# --- Evenings with bounties


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
    """Draw an envelope and return its amount."""
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


# --- A deal, and another on what was left of it


PRIZES = [60_00, 30_00, 10_00]
KEPT = 12_00


def play_deals(seed: int) -> Evening:
    """Three agree on a deal by chips; then two of them on what was kept."""
    side = side_evening(seed, "Deal", seats_per_table=3, capacity=3, fee_cents=1000)
    side.do(rehearsal_fill, players=3)
    side.do(seats_draw)
    side.do(clock_start)
    side.reload()
    chips = side.event.starting_stack
    players = sorted(side.event.entries.live().values_list("pk", flat=True))
    stacks = dict(zip(players, (2 * chips - 30, chips - 30, 60), strict=True))
    side.refused("chips_differ", stacks_count, by=ARBITER, stacks=stacks | {players[0]: 1})
    side.do(stacks_count, by=ARBITER, stacks=stacks)
    side.refused("no_leave", deal_offer, way=Way.CHIPS, stacks=stacks, prizes=PRIZES)
    side.do(deal_allow)
    own = _by_chips(stacks)
    _agree(side, stacks, own, prizes=PRIZES, kept=KEPT)
    side.do(entries_eliminate, by=ARBITER, entries=[side.entry(players[2])])
    two = {players[0]: 2 * chips, players[1]: chips}
    side.refused("other_prizes", deal_offer, way=Way.EVEN, stacks=two, prizes=PRIZES)
    half = dict.fromkeys(two, KEPT // 2)
    _agree(side, two, half, prizes=[KEPT], kept=0)
    together = {entry: own[entry] + half.get(entry, 0) for entry in own}
    found = deal_shares(side.event)
    side.expect(found == together, "two deals", found, together)
    side.refused("nothing_left", deal_offer, way=Way.EVEN, stacks=two, prizes=[KEPT])
    side.do(event_end, stacks=two)
    return side


def _by_chips(stacks: dict[int, int]) -> dict[int, int]:
    """Share by the rule's text: the lowest prize to each, the rest by chips, odd cents to none."""
    rest = sum(PRIZES) - KEPT - 3 * PRIZES[-1]
    found = {e: PRIZES[-1] + rest * stack // sum(stacks.values()) for e, stack in stacks.items()}
    missing = sum(PRIZES) - KEPT - sum(found.values())
    for entry in sorted(stacks, key=lambda e: -(rest * stacks[e] % sum(stacks.values())))[:missing]:
        found[entry] += 1
    return found


def _agree(
    side: Evening, stacks: dict[int, int], own: dict[int, int], *, prizes: list[int], kept: int
) -> None:
    """Offer, say no, call it off, offer again, and say yes one after the other."""
    way = Way.CHIPS if kept else Way.EVEN
    terms: dict[str, Any] = {"stacks": stacks, "prizes": prizes, "kept": kept}
    before = deal_shares(side.event)
    side.do(deal_offer, way=way, **terms)
    offered = deal_open(side.event)
    assert offered is not None
    found = {share.entry: share.cents for share in offered.shares}
    side.expect(found == own, "the shares of a deal", found, own)
    side.refused("nothing", deal_offer, way=way, **terms)
    first = DealShare(pk=offered.shares[0].pk)
    side.do(deal_answer, by=ARBITER, share=first, says_yes=False)
    side.do(deal_withdraw, deal=Deal(pk=offered.pk))
    side.refused("gone", deal_answer, by=ARBITER, share=first, says_yes=True)
    side.do(deal_offer, way=way, **terms)
    offered = deal_open(side.event)
    assert offered is not None
    for share in offered.shares:
        side.expect(deal_shares(side.event) == before, "agreed too early")
        last = side.do(deal_answer, by=ARBITER, share=DealShare(pk=share.pk), says_yes=True)
    many = len(deals_agreed(side.event))
    undone = side.undo(last)
    side.expect(deal_shares(side.event) == before, "a yes taken back")
    side.undo(undone)
    side.expect(len(deals_agreed(side.event)) == many, "a yes again in force")
