"""Presses of the cash game: tables, seats, chips, hands, who waits and who is away."""

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from tests import factories as f
from tests.services.anybody import Anybody
from tests.services.cashgames import USUAL, make_cash_event
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_end_call,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_leave_announce,
    cash_tip,
)
from tournaments.cashgame.services.line import (
    cash_offer,
    cash_offer_accept,
    cash_offers_lapse,
    cash_unwait,
    cash_wait,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit, cash_top_up
from tournaments.cashgame.services.tables import (
    cash_end_set,
    cash_last_hands,
    cash_table_close,
    cash_table_count,
    cash_table_open,
)
from tournaments.models import Action, CashSeat, CashTable, CashWaiting, Registration

FEES = ({}, {"fee_way": "time", "fee_cents": 100}, {"fee_way": "hand", "fee_cents": 50})


class Gambler(Anybody):
    """Presses at a cash evening of a few people; nobody plays a tournament."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.minute = rng, 0
        self.event = make_cash_event()
        for number in range(8):
            f.register(self.event, f"Gast {number}")


def _table(who: Anybody) -> Any:
    return who.pick(CashTable, **({} if who.one_in(6) else {"voided_by": None}))


def _anybody(who: Anybody) -> Any:
    return who.pick(Registration, **({} if who.one_in(6) else {"voided_by": None}))


def _sitting(who: Anybody) -> Any:
    row = None if who.one_in(6) else who.pick(CashSeat, voided_by=None)
    return row.registration if row is not None else _anybody(who)


def _amount(who: Anybody) -> int:
    return who.rng.choice([0, 1000, 2000, 5000, 9000, 20_000])


def _open(who: Anybody) -> Action | None:
    return who.call(cash_table_open, **USUAL, **who.rng.choice(FEES), is_noted=who.one_in(3))


def _sit(who: Anybody) -> Action | None:
    own = {"registration": _anybody(who), "table": _table(who)}
    return who.call(cash_sit, **own, seat=who.seat(), cents=_amount(who))


def _move(who: Anybody) -> Action | None:
    own = {"registration": _sitting(who), "table": _table(who)}
    return who.call(cash_move, **own, seat=who.seat(), stack_cents=_amount(who))


def _unwait(who: Anybody) -> Action | None:
    row = who.pick(CashWaiting)
    return row and who.call(cash_unwait, registration=row.registration, table=row.table)


def _accept(who: Anybody) -> Action | None:
    row = who.pick(CashWaiting)
    return row and who.call(cash_offer_accept, registration=row.registration, table=row.table)


def _top_up(who: Anybody) -> Action | None:
    own = {"registration": _sitting(who), "cents": _amount(who)}
    return who.call(cash_top_up, **own, stack_cents=who.rng.choice([0, 1000]))


def _leave(who: Anybody) -> Action | None:
    at = f.after(who.minute) + timedelta(minutes=30)
    return who.call(cash_leave_announce, registration=_sitting(who), leaves_at=at)


def _end(who: Anybody) -> Action | None:
    return who.call(cash_end_set, ends_at=f.after(who.minute + who.rng.randrange(1, 90)))


PRESSES_CASHGAME: dict[str, Callable[[Anybody], Action | None]] = {
    "cash_chips.bought": _top_up,
    "cash_end.called": lambda who: who.call(cash_end_call),
    "cash_end.set": _end,
    "cash_fee.paid": lambda who: who.call(cash_fee_pay, registration=_sitting(who)),
    "cash_hand.begun": lambda who: who.call(cash_hand_begin, table=_table(who)),
    "cash_hand.ended": lambda who: who.call(cash_hand_end, table=_table(who)),
    "cash_hands.announced": lambda who: who.call(cash_last_hands, hands=who.rng.randrange(1, 4)),
    "cash_leave.announced": _leave,
    "cash_offer.accepted": _accept,
    "cash_offers.lapsed": lambda who: who.call(cash_offers_lapse),
    "cash_player.away": lambda who: who.call(cash_away, registration=_sitting(who), minutes=20),
    "cash_player.back": lambda who: who.call(cash_back, registration=_sitting(who)),
    "cash_seat.changed": _move,
    "cash_seat.left": lambda who: who.call(
        cash_out, registration=_sitting(who), cents=_amount(who)
    ),
    "cash_seat.offered": lambda who: who.call(cash_offer, table=_table(who)),
    "cash_seat.taken": _sit,
    "cash_table.closed": lambda who: who.call(cash_table_close, table=_table(who)),
    "cash_table.counted": lambda who: who.call(
        cash_table_count, table=_table(who), counted_cents=_amount(who)
    ),
    "cash_table.opened": _open,
    "cash_tip.noted": lambda who: who.call(cash_tip, table=_table(who), cents=100),
    "cash_wait.asked": lambda who: who.call(
        cash_wait, registration=_anybody(who), table=_table(who), any_table=who.one_in(3)
    ),
    "cash_wait.dropped": _unwait,
}
