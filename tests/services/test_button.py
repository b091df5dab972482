"""Where the button is: noted with each hand, in stud, and of many tables; what rests on it."""

from datetime import timedelta

import pytest

from clock.models import Level
from tests import factories as f
from tests.services.dealing import at_seat, mark, out, posts, tap, to_come, two_tables
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.models import DealerDraw
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.button import buttons_known, hand_to_come, seats_opened_last
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import table_views
from tournaments.seating.services.tables import dealer_draw_make, entry_move

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return two_tables("tda-2024")


@pytest.fixture
def krru():
    return two_tables("krru-3")


# --- A hand notes its seats


def test_krru_3_the_high_card_has_the_button_in_the_first_hand():
    event = f.make_seated_event(5, seats=5)
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 1))
    dealer = DealerDraw.objects.get().cards[0]["seat"]
    assert to_come(event, 0)[0] == dealer
    assert f.drive(clock_start, event, 0)
    tap(event, 0.5)
    assert posts(event) == tuple((dealer + step - 1) % 5 + 1 for step in range(3))
    tap(event, 2)
    assert posts(event)[0] == dealer % 5 + 1


def test_a_first_dealer_who_left_passes_the_button_on():
    event = f.make_seated_event(5, seats=5)
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 1))
    dealer = DealerDraw.objects.get().cards[0]["seat"]
    f.drive(clock_start, event, 0)
    out(event, dealer, 0.1)
    assert to_come(event, 0.5)[0] == dealer % 5 + 1


def test_without_a_draw_the_button_is_unknown_until_it_is_said(event):
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert to_come(event, 1.5) is None
    mark(event, 1.5, 2)
    assert to_come(event, 2) == (3, 4, 5)
    tap(event, 2.5)
    assert posts(event) == (3, 4, 5)
    f.assert_logged(event, "hand.begun", table=1, hand=2, button=3)


def test_one_tap_begins_the_hand_with_the_button_that_is_seen(event):
    action = tap(event, 1, button=4)
    assert posts(event) == (4, 5, 1)
    assert action.payload["button"] == 4
    tap(event, 2.5, button=5)
    assert posts(event) == (5, 1, 2)


def test_tda_2024_32_the_big_blind_went_out_and_both_hands_after(event):
    tap(event, 1, button=1)
    out(event, 3, 1.5)
    tap(event, 2)
    assert posts(event) == (2, 3, 4)
    assert to_come(event, 3) == (3, 4, 5)
    # What is expected is noted as it is, dead post and all, even if it is said.
    tap(event, 4, button=3)
    assert posts(event) == (3, 4, 5)


def test_krru_3_the_big_blind_went_out_and_the_button_goes_on(krru):
    tap(krru, 1, button=1)
    out(krru, 3, 1.5)
    tap(krru, 2)
    assert posts(krru) == (2, 4, 5)


@pytest.mark.parametrize("preset", ["krru-3", "tda-2024"])
def test_tda_2024_34_into_heads_up_nobody_posts_the_big_blind_twice(preset):
    event = f.make_running_event(4, seats=4, preset=preset)
    tap(event, 1, button=1)
    f.out(event, at_seat(event, 1), at_seat(event, 4), at=f.after(1.5))
    tap(event, 2)
    assert posts(event) == (3, 3, 2)
    tap(event, 3)
    assert posts(event) == (2, 2, 3)


@pytest.mark.parametrize("preset", ["krru-3", "tda-2024"])
def test_tda_2024_10_who_sits_down_between_button_and_small_blind_waits(preset):
    event = f.make_running_event(9, seats=5, preset=preset)
    small = next(number for number, players in f.sizes(event).items() if players == 4)
    large = 3 - small
    free = ({1, 2, 3, 4, 5} - {f.seat_of(entry)[1] for entry in f.at_table(event, small)}).pop()
    # The free seat lies between the blinds of this hand, so between button and small blind next.
    tap(event, 1, number=small, button=(free + 2) % 5 + 1)
    mover = f.at_table(event, large)[0]
    table = f.table_of(event, small)
    f.drive(entry_move, event, 1.5, entry=mover, table=table, seat=free, reason="Probe")
    found = hand_to_come(f.fresh(event), table, f.after(2)).posts
    assert found.waits == {free}
    tap(event, 2, number=small)
    after = hand_to_come(f.fresh(event), table, f.after(3)).posts
    assert not after.waits
    assert after.button == found.small_blind


def test_an_undone_bust_counts_as_never_having_left(event):
    tap(event, 1, button=1)
    gone = f.out(event, at_seat(event, 3), at=f.after(1.5))
    assert to_come(event, 2) == (2, 3, 4)
    f.undo(event, gone, at=f.after(1.8))
    assert to_come(event, 2) == (2, 3, 4)
    assert not hand_to_come(event, f.table_of(event, 1), f.after(2)).posts.is_small_blind_dead


def test_a_hand_tapped_while_the_wlan_was_away_is_that_of_those_who_sat_then(event):
    tap(event, 1, button=1)
    out(event, 4, 5)
    late = f.after(6)
    table = f.table_of(event, 1)
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(3), recorded_at=late), table=table)
    assert posts(event) == (2, 3, 4)
    with f.refused("overtaken", event):
        hand_begin(Command(event=event, by=SYSTEM, at=f.after(2), recorded_at=late), table=table)


# --- Stud


def test_stud_has_no_button():
    event = f.make_running_event(5, seats=5, game="stud", limit="split_limit")
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert hand_to_come(event, f.table_of(event, 1), f.after(2)).is_stud
    with f.refused("no_button", event):
        mark(event, 2, 3)
    with f.refused("no_button", event):
        tap(event, 2, button=3)


def test_tda_2024_11b_the_button_stays_while_stud_is_played(event):
    tap(event, 1, button=1)
    stud = Level.objects.filter(clock=event.clock, position=1)
    stud.update(game="Seven Card Stud")
    for minute in (21, 23):
        tap(event, minute)
        assert posts(event) == (1, 2, 3)
    stud.update(game="")
    tap(event, 25)
    assert posts(event) == (2, 3, 4)


# --- Many tables


def test_views_know_the_button_of_every_table_that_is_tapped(event):
    tap(event, 1, button=3)
    views = table_views(event, f.after(10))
    assert (views[1].button, views[1].big_blind, views[1].rule) == (3, 5, "dead")
    assert views[2].button is None
    mark(event, 2, 2, number=2)
    assert table_views(event, f.after(10), [2])[2].button == 2


def test_many_tables_cost_the_same(django_assert_num_queries):
    event = f.make_running_event(40, seats=5)
    for number in range(1, 5):
        tap(event, 1, number=number, button=1)
        mark(event, 2, 2, number=number + 4)
    tables = [f.table_of(event, number) for number in range(1, 9)]
    with django_assert_num_queries(4):
        known = buttons_known(event, tables)
    assert [known[table.pk].button for table in tables] == [1] * 4 + [2] * 4
    with django_assert_num_queries(7):
        assert len(table_views(event, f.after(10))) == 8


def test_pictures_show_the_posts_of_the_hand_being_played(event):
    tap(event, 1, button=1)
    seats = table_pictures(event, f.after(2), [1])[0].seats
    assert [seat.seat for seat in seats if seat.is_button] == [1]
    assert [seat.seat for seat in seats if seat.is_small_blind] == [2]
    assert [seat.seat for seat in seats if seat.is_big_blind] == [3]


def test_tda_2024_11a_the_seat_that_opened_last(event):
    assert seats_opened_last(event) == {}
    out(event, 3, 1)
    out(event, 1, 2)
    assert seats_opened_last(event) == {1: (1,)}
    f.out(event, at_seat(event, 4), at_seat(event, 2), at=f.after(3))
    assert seats_opened_last(event, [1, 2]) == {1: (2, 4)}
    assert seats_opened_last(event, [2]) == {}


def test_a_move_taken_back_opened_no_seat(event):
    out(event, 3, 1)
    mover = f.at_table(event, 2)[0]
    own = {"entry": mover, "table": f.table_of(event, 1), "seat": 3, "reason": "Probe"}
    f.undo(event, f.drive(entry_move, event, 2, **own), at=f.after(3))
    assert seats_opened_last(event) == {1: (3,)}


def test_tda_2024_11a_with_the_buttons_known_the_next_big_blind_is_suggested():
    event = f.make_unbalanced_event()
    assert floor_advice(event, f.after(10)).moves[0].reason_code == "drawn.drawn"
    tap(event, 6, number=1, button=2)
    tap(event, 6, number=2, button=f.seat_of(f.at_table(event, 2)[0])[1])
    move = floor_advice(event, f.after(10)).moves[0]
    assert (move.from_table, move.from_seat) == (1, 5)
    assert move.reason_code == "next_big_blind.worst_seat"
    tap(event, 7, number=1)
    assert floor_advice(event, f.after(10)).moves[0].from_seat == 6


def test_newcomers_are_those_who_sat_down_since_the_hand_began(event):
    tap(event, 1, button=1)
    out(event, 5, 1.2)
    mover = f.at_table(event, 2)[0]
    table = f.table_of(event, 1)
    f.drive(entry_move, event, 1.5, entry=mover, table=table, seat=5, reason="Probe")
    assert table_views(event, f.after(10), [1])[1].newcomers == {5}
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1.5) + timedelta(seconds=5)), table=table)
    assert table_views(event, f.after(10), [1])[1].newcomers == frozenset()
