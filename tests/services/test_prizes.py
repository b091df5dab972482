"""Prizes: planned, fixed, paid out, and what becomes of them when a place changes."""

from dataclasses import replace
from random import Random

import pytest

from tests import factories as f
from tests.buying import debts
from tests.calling import call_service
from tests.prepared import prepared
from tournaments.changes.access import SYSTEM
from tournaments.dashboard.selectors.due_money import payout_items
from tournaments.event.services.lifecycle import event_copy, event_end, event_update
from tournaments.models import Elimination, HandForHand, HandRound, Posting, Receipt
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.prizes import (
    payout_of,
    payouts,
    prize_table_of,
    prizes_given,
    prizes_now,
    unpriced_cents,
)
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.ranking import (
    best_places_basis,
    places_basis,
    places_from,
    places_of,
)
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.play.services.places import place_overrule
from tournaments.prizes.domain.payouts import Unpayable
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way
from tournaments.prizes.selectors.plans import paid_places

pytestmark = pytest.mark.django_db

THREE = PrizePlan(way=Way.SHARES, shares=(5000, 3000, 2000), unit_cents=500)


@prepared
def planned(players=10, plan=THREE, *, paid=True, fee_cents=1000, **own):
    """Return a running event with a plan, where everybody has paid."""
    event = f.make_running_event(players, fee_cents=fee_cents, **own)
    f.drive(prizes_plan, event, 1, plan=plan)
    if paid and fee_cents:
        fees_paid(event)
    return f.fresh(event)


@prepared
def played(event, last=1):
    """Put all out but the last, one after the other; return the entries by place."""
    order = f.entries_of(event)
    for minute, entry in enumerate(order[:-last], 10):
        f.out(event, entry, at=f.after(minute))
    return f.fresh(event), list(reversed(order))


def pay(event, entry, cents, minute=60, **own):
    own["registration"] = entry.registration
    return f.drive(payout_pay, event, minute, amount_cents=cents, **own)


def settle(event, entry, minute, **own):
    return f.drive(payout_settle, event, minute, registration=entry.registration, **own)


def last_out_undone(event):
    """Take the last out back: whoever was second is in play again."""
    f.undo(event, event.actions.filter(kind="entry.eliminated").order_by("-sequence").first())
    return f.fresh(event)


def fees_paid(event):
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 1, registration=entry.registration)


# Planned


def test_plans_that_are_refused():
    event, impossible = f.make_event(), PrizePlan(way=Way.SHARES, shares=(6000, 4001))
    for plan, code in ((impossible, "bad_over_all"), (PrizePlan(), "nothing_changed")):
        f.refuses(code, prizes_plan, event, -60, plan=plan)
    f.refuses("not_allowed", prizes_plan, event, -60, plan=THREE, by=f.make_arno(event))


def test_more_places_than_can_play_are_refused():
    event = f.make_event(capacity=20)
    with f.refused("bad_paid_places", event):
        f.drive(prizes_plan, event, -60, plan=PrizePlan(way=Way.CURVE), typed_places=21)
    f.drive(prizes_plan, event, -60, plan=PrizePlan(way=Way.CURVE), typed_places=4)
    assert paid_places(f.fresh(event)) == f.fresh(event).paid_places == 4
    f.undo(event)
    assert (f.fresh(event).prizes, f.fresh(event).paid_places) == ({}, 0)


def test_a_plan_is_copied_with_the_tournament():
    event = f.make_event()
    f.drive(prizes_plan, event, -60, plan=THREE)
    f.drive(prizes_plan, event, -59, plan=PrizePlan(way=Way.CURVE, shape=Shape.FLAT))
    f.undo(event)
    assert f.fresh(event).prize_plan == THREE
    made = call_service(event_copy, club=event.club, by=SYSTEM, at=f.START, source=f.fresh(event))
    assert f.Event.objects.get(pk=made.payload["event"]).prize_plan == THREE


def test_the_number_of_paid_places_follows_the_field_until_it_is_announced():
    plan = PrizePlan(way=Way.CURVE, places_percent=20, unit_cents=500)
    event = planned(11, plan, seats=4, late_registration_level=9)
    assert paid_places(event) == 3
    f.refuses("fixed_by_prizes", event_update, event, 2, settings={"paid_places": 5})
    for name in "ABCDE":
        f.check_in(event, f.register(event, f"{name} Später", at=f.after(3)), at=f.after(3))
    assert paid_places(f.fresh(event)) == 4
    for minute, entry in enumerate(f.entries_of(event)[:10], 10):
        f.out(event, entry, at=f.after(minute))
    f.drive(hand_for_hand_begin, event, 30)
    for name in "FGHIJ":
        f.check_in(event, f.register(event, f"{name} Spät", at=f.after(31)), at=f.after(31))
    assert paid_places(f.fresh(event)) == 4, "everybody plays by it"
    with f.refused("fixed_at_the_bubble", event):
        f.drive(prizes_plan, event, 32, plan=PrizePlan(way=Way.CURVE, places_percent=50))
    # What does not change how many are paid may still be planned.
    same = PrizePlan(way=Way.CURVE, places_percent=20, unit_cents=100)
    f.drive(prizes_plan, event, 33, plan=same)


# Fixed


def test_prizes_are_fixed_once_nobody_can_come_any_more():
    event = planned(6, late_registration_level=3)
    f.refuses("still_late", prizes_freeze, event, 2)
    to_come = f.make_event(name="Geplant")
    f.refuses("no_prizes", prizes_freeze, to_come, -10)
    f.drive(prizes_plan, to_come, -9, plan=THREE)
    f.refuses("still_late", prizes_freeze, to_come, -8)


def test_what_is_fixed_stays_whatever_is_paid_in_later():
    event = planned(6, paid=False, fee_cents=6000)
    first, second, *_rest = f.entries_of(event)
    f.refuses("unpayable_empty", prizes_freeze, event, 5)
    f.drive(fee_pay, event, 6, registration=first.registration)
    frozen = f.drive(prizes_freeze, event, 7)
    f.drive(fee_pay, event, 8, registration=second.registration)
    event = f.fresh(event)
    assert prize_table_of(event).prizes == (3000, 2000, 1000)
    f.refuses("prizes_frozen", prizes_plan, event, 9, plan=PrizePlan())
    plan_made = event.actions.filter(kind="prizes.planned").get()
    f.refuses("prizes_frozen", f.undo, event, plan_made)
    f.undo(event, frozen)
    assert prize_table_of(f.fresh(event)).prizes == (6000, 3500, 2500)


def test_money_that_comes_after_is_due_and_fixed_anew():
    """A re-buy on credit is paid when the prizes are fixed: its part of the pool is in none."""
    event = planned(6, paid=False, fee_cents=6000, addon_level=3, addon_cents=400)
    first, second, *_rest = f.entries_of(event)
    f.drive(fee_pay, event, 6, registration=first.registration)
    f.refuses("still_late", prizes_freeze, event, 7)
    f.drive(prizes_freeze, event, 61)
    f.drive(fee_pay, event, 62, registration=second.registration)
    titles = [item.title for item in payout_items(f.fresh(event), f.after(63))]
    assert "60\xa0€ im Topf sind in keinem Preis" in titles
    anew = f.drive(prizes_freeze, event, 64)
    assert prize_table_of(f.fresh(event)).prizes == (6000, 3500, 2500)
    assert not unpriced_cents(f.fresh(event))
    f.undo(event, anew)
    assert prize_table_of(f.fresh(event)).prizes == (3000, 2000, 1000)


@pytest.mark.parametrize(
    ("plan", "places", "code"),
    [
        (PrizePlan(way=Way.AMOUNTS, amounts=(5000, 4000, 2000)), 0, "over_pool"),
        (PrizePlan(way=Way.CURVE, minimum_tenths=40), 3, "minimum"),
    ],
)
def test_what_is_not_what_there_is_cannot_be_fixed(plan, places, code):
    event = planned(10, plan, paid_places=places)
    assert isinstance(prizes_now(event), Unpayable)
    f.refuses(f"unpayable_{code}", prizes_freeze, event, 30)


# Paid out


def test_an_evening_from_the_plan_to_the_payment():
    event, by_place = played(planned(10))
    assert prizes_now(event).prizes == (5000, 3000, 2000)
    desk = f.make_desk(event)
    f.refuses("not_frozen", pay, event, by_place[1], 3000)
    f.refuses("not_allowed", prizes_freeze, event, 30, by=desk)
    f.drive(prizes_freeze, event, 30)
    f.assert_logged(event, "prizes.frozen", prizes=[5000, 3000, 2000], pool_cents=10_000, places=3)
    f.refuses("already_frozen", prizes_freeze, event, 31)
    f.refuses("nothing_to_pay", pay, event, by_place[5], 100)
    f.refuses("other_amount", pay, event, by_place[1], 2900)
    pay(event, by_place[1], 3000, by=desk)
    f.assert_logged(event, "payout.paid", amount_cents=3000)
    f.refuses("nothing_to_pay", pay, event, by_place[1], 3000)
    f.drive(event_end, event, 61)
    pay(event, by_place[0], 5000, minute=70)
    event = f.fresh(event)
    assert account_cents(event, Account.PRIZES) == 8000
    assert account_cents(event, Account.CASH) == 2000
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0
    assert [(row.place, row.open) for row in payouts(event)] == [(1, 0), (2, 0), (3, 2000)]
    f.undo(event)
    assert [row.open for row in payouts(f.fresh(event))] == [5000, 0, 2000]


def test_a_place_undone_after_its_prize_was_paid_is_a_debt():
    event, by_place = played(planned(10))
    f.drive(prizes_freeze, event, 30)
    pay(event, by_place[1], 3000)
    pay(event, by_place[2], 2000)
    event = last_out_undone(event)
    (debt,) = debts(event)
    assert (debt.place, debt.prize, debt.owed_back) == (None, 0, 3000)
    assert account_cents(event, Account.PRIZES) == 5000, "nothing is lost"
    f.refuses("no_debt", settle, event, by_place[2], 70)
    f.refuses("not_allowed", settle, event, by_place[1], 70, by=f.make_desk(event))
    settle(event, by_place[1], 71)
    assert not debts(f.fresh(event))
    assert account_cents(event, Account.PRIZES) == 2000
    f.undo(event)
    settle(event, by_place[1], 72, is_kept=True)
    event = f.fresh(event)
    assert not debts(event)
    assert account_cents(event, Account.PRIZES) == 2000
    assert account_cents(event, Account.OTHER) == 3000
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0


def test_above_the_limit_only_a_director_pays():
    event, by_place = played(planned(10, replace(THREE, desk_cents=2000)))
    f.drive(prizes_freeze, event, 30)
    desk = f.make_desk(event)
    f.refuses("above_the_limit", pay, event, by_place[1], 3000, by=desk)
    pay(event, by_place[2], 2000, by=desk)
    pay(event, by_place[1], 3000, by=f.make_dora(event))
    f.refuses("not_allowed", pay, event, by_place[0], 5000, by=f.make_arno(event))


@pytest.mark.parametrize(
    ("rule", "expected"), [("none", [0, 3000, 2000]), ("place", [3000, 2000, 0])]
)
def test_who_is_disqualified_gets_no_prize_unless_the_rules_say_so(rule, expected):
    event = f.make_running_event(6, fee_cents=1667)
    assert event.rule_set.disqualified_prize == "none"
    rules = event.rules | {"disqualified_prize": rule}
    f.Event.objects.filter(pk=event.pk).update(rules=rules)
    f.drive(prizes_plan, event, 1, plan=THREE)
    fees_paid(event)
    order = f.entries_of(event)
    for minute, entry in enumerate(order[:4], 10):
        f.out(event, entry, at=f.after(minute))
    f.drive(entry_disqualify, event, 20, entry=order[4], reason="Betrug")
    prizes = prizes_given(f.fresh(event)).prizes
    assert [prizes.get(entry.pk, 0) for entry in (order[4], order[3], order[2])] == expected


def test_a_seat_of_a_satellite_moves_no_cash_and_comes_back_as_a_seat():
    plan = PrizePlan(way=Way.SEATS, seat_cents=4000, seat_name="Finale")
    event = planned(10, plan)
    assert paid_places(event) == 3
    assert prize_table_of(event).prizes == (4000, 4000, 2000)
    event, by_place = played(event)
    f.drive(prizes_freeze, event, 40)
    in_cash = account_cents(event, Account.CASH)
    receipts = Receipt.objects.count()
    assert [row.is_seat for row in payouts(event)] == [True, True, False]
    for entry, cents in zip(by_place[1:], (4000, 2000), strict=False):
        pay(event, entry, cents)
    assert account_cents(event, Account.CASH) == in_cash - 2000
    assert Receipt.objects.count() == receipts + 1
    assert account_cents(event, Account.SEATS) == -4000
    event = last_out_undone(event)
    assert [row.owed_back for row in debts(event)] == [4000]
    settle(event, by_place[1], 71)
    assert not debts(f.fresh(event))
    assert account_cents(event, Account.SEATS) == 0
    assert account_cents(event, Account.CASH) == in_cash - 2000


# --- Worked out of the best places alone, prizes are the same as in the whole field


PLAYERS, OUT, EVENINGS = 14, 12, 10


@pytest.fixture
def event():
    return f.make_running_event(PLAYERS)


@pytest.fixture
def rounds(event):
    """Two rounds of hand-for-hand."""
    made = f.last_action(event)
    row = HandForHand.objects.create(event=event, made_by=made, began_at=f.after(1))
    own = {"hand_for_hand": row, "made_by": made, "began_at": f.after(1)}
    return [HandRound.objects.create(number=number, **own) for number in (1, 2)]


def put_out(event, rng, rounds):
    """Put many out by rows: hands and rounds begin and end at any instant, many at the same."""
    entries = rng.sample(f.entries_of(event), OUT)
    Elimination.objects.bulk_create(
        Elimination(
            event=event,
            entry=entry,
            way=rng.choice(["bust", "bust", "bust", "disqualified"]),
            at=f.after(rng.randint(2, 12)),
            sequence=rng.randint(1000, 1010),
            group=rng.choice([None, None, 1, 2, 3]),
            round=rng.choice([None, None, None, *rounds]),
            start_stack=rng.choice([None, 100, 200, 300]),
            made_by=f.last_action(event),
        )
        for entry in entries
    )


def in_the_best(places, counted, outs):
    """Return who has fewer than so many of those who count before them."""
    return {
        entry
        for entry, place in places.items()
        if sum(places[one] < place for one in counted & places.keys()) < outs
    }


@pytest.mark.postgres
def test_the_best_places_are_those_of_the_whole_field(event, rounds):
    rng, read = Random(1), 0
    for _evening in range(EVENINGS):
        put_out(event, rng, rounds)
        whole = places_of(event)
        gone = places_basis(event).disqualified
        for outs in range(OUT + 2):
            for of_disqualified in (True, False):
                basis = best_places_basis(event, outs, of_disqualified=of_disqualified)
                found = places_from(basis)
                assert found.items() <= whole.items()
                counted = whole.keys() - (frozenset() if of_disqualified else gone)
                assert in_the_best(whole, counted, outs) <= found.keys()
                read += len(basis.outs)
        Elimination.objects.all().delete()
    assert read < EVENINGS * 2 * (OUT + 2) * OUT * 0.9


@pytest.mark.postgres
def test_hands_that_were_over_before_are_not_read_unless_a_place_was_set(event):
    entries = f.entries_of(event)[:OUT]
    for minute, entry in enumerate(entries, start=1):
        f.out(event, entry, at=f.after(minute))
    assert len(best_places_basis(f.fresh(event), 3, of_disqualified=True).outs) == 3
    said = {"entry": entries[0], "place": 10, "is_shared": False, "reason": "Video"}
    f.drive(place_overrule, event, 20, **said)
    found = places_from(best_places_basis(f.fresh(event), 1, of_disqualified=True))
    assert found[entries[0].pk] == 10


def test_one_payout_is_that_of_the_list_and_who_fell_out_of_it_has_the_place_of_now():
    event, by_place = played(planned(10))
    f.drive(prizes_freeze, event, 30)
    pay(event, by_place[2], 2000)
    event = f.fresh(event)
    listed = {row.registration: row for row in payouts(event)}
    assert len(listed) == 3
    for entry in by_place:
        assert payout_of(event, entry.registration_id) == listed.get(entry.registration_id)
    rows = list(Elimination.objects.live().filter(entry=by_place[2]))
    f.drive(elimination_correct, event, 70, eliminations=rows, to=f.after(9))
    event = f.fresh(event)
    (debt,) = debts(event)
    assert (debt.place, debt.owed_back) == (10, 2000)
    assert payout_of(event, debt.registration) == debt
    assert [row.place for row in payouts(event)] == [1, 2, 3, 10]
