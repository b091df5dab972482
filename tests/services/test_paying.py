"""Paying and getting back: a part, after the draw, and when the price changes afterwards."""

from datetime import UTC, datetime, timedelta
from threading import Thread

import pytest
from django.db import connection
from django.db.models import Sum

from tests import factories as f
from tests.buying import do, numbers_missing, undo
from tests.calling import call_service
from tests.prepared import prepared
from tests.services.line import say
from tournaments.changes.access import SYSTEM
from tournaments.changes.kinds import describe
from tournaments.door.selectors.desk import desk_line, refunds_due
from tournaments.door.selectors.paying import overpaid
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Action, Elimination, Event, Posting, Receipt, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.journal import account_cents, open_cents, paid_cents, standing_of
from tournaments.money.selectors.receipts import receipt_shown
from tournaments.money.services.drawers import drawer_close, drawer_open
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.selectors.payees import payee_of, payees
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.services.rehearsal import sample_remove
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.prizes.selectors.plans import prize_pool
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = pytest.mark.django_db

POOL, HOUSE, CREDIT = (Account.POOL, ""), (Account.HOUSE, ""), (Account.CREDIT, "")
PRICED = {"fee_cents": 1000, "fee_parts": [["house", 200, ""]], "seats": 10}


@pytest.fixture
def event():
    return f.make_event(**PRICED)


@pytest.fixture
def petra(event):
    return f.register(event, "Petra Probst")


@pytest.fixture
def paul(event):
    return f.register(event, "Paul Pünktlich")


@pytest.fixture
def paid(event, petra, paul):
    """Petra has paid, and Paul has not."""
    return say(fee_pay, event, 0, registration=petra)


def costs(event, **settings):
    return say(event_update, event, 0, settings=settings)


def fresh(registration):
    return Registration.objects.select_related("event", "person").get(pk=registration.pk)


def still_open(registration):
    return open_cents(fresh(registration))


def named(rows):
    return [(row.person.name, cents) for row, cents in rows]


def sound(event):
    """Every booking sums to zero, and the log tells the same postings as the tables."""
    rows = Posting.objects.live().filter(event=event).values("made_by")
    assert not rows.annotate(sum=Sum("amount_cents")).order_by().exclude(sum=0).exists()
    assert facts_checked(f.fresh(event)).differences == []


# Paid and given back


def test_the_fee_is_paid_once_refunded_and_taken_back(event, petra):
    desk = f.make_desk()
    f.refuses("nothing_paid", say, fee_refund, event, 0, by=desk, registration=petra)
    action = say(fee_pay, event, 0, by=desk, registration=petra)
    assert action.payload["amount_cents"] == 1000
    seen = {"amount_cents": 1000, "open_seen": 1000}
    for code, more in (
        ("already_paid", {}),
        ("already_paid", seen),
        ("bad_amount", {"amount_cents": -5}),
    ):
        f.refuses(code, say, fee_pay, event, 0, by=desk, registration=petra, **more)
    say(fee_refund, event, 0, by=desk, registration=petra)
    f.refuses("already_refunded", say, action_undo, event, 0, by=desk, action=action)
    f.undo(event)
    f.refuses("already_paid", say, fee_pay, event, 0, by=desk, registration=petra)


def test_what_is_another_evenings_is_not_booked_nor_taken_back_here(event):
    saturday = f.make_event(name="Samstag")
    petra = f.register(saturday, "Petra Probst")
    for service, own in (
        (fee_pay, {"registration": petra}),
        (fee_refund, {"registration": petra}),
        (action_undo, {"action": petra.made_by}),
    ):
        f.refuses("gone", say, service, event, 0, **own)
    assert not Posting.objects.exists()
    assert saturday.registrations.live().get() == petra


def test_a_refund_after_the_draw_says_that_he_plays_on(event, petra, paid):
    f.check_in(event, petra)
    f.refuses("has_entry", say, fee_refund, event, 0, registration=petra)
    say(fee_refund, event, 0, registration=petra, after_the_draw=True)
    assert sum(drawer.cash_cents for drawer in drawers_of(event)) == 0


def test_a_part_goes_back_and_never_more_than_was_paid(event, petra):
    say(fee_pay, event, 0, registration=petra, amount_cents=2500)
    say(fee_refund, event, 0, registration=petra, amount_cents=1500)
    assert paid_cents(petra) == 1000
    assert standing_of(petra).booked == {POOL: -800, HOUSE: -200}
    for cents in (0, -1, 1001):
        f.refuses("bad_amount", say, fee_refund, event, 0, registration=petra, amount_cents=cents)


# An entry costs something else after people have paid


@pytest.mark.usefixtures("paid")
def test_a_lower_fee_is_a_refund_due_that_the_desk_and_the_report_show(event, petra):
    costs(event, fee_cents=600)
    assert standing_of(petra).booked == {POOL: -400, HOUSE: -200, CREDIT: -400}
    assert prize_pool(f.fresh(event)).paid == 400
    assert paid_cents(petra) == 1000
    assert named(overpaid(event)) == [("Petra Probst", 400)]
    (due,) = refunds_due(event)
    assert (due.registration.person.name, due.back_cents) == ("Petra Probst", 400)
    assert desk_line(fresh(petra)).credit_cents == 400
    assert evening_report(f.fresh(event)).overpaid_cents == 400
    # It goes back after the draw without a question.
    f.check_in(event, petra)
    f.refuses("has_entry", say, fee_refund, event, 0, registration=petra, amount_cents=401)
    say(fee_refund, event, 0, registration=petra, amount_cents=400)
    assert (still_open(petra), overpaid(event)) == (0, [])
    assert drawers_of(event)[0].cash_cents == 600
    sound(event)


@pytest.mark.usefixtures("paid")
def test_another_share_for_the_house_moves_what_was_paid(event, petra):
    costs(event, fee_parts=[["house", 500, ""]])
    assert standing_of(petra).booked == {POOL: -500, HOUSE: -500}
    assert still_open(petra) == 0
    count = Posting.objects.count()
    assert "repriced" not in costs(event, capacity=20).payload
    assert Posting.objects.count() == count
    sound(event)


@pytest.mark.usefixtures("paid")
@pytest.mark.parametrize("cents", [1500, 600, 0])
def test_taking_it_back_books_everything_as_it_was(event, petra, paul, cents):
    action = costs(event, fee_cents=cents, **({} if cents else {"fee_parts": []}))
    assert "Zahlungen, die jetzt anderes decken: 1" in describe(action)
    # Who pays in between has paid what it cost then.
    if cents:
        say(fee_pay, f.fresh(event), 0, registration=fresh(paul))
    f.undo(event, action)
    assert standing_of(petra).booked == {POOL: -800, HOUSE: -200}
    assert still_open(paul) == max(0, 1000 - cents)
    assert standing_of(paul).booked.get(CREDIT, 0) == -max(0, cents - 1000)
    sound(event)


def test_who_is_among_the_first_once_another_withdraws_gets_the_difference():
    event = f.make_event(**PRICED | {"early_fee_cents": 800, "early_entries": 1})
    first, second = (f.register(event, name) for name in ("Anna Erste", "Zoe Zweite"))
    for row in (first, second):
        say(fee_pay, event, 0, registration=row)
    assert standing_of(second).booked == {POOL: -800, HOUSE: -200}
    gone = say(registration_withdraw, event, 0, registration=first)
    assert standing_of(second).booked == {POOL: -600, HOUSE: -200, CREDIT: -200}
    assert named(overpaid(event)) == [("Anna Erste", 800), ("Zoe Zweite", 200)]
    f.undo(event, gone)
    assert standing_of(second).booked == {POOL: -800, HOUSE: -200}
    assert overpaid(event) == []
    sound(event)


def test_an_early_price_that_ends_earlier_is_open():
    early = {"early_fee_cents": 800, "early_until": f.ARRIVAL + timedelta(minutes=30)}
    event = f.make_event(**PRICED | early)
    petra = f.register(event)
    say(fee_pay, event, 0, registration=petra)
    costs(event, early_until=f.ARRIVAL - timedelta(minutes=30))
    assert (still_open(petra), standing_of(petra).booked) == (200, {POOL: -800})


def test_prices_that_are_frozen_keep_what_an_entry_costs():
    event = f.make_running_event(6, fee_cents=1000, paid_places=2)
    for entry in f.entries_of(event):
        do(fee_pay, event, 0, registration=entry.registration)
    cheaper = do(event_update, event, 1, settings={"fee_cents": 900})
    do(prizes_plan, event, 2, plan=PrizePlan(way=Way.CURVE, shape=Shape.USUAL))
    do(prizes_freeze, event, 3)
    for settings in ({"fee_cents": 500}, {"fee_parts": [["house", 100, ""]]}, {"paid_places": 3}):
        f.refuses("prizes_frozen", event_update, event, 4, settings=settings)
    f.refuses("prizes_frozen", undo, event, cheaper)
    do(event_update, event, 5, settings={"rebuy_cents": 300})


# --- One amount and one receipt for a player: prizes, bounties and refunds, less debts


PARTS = [["bounty", 500, ""], ["house", 100, ""]]
FLOAT = 10_000


@prepared
def made_payday():
    desk = f.sign_in("Anmeldung", f.Role.DESK).actor
    event = f.make_running_event(4, fee_cents=2000, fee_parts=PARTS, bounty_kind="fixed")
    plan = PrizePlan(way=Way.SHARES, shares=(6000, 4000), unit_cents=100, added_cents=4000)
    f.drive(prizes_plan, event, 1, plan=plan)
    f.drive(drawer_open, event, 1, by=desk, float_cents=FLOAT)
    last, third, second, first = f.entries_of(event)
    for entry in (last, second):
        f.drive(fee_pay, event, 2, by=desk, registration=entry.registration)
    for minute, entry, taker in ((5, last, third), (6, third, first), (7, second, first)):
        f.drive(entries_eliminate, event, minute, entries=[entry])
        rows = list(Elimination.objects.live().filter(entry=entry))
        f.drive(knockout_set, event, minute, eliminations=rows, takers=[taker])
    f.drive(prizes_freeze, event, 8)
    return desk, f.fresh(event), first.registration, second.registration, third.registration


@pytest.fixture
def payday():
    """Four play for 20 € each; the winner and the third have not paid, all heads are taken."""
    return made_payday()


@pytest.fixture
def desk(payday):
    return payday[0]


@pytest.fixture
def paid_out(payday):
    return payday[1:]


def pay(event, desk, row, cents, minute=10):
    return f.drive(payout_pay, event, minute, by=desk, registration=row, amount_cents=cents)


def balance():
    return sum(Posting.objects.live().values_list("amount_cents", flat=True))


def test_all_that_is_due_is_paid_at_once_less_what_is_owed(paid_out, desk):
    event, first, second, third = paid_out
    # Paid for prizes: twice 14 € and 40 € added. The winner took two heads and keeps the own one.
    assert [(row.name, sum(row.won.values()), row.netted, row.amount) for row in payees(event)] == [
        (first.person.name, 4100 + 1500, 2000, 3600),
        (second.person.name, 2700, 0, 2700),
        (third.person.name, 500, 500, 0),
    ]
    f.refuses("other_amount", pay, event, desk, first, 5600)
    paid = pay(event, desk, first, 3600)
    f.assert_logged(event, "payout.paid", amount_cents=3600, netted_cents=2000, outcome="less")
    assert (open_cents(first), paid_cents(first)) == (0, 2000)
    assert account_cents(event, Account.PRIZES) == 4100
    assert account_cents(event, Account.BOUNTIES) == 1500
    assert account_cents(event, Account.HOUSE) == -300
    (receipt,) = Receipt.objects.filter(action=paid)
    shown = receipt_shown(receipt)
    assert (receipt.cents, shown.cents) == (-3600, 3600)
    assert dict(shown.items) == {
        "ausgezahlte Preise": 4100, "ausgezahlte Bountys": 1500, "offen: Preisgeld": -1400,
        "offen: Bounty": -500, "offen: Haus": -100,
    }  # fmt: skip
    pay(event, desk, third, 0)
    assert payee_of(event, third.pk).still_owes == open_cents(third) == 1500
    f.refuses("nothing_to_pay", pay, event, desk, third, 0)
    assert balance() == 0


def test_drawer_report_and_accounts_agree_to_the_cent(paid_out, desk):
    event, first, second, third = paid_out
    for row, cents in ((first, 3600), (second, 2700), (third, 0)):
        pay(event, desk, row, cents)
    f.drive(fee_pay, event, 11, by=desk, registration=third)
    (state,) = drawers_of(event)
    there = FLOAT + 4 * 2000 - 4100 - 2700 - 4 * 500
    assert state.cash_cents == there
    f.drive(drawer_close, event, 12, by=desk, drawer=state.drawer, counted_cents=there)
    report = evening_report(f.fresh(event))
    assert (report.difference_cents, report.sum_cents, report.to_pay_out) == (0, there, 0)
    assert sum(cents for _name, cents in report.accounts) == there
    assert report.is_settled


def test_the_whole_payment_is_taken_back_as_one_act_with_a_preview(paid_out, desk):
    event, first, _second, _third = paid_out
    before, there = payee_of(event, first.pk), drawers_of(event)[0].cash_cents
    paid = pay(event, desk, first, 3600)
    dora = f.make_dora(event)
    look = undo_preview(event=f.fresh(event), by=dora, at=f.after(11), action=paid)
    assert look is not None
    assert not payee_of(event, first.pk).is_due, "looking changes nothing"
    f.undo(event, paid, at=f.after(12))
    assert payee_of(event, first.pk) == before
    assert drawers_of(event)[0].cash_cents == there
    assert open_cents(first) == 2000
    counter = Receipt.objects.get(counters__action=paid)
    assert counter.cents == 3600
    assert balance() == 0


def test_what_was_paid_too_much_goes_back_with_the_prize(paid_out, desk):
    event, _first, second, _third = paid_out
    f.drive(fee_pay, event, 9, by=desk, registration=second, amount_cents=300)
    pay(event, desk, second, 2700 + 300)
    assert (paid_cents(second), account_cents(event, Account.CREDIT)) == (2000, 0)
    assert balance() == 0


def test_bounties_are_paid_before_prizes_are_fixed_and_never_above_the_limit(paid_out, desk):
    event, first, _second, _third = paid_out
    f.undo(event, event.actions.get(kind="prizes.frozen"), at=f.after(9))
    call_service(event_update, event=event, by=f.make_dora(event), at=f.after(9),
                 settings={"payout_limit_cents": 900})  # fmt: skip
    f.drive(fee_pay, event, 9, by=desk, registration=first, amount_cents=1400)
    assert payee_of(event, first.pk).amount == 1500 - 600
    pay(event, desk, first, 900)
    f.drive(prizes_freeze, event, 11)
    f.refuses("above_limit", pay, event, desk, first, 4900, minute=12)


# --- Receipts: a number for each payment, no gap, and a receipt that counters what is taken back


def take(event, row, **own):
    return say(fee_pay, event, 0, registration=row, **own)


def told():
    rows = Receipt.objects.order_by("year", "number")
    return [
        (row.number, row.cents, row.counters and row.counters.number)
        for row in rows.select_related("counters")
    ]


def test_a_payment_taken_back_keeps_its_number_and_gets_a_counter_receipt(event):
    petra = f.register(event)
    action = take(event, petra)
    f.refuses("already_paid", take, event, petra)
    undo_preview(event=f.fresh(event), by=SYSTEM, at=f.ARRIVAL, action=action)
    assert told() == [(1, 1000, None)], "a refusal and a look at an undo use no number"
    undone = undo(event, action)
    assert told() == [(1, 1000, None), (2, -1000, 1)]
    assert undone.payload["receipts"] == [[2026, 2, -1000, 1]]
    undo(event, undone)
    assert told() == [(1, 1000, None), (2, -1000, 1), (3, 1000, 2)]


def test_numbers_begin_anew_with_the_clubs_year_and_go_on_over_evenings(event):
    saturday = f.make_event(name="Samstag", fee_cents=500)
    take(event, f.register(event))
    take(saturday, f.register(saturday, "Paul Prohaska"))
    # New Year in Vienna comes an hour before it does in UTC.
    late = {"at": datetime(2026, 12, 31, 23, 30, tzinfo=UTC)}
    rosa = f.register(saturday, "Rosa Richter", **late)
    call_service(fee_pay, event=saturday, by=SYSTEM, registration=rosa, **late)
    rows = Receipt.objects.order_by("pk").values_list("year", "number")
    assert list(rows) == [(2026, 1), (2026, 2), (2027, 1)]


def test_an_invented_evening_counts_for_itself_and_leaves_no_gap(event):
    sample = f.make_event(name="Beispiel", fee_cents=1000, is_sample=True)
    take(sample, f.register(sample, "Simulant"))
    take(event, f.register(event))
    rows = Receipt.objects.values_list("number", "is_sample").order_by("pk")
    assert list(rows) == [(1, True), (1, False)]
    call_service(sample_remove, club=event.club, by=SYSTEM, at=f.ARRIVAL, event=sample)
    assert told() == [(1, 1000, None)]


@pytest.mark.django_db(transaction=True)
def test_two_evenings_paid_at_once_share_no_number_and_leave_none_out():
    evenings = [f.make_event(name=name, fee_cents=1000) for name in ("Freitag", "Samstag")]
    people = {
        event.pk: [f.register(event, f"Person {event.pk} {number}") for number in range(6)]
        for event in evenings
    }
    failed = []

    def take_all(event: Event) -> None:
        try:
            for number, row in enumerate(people[event.pk]):
                action = take(event, row)
                if number % 3 == 0:
                    undo(event, action)
        except Exception as problem:
            failed.append(problem)
        finally:
            connection.close()

    threads = [Thread(target=take_all, args=(event,)) for event in evenings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    numbers = list(Receipt.objects.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == 16
    assert numbers_missing(numbers) == []
    assert Action.objects.filter(kind="fee.paid").count() == 12
