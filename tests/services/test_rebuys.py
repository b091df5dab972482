"""Re-buys: asked for, sold, refused, taken back; the seat that is held meanwhile."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tests.calling import call_service
from tests.services.dealing import tap
from tournaments.changes.access import SYSTEM, Role
from tournaments.dashboard.selectors.due_play import bubble_items
from tournaments.event.selectors.event import chips_in_play, players_left, without_chips
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Drawer, Elimination, Purchase, PurchaseWish, RebuyChance, Receipt
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import drawer_balance
from tournaments.money.selectors.journal import open_cents, owed_cents, paid_cents
from tournaments.money.services.drawers import club_means_set, drawer_open
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.selectors.bubble import bubble_of, undecided
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.bubble import hand_for_hand_begin, heads_check, money_reach
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse, wishes_lapse
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.rebuys.selectors.offers import chances_lapsed
from tournaments.rebuys.selectors.prices import buy_sheet
from tournaments.rebuys.services.purchases import (
    addon_buy,
    addons_buy,
    purchase_ask,
    purchase_unask,
    rebuy_buy,
)
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.conduct import marks_of
from tournaments.seating.selectors.tables import table_views

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return evening()


@pytest.fixture
def one(event):
    return f.entries_of(event)[0]


def test_an_out_holds_the_seat_and_a_re_buy_goes_on_in_it(event, one):
    seat = f.seat_of(one)
    lose(event, one)
    chance = RebuyChance.objects.live().get(entry=one)
    assert chance.until == f.after(1) + timedelta(minutes=5)
    assert (f.seat_of(one), players_left(event)) == (seat, 6)
    f.refuses("seat_held", lose, event, one, 2)
    assert not Elimination.objects.filter(event=event).exists()
    assert chips_in_play(event) == (1200, True)
    do(rebuy_buy, event, 3, entry=one)
    f.assert_logged(event, "rebuy.bought", entry=one.pk, number=1, cents=500, chips=300)
    assert (f.seat_of(one), players_left(event), places_of(event)) == (seat, 6, {})
    assert chips_in_play(event) == (1500, True)
    assert not RebuyChance.objects.live().exists()
    assert owed_cents(one.registration) == 1500


def test_whoever_does_not_re_buy_in_time_is_out_by_the_instant_of_the_out(event):
    first, second, third = f.entries_of(event)[:3]
    lose(event, first, 1)
    lose(event, second, 2)
    do(rebuy_decline, event, 3, entry=second)
    f.refuses("no_chance", rebuys_lapse, event, 4)
    do(rebuys_lapse, event, 6)
    out = Elimination.objects.live().get(entry=first)
    assert (out.at, out.table_id is not None, f.seat_of(first)) == (f.after(1), True, None)
    assert places_of(event) == {first.pk: 6, second.pk: 5}
    assert players_left(event) == 4
    f.refuses("is_out", rebuy_buy, event, 7, entry=first, stack=0)
    assert third.pk not in places_of(event)


def test_those_of_one_hand_rank_by_their_stacks_although_one_of_them_could_re_buy():
    event = evening(rebuy_most=1)
    one, two, three = f.entries_of(event)[:3]
    lose(event, one)
    do(rebuy_buy, event, 1, entry=one)
    stacks = {one.pk: 50, two.pk: 90}
    action = do(entries_eliminate, event, 2, entries=[one, two], start_stacks=stacks)
    assert action.payload["held"] == [two.pk]
    assert action.payload["outcome"] == "some"
    do(rebuys_lapse, event, 8)
    assert places_of(event) == {one.pk: 6, two.pk: 5}
    assert three.pk not in places_of(event)


def test_a_wish_in_time_is_in_time_though_it_is_confirmed_later(event, one):
    lose(event, one, 59)
    do(purchase_ask, event, 59.5, entry=one, what="rebuy")
    with f.refused("no_chance", event):
        do(rebuys_lapse, event, 64.2)  # a request waits for the answer as long as a seat is held
    f.refuses("too_late", rebuy_buy, event, 64.5, entry=one)
    do(rebuy_buy, event, 64.2, entry=one)
    assert Purchase.objects.live().get().entry == one


def test_a_held_seat_is_for_a_re_buy_though_the_level_ends_meanwhile(event, one):
    """The stack was lost in time: who is asked five minutes may say yes for five minutes."""
    other = f.entries_of(event)[1]
    lose(event, one, 59)
    lose(event, other, 59)
    assert [line.obstacle for line in buy_sheet(one, f.after(63)).lines[:1]] == [None]
    do(purchase_ask, event, 63, by=f.petra_of(other.registration), entry=other, what="rebuy")
    do(rebuy_buy, event, 63.9, entry=one)
    do(rebuy_buy, event, 66, entry=other)
    assert Purchase.objects.live().count() == 2


def test_nobody_asks_twice_and_a_wish_is_taken_back(event):
    one, other = f.entries_of(event)[:2]
    petra = f.petra_of(one.registration)
    do(purchase_ask, event, 1, by=petra, entry=one, what="addon")
    f.refuses("already_asked", purchase_ask, event, 1, entry=one, what="addon")
    f.refuses("gone", purchase_ask, event, 1, by=petra, entry=other, what="addon")
    f.refuses("not_allowed", purchase_ask, event, 1, by=f.ZENO, entry=other, what="addon")
    do(purchase_unask, event, 2, by=petra, entry=one)
    assert not PurchaseWish.objects.live().exists()
    f.refuses("nothing_asked", purchase_unask, event, 2, by=petra, entry=one)


@pytest.mark.parametrize(
    ("settings", "minute", "stack", "code"),
    [
        ({"rebuy_level": 0}, 1, 0, "not_offered"),
        ({}, 1, 40, "has_chips"),
        ({}, 1, None, "stack_unknown"),
        ({"rebuy_threshold": 40}, 1, 41, "has_chips"),
        ({}, 61, 0, "too_late"),
        ({}, 1, 0, None),
        ({"rebuy_threshold": 40}, 1, 40, None),
    ],
)
def test_a_re_buy_that_cannot_be_is_refused(settings, minute, stack, code):
    event = evening(**settings)
    one = f.entries_of(event)[0]
    if code is None:
        do(rebuy_buy, event, minute, entry=one, stack=stack)
        return
    f.refuses(code, rebuy_buy, event, minute, entry=one, stack=stack)
    assert chips_in_play(event) == (1200, True)
    assert open_cents(one.registration) == 1000


def test_so_many_re_buys_a_person_and_two_at_once_where_that_is_set(event, one):
    f.refuses("one_at_a_time", rebuy_buy, event, 1, entry=one, stack=0, number=2)
    do(event_update, event, 1, settings={"rebuy_double": True})
    do(rebuy_buy, event, 2, entry=one, stack=0, number=2)
    assert (owed_cents(one.registration), chips_in_play(event)) == (2000, (1800, True))
    f.refuses("too_often", rebuy_buy, event, 3, entry=one, stack=0)
    lose(event, one, 4)
    assert Elimination.objects.live().filter(entry=one).exists()


def test_an_arbiter_sells_from_his_drawer_in_time_and_a_director_lets_pass_what_is_late(event):
    one, two = f.entries_of(event)[:2]
    arno = f.sign_in("Arno", Role.ARBITER, event).actor
    f.refuses("no_drawer_given", rebuy_buy, event, 1, by=arno, entry=one, stack=0)
    f.refuses("no_drawer_given", addon_buy, event, 1, by=arno, entry=one)
    do(drawer_open, event, 1, by=f.make_dora(event), float_cents=0, device=arno.device)
    do(rebuy_buy, event, 2, by=arno, entry=one, stack=0, pays=True)
    do(rebuy_buy, event, 2, by=arno, entry=two, stack=0)
    assert paid_cents(one.registration) == drawer_balance(Drawer.objects.get()) == 500
    assert open_cents(two.registration) == 1500
    for by in (arno, f.make_desk(event)):
        f.refuses("too_late", do, rebuy_buy, event, 61, by=by, knowingly=True, entry=one, stack=0)
    dora = f.make_dora(event)
    do(drawer_open, event, 61, by=dora, float_cents=0)
    f.refuses("has_chips", do, rebuy_buy, event, 61, by=dora, knowingly=True, entry=one, stack=1)
    do(rebuy_buy, event, 61, by=dora, knowingly=True, entry=one, stack=0)


def test_a_re_buy_is_taken_back_and_the_seat_is_held_again(event, one):
    out = lose(event, one, 1)
    bought = do(rebuy_buy, event, 2, entry=one, pays=True)
    f.refuses("needed", undo, event, out)
    undo(event, bought)
    assert RebuyChance.objects.live().get().entry == one
    assert (chips_in_play(event), paid_cents(one.registration)) == ((1200, True), 0)
    with f.refused("no_chance", event):
        do(rebuys_lapse, event, 10)  # whoever took it back is at it
    undo(event, out)
    assert not RebuyChance.objects.live().exists()
    assert players_left(event) == 6


def test_add_ons_of_a_break_are_one_act_with_a_receipt_for_each(event, one):
    three = f.entries_of(event)[:3]
    do(purchase_ask, event, 1, entry=one, what="addon")
    sold = do(addons_buy, event, 2, entries=three, pays=True)
    f.assert_logged(event, "addons.bought", number=3, cents=1200)
    assert [receipt.cents for receipt in Receipt.objects.order_by("pk")] == [400] * 3
    assert not PurchaseWish.objects.live().exists()
    assert chips_in_play(event) == (1200 + 3 * 500, True)
    # One of them has one already: nobody gets one.
    f.refuses("too_often", addons_buy, event, 3, entries=f.entries_of(event)[2:5])
    for nobody in ([], [one, one]):
        f.refuses("nobody", addons_buy, event, 3, entries=nobody)
    undo(event, sold)
    assert not Purchase.objects.live().exists()
    assert chips_in_play(event) == (1200, True)
    assert sum(receipt.cents for receipt in Receipt.objects.all()) == 0
    assert PurchaseWish.objects.live().exists()


def test_what_is_bought_again_is_paid_by_every_means_the_club_takes(event, one):
    f.refuses("means_not_taken", addon_buy, event, 1, entry=one, pays=True, means=Means.CARD)
    names = {"card": "Bankomat"}
    call_service(club_means_set, club=event.club, by=SYSTEM, at=f.after(1), names=names)
    do(addon_buy, event, 2, entry=one, pays=True, means=Means.CARD)
    assert Receipt.objects.get().means == Means.CARD
    assert paid_cents(one.registration) == 400


# --- A held seat without chips: posts nothing, is not moved, is awaited near the money


@pytest.fixture
def two_tables():
    """Two tables of ten, hands tapped at both, then three out at table 2 for good."""
    event = evening(20, seats=10, reentry_most=0)
    for number in (1, 2):
        seat = f.seat_of(f.at_table(event, number)[0])[1]
        tap(event, 1, number, button=seat)
    for entry in f.at_table(event, 2)[-3:]:
        out_for_good(event, entry, 3)
    return f.fresh(event)


def out_for_good(event, entry, minute):
    lose(event, entry, minute)
    do(rebuy_decline, event, minute, entry=entry)


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
    event = evening(20, seats=8)
    small = min(f.sizes(event), key=lambda number: f.sizes(event)[number])
    held = f.at_table(event, small)[0]
    lose(event, held, 11)
    assert floor_advice(f.fresh(event), f.after(12)).moves_in_all == 0
    do(rebuy_decline, event, 12, entry=held)
    [move] = floor_advice(f.fresh(event), f.after(13)).transfers
    assert move.to_table == small


def test_a_table_with_a_held_seat_is_not_broken():
    event = evening(21, seats=10)
    out_for_good(event, f.at_table(event, 1)[0], 1)
    assert floor_advice(f.fresh(event), f.after(2)).breaks_table == 3
    held = f.at_table(event, 3)[0]
    lose(event, held, 2)
    assert floor_advice(f.fresh(event), f.after(3)).breaks_table is None
    do(rebuy_buy, event, 3, entry=held)
    assert floor_advice(f.fresh(event), f.after(4)).breaks_table == 3


@pytest.fixture
def near_the_money():
    return evening(9, seats=3, paid_places=7)


def count_all(event, minute):
    for table, players in f.sizes(event).items():
        f.drive(heads_check, event, minute, table=f.table_of(event, table), players=players)


def test_hand_for_hand_and_the_money_wait_for_who_is_undecided(near_the_money):
    # Nothing is proposed while somebody may come in.
    late, after = f.after(5), f.after(200)
    assert bubble_items(near_the_money, late) == []
    assert [item.kind.value for item in bubble_items(f.fresh(near_the_money), after)]
    event = near_the_money
    entries = f.entries_of(event)
    lose(event, entries[0], 1)
    assert entries[0].registration.person.name in f.refuses(
        "undecided", hand_for_hand_begin, event, 2
    )
    for entry in entries[1:3]:
        out_for_good(event, entry, 3)
    count_all(event, 4)
    assert bubble_of(f.fresh(event)).undecided == (entries[0].registration.person.name,)
    f.refuses("undecided", money_reach, event, 5)
    do(rebuy_buy, event, 5, entry=entries[0])
    count_all(event, 6)
    f.drive(money_reach, event, 7)


def test_prizes_are_not_fixed_while_a_wish_is_open(near_the_money):
    event = near_the_money
    plan = PrizePlan(way=Way.SHARES, shares=(6000, 4000), unit_cents=100)
    f.drive(prizes_plan, event, 1, plan=plan)
    one = f.entries_of(event)[0]
    lose(event, one, 2)
    petra = f.petra_of(one.registration)
    do(purchase_ask, event, 3, by=petra, entry=one, what="rebuy")
    f.refuses("undecided", prizes_freeze, event, 200)
    do(purchase_unask, event, 4, by=petra, entry=one)
    f.refuses("undecided", prizes_freeze, event, 200)


def test_a_request_lapses_with_the_time_that_the_house_gives():
    """A wish of level 1 buys no stack at the bubble."""
    event = evening(9, seats=3, paid_places=7)
    one, other = f.entries_of(event)[:2]
    for minute, entry in ((1, one), (1, other)):
        lose(event, entry, minute)
        do(purchase_ask, event, 2, by=f.petra_of(entry.registration), entry=entry, what="rebuy")
    # A request extends the time of the seat, and no longer than its own time.
    assert chances_lapsed(f.fresh(event), f.after(6.5)) == []
    assert len(chances_lapsed(f.fresh(event), f.after(7))) == 2
    f.refuses("nothing_asked", wishes_lapse, event, 6.5)
    do(rebuy_buy, event, 6, entry=other)
    do(rebuys_lapse, event, 7)
    assert without_chips(f.fresh(event)) == {}
    assert f.seat_of(one) is None


def test_an_add_on_asked_for_is_late_once_the_request_has_lapsed():
    event = evening(9, seats=3)
    one = f.entries_of(event)[0]
    do(purchase_ask, event, 2, by=f.petra_of(one.registration), entry=one, what="addon")
    f.refuses("too_late", addon_buy, event, 200, entry=one)
    do(wishes_lapse, event, 200)
    f.assert_logged(event, "purchases.lapsed", entries=[one.pk])
    assert undecided(f.fresh(event)) == ()


def test_no_final_table_is_drawn_while_somebody_may_come_in():
    """Ten players of eight seats a table fit the final table; the level of late entry ends it."""
    event = evening(10, seats=8, reentry_most=0)
    for entry in f.at_table(event, 2)[:2]:
        out_for_good(event, entry, 3)
    assert not floor_advice(event, f.after(4)).draws_final
    assert floor_advice(f.fresh(event), f.after(61)).draws_final
