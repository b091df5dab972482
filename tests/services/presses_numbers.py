"""Presses of the hall's number: frozen, given by phones, closed, called off."""

from collections.abc import Callable
from typing import Any

from tests import factories as f
from tests.calling import call_service
from tests.services.anybody import Anybody
from tournaments.models import Action, Entry, HallNumber, Registration
from tournaments.seating.domain.hall_numbers import seal_of
from tournaments.seating.services.frozen import (
    draw_call_off,
    draw_freeze,
    number_open,
    number_seal,
    numbers_close,
)

NUMBER, NONCE = "7", "0" * 32


def _frozen(who: Anybody) -> int | None:
    return f.fresh(who.event).frozen_id


def _freeze(who: Anybody) -> Action | None:
    purpose = who.rng.choice(["redraw", "final", "break"])
    table = {"table": who.table(), "reason": "Test"} if purpose == "break" else {}
    return who.call(draw_freeze, purpose=purpose, **table)


def _player(who: Anybody, service: Any, registration: Registration | None, **own: Any) -> Any:
    if registration is None:
        return None
    who.minute += 1
    by = f.petra_of(registration)
    at, frozen = f.after(who.minute), _frozen(who) or 0
    own |= {"registration": registration, "frozen": frozen}
    return call_service(service, event=who.event, by=by, at=at, **own)


def _seal(who: Anybody) -> Action | None:
    entry = who.pick(Entry)
    seal = seal_of(NUMBER, NONCE)
    return _player(who, number_seal, entry and entry.registration, seal=seal)


def _open(who: Anybody) -> Action | None:
    rows = HallNumber.objects.filter(frozen=_frozen(who), number="").order_by("pk")
    row = rows.first()
    own = {"number": NUMBER, "nonce": NONCE}
    return _player(who, number_open, row and row.registration, **own)


PRESSES_NUMBERS: dict[str, Callable[[Anybody], Action | None]] = {
    "draw.frozen": _freeze,
    "draw.called_off": lambda who: who.call(draw_call_off, frozen=_frozen(who)),
    "number.sealed": _seal,
    "numbers.closed": lambda who: who.call(numbers_close, frozen=_frozen(who)),
    "number.opened": _open,
}
