"""Ways to press what plans, fixes and pays out prizes."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests import factories as f
from tests.services.anybody import Anybody
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, Registration
from tournaments.payouts.selectors.prizes import Payout, payouts
from tournaments.payouts.services.prizes import prize_pay, prize_settle, prizes_freeze, prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way


def _plan(who: Anybody) -> Action | None:
    """Plan prizes; some of them the house pays, as hardly anybody pays the fee."""
    plan = PrizePlan(
        way=who.rng.choice([Way.CURVE, Way.NONE]),
        shape=who.rng.choice(list(Shape)),
        places_percent=who.rng.choice([0, 20, 50]),
        added_cents=who.rng.choice([5000, 12_345]),
        refunds_bubble=who.one_in(3),
        in_kind=who.rng.choice([(), ("Pokal",)]),
    )
    return who.call(prizes_plan, plan=plan)


def _freeze(who: Anybody) -> Action | None:
    """Fix them, mostly planned just now and with the door closed before."""
    if not who.one_in(4):
        with suppress(Refused):
            _plan(who)
        with suppress(Refused):
            who.call(event_update, settings={"late_registration_level": 0})
    return who.call(prizes_freeze)


def _some(who: Anybody, wanted: Callable[[Payout], bool]) -> tuple[Any, int]:
    rows = [row for row in payouts(f.fresh(who.event)) if wanted(row)]
    if not rows:
        return None, 0
    row = who.rng.choice(rows)
    return Registration.objects.get(pk=row.registration), row.open


def _pay(who: Anybody) -> Action | None:
    if who.one_in(2):
        with suppress(Refused):
            _freeze(who)
    registration, cents = _some(who, lambda row: row.open > 0)
    return who.call(prize_pay, registration=registration, amount_cents=cents)


def _settle(who: Anybody) -> Action | None:
    registration, _cents = _some(who, lambda row: row.open < 0)
    return who.call(prize_settle, registration=registration, is_kept=who.one_in(2))


PRESSES_PRIZES: dict[str, Callable[[Anybody], Action | None]] = {
    "prizes.planned": _plan,
    "prizes.frozen": _freeze,
    "prize.paid": _pay,
    "prize.settled": _settle,
}
