"""What staff by chance gives to services of cash tables, and what holds there by own books."""

from collections import Counter
from typing import Any

from tests import factories as f
from tests.evenings.side import register, side_evening
from tests.services.cashgames import USUAL
from tournaments.cashgame.selectors.books import chips_on_table, fees_open, purchases_of
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import cash_debt_pay, cash_tip, cash_tips_pay
from tournaments.cashgame.services.seats import cash_correct, cash_out, cash_sit
from tournaments.cashgame.services.tables import (
    cash_table_count,
    cash_table_open,
    cash_terms_change,
)
from tournaments.models import CashSeat, CashTable, Event, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening

FEES = (
    {}, {"fee_way": "time", "fee_cents": 100}, {"fee_way": "hand", "fee_cents": 50},
    {"fee_way": "pot", "fee_percent": 5, "chip_cents": 10}, {"fee_way": "drop"},
)  # fmt: skip
TERMS = (
    {"seats": 5}, {"seats": 3}, {"maximum": 200}, {"minimum": 10, "name": "Mitte"},
    {"bears": "all"}, {"bears": "winners"}, {"fee_way": "none"}, {"mix": "horse"},
    {"fee_way": "time", "fee_cents": 200, "fee_minutes": 20},
)  # fmt: skip


def _opened(hall: Any) -> dict[str, Any]:
    return USUAL | hall.rng.choice(FEES) | {"mix": "horse" if hall.one_in(4) else ""}


def _seat(hall: Any) -> CashSeat | None:
    return hall.pick(CashSeat, voided_by=None)


def _moved(hall: Any) -> dict[str, Any]:
    sitting = _seat(hall)
    if sitting is None:
        return {}
    owes = fees_open([sitting], hall.now)
    own = {"registration": sitting.registration, "stack_cents": 1000}
    return own | {"pays_fee": bool(owes) and not hall.one_in(3)}


def _corrected(hall: Any) -> dict[str, Any]:
    """Correct a purchase that counts, mostly within the bounds."""
    sitting = _seat(hall)
    bought = purchases_of(sitting) if sitting else []
    if not bought:
        return {"purchase": None}
    action, _cents = hall.rng.choice(bought)
    cents = hall.rng.choice([2000, 3000, 4000, 9000, 20_000])
    return {"registration": sitting.registration, "purchase": action, "cents": cents}


def _tip(hall: Any) -> dict[str, Any]:
    sitting = _seat(hall)
    own = {"cents": hall.rng.choice([0, 50, 200, 20_000]), "is_fee": hall.one_in(2)}
    return own | {"table": sitting and sitting.table}


DEEDS = {
    "cash_table.opened": _opened,
    "cash_seat.changed": _moved,
    "cash_chips.corrected": _corrected,
    "cash_terms.changed": lambda hall: hall.rng.choice(TERMS),
    "cash_hand.ended": lambda hall: {"pot_cents": hall.rng.choice([0, 900, 3000])},
    "cash_tip.noted": _tip,
}


def assert_settled(event: Any) -> None:
    """Expect the payments, done or not, to give everybody what was won and lost."""
    found = settling_of(f.fresh(event))
    if found.on_table_cents:
        return
    got: Counter = Counter()
    for one in found.payments:
        got[one.payer] -= one.cents
        got[one.payee] += one.cents
    assert {one.name: one.cents for one in found.results if one.cents} == {
        name: cents for name, cents in got.items() if cents and name != "Haus"
    }


# --- An evening of corrections: purchases, terms, the box, a difference, payments that are done

MISSING, DROP, TIP = 150, 40, 30
OWN = {"game": "holdem", "limit": "no_limit", "small_blind_cents": 50, "big_blind_cents": 100}


def play_corrected_evening(seed: int) -> Evening:
    """Play among friends and at a table with a box, and compare every cent with own books."""
    side = side_evening(seed, "Freunde", kind=Event.Kind.CASH_GAME)
    bounds = {"minimum": 20, "maximum": 100, "seats": 4}
    opened = [
        side.do(cash_table_open, **OWN, **bounds, is_noted=True),
        side.do(cash_table_open, **OWN, **bounds, fee_way="drop"),
    ]
    noted, paid = (CashTable.objects.get(pk=one.payload["cash_table"]) for one in opened)
    people = [register(side, f"Freundin {number}") for number in range(1, 8)]
    won: Counter = Counter()
    stacks = {
        guest.pk: _buy_and_correct(side, noted if number < 4 else paid, number % 4 + 1, guest, won)
        for number, guest in enumerate(people)
    }
    side.do(cash_terms_change, table=noted, seats=5, maximum=200, name="Küche")
    for players in (people[:4], people[4:]):
        loser, winner = (guest.pk for guest in side.rng.sample(players, 2))
        lost = side.rng.randrange(0, stacks[loser] // 2, 10)
        stacks[loser] -= lost
        stacks[winner] += lost
    _empty_the_box(side, paid, stacks, people[4:])
    stacks[people[0].pk] -= MISSING
    for guest in people:
        side.do(cash_out, by=DESK, registration=guest, cents=stacks[guest.pk])
        won[guest.pk] += stacks[guest.pk]
    side.do(cash_table_count, by=ARBITER, table=noted, counted_cents=0)
    side.do(cash_terms_change, table=noted, bears="one", bearer=people[1].pk)
    won[people[1].pk] += MISSING
    cash = account_cents(side.event, Account.CASH)
    mine = -sum(won[guest.pk] for guest in people[4:]) - TIP
    side.expect(cash == mine, "the drawer after tips", cash, mine)
    _settle(side, {guest.pk: won[guest.pk] for guest in people[:4]})
    return side


def _buy_and_correct(
    side: Evening, table: CashTable, seat: int, guest: Registration, won: Counter
) -> int:
    """Mistype a purchase, and correct it; return what lies before the player."""
    typed, right = side.rng.sample(range(2000, 10_001, 100), 2)
    own = {"registration": guest, "table": table, "seat": seat}
    bought = side.do(cash_sit, by=DESK, **own, cents=typed)
    side.do(cash_correct, by=DESK, registration=guest, purchase=bought, cents=right)
    won[guest.pk] -= right
    return right


def _empty_the_box(
    side: Evening, table: CashTable, stacks: dict[int, int], people: list[Registration]
) -> None:
    richest = max((guest.pk for guest in people), key=stacks.__getitem__)
    side.do(cash_tip, by=DESK, table=table, cents=DROP, is_fee=True)
    side.do(cash_tip, by=DESK, table=table, cents=TIP)
    stacks[richest] -= DROP + TIP
    side.do(cash_tips_pay, by=DESK, registration=people[0], cents=TIP)
    there, mine = chips_on_table(table), sum(stacks[guest.pk] for guest in people)
    side.expect(there == mine, "chips after the box", there, mine)


def _settle(side: Evening, won: dict[int, int]) -> None:
    """Pay one debt after the other; what was won and lost is even in the end."""
    while True:
        due = [one for one in settling_of(side.event).payments if not one.is_done]
        if not due:
            break
        one = side.rng.choice(due)
        payer, payee = (Registration(pk=pk) for pk in (one.payer_id, one.payee_id))
        side.do(cash_debt_pay, by=DESK, payer=payer, payee=payee, cents=one.cents)
        won[payer.pk] += one.cents
        won[payee.pk] -= one.cents
        assert_settled(side.event)
    side.expect(not any(won.values()), "debts that are paid", won)
