"""Ways to press what is about deals, counted stacks and bounties."""

from collections.abc import Callable

from tests import factories as f
from tests.services.anybody import Anybody
from tournaments.event.selectors.event import chips_in_play, event_alive_entry_ids
from tournaments.models import Action, Deal, DealShare, Entry, Registration
from tournaments.payouts.domain.deals import RECKONED
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of
from tournaments.payouts.services.bounties import (
    bounty_pay,
    bounty_settle,
    mystery_begin,
    mystery_draw,
)
from tournaments.payouts.services.deals import (
    deal_allow,
    deal_answer,
    deal_offer,
    deal_withdraw,
)
from tournaments.play.services.stacks import stacks_count


def _stacks(who: Anybody) -> dict[int, int]:
    """Return stacks of all who are in; they mostly sum to what is in play."""
    alive = event_alive_entry_ids(who.event)
    chips, _is_exact = chips_in_play(who.event)
    if not alive:
        return {}
    each = max(1, chips // len(alive))
    stacks = dict.fromkeys(alive, each)
    stacks[alive[0]] += 0 if who.one_in(5) else chips - each * len(alive)
    return stacks


def _count(who: Anybody) -> Action | None:
    stacks = _stacks(who)
    some = who.rng.sample(sorted(stacks), min(len(stacks), who.rng.randrange(1, 4)))
    table = who.table() if who.one_in(3) else None
    return who.call(stacks_count, stacks={entry: stacks[entry] for entry in some}, table=table)


def _offer(who: Anybody) -> Action | None:
    return who.call(
        deal_offer,
        way=who.rng.choice(RECKONED),
        stacks=_stacks(who),
        prizes=[5000, 3000, 2000],
        kept=who.rng.choice([0, 1000]),
    )


def _answer(who: Anybody) -> Action | None:
    share = who.pick(DealShare, "deal__event", **({} if who.one_in(5) else {"voided_by": None}))
    return who.call(deal_answer, share=share, says_yes=not who.one_in(6))


def _draw(who: Anybody) -> Action | None:
    """Draw for somebody who may be drawn for, else for anybody."""
    undrawn = bounties_of(f.fresh(who.event)).undrawn
    return who.call(mystery_draw, entry=Entry(pk=undrawn[0]) if undrawn else who.pick(Entry))


def _settle(who: Anybody) -> Action | None:
    """Settle what was paid too much; if nobody was, ask for anybody."""
    over = [one.registration for one in bounties_due(f.fresh(who.event)) if one.over]
    row = Registration.objects.get(pk=who.rng.choice(over)) if over else who.pick(Registration)
    return who.call(bounty_settle, registration=row, is_kept=who.one_in(2))


PRESSES_BOUNTIES: dict[str, Callable[[Anybody], Action | None]] = {
    "stacks.counted": _count,
    "deal.allowed": lambda who: who.call(deal_allow),
    "deal.offered": _offer,
    "deal.answered": _answer,
    "mystery.begun": lambda who: who.call(mystery_begin, tops=who.rng.choice([[], [500]])),
    "mystery.drawn": _draw,
    "bounty.paid": lambda who: who.call(bounty_pay, registration=who.pick(Registration)),
    "bounty.settled": _settle,
    "deal.withdrawn": lambda who: who.call(deal_withdraw, deal=who.pick(Deal)),
}
