"""Presses of what is bought again: asked for, sold, refused, and seats held meanwhile."""

from collections.abc import Callable

from tests.services.anybody import Anybody
from tournaments.models import Action, Elimination, Entry, PurchaseWish, RebuyChance
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse
from tournaments.rebuys.services.purchases import (
    addon_buy,
    entry_reenter,
    purchase_ask,
    purchase_unask,
    rebuy_buy,
)


def _held(who: Anybody) -> Entry | None:
    """Return somebody whose seat is held; now and then anybody."""
    row = None if who.one_in(5) else who.pick(RebuyChance, voided_by=None)
    return row.entry if row is not None else who.entry()


def _out(who: Anybody) -> Entry | None:
    row = None if who.one_in(5) else who.pick(Elimination, voided_by=None)
    return row.entry if row is not None else who.entry()


def _asker(who: Anybody) -> Entry | None:
    row = None if who.one_in(3) else who.pick(PurchaseWish, voided_by=None)
    return row.entry if row is not None else who.entry()


def _ask(who: Anybody) -> Action | None:
    what = who.rng.choice(["rebuy", "addon", "reentry"])
    entry = {"rebuy": _held, "addon": Anybody.entry, "reentry": _out}[what](who)
    return who.call(purchase_ask, entry=entry, what=what)


def _rebuy(who: Anybody) -> Action | None:
    stack = {} if who.one_in(2) else {"stack": who.rng.choice([0, 10])}
    pays = who.rng.choice([True, False])
    return who.call(
        rebuy_buy, entry=_held(who), number=who.rng.choice([1, 1, 2]), pays=pays, **stack
    )


def _lapse(who: Anybody) -> Action | None:
    who.minute += who.rng.choice([0, 6])
    return who.call(rebuys_lapse)


PRESSES_ENTRIES: dict[str, Callable[[Anybody], Action | None]] = {
    "addon.bought": lambda who: who.call(addon_buy, entry=_asker(who), pays=who.one_in(2)),
    "entry.reentered": lambda who: who.call(entry_reenter, entry=_out(who), pays=who.one_in(2)),
    "purchase.asked": _ask,
    "purchase.unasked": lambda who: who.call(purchase_unask, entry=_asker(who)),
    "rebuy.bought": _rebuy,
    "rebuy.declined": lambda who: who.call(rebuy_decline, entry=_held(who)),
    "rebuys.lapsed": _lapse,
}
