"""Rooms of one day of a contest: one hand-for-hand, shared places, prizes of one pool."""

from dataclasses import replace

import pytest
from django.urls import reverse

from tests import factories as f
from tests.bubble import begin, count_heads, elapsed, end, make_event, release, report, report_all
from tests.calling import call_service
from tests.flights import add, bag_all, by_name, make_contest
from tests.prepared import prepared
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.days import day_draw
from tournaments.event.selectors.event import money_reached, players_left, rooms_of
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.selectors.prizes import payouts
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.bubble import (
    bubble_of,
    hand_for_hand_live,
    provisional_entries,
    round_current,
)
from tournaments.play.selectors.ranking import places_of, winner_of
from tournaments.play.selectors.rooms import awaited_elsewhere, common_round, rooms_together
from tournaments.play.services.bubble import money_reach
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.prizes.selectors.plans import paid_places, prize_pool, prizes_frozen
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db
# The tables of 2B: numbers are those of the hall.
HERE = (4, 5, 6)


@pytest.fixture(autouse=True)
def committed(django_capture_on_commit_callbacks):
    """Run what a change leaves to the commit, as without a test's transaction."""
    with pytest.MonkeyPatch.context() as patch:
        whole = f.drive

        def drive(*args, **own):
            with django_capture_on_commit_callbacks(execute=True):
                return whole(*args, **own)

        patch.setattr(f, "drive", drive)
        yield


@pytest.fixture(name="rooms")
@prepared
def make_rooms():
    """Day 2A and 2B with three tables of three each, numbered through the hall."""
    contest = make_contest()
    found = [make_event(name=f"Tag {label}") for label in ("2A", "2B")]
    for event, label in zip(found, ("2A", "2B"), strict=True):
        add(contest, event, label, stop=StopRule())
    return found


def numbers(rooms):
    found = [round_current(f.fresh(event)) for event in rooms]
    return [current and current.number for current in found]


def test_hand_for_hand_two_rooms(rooms):
    """The next hand is dealt in both rooms after the last table of both."""
    first, second = rooms
    begin(first, rooms=True)
    assert numbers(rooms) == [0, 0]
    report_all(first, 0)
    report_all(second, 0, tables=(4, 6))
    reason = f.refuses("rooms_missing", release, first, 0)
    assert "2B: Tisch 5" in reason
    assert "2B: Tisch 5" in awaited_elsewhere(f.fresh(first), f.after(12))
    f.refuses("rooms_missing", end, first)
    report(second, 5, 0)
    before = [elapsed(event, 12) for event in rooms]
    release(first, 0)
    assert numbers(rooms) == [1, 1]
    taken = [elapsed(event, 13) - was for event, was in zip(rooms, before, strict=True)]
    assert taken[0] == taken[1] > taken[0] * 0
    f.assert_logged(second, "round.released", released=1)
    for event, outs in ((first, (1, 2, 3)), (second, (4, 5))):
        for table in outs:
            f.out(event, f.at_table(event, table)[0], at=f.after(13))
    found = common_round(rooms_together(f.fresh(first)))
    assert (found.reports_needed, found.left, found.place) == (6, 13, 14)
    assert not found.is_released
    report_all(first, 1, 14)
    report_all(second, 1, 14, tables=HERE)
    assert common_round(rooms_together(f.fresh(second))).is_released
    end(second, 15)
    assert [hand_for_hand_live(f.fresh(event)) for event in rooms] == [None, None]


def test_the_last_report_of_all_rooms_releases_the_next_hand_in_each(rooms):
    first, second = rooms
    begin(first, rooms=True, by_itself=True)
    report_all(first, 0)
    report_all(second, 0, tables=(4, 5))
    assert numbers(rooms) == [0, 0]
    report(second, 6, 0)
    assert numbers(rooms) == [1, 1]


def test_the_director_reports_the_rest_of_a_room_and_the_other_is_waited_for(rooms):
    first, second = rooms
    begin(first, rooms=True)
    release(first, 0, all_done=True)
    f.assert_logged(first, "round.released", outcome="waits")
    assert numbers(rooms) == [0, 0]
    release(second, 0, all_done=True)
    assert numbers(rooms) == [1, 1]


def test_a_room_alone_begins_for_itself(rooms):
    first, _second = rooms
    begin(first)
    assert numbers(rooms) == [0, None]
    report_all(first, 0)
    release(first, 0)
    alone = make_event()
    f.refuses("one_room", begin, alone, rooms=True)


FEE = 1000
EACH = {"1A": [f"A{number}" for number in range(8)], "1B": [f"B{number}" for number in range(8)]}
PRIZES = PrizePlan(way=Way.AMOUNTS, amounts=(5000, 3000, 2000, 2000, 1500, 1200, 900, 400))


@pytest.fixture(name="day")
@prepared
def make_day():
    """Two rooms of day 2 for six each: who is registered for 2B sits there, the others in 2A."""
    contest = make_contest()
    for label, names in EACH.items():
        event = f.make_event(name=f"Flight {label}", fee_cents=FEE)
        for name in names:
            row = f.register(event, name)
            f.check_in(event, row)
            f.drive(fee_pay, event, 0, registration=row)
        add(contest, event, label, stop=StopRule(players=6))
        f.drive(clock_start, event, 0)
        for name in names[6:]:
            f.out(event, by_name(event, name), at=f.after(20))
        bag_all(event, **dict.fromkeys(names[:5], 200), **{names[5]: 600})
        f.drive(day_end, event, 40)
    found = [f.make_event(name=f"Tag {label}", seats=3) for label in ("2A", "2B")]
    for event, label in zip(found, ("2A", "2B"), strict=True):
        add(contest, event, label, order=2, stop=StopRule())
    for name in EACH["1B"][:6]:
        f.register(found[1], name)
    for event in found:
        f.drive(day_draw, event, 60)
    f.drive(prizes_plan, found[0], 62, plan=PRIZES)
    for event in found:
        f.drive(clock_start, event, 65)
    return [f.fresh(event) for event in found]


def names_in(event):
    return {row.registration.person.name for row in f.entries_of(event)}


def first_in(event):
    return next(row for row in f.entries_of(event) if f.seat_of(row))


def test_rooms_play_for_one_pool_and_two_out_in_one_round_share_the_prizes_of_their_places(day):
    """Nine left and eight paid: the two share place eight, 400 for both."""
    first, second = day
    assert [sorted(names_in(event)) for event in day] == [EACH["1A"][:6], EACH["1B"][:6]]
    for event in day:
        assert event.prize_plan == replace(PRIZES, rooms=True)
        assert (prize_pool(event).cents, paid_places(event)) == (16 * FEE, 8)
        found = bubble_of(event)
        assert (found.left, found.is_near, found.is_reached) == (12, True, False)
    for place, event in ((12, first), (11, second), (10, first)):
        action = f.out(event, first_in(event), at=f.after(82 - place))
        assert places_of(f.fresh(event))[action.payload["entries"][0]] == place
    begin(first, 75, rooms=True)
    for event in day:
        report_all(event, 0, 76, tables=f.sizes(event))
    release(first, 0, 77)
    assert numbers(day) == [1, 1]
    outs = [f.out(event, first_in(event), at=f.after(78 + n)) for n, event in enumerate(day)]
    gone = [action.payload["entries"][0] for action in outs]
    for event in day:
        found = places_of(f.fresh(event))
        assert [found[entry] for entry in gone] == [8, 8]
        assert gone[day.index(event)] in provisional_entries(f.fresh(event))
    report_all(first, 1, 80, tables=f.sizes(first))
    assert gone[0] in provisional_entries(f.fresh(first))
    report_all(second, 1, 81, tables=f.sizes(second))
    assert not provisional_entries(f.fresh(first))
    count_heads(first, 81)
    assert f.refuses("tables_open", money_reach, first, 81).startswith("Tag 2B:")
    count_heads(second, 81)
    f.drive(money_reach, first, 81)
    assert all(money_reached(f.fresh(event)) for event in day)
    f.drive(prizes_freeze, first, 82)
    assert all(prizes_frozen(f.fresh(event)) for event in day)
    paid = []
    for event in day:
        rows = [row for row in payees(f.fresh(event)) if row.is_due]
        paid.append([row.amount for row in rows])
        for row in rows:
            own = event.registrations.get(pk=row.registration)
            f.drive(payout_pay, event, 83, registration=own)
    assert paid == [[200], [200]]


def test_the_rooms_are_paid_to_the_last_place_and_the_pool_is_empty(day):
    """The winner is one of all; no prize is paid in two rooms."""
    for minute in range(70, 80):
        event = max(day, key=lambda room: players_left(f.fresh(room)))
        f.out(event, first_in(event), at=f.after(minute))
    assert [players_left(f.fresh(event)) for event in day] == [1, 1]
    assert winner_of(f.fresh(day[0])) is None
    for event in day:
        f.drive(event_end, event, 90, stacks={first_in(event).pk: 1600})
    f.drive(prizes_freeze, day[1], 91)
    prizes = [row.prize for event in day for row in payouts(f.fresh(event))]
    # Equal stacks share the first two.
    assert sorted(prizes, reverse=True) == [4000, 4000, *PRIZES.amounts[2:]]
    assert sum(prizes) == 16 * FEE


def test_a_room_that_comes_later_asks_for_the_prizes_again():
    contest = make_contest()
    first, second = f.make_event(name="Tag 2A"), f.make_event(name="Tag 2B")
    for name in ("Anna", "Bert"):
        f.check_in(first, f.register(first, name))
    add(contest, first, "2A", order=2, stop=StopRule())
    f.drive(prizes_plan, first, 0, plan=PRIZES)
    f.drive(clock_start, first, 1)
    assert rooms_of(f.fresh(first)) == [first]
    add(contest, second, "2B", order=2, stop=StopRule())
    f.refuses("rooms_changed", prizes_freeze, first, 2)
    f.drive(prizes_plan, first, 2, plan=PRIZES)
    assert rooms_of(f.fresh(second)) == [first, second]


def last(event, kind):
    return Action.objects.filter(event=event, kind=kind).latest("sequence")


def test_prizes_over_the_rooms_are_fixed_and_taken_back_as_one_act(day, client):
    first, second = day
    are_fixed = lambda: [prizes_frozen(f.fresh(event)) is not None for event in day]
    f.drive(prizes_freeze, first, 82)
    f.drive(action_undo, second, 83, action=last(second, "prizes.frozen"))
    assert are_fixed() == [False, False]
    f.drive(action_undo, first, 84, action=last(first, "action.undone"))
    assert are_fixed() == [True, True]
    f.sign_browser_in(client, Role.DIRECTOR)
    plan = last(second, "prizes.planned")
    page = reverse("undo-preview", args=[second.slug, plan.pk])
    assert "auch in: Tag 2A" in text_of(client.post(page))
    f.drive(action_undo, first, 85, action=last(first, "prizes.frozen"))
    f.drive(action_undo, second, 86, action=plan)
    assert [f.fresh(event).prizes for event in day] == [{}, {}]


def test_prizes_stay_in_all_rooms_while_one_has_gone_on(day):
    first, second = day
    call_service(prizes_freeze, event=second, by=SYSTEM, at=f.after(82))
    plan = last(first, "prizes.planned")
    assert "Tag 2B: Die Preise sind" in f.refuses(
        "prizes_frozen", action_undo, first, 83, action=plan
    )
    assert all(f.fresh(event).prizes for event in day)
