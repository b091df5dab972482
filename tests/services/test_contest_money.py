"""One pool of several flights: prizes inside a flight, what goes on, what is paid at once."""

import pytest
from django.db.models import Sum
from django.urls import reverse

from tests import factories as f
from tests.domain.test_field_cases import case
from tests.flights import bag_all, day_after, make_contest
from tests.flights import flight as flight_played
from tests.prepared import prepared
from tests.services.test_tickets import due
from tests.views.pages import text_of
from tournaments.contests.domain.bags import Word
from tournaments.contests.domain.carrying import Further
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import (
    feeding,
    pool_of_contest,
    ranked_behind,
    stage_of,
    stages_of,
)
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.days import day_draw, pool_carry
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import BagWord, Posting, Receipt
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.selectors.payees import payee_of, payees
from tournaments.payouts.selectors.prize_labels import preview_of, rows_to_tell, sold_of
from tournaments.payouts.selectors.prizes import payouts, pools_left
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Rounding, Way
from tournaments.prizes.selectors.plans import paid_places, prize_pool

pytestmark = pytest.mark.django_db
FEE, BONUS, TRAVEL = 50_000, 20_000, 5_000
NAMES = ("Anna", "Bert", "Cora", "Doro", "Emil", "Fritz", "Greta", "Hans")


def entries_by_name(event):
    return {row.registration.person.name: row for row in f.entries_of(event)}


def flight(contest, label, names=NAMES, **own):
    """Play a paid flight until it has begun."""
    return flight_played(contest, label, names, **{"fee_cents": FEE, "paid": True, **own})


@prepared
def ended(event, *, gone=(), **bags):
    """Let all others go out, one after the other, and bag the rest."""
    rows = entries_by_name(event)
    stay = {*gone, *bags}
    for minute, name in enumerate([name for name in rows if name not in stay], 5):
        f.out(event, rows[name], at=f.after(minute))
    bag_all(event, **bags)
    f.drive(day_end, event, 40)
    return f.fresh(event)


@prepared
def drawn(contest):
    day = day_after(contest, stop=StopRule())
    f.drive(prizes_plan, day, 45, plan=PrizePlan(way=Way.SHARES, shares=(5000, 3000, 2000)))
    f.drive(day_draw, day, 60)
    return f.fresh(day)


@pytest.fixture
def contest():
    return make_contest(further=Further.BONUS, further_cents=BONUS, travel_cents=TRAVEL)


@pytest.fixture
def evening(contest):
    """Two flights of eight; Anna is through twice, with Bert and Cora there are three on day 2."""
    first = ended(flight(contest, "1A"), Anna=1000, Bert=600)
    second = ended(flight(contest, "1B"), Anna=700, Cora=900)
    return first, second, drawn(contest)


def sums(event):
    rows = Posting.objects.live().filter(event=event)
    found = rows.values_list("account").annotate(sum=Sum("amount_cents")).order_by("account")
    return {account: cents for account, cents in found if cents}


def test_pools_go_on_to_day_two_where_bonus_and_travel_money_are_paid_at_once(contest, evening):
    *flights, day = evening
    draw = f.last_action(day)
    for event in evening:
        assert sum(sums(event).values()) == 0
    for event in flights:
        assert sums(event) == {"cash": 8 * FEE, "forward": -8 * FEE}
        assert evening_report(event).to_pay_out == 0
    total = 16 * FEE
    assert sums(day) == {"forward": total, "pool": BONUS - total, "bonus": -BONUS}
    assert prize_pool(day).cents == total - BONUS
    pool = pool_of_contest(stages_of(contest))
    assert (pool.pool, pool.bonuses, pool.for_places) == (total, BONUS, total - BONUS)
    assert pool.travel == 3 * TRAVEL
    rows = {row.name: row for row in payees(day)}
    assert {name: row.amount for name, row in rows.items()} == {
        "Anna": BONUS + TRAVEL, "Bert": TRAVEL, "Cora": TRAVEL,
    }  # fmt: skip
    people = [entries_by_name(day)[name].registration for name in ("Anna", "Bert")]
    paid = [f.drive(payout_pay, day, 61, registration=row) for row in people]
    assert sorted(row.cents for row in Receipt.objects.filter(event=day)) == [
        -(BONUS + TRAVEL), -TRAVEL,
    ]  # fmt: skip
    assert payee_of(day, people[0].pk).amount == 0
    assert sum(sums(day).values()) == 0
    assert "bonus" not in sums(day)
    f.refuses("needed", f.undo, day, draw, at=f.after(62))
    for action in reversed(paid):
        f.undo(day, action, at=f.after(63))
    f.undo(day, draw, at=f.after(64))
    assert sums(day) == {}
    assert sums(flights[0]) == {"cash": 8 * FEE, "pool": -8 * FEE}


def test_travel_money_is_a_part_of_the_prize_and_the_total_is_the_pool(evening, client):
    day = evening[-1]
    rows = entries_by_name(day)
    f.drive(payout_pay, day, 61, registration=rows["Anna"].registration)
    f.drive(clock_start, day, 62)
    for minute, name in ((70, "Cora"), (71, "Bert")):
        f.out(day, rows[name], at=f.after(minute))
    f.drive(event_end, day, 80)
    f.drive(prizes_freeze, day, 81)
    pool = 16 * FEE - BONUS
    day = f.fresh(day)
    prizes = {row.name: (row.prize, row.open) for row in payouts(day)}
    assert sum(prize for prize, _open in prizes.values()) == pool
    assert prizes["Anna"] == (pool // 2, pool // 2 - TRAVEL)
    for row in rows.values():
        f.drive(payout_pay, day, 82, registration=row.registration)
    assert account_cents(day, Account.POOL, Account.PRIZES) == 0
    assert sum(sums(day).values()) == 0
    shown = text_of(client.get(reverse("results", args=[day.slug])))
    assert "Aus den Flights" in shown
    assert "weiterer Sack aus 1B: 700 Chips" in shown


def test_what_a_flight_takes_later_is_taken_over_too(contest):
    first = flight(contest, "1A", paid=False)
    rows = entries_by_name(first)
    first = ended(first, Anna=1000, Bert=600)
    day = drawn(contest)
    f.refuses("nothing_left", pool_carry, day, 61)
    f.drive(fee_pay, first, 62, registration=rows["Hans"].registration)
    assert pools_left([row.event for row in feeding(stage_of(day))]) == {first.pk: FEE}
    f.drive(pool_carry, day, 63)
    assert sums(first) == {"cash": FEE, "forward": -FEE}
    assert prize_pool(f.fresh(day)).cents == FEE
    f.refuses("nothing_left", pool_carry, day, 64)


def test_flight_paid_in_flight():
    """Places behind the bags are paid in the flight, and leave the pool of the whole contest."""
    given, expect = case("flight-paid-in-flight")
    # A tenth of the field, so that two advance and one is paid behind them.
    entries = given["entries"] // 10
    plan = PrizePlan(
        way=Way.FLIGHT, places_percent=given["paid_percent"], each_cents=given["min_cash"] * 100,
        places_rounding=Rounding(given["rounding"]),
    )  # fmt: skip
    contest = make_contest()
    names = [f"Spieler {number:02}" for number in range(entries)]
    stop = StopRule(percent=given["advance_percent"] * 100)
    event = flight(contest, "1A", names, plan=plan, stop=stop)
    assert paid_places(event) == expect["paid_places"] // 10
    marks = [paid_places(event) + 1, expect["advance"] // 10 + 1]
    assert marks == [mark // 10 + 1 for mark in expect["hand_for_hand_marks"]]
    rows = entries_by_name(event)
    for minute, name in enumerate(reversed(names[marks[0] :]), 5):
        f.out(event, rows[name], at=f.after(minute))
    assert "Noch einer bis zum Geld" in due(event, 30)
    f.out(event, rows[names[marks[1]]], at=f.after(31))
    assert "Noch einer bis zum Ende des Flights" in due(event, 32)
    stays = {names[0]: 3000, names[1]: 1000}
    event = ended(event, gone=names[marks[1] :], **stays)
    f.drive(prizes_freeze, event, 41)
    paid = [(row.name, row.place, row.prize) for row in payouts(f.fresh(event))]
    assert paid == [(names[2], expect["paid_in_flight_places"][0] // 10 + 1, 150_000)]
    last = rows[names[2]].registration
    f.drive(payout_pay, event, 42, registration=last)
    day = drawn(contest)
    [behind] = ranked_behind(day, to_staff=True)
    assert (behind.place, behind.name, behind.cents) == (3, names[2], 150_000)
    assert sum(sums(event).values()) == 0
    assert account_cents(event, Account.POOL, Account.PRIZES) == 0
    assert prize_pool(day).cents == entries * FEE - 150_000
    pool = pool_of_contest(stages_of(contest))
    assert (pool.in_flight, pool.for_places) == (150_000, entries * FEE - 150_000)


def test_flight_extra_min_cash():
    """Bags gone from play are paid at once, and have the last paid places."""
    given, expect = case("flight-extra-min-cash")
    least = given["min_cash"] * 100
    contest = make_contest(further=Further.MIN_CASH, further_cents=least)
    twice = [f"Doppelt {number}" for number in range(given["people_in_both"])]
    for label, many in given["flights"].items():
        names = twice + [f"{label} {number:02}" for number in range(many - len(twice))]
        event = flight(contest, label, names, stop=StopRule(players=many), paid=False)
        own = {"event": event, "amount": event.starting_stack, "made_by": f.last_action(event)}
        BagWord.objects.bulk_create(
            BagWord(entry=entry, by=by, **own)
            for entry in f.entries_of(event)
            for by in (Word.PLAYER, Word.STAFF)
        )
        f.drive(day_end, event, 40)
    day = drawn(contest)
    people = f.entries_of(day)
    assert len(people) == expect["people_on_day_2"]
    assert sum(row.amount for row in payees(day)) == expect["paid_at_once"] * 100
    f.drive(clock_start, day, 61)
    f.out(day, people[-1], at=f.after(62))
    [first] = places_of(f.fresh(day)).values()
    assert first == expect["first_out_on_day_2_place"]
    found = ranked_behind(f.fresh(day), to_staff=True)
    assert [(row.name, row.place, row.cents) for row in found] == [
        (name, first + 1, least) for name in twice
    ]
    assert first + len(found) == expect["paid_places"]


def test_flight_overshoot():
    """Those out in the hand that reaches the mark share what is left of the last place."""
    given, expect = case("flight-overshoot")
    contest, names = make_contest(), [f"Spieler {number:02}" for number in range(8)]
    prize = given["prize_of_place_54"] * 100
    plan = PrizePlan(way=Way.FLIGHT, places_percent=50, each_cents=prize)
    event = flight(contest, "1A", names, plan=plan, stop=StopRule(players=3), capacity=8)
    players = f.at_table(event, 1)
    for minute, entry in enumerate(players[5:], 5):
        f.out(event, entry, at=f.after(minute))
    # Five left, three advance, the fourth is paid: three go in one hand.
    f.drive(entries_eliminate, event, 20, entries=players[2:5])
    found = {row.place: row.prize for row in payouts(f.fresh(event))}
    assert found == {3: expect["each_gets"] * 100}
    told = rows_to_tell(f.fresh(event), f.after(30))
    assert [(row.first, row.last, row.in_kind) for row in told] == [(1, 3, "weiter"), (4, 4, "")]


def test_prizes_of_day_two_are_previewed_with_what_the_flights_sold(contest):
    ended(flight(contest, "1A"), Anna=1000, Bert=600)
    ended(flight(contest, "1B"), Anna=700, Cora=900)
    day = day_after(contest, stop=StopRule())
    plan = PrizePlan(way=Way.SHARES, shares=(5000, 3000, 2000))
    look = lambda: preview_of(f.fresh(day), plan, typed_places=0, sold=sold_of(f.fresh(day)))
    before = look()
    assert (before.pool.cents, before.sold.entries) == (16 * FEE - BONUS, 3)
    f.drive(prizes_plan, day, 45, plan=plan)
    f.drive(day_draw, day, 60)
    assert look() == before
    f.drive(clock_start, day, 61)
    assert look() == before
