"""Paying and getting back: two at once, a part, after the draw, and what is not taken back."""

import pytest

from tests import factories as f
from tests.buying import do, evening, undo
from tests.calling import call_service
from tournaments.door.services.arrivals import entry_check_in
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.journal import booked, paid_cents
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.prizes.selectors.plans import prize_pool
from tournaments.rebuys.services.purchases import addon_buy
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event(fee_cents=1000, seats=10)


@pytest.fixture
def desk(event):
    return f.make_desk(event)


def say(service, event, by, **own):
    return call_service(service, event=event, by=by, at=f.ARRIVAL, **own)


def test_of_two_who_take_the_same_payment_the_second_is_told(event, desk):
    petra = f.register(event)
    say(fee_pay, event, desk, registration=petra, amount_cents=1000, open_seen=1000)
    with f.refused("already_paid", event):
        say(fee_pay, event, desk, registration=petra, amount_cents=1000, open_seen=1000)


def test_a_refund_after_the_draw_says_that_he_plays_on(event, desk):
    petra = f.register(event)
    say(fee_pay, event, desk, registration=petra)
    say(entry_check_in, event, desk, registration=petra)
    with f.refused("has_entry", event):
        say(fee_refund, event, desk, registration=petra)
    say(fee_refund, event, desk, registration=petra, after_the_draw=True)
    assert sum(drawer.cash_cents for drawer in drawers_of(event)) == 0


def test_a_part_goes_back_and_never_more_than_was_paid(event, desk):
    petra = f.register(event)
    say(fee_pay, event, desk, registration=petra, amount_cents=2500)
    say(fee_refund, event, desk, registration=petra, amount_cents=1500)
    assert paid_cents(petra) == 1000
    assert booked(petra) == {(Account.POOL, ""): -1000}
    for cents in (0, -1, 1001):
        with f.refused("bad_amount", event):
            say(fee_refund, event, desk, registration=petra, amount_cents=cents)


def test_what_was_given_back_is_not_taken_back_as_a_payment(event, desk):
    petra = f.register(event)
    paid = say(fee_pay, event, desk, registration=petra)
    say(fee_refund, event, desk, registration=petra)
    with f.refused("already_refunded", event):
        say(action_undo, event, desk, action=paid)


PRICED = {"fee_cents": 1000, "fee_parts": [["house", 200, ""]], "seats": 10}
POOL, HOUSE, CREDIT = (Account.POOL, ""), (Account.HOUSE, ""), (Account.CREDIT, "")


def test_what_stays_paid_after_an_undo_is_booked_to_what_stands_first():
    event = f.make_event(**PRICED)
    desk, petra = f.make_desk(event), f.register(event)
    first = say(fee_pay, event, desk, registration=petra, amount_cents=800)
    say(fee_pay, event, desk, registration=petra, amount_cents=300)
    assert booked(petra) == {POOL: -800, HOUSE: -200, CREDIT: -100}
    undone = f.undo(event, first)
    assert booked(petra) == {POOL: -300}
    assert prize_pool(f.fresh(event)).paid == 300
    assert len(undone.payload["receipts"]) == 1
    f.undo(event, undone)
    assert booked(petra) == {POOL: -800, HOUSE: -200, CREDIT: -100}
    assert drawers_of(event)[0].cash_cents == 1100


def test_a_credit_pays_for_what_is_bought_later():
    event = evening(2)
    entry = f.entries_of(event)[0]
    petra, by = entry.registration, f.make_dora(event)
    call_service(fee_pay, event=event, by=by, at=f.after(1), registration=petra, amount_cents=1300)
    assert booked(petra) == {POOL: -800, HOUSE: -200, CREDIT: -300}
    bought = do(addon_buy, event, 2, entry=entry)
    assert booked(petra) == {POOL: -1100, HOUSE: -200}
    undo(event, bought)
    assert booked(petra) == {POOL: -800, HOUSE: -200, CREDIT: -300}
