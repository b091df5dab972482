"""Ways to press what has to do with drawers, by devices that hold one or do not."""

from collections.abc import Callable
from typing import Any

from tests import factories as f
from tests.calling import call_service
from tests.services.anybody import Anybody
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.models import Action, Drawer, DrawerHolding, Grant, Registration
from tournaments.money.selectors.drawers import cash_without_drawer
from tournaments.money.services.drawers import (
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
)
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.money.services.receipts import receipt_mail

DEVICES = 2


def _device(who: Anybody) -> Actor:
    """Return one of a few devices of the desk."""
    grants = Grant.objects.filter(event=who.event, role=Role.DESK).order_by("pk")
    if grants.count() < DEVICES:
        return f.sign_in(f"Eingang {grants.count()}", Role.DESK, who.event).actor
    return Actor(role=Role.DESK, device=who.rng.choice(list(grants)).device)


def _by(who: Anybody, by: Actor, service: Any, **own: Any) -> Action | None:
    if any(value is None for value in own.values()):
        return None
    who.minute += who.rng.randrange(3)
    return call_service(service, event=who.event, by=by, at=f.after(who.minute), **own)


def _holder(who: Anybody) -> Actor:
    """Return whoever holds a drawer, or the program, which holds none."""
    held = who.pick(DrawerHolding, voided_by=None)
    return Actor(role=Role.DESK, device=held.device) if held else SYSTEM


def _guest(who: Anybody) -> Registration | None:
    return who.pick(Registration, **({} if who.one_in(5) else {"voided_by": None}))


def _drawer(who: Anybody) -> Drawer | None:
    return who.pick(Drawer, **({} if who.one_in(5) else {"voided_by": None}))


def _pay(who: Anybody) -> Action | None:
    own = {} if who.one_in(2) else {"amount_cents": who.rng.choice([100, 700, 1500])}
    return _by(who, _holder(who), fee_pay, registration=_guest(who), **own)


def _fill(who: Anybody) -> Action | None:
    there = cash_without_drawer(who.event)
    return _by(who, _holder(who), drawer_fill, drawer=_drawer(who), amount_cents=there)


PRESSES_MONEY: dict[str, Callable[[Anybody], Action | None]] = {
    "fee.paid": _pay,
    "fee.refunded": lambda who: _by(
        who, _holder(who), fee_refund, registration=_guest(who), after_the_draw=True
    ),
    "drawer.opened": lambda who: _by(
        who, _device(who), drawer_open, float_cents=who.rng.choice([0, 5000])
    ),
    "drawer.moved": lambda who: _by(
        who,
        _holder(who),
        drawer_move,
        drawer=_drawer(who),
        amount_cents=who.rng.choice([2000, -700]),
        reason="Pizza",
    ),
    "drawer.filled": _fill,
    "drawer.handed": lambda who: _by(
        who, SYSTEM, drawer_hand, drawer=_drawer(who), device=_device(who).device
    ),
    "drawer.closed": lambda who: _by(
        who, SYSTEM, drawer_close, drawer=_drawer(who), counted_cents=who.rng.choice([0, 6000])
    ),
    "receipt.mailed": lambda who: _by(who, SYSTEM, receipt_mail, registration=_guest(who)),
}
