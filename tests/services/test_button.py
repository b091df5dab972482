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
from tournaments.seating.selectors.button import buttons_known, hand_to_come, seats_opened_last
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import table_views
from tournaments.seating.services.tables import dealer_draw_make, entry_move

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return two_tables("tda-2024")


def test_krru_3_the_high_card_has_the_button_in_the_first_hand_and_passes_it_on_when_gone():
    event = f.make_seated_event(10, seats=5)
    for number in (1, 2):
        f.drive(dealer_draw_make, event, -60, table=f.table_of(event, number))
    dealer, gone = (
        DealerDraw.objects.get(table__number=number).cards[0]["seat"] for number in (1, 2)
    )
    assert to_come(event, 0)[0] == dealer
    f.drive(clock_start, event, 0)
    tap(event, 0.5)
    assert posts(event) == tuple((dealer + step - 1) % 5 + 1 for step in range(3))
    tap(event, 2)
    assert posts(event)[0] == dealer % 5 + 1
    out(event, gone, 2.1, number=2)
    assert to_come(event, 2.5, number=2)[0] == gone % 5 + 1


def test_without_a_draw_the_button_is_unknown_until_it_is_said_or_tapped(event):
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert to_come(event, 1.5) is None
    mark(event, 1.5, 2)
    assert to_come(event, 2) == (3, 4, 5)
    tap(event, 2.5)
    assert posts(event) == (3, 4, 5)
    f.assert_logged(event, "hand.begun", table=1, hand=2, button=3)
    action = tap(event, 3, number=2, button=4)
    assert posts(event, 2) == (4, 5, 1)
    assert action.payload["button"] == 4
    tap(event, 5, number=2, button=5)
    assert posts(event, 2) == (5, 1, 2)


@pytest.mark.parametrize(
    ("preset", "next_hand"),
    [("tda-2024", (2, 3, 4)), ("krru-3", (2, 4, 5))],
    ids=["tda_32", "krru"],
)
def test_the_big_blind_went_out(preset, next_hand):
    event = two_tables(preset)
    tap(event, 1, button=1)
    out(event, 3, 1.5)
    tap(event, 2)
    assert posts(event) == next_hand
    if preset == "tda-2024":
        assert to_come(event, 3) == (3, 4, 5)
        # What is expected is noted as it is, dead post and all, even if it is said.
        tap(event, 4, button=3)
        assert posts(event) == (3, 4, 5)


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


def test_stud_has_no_button():
    event = f.make_running_event(5, seats=5, game="stud", limit="split_limit")
    tap(event, 1)
    assert posts(event) == (None, None, None)
    assert hand_to_come(event, f.table_of(event, 1), f.after(2)).is_stud
    f.refuses("no_button", mark, event, 2, 3)
    f.refuses("no_button", tap, event, 2, button=3)


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


def test_views_and_pictures_know_the_button_of_every_table_that_is_tapped(event):
    tap(event, 1, button=3)
    views = table_views(event, f.after(10))
    assert (views[1].button, views[1].big_blind, views[1].rule) == (3, 5, "dead")
    assert views[2].button is None
    mark(event, 2, 2, number=2)
    assert table_views(event, f.after(10), [2])[2].button == 2
    seats = table_pictures(event, f.after(2), [1])[0].seats
    for post, number in (("is_button", 3), ("is_small_blind", 4), ("is_big_blind", 5)):
        assert [seat.seat for seat in seats if getattr(seat, post)] == [number]


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


def test_tda_2024_11a_the_seat_that_opened_last(event):
    assert seats_opened_last(event) == {}
    out(event, 1, 1)
    out(event, 3, 2)
    assert seats_opened_last(event) == {1: (3,)}
    own = {"table": f.table_of(event, 1), "seat": 3, "reason": "Probe"}
    move = f.drive(entry_move, event, 2.2, entry=f.at_table(event, 2)[0], **own)
    f.undo(event, move, at=f.after(2.5))  # a move taken back opened no seat
    assert seats_opened_last(event) == {1: (3,)}
    f.out(event, at_seat(event, 4), at_seat(event, 2), at=f.after(3))
    assert seats_opened_last(event, [1, 2]) == {1: (2, 4)}
    assert seats_opened_last(event, [2]) == {}


def test_newcomers_are_those_who_sat_down_since_the_hand_began(event):
    tap(event, 1, button=1)
    out(event, 5, 1.2)
    mover = f.at_table(event, 2)[0]
    table = f.table_of(event, 1)
    f.drive(entry_move, event, 1.5, entry=mover, table=table, seat=5, reason="Probe")
    assert table_views(event, f.after(10), [1])[1].newcomers == {5}
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1.5) + timedelta(seconds=5)), table=table)
    assert table_views(event, f.after(10), [1])[1].newcomers == frozenset()
