"""One amount for a player: prizes, bounties and refunds, less what is owed; one receipt."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Elimination, Posting, Receipt
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.fees import open_cents
from tournaments.money.selectors.journal import account_cents, paid_cents
from tournaments.money.selectors.receipts import receipt_shown
from tournaments.money.services.drawers import drawer_close, drawer_open
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.selectors.payees import payee_of, payees
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.undo.services.undo import undo_preview

pytestmark = pytest.mark.django_db
PARTS = [["bounty", 500, ""], ["house", 100, ""]]
FLOAT = 10_000


@pytest.fixture
def desk():
    return f.sign_in("Anmeldung", f.Role.DESK).actor


@pytest.fixture
def paid_out(desk):
    """Four play for 20 € each; the winner and the third have not paid, all heads are taken."""
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
    return f.fresh(event), first.registration, second.registration, third.registration


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
    with f.refused("other_amount", event):
        pay(event, desk, first, 5600)
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
    with f.refused("nothing_to_pay", event):
        pay(event, desk, third, 0)
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
    with f.refused("above_limit", event):
        pay(event, desk, first, 4900, minute=12)
