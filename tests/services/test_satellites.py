"""Satellites: seats by the pool or by guarantee, and when all who are left have one."""

import json
from pathlib import Path

import pytest

from tests import factories as f
from tournaments.dashboard.selectors.due import due_items
from tournaments.event.services.lifecycle import event_end
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.ranking import standings
from tournaments.prizes.domain.payouts import prize_table
from tournaments.prizes.domain.plans import PrizePlan, Way, pool_of
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parents[1] / "cases" / "field"
DECIDED = "Satellit entschieden: beenden"


def case(name):
    found = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return found["given"], found["expect"]


def satellite(entries, to_pool, seat):
    """Return a satellite under way in which everybody has paid."""
    event = f.make_running_event(entries, fee_cents=to_pool * 100)
    plan = PrizePlan(way=Way.SEATS, seat_cents=seat * 100, seat_name="Main Event")
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
