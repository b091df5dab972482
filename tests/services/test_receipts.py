"""Receipts: a number for each payment, no gap, and a receipt that counters what is taken back."""

from datetime import UTC, datetime
from threading import Thread

import pytest
from django.db import connection

from tests import factories as f
from tests.buying import numbers_missing
from tests.calling import call_service
from tests.services.line import say
from tournaments.changes.access import SYSTEM
from tournaments.models import Action, Event, Receipt
from tournaments.money.services.drawers import drawer_open
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.practice.services.rehearsal import sample_remove
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.planned(fee_cents=1000)]


def pay(event, row, **own):
    return say(fee_pay, event, 0, registration=row, **own)


def undo(event, action):
    return say(action_undo, event, 0, action=action)


def told():
    rows = Receipt.objects.order_by("year", "number")
    return [
        (row.number, row.cents, row.counters and row.counters.number)
        for row in rows.select_related("counters")
    ]


def test_each_payment_has_a_number_and_so_has_what_is_given_back_but_no_float(event):
    petra = f.register(event)
    action = pay(event, petra, amount_cents=400)
    pay(event, petra)
    say(fee_refund, event, 0, registration=petra)
    say(drawer_open, event, 0, by=f.make_desk(event), float_cents=5000)
    assert told() == [(1, 400, None), (2, 600, None), (3, -1000, None)]
    assert action.payload["receipts"] == [[2026, 1, 400]]


def test_a_payment_taken_back_keeps_its_number_and_gets_a_counter_receipt(event):
    petra = f.register(event)
    action = pay(event, petra)
    f.refuses("already_paid", pay, event, petra)
    undo_preview(event=f.fresh(event), by=SYSTEM, at=f.ARRIVAL, action=action)
    assert told() == [(1, 1000, None)], "a refusal and a look at an undo use no number"
    undone = undo(event, action)
    assert told() == [(1, 1000, None), (2, -1000, 1)]
    assert undone.payload["receipts"] == [[2026, 2, -1000, 1]]
    undo(event, undone)
    assert told() == [(1, 1000, None), (2, -1000, 1), (3, 1000, 2)]


def test_numbers_begin_anew_with_the_clubs_year_and_go_on_over_evenings(event):
    saturday = f.make_event(name="Samstag", fee_cents=500)
    pay(event, f.register(event))
    pay(saturday, f.register(saturday, "Paul Prohaska"))
    # New Year in Vienna comes an hour before it does in UTC.
    late = {"at": datetime(2026, 12, 31, 23, 30, tzinfo=UTC)}
    rosa = f.register(saturday, "Rosa Richter", **late)
    call_service(fee_pay, event=saturday, by=SYSTEM, registration=rosa, **late)
    rows = Receipt.objects.order_by("pk").values_list("year", "number")
    assert list(rows) == [(2026, 1), (2026, 2), (2027, 1)]


def test_an_invented_evening_counts_for_itself_and_leaves_no_gap(event):
    sample = f.make_event(name="Beispiel", fee_cents=1000, is_sample=True)
    pay(sample, f.register(sample, "Simulant"))
    pay(event, f.register(event))
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

    def take(event: Event) -> None:
        try:
            for number, row in enumerate(people[event.pk]):
                action = pay(event, row)
                if number % 3 == 0:
                    undo(event, action)
        except Exception as problem:
            failed.append(problem)
        finally:
            connection.close()

    threads = [Thread(target=take, args=(event,)) for event in evenings]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    numbers = list(Receipt.objects.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == 16
    assert numbers_missing(numbers) == []
    assert Action.objects.filter(kind="fee.paid").count() == 12
