"""A deal with books of its own, and another on what was left of it."""

from typing import Any

from tests.evenings.side import side_evening
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Deal, DealShare
from tournaments.payouts.domain.deals import Way
from tournaments.payouts.selectors.deals import deal_open, deal_shares, deals_agreed
from tournaments.payouts.services.deals import deal_allow, deal_answer, deal_offer, deal_withdraw
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.stacks import stacks_count
from tournaments.practice.services.rehearsal import rehearsal_fill
from tournaments.practice.simulation.evening import ARBITER, Evening
from tournaments.seating.services.seats import seats_draw

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
