"""An entry costs something else after people have paid: what was paid stays paid, to the cent."""

from datetime import timedelta

import pytest
from django.db.models import Sum

from tests import factories as f
from tests.buying import do, evening, undo
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.selectors.log import describe
from tournaments.door.selectors.desk import desk_line, refunds_due
from tournaments.door.selectors.paying import overpaid, owing
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Posting, Receipt, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.fees import open_cents
from tournaments.money.selectors.journal import booked, paid_cents
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.papers.selectors.evening_report import evening_report
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.prizes.selectors.plans import prize_pool

pytestmark = pytest.mark.django_db

POOL, HOUSE, CREDIT = (Account.POOL, ""), (Account.HOUSE, ""), (Account.CREDIT, "")
PRICED = {"fee_cents": 1000, "fee_parts": [["house", 200, ""]], "seats": 10}
PETRA, PAUL = 0, 1


def say(service, event, **own):
    return call_service(service, event=event, by=SYSTEM, at=f.ARRIVAL, **own)


def costs(event, **settings):
    return say(event_update, event, settings=settings)


@pytest.fixture
def event():
    """Return an evening on which Petra has paid, and Paul has not."""
    made = f.make_event(**PRICED)
    people = [f.register(made, name) for name in ("Petra Probst", "Paul Pünktlich")]
    say(fee_pay, made, registration=people[PETRA])
    return made


@pytest.fixture
def people(event):
    rows = Registration.objects.filter(event=event).select_related("event", "person")
    return lambda: list(rows.order_by("pk"))


def sound(event):
    """Every booking sums to zero, and the log tells the same postings as the tables."""
    rows = Posting.objects.live().filter(event=event).values("made_by")
    sums = rows.annotate(sum=Sum("amount_cents")).order_by()
    assert not sums.exclude(sum=0).exists()
    assert facts_checked(f.fresh(event)).differences == []


def test_a_higher_fee_leaves_the_difference_open_and_no_cash_moves(event, people):
    costs(event, fee_cents=1500)
    assert [open_cents(row) for row in people()] == [500, 1500]
    assert booked(people()[PETRA]) == {POOL: -1000}
    assert prize_pool(f.fresh(event)).paid == 1000
    assert [cents for _row, cents in owing(f.fresh(event))] == [1500, 500]
    assert drawers_of(event)[0].cash_cents == 1000
    assert Receipt.objects.filter(event=event).count() == 1
    say(fee_pay, f.fresh(event), registration=people()[PETRA])
    assert booked(people()[PETRA]) == {POOL: -1300, HOUSE: -200}
    sound(event)


def test_a_lower_fee_is_a_refund_due_that_the_desk_and_the_report_show(event, people):
    costs(event, fee_cents=600)
    assert booked(people()[PETRA]) == {POOL: -400, HOUSE: -200, CREDIT: -400}
    assert prize_pool(f.fresh(event)).paid == 400
    assert paid_cents(people()[PETRA]) == 1000
    assert [(row.person.name, cents) for row, cents in overpaid(event)] == [("Petra Probst", 400)]
    assert [(one.registration.person.name, one.back_cents) for one in refunds_due(event)] == [
        ("Petra Probst", 400)
    ]
    assert desk_line(people()[PETRA]).credit_cents == 400
    assert evening_report(f.fresh(event)).overpaid_cents == 400
    sound(event)


def test_what_is_too_much_goes_back_after_the_draw_without_a_question(event, people):
    petra = people()[PETRA]
    f.check_in(event, petra)
    costs(event, fee_cents=600)
    with f.refused("has_entry", event):
        say(fee_refund, event, registration=petra, amount_cents=401)
    say(fee_refund, event, registration=petra, amount_cents=400)
    assert (open_cents(people()[PETRA]), overpaid(event)) == (0, [])
    assert drawers_of(event)[0].cash_cents == 600
    sound(event)


def test_another_share_for_the_house_moves_what_was_paid(event, people):
    costs(event, fee_parts=[["house", 500, ""]])
    assert booked(people()[PETRA]) == {POOL: -500, HOUSE: -500}
    assert open_cents(people()[PETRA]) == 0
    sound(event)


@pytest.mark.parametrize("cents", [1500, 600, 0])
def test_taking_it_back_books_everything_as_it_was(event, people, cents):
    before = [booked(row) for row in people()]
    action = costs(event, fee_cents=cents, **({} if cents else {"fee_parts": []}))
    assert "Zahlungen, die jetzt anderes decken: 1" in describe(action)
    # Who pays in between has paid what it cost then.
    paul = people()[PAUL]
    if cents:
        say(fee_pay, f.fresh(event), registration=paul)
    f.undo(event, action)
    assert booked(people()[PETRA]) == before[PETRA] == {POOL: -800, HOUSE: -200}
    assert open_cents(people()[PAUL]) == max(0, 1000 - cents)
    assert booked(people()[PAUL]).get(CREDIT, 0) == -max(0, cents - 1000)
    sound(event)


def test_a_payment_of_before_is_taken_back_after_the_price_has_changed(event, people):
    first = Posting.objects.live().filter(event=event).first().made_by
    costs(event, fee_cents=600)
    f.undo(event, first)
    assert (booked(people()[PETRA]), overpaid(event)) == ({}, [])
    assert sum(state.cash_cents for state in drawers_of(event)) == 0
    sound(event)


def test_settings_that_cost_nothing_book_nothing(event):
    count = Posting.objects.count()
    action = costs(event, capacity=20)
    assert Posting.objects.count() == count
    assert "repriced" not in action.payload


def test_what_was_bought_later_is_covered_before_anything_goes_back():
    event = evening(2)
    petra = f.entries_of(event)[0].registration
    do(fee_pay, event, 1, registration=petra, amount_cents=1300)
    action = do(event_update, event, 2, settings={"fee_cents": 1200})
    assert booked(petra) == {POOL: -1000, HOUSE: -200, CREDIT: -100}
    undo(event, action)
    assert booked(petra) == {POOL: -800, HOUSE: -200, CREDIT: -300}


def test_who_is_among_the_first_once_another_withdraws_gets_the_difference():
    event = f.make_event(**PRICED | {"early_fee_cents": 800, "early_entries": 1})
    first, second = (f.register(event, name) for name in ("Anna Erste", "Zoe Zweite"))
    for row in (first, second):
        say(fee_pay, event, registration=row)
    assert booked(second) == {POOL: -800, HOUSE: -200}
    gone = say(registration_withdraw, event, registration=first)
    assert booked(second) == {POOL: -600, HOUSE: -200, CREDIT: -200}
    assert [(row.person.name, cents) for row, cents in overpaid(event)] == [
        ("Anna Erste", 800), ("Zoe Zweite", 200),
    ]  # fmt: skip
    f.undo(event, gone)
    assert booked(second) == {POOL: -800, HOUSE: -200}
    assert overpaid(event) == []
    sound(event)


def test_an_early_price_that_ends_earlier_is_open():
    early = {"early_fee_cents": 800, "early_until": f.ARRIVAL + timedelta(minutes=30)}
    event = f.make_event(**PRICED | early)
    petra = f.register(event)
    say(fee_pay, event, registration=petra)
    costs(event, early_until=f.ARRIVAL - timedelta(minutes=30))
    row = Registration.objects.select_related("event").get(pk=petra.pk)
    assert (open_cents(row), booked(row)) == (200, {POOL: -800})


def test_prices_that_are_frozen_keep_what_an_entry_costs():
    event = f.make_running_event(6, fee_cents=1000, paid_places=2)
    for entry in f.entries_of(event):
        do(fee_pay, event, 0, registration=entry.registration)
    cheaper = do(event_update, event, 1, settings={"fee_cents": 900})
    plan = PrizePlan(way=Way.CURVE, shape=Shape.USUAL)
    do(prizes_plan, event, 2, plan=plan)
    do(prizes_freeze, event, 3)
    for settings in ({"fee_cents": 500}, {"fee_parts": [["house", 100, ""]]}):
        with f.refused("prizes_frozen", event):
            do(event_update, event, 4, settings=settings)
    with f.refused("prizes_frozen", event):
        undo(event, cheaper)
    do(event_update, event, 5, settings={"rebuy_cents": 300})
