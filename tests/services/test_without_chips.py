"""A held seat without chips: posts nothing, is not moved, is awaited near the money."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.buying import TERMS, do, lose
from tournaments.dashboard.selectors.due_play import bubble_items
from tournaments.event.selectors.event import without_chips
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.bubble import bubble_of, undecided
from tournaments.play.services.bubble import hand_for_hand_begin, heads_check, money_reach
from tournaments.play.services.hands import hand_begin
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.rebuys.selectors.offers import chances_lapsed
from tournaments.rebuys.services.purchases import (
    addon_buy,
    purchase_ask,
    purchase_unask,
    rebuy_buy,
    wishes_lapse,
)
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.conduct import marks_of
from tournaments.seating.selectors.tables import table_views

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_tables():
    """Two tables of ten, hands tapped at both, then three out at table 2 for good."""
    event = f.make_running_event(20, seats=10, **TERMS | {"reentry_most": 0})
    for number in (1, 2):
        seat = f.seat_of(f.at_table(event, number)[0])[1]
        tap(event, 1, number, button=seat)
    for entry in f.at_table(event, 2)[-3:]:
        out_for_good(event, entry, 3)
    return f.fresh(event)


def out_for_good(event, entry, minute):
    lose(event, entry, minute)
    do(rebuy_decline, event, minute, entry=entry)


def tap(event, minute, number, **own):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, number), **own)


def test_nobody_without_chips_is_moved_or_posts_a_blind(two_tables):
    """Case X1."""
    event = two_tables
    due = floor_advice(event, f.after(4)).moves[0]
    assert due.reason_code.startswith("next_big_blind")
    held = next(one for one in f.entries_of(event) if one.pk == due.entry)
    lose(event, held, 4)
    event = f.fresh(event)
    assert without_chips(event) == {held.pk: f.after(4) + timedelta(minutes=5)}
    moves = floor_advice(event, f.after(5)).moves
    assert moves
    assert all(move.entry != held.pk for move in moves)
    tap(event, 5, 1)
    view = table_views(f.fresh(event), f.after(5), [1])[1]
    assert held.pk not in {view.players.get(view.small_blind), view.players.get(view.big_blind)}
    assert marks_of(f.fresh(event))[held.pk].held_until == f.after(9)
    # With a new stack the player posts and moves like the others.
    do(rebuy_buy, event, 6, entry=held)
    assert without_chips(f.fresh(event)) == {}
    assert table_views(f.fresh(event), f.after(6), [1])[1].held == frozenset()


def test_a_table_with_a_held_seat_is_not_short_before_the_re_buy_is_decided():
    event = f.make_running_event(20, seats=8, **TERMS)
    small = min(f.sizes(event), key=lambda number: f.sizes(event)[number])
    held = f.at_table(event, small)[0]
    lose(event, held, 11)
    assert floor_advice(f.fresh(event), f.after(12)).moves_in_all == 0
    do(rebuy_decline, event, 12, entry=held)
    [move] = floor_advice(f.fresh(event), f.after(13)).transfers
    assert move.to_table == small


def test_a_table_with_a_held_seat_is_not_broken():
    event = f.make_running_event(21, seats=10, **TERMS)
    out_for_good(event, f.at_table(event, 1)[0], 1)
    assert floor_advice(f.fresh(event), f.after(2)).breaks_table == 3
    held = f.at_table(event, 3)[0]
    lose(event, held, 2)
    assert floor_advice(f.fresh(event), f.after(3)).breaks_table is None
    do(rebuy_buy, event, 3, entry=held)
    assert floor_advice(f.fresh(event), f.after(4)).breaks_table == 3


@pytest.fixture
def near_the_money():
    return f.make_running_event(9, seats=3, paid_places=7, **TERMS)


def count_all(event, minute):
    for table, players in f.sizes(event).items():
        f.drive(heads_check, event, minute, table=f.table_of(event, table), players=players)


def test_hand_for_hand_and_the_money_wait_for_who_is_undecided(near_the_money):
    event = near_the_money
    entries = f.entries_of(event)
    lose(event, entries[0], 1)
    with f.refused("undecided", event) as refused:
        f.drive(hand_for_hand_begin, event, 2)
    assert entries[0].registration.person.name in str(refused.value)
    for entry in entries[1:3]:
        out_for_good(event, entry, 3)
    count_all(event, 4)
    assert bubble_of(f.fresh(event)).undecided == (entries[0].registration.person.name,)
    with f.refused("undecided", event):
        f.drive(money_reach, event, 5)
    do(rebuy_buy, event, 5, entry=entries[0])
    count_all(event, 6)
    f.drive(money_reach, event, 7)


def test_nothing_is_proposed_near_the_money_while_somebody_may_come_in(near_the_money):
    event = near_the_money
    late, after = f.after(5), f.after(200)
    assert bubble_items(event, late) == []
    assert [item.kind.value for item in bubble_items(f.fresh(event), after)]


def test_prizes_are_not_fixed_while_a_wish_is_open(near_the_money):
    event = near_the_money
    plan = PrizePlan(way=Way.SHARES, shares=(6000, 4000), unit_cents=100)
    f.drive(prizes_plan, event, 1, plan=plan)
    one = f.entries_of(event)[0]
    lose(event, one, 2)
    petra = f.petra_of(one.registration)
    do(purchase_ask, event, 3, by=petra, entry=one, what="rebuy")
    with f.refused("undecided", event):
        f.drive(prizes_freeze, event, 200)
    do(purchase_unask, event, 4, by=petra, entry=one)
    with f.refused("undecided", event):
        f.drive(prizes_freeze, event, 200)


def test_a_request_lapses_with_the_time_that_the_house_gives():
    """What is asked for in level 1 is no option on a stack at the bubble."""
    event = f.make_running_event(9, seats=3, paid_places=7, **TERMS)
    one, other = f.entries_of(event)[:2]
    for minute, entry in ((1, one), (1, other)):
        lose(event, entry, minute)
        do(purchase_ask, event, 2, by=f.petra_of(entry.registration), entry=entry, what="rebuy")
    # A request extends the time of the seat, and no longer than its own time.
    assert chances_lapsed(f.fresh(event), f.after(6.5)) == []
    assert len(chances_lapsed(f.fresh(event), f.after(7))) == 2
    with f.refused("nothing_asked", event):
        do(wishes_lapse, event, 6.5)
    do(rebuy_buy, event, 6, entry=other)
    do(rebuys_lapse, event, 7)
    assert without_chips(f.fresh(event)) == {}
    assert f.seat_of(one) is None


def test_an_add_on_asked_for_is_late_once_the_request_has_lapsed():
    event = f.make_running_event(9, seats=3, **TERMS)
    one = f.entries_of(event)[0]
    do(purchase_ask, event, 2, by=f.petra_of(one.registration), entry=one, what="addon")
    with f.refused("too_late", event):
        do(addon_buy, event, 200, entry=one)
    do(wishes_lapse, event, 200)
    f.assert_logged(event, "purchases.lapsed", entries=[one.pk])
    assert undecided(f.fresh(event)) == ()


def test_no_final_table_is_drawn_while_somebody_may_come_in():
    """Ten players of eight seats a table fit the final table; the level of late entry ends it."""
    event = f.make_running_event(10, seats=8, **TERMS | {"reentry_most": 0})
    for entry in f.at_table(event, 2)[:2]:
        out_for_good(event, entry, 3)
    assert not floor_advice(event, f.after(4)).draws_final
    assert floor_advice(f.fresh(event), f.after(61)).draws_final
