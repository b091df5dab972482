"""What an entry costs: parts, early birds, chips for those on time, and what cannot be."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Registration, What
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.fees import open_cents, owed_cents
from tournaments.money.selectors.journal import account_cents, paid_cents
from tournaments.money.services.fees import fee_pay
from tournaments.rebuys.selectors.offers import good_of
from tournaments.rebuys.services.purchases import addon_buy, rebuy_buy

pytestmark = pytest.mark.django_db


def test_what_is_bought_is_owed_and_a_payment_covers_it_by_account():
    event = evening()
    one = f.entries_of(event)[0]
    do(fee_pay, event, 0, registration=one.registration)
    assert paid_cents(one.registration) == 1000
    lose(event, one)
    do(rebuy_buy, event, 2, entry=one, pays=True)
    assert (paid_cents(one.registration), open_cents(one.registration)) == (1500, 0)
    sums = {account: -account_cents(event, account) for account in Account}
    assert (sums[Account.POOL], sums[Account.HOUSE], sums[Account.EXTRA]) == (1200, 200, 100)
    do(addon_buy, event, 3, entry=one)
    assert open_cents(one.registration) == 400


def test_a_price_that_changes_later_is_what_it_was_for_whoever_has_bought():
    event = evening()
    one = f.entries_of(event)[0]
    lose(event, one)
    do(rebuy_buy, event, 2, entry=one)
    do(event_update, event, 3, settings={"rebuy_cents": 900})
    assert owed_cents(one.registration) == 1500
    planned = f.make_event(fee_cents=1000, fee_parts=[["extra", 200, "Personal"]])
    undo(planned, do(event_update, planned, -60, settings={"fee_parts": []}), -50)
    assert f.fresh(planned).fee_parts == [["extra", 200, "Personal"]]


def test_chips_for_those_who_are_on_time():
    event = f.make_event(on_time_chips=50, late_registration_level=3)
    early = f.check_in(event, f.register(event, "Petra Probst"))
    f.check_in(event, f.register(event, "Paul Pünktlich"))
    call_service(clock_start, event=event, by=SYSTEM, at=f.START)
    f.check_in(event, f.register(event, "Lea Late", at=f.after(1)), at=f.after(2))
    assert chips_in_play(f.fresh(event)) == (2 * 250 + 200, True)
    assert early.chip_movements.count() == 2


def test_early_birds_by_time_and_by_number():
    until = f.ARRIVAL - timedelta(days=2)
    event = f.make_event(
        fee_cents=1000, early_fee_cents=800, early_until=until, early_entries=2,
        at=f.ARRIVAL - timedelta(days=9),
    )  # fmt: skip
    before, late = until - timedelta(days=1), until + timedelta(hours=1)
    people = [f.register(event, f"Person {n}", at=before) for n in range(3)]
    last = f.register(event, "Person 9", at=late)
    assert [owed_cents(row) for row in (*people, last)] == [800, 800, 1000, 1000]
    do(event_update, event, 0, settings={"early_entries": 0})
    rows = Registration.objects.select_related("event").filter(event=event).order_by("pk")
    assert [owed_cents(row) for row in rows] == [800, 800, 800, 1000]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"fee_parts": [["house", 1100, ""]]}, "bad_fee_parts"),
        ({"fee_parts": [["house", -1, ""]]}, "bad_fee_parts"),
        ({"fee_parts": [["extra", 100, "X"], ["extra", 100, "x"]]}, "bad_fee_parts"),
        ({"reentry_parts": [["house", 1100, ""]]}, "bad_reentry_parts"),
        ({"rebuy_cents": 10**9}, "bad_rebuy_cents"),
        ({"rebuy_cents": -1}, "bad_rebuy_cents"),
        ({"early_fee_cents": 1000}, "bad_early_fee_cents"),
        ({"early_fee_cents": 100, "early_entries": 3}, "bad_early_fee_cents"),
        ({"early_fee_cents": 900}, "bad_early_until"),
        ({"rebuy_chips": 10**9}, "bad_rebuy_chips"),
        ({"rebuy_most": 1000}, "bad_rebuy_most"),
        ({"rebuy_hold_minutes": 61}, "bad_rebuy_hold_minutes"),
        ({"addon_break": 1}, "bad_addon_break"),
    ],
)
def test_terms_that_cannot_be_are_refused(settings, code):
    event = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]])
    with f.refused(code, event):
        do(event_update, event, -60, settings=settings)


def test_a_reentry_without_a_price_of_its_own_may_have_parts_of_its_own():
    event = f.make_event(fee_cents=1000, fee_parts=[["house", 200, ""]], reentry_most=1)
    assert good_of(event, What.REENTRY).parts == event.fee_parts
    do(event_update, event, -60, settings={"reentry_parts": [["bounty", 500, ""]]})
    good = good_of(f.fresh(event), What.REENTRY)
    assert (good.cents, good.parts) == (1000, [["bounty", 500, ""]])
