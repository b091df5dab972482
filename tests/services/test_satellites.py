"""Satellites: seats by the pool or by guarantee, and when all who are left have one."""

import json
from pathlib import Path

import pytest

from tests import factories as f
from tests.bubble import count_heads
from tournaments.dashboard.selectors.due import due_items
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.lifecycle import event_end
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.deals import deal_allow
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.ranking import standings
from tournaments.play.services.bubble import hand_for_hand_begin, money_reach
from tournaments.play.services.stacks import seat_win
from tournaments.prizes.domain.payouts import prize_table
from tournaments.prizes.domain.plans import PrizePlan, Way, pool_of
from tournaments.prizes.selectors.plans import seats_left
from tournaments.rebuys.services.purchases import rebuy_buy
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parents[1] / "cases" / "field"
DECIDED = "Satellit entschieden: beenden"


def case(name):
    found = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return found["given"], found["expect"]


def satellite(
    entries, to_pool, seat, *, seats=10, chips=0, holds_rest=False, plan=None, terms=None
):
    """Return a satellite under way in which everybody has paid."""
    own = {"starting_stack": chips, "capacity": 120} if chips else terms or {}
    event = f.make_running_event(entries, fee_cents=to_pool * 100, seats=seats, **own)
    named = {"seat_name": "Main Event", "holds_rest": holds_rest} | (plan or {})
    plan = PrizePlan(way=Way.SEATS, seat_cents=seat * 100, **named)
    f.drive(prizes_plan, event, 1, plan=plan)
    for entry in f.entries_of(event):
        f.drive(fee_pay, event, 2, registration=entry.registration)
    return f.fresh(event)


def due(event, minute):
    event = f.fresh(event)
    advice = floor_advice(event, f.after(minute))
    return [item.title for item in due_items(event, f.after(minute), advice=advice)]


def outs_until(event, left):
    players = f.entries_of(event)
    for minute, entry in enumerate(players[left:][::-1], 10):
        assert DECIDED not in due(event, minute)
        f.out(event, entry, at=f.after(minute))


def test_sat_exact():
    given, expect = case("sat-exact")
    event = satellite(given["entries"], given["to_pool"], given["seat"])
    outs_until(event, given["left"])
    assert (expect["due"] in due(event, 30)) is expect["over"]
    f.drive(prizes_freeze, event, 31)
    assert expect["due"] in due(event, 32)
    f.drive(event_end, event, 33)
    places = [line.place for line in standings(f.fresh(event))][: given["left"]]
    assert places == expect["places"]
    paid = [row.is_seat for row in payouts(f.fresh(event))]
    assert paid == [True] * expect["seats"]


def test_sat_guaranteed():
    given, expect = case("sat-guaranteed")
    paid, ticket = given["entries"] * given["to_pool"] * 100, given["ticket"] * 100
    for guaranteed, wanted in (
        (given["guaranteed_tickets"], expect),
        (0, expect["without_guarantee"]),
    ):
        plan = PrizePlan(way=Way.SEATS, seat_cents=ticket, seats_guaranteed=guaranteed)
        pool = pool_of(plan, paid)
        table = prize_table(plan, pool_cents=pool.cents, places=99, entries=given["entries"])
        assert table.prizes.count(ticket) == wanted["tickets"]
        assert pool.overlay == wanted.get("overlay", 0) * 100
        assert sum(table.prizes) % ticket == wanted["rest"] * 100


def test_sat_rest():
    given, expect = case("sat-rest")
    event = satellite(given["entries"], given["to_pool"], given["seat"])
    outs_until(event, expect["over_at"])
    assert DECIDED in due(event, 30)
    f.drive(event_end, event, 33)
    owed = sorted((row.open for row in payouts(f.fresh(event))), reverse=True)
    assert owed == [cents * 100 for cents in expect["prizes"]]


def test_sat_tie():
    """The larger stack takes the seat; equal ones share its value unless the director decides."""
    given, expect = case("sat-tie")
    entries = given["left_before"] + 2
    event = satellite(entries, given["seats"] * given["seat"] // entries, given["seat"])
    first, *_ = players = f.entries_of(event)
    names = dict(zip(("B", "C"), players[1:3], strict=True))
    for minute, entry in enumerate(players[3:], 10):
        f.out(event, entry, at=f.after(minute))
    stacks = {names[name].pk: stack for name, stack in given["out"]}
    f.out(event, *names.values(), at=f.after(20), start_stacks=stacks)
    f.drive(event_end, event, 33)
    owed = {row.registration: row.open for row in payouts(f.fresh(event))}
    assert owed[names["B"].registration_id] == given["seat"] * 100
    assert owed.get(names["C"].registration_id, 0) == expect["C"]
    assert owed[first.registration_id] == given["seat"] * 100


def test_sat_rest_has_two_bubbles():
    """Hand-for-hand is proposed for the rest and again for the seat."""
    given, expect = case("sat-rest")
    money, seat = expect["bubble_marks"]
    event = satellite(given["entries"], given["to_pool"], given["seat"], seats=2)
    outs_until(event, money)
    assert "Noch einer bis zum Geld" in due(event, 30)
    f.out(event, f.entries_of(event)[seat], at=f.after(31))
    count_heads(event, 32)
    f.drive(money_reach, event, 32)
    assert "Noch einer bis zum Platz" in due(event, 33)
    f.drive(hand_for_hand_begin, event, 34)
    assert "Hand für Hand beenden" not in due(event, 35)
    f.out(event, f.entries_of(event)[2], at=f.after(36))
    assert DECIDED in due(event, 37)


def test_a_rebuy_after_the_mark_brings_a_seat_only_before_late_entry_ends():
    """Until then players out may come back: seats follow the pool, and nothing is decided."""
    terms = {"rebuy_level": 2, "rebuy_cents": 5000, "late_registration_level": 2}
    event = satellite(4, 50, 100, terms=terms)
    first, second = f.entries_of(event)[2:]
    f.out(event, first, second, at=f.after(5))
    assert seats_left(event) == 2
    assert DECIDED not in due(event, 6)
    for entry in (first, second):
        f.drive(rebuy_buy, event, 6, entry=entry, pays=True)
    assert (seats_left(f.fresh(event)), players_left(f.fresh(event))) == (3, 4)
    f.out(event, first, at=f.after(45))
    f.refuses("is_out", rebuy_buy, event, 46, entry=first, pays=True)
    assert (seats_left(f.fresh(event)), players_left(f.fresh(event))) == (3, 3)
    assert DECIDED in due(event, 47)


def test_a_rest_may_stay_with_the_house():
    given, expect = case("sat-rest")
    event = satellite(given["entries"], given["to_pool"], given["seat"], holds_rest=True)
    outs_until(event, expect["over_at"])
    f.drive(event_end, event, 33)
    owed = sorted((row.open for row in payouts(f.fresh(event))), reverse=True)
    assert owed == [cents * 100 for cents in expect["prizes"][:2]]


def test_sat_target_stack():
    given, expect = case("sat-target-stack")
    entries, seats, target = given["entries"], given["seats"], given["target"]
    own = {"chips": given["starting_stack"], "plan": {"target_stack": target}}
    event = satellite(entries, 25, entries * 25 // seats, **own)
    players = f.entries_of(event)
    claim, refused = players[0], expect["refused"]
    f.refuses(refused["code"], seat_win, event, 10, entry=claim, stack=refused["claims"])
    f.out(event, players[99], at=f.after(11))
    winners = [claim, *players[1:3]]
    for number, (entry, then) in enumerate(zip(winners, given["then"], strict=True)):
        f.drive(seat_win, event, 12 + number, entry=entry, stack=then["reaches"])
        event = f.fresh(event)
        assert chips_in_play(event) == (expect["chips_in_play"][number], True)
        assert seats_left(event) == expect["seats_left"][number]
    places = {line.entry: line.place for line in standings(event)}
    assert {places[one.pk] for one in winners} == {1}
    assert places[players[99].pk] == entries
    # It is over once as many are left as seats: each has one, and so has each winner.
    for minute, entry in enumerate(players[10:99], 20):
        assert DECIDED not in due(event, minute)
        f.out(event, entry, at=f.after(minute))
    assert players_left(f.fresh(event)) == expect["seats_left"][-1]
    assert DECIDED in due(event, 200)
    f.drive(event_end, event, 201)
    f.drive(prizes_freeze, event, 202)
    rows = payouts(f.fresh(event))
    assert [(row.place, row.is_seat) for row in rows] == [(1, True)] * seats
    places = {line.entry: line.place for line in standings(f.fresh(event))}
    assert [places[players[number].pk] for number in (98, 10, 99)] == [11, 99, 100]


def test_a_seat_won_by_a_stack_is_taken_back():
    event = satellite(10, 50, 250, plan={"target_stack": 1_000})
    entry, *_others = f.entries_of(event)
    before = chips_in_play(event)
    f.drive(seat_win, event, 10, entry=entry, stack=1_200)
    assert f.seat_of(entry) is None
    f.undo(event, at=f.after(11))
    assert (chips_in_play(f.fresh(event)), seats_left(f.fresh(event))) == (before, 2)
    assert f.seat_of(entry) is not None


def test_seats_are_won_by_stack_only_where_the_plan_says_so():
    event = satellite(10, 50, 250)
    entry = f.entries_of(event)[0]
    f.refuses("no_target", seat_win, event, 10, entry=entry, stack=12_000)
    last = satellite(4, 50, 100, plan={"target_stack": 10})
    for minute, one in enumerate(f.entries_of(last)[:2], 10):
        f.drive(seat_win, last, minute, entry=one, stack=20)
    third = f.entries_of(last)[2]
    f.refuses("no_seats", seat_win, last, 20, entry=third, stack=20)


def test_seats_are_not_dealt():
    f.refuses("satellite", deal_allow, satellite(10, 50, 250), 10)
