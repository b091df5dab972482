"""Where the button is, said by staff: marks, taken back, refused."""

import pytest

from tests import factories as f
from tests.services.dealing import mark, out, posts, tap, to_come, two_tables
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import describe, log_lines
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import ButtonMark
from tournaments.play.services.hands import button_mark
from tournaments.seating.selectors.tables import table_views
from tournaments.seating.services.tables import dealer_draw_make, table_break
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return two_tables("tda-2024")


@pytest.fixture
def krru():
    return two_tables("krru-3")


# --- Staff says where it is


def test_a_mark_holds_for_the_hand_being_played_and_the_next_goes_on_from_it(krru):
    tap(krru, 1, button=1)
    mark(krru, 1.5, 4)
    assert posts(krru) == (1, 2, 3)
    f.assert_logged(krru, "button.marked", table=1, seat=4, hand=1)
    # Who was there as the hand began: the blinds were 5 and 1, though 5 has gone out since.
    out(krru, 5, 1.8)
    assert to_come(krru, 2) == (1, 2, 3)
    tap(krru, 2)
    assert posts(krru) == (1, 2, 3)


def test_a_mark_that_agrees_changes_nothing_of_the_blinds(event):
    tap(event, 1, button=1)
    out(event, 3, 1.5)
    tap(event, 2)
    mark(event, 2.5, 2)
    assert to_come(event, 3) == (3, 4, 5)


def test_not_known_is_said_too_and_lasts_until_somebody_knows(event):
    tap(event, 1, button=1)
    action = mark(event, 1.5, None)
    assert describe(action) == "Button an Tisch 1: nicht bekannt"
    tap(event, 2)
    assert posts(event) == (None, None, None)
    tap(event, 3, button=5)
    assert to_come(event, 4) == (1, 2, 3)


def test_before_the_start_a_mark_is_for_the_first_hand():
    event = f.make_seated_event(5, seats=5)
    table = f.table_of(event, 1)
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=table)
    button_mark(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=table, seat=2)
    assert table_views(event, f.after(10))[1].button is None
    f.drive(clock_start, event, 0)
    tap(event, 0.5)
    assert posts(event) == (2, 3, 4)


def test_in_play_a_mark_without_a_tap_is_for_the_hand_being_played(event):
    mark(event, 5, 2)
    assert to_come(event, 6) == (3, 4, 5)


def test_marks_stand_in_the_log_but_not_among_the_last_actions_and_are_cheap(
    event, django_assert_max_num_queries
):
    before = [line.action.pk for line in log_lines(event, SYSTEM)]
    with django_assert_max_num_queries(17):
        action = mark(event, 1, 3)
    assert action.news["changed"] == ["hands"]
    assert describe(action) == "Button an Tisch 1: Platz 3"
    assert [line.action.pk for line in log_lines(event, SYSTEM)] == before


def test_a_tap_costs_a_fixed_number_of_queries(event, django_assert_max_num_queries):
    tap(event, 1, button=1)
    for minute in (2, 3, 4):
        tap(event, minute)
    with django_assert_max_num_queries(20):
        tap(event, 5)


# --- Taken back


def test_taking_a_tap_back_takes_its_button_back(event):
    tap(event, 1, button=1)
    undone = f.undo(event, tap(event, 2), at=f.after(2.5))
    assert to_come(event, 3) == (2, 3, 4)
    f.undo(event, undone, at=f.after(2.6))
    assert to_come(event, 3) == (3, 4, 5)


def test_taking_a_mark_back_gives_the_button_of_before(event):
    tap(event, 1, button=1)
    made = mark(event, 1.5, 4)
    f.undo(event, made, at=f.after(1.8))
    assert to_come(event, 2) == (2, 3, 4)
    assert not ButtonMark.objects.live().exists()


def test_a_mark_made_in_a_hand_that_is_taken_back_no_longer_counts(event):
    tap(event, 1, button=1)
    second = tap(event, 2)
    mark(event, 2.5, 5)
    undone = f.undo(event, second, at=f.after(3))
    assert to_come(event, 4) == (2, 3, 4)
    tap(event, 4)
    assert posts(event) == (2, 3, 4)
    f.undo(event, at=f.after(5))
    action_undo(Command(event=event, by=SYSTEM, at=f.after(6)), action=undone)
    assert to_come(event, 7) == (1, 2, 3)


def test_arno_takes_back_his_own_mark(event):
    arno = f.make_arno(event)
    f.undo(event, mark(event, 1, 2, by=arno), by=arno, at=f.after(2))
    assert not ButtonMark.objects.live().exists()


# --- Refused


def test_bad_seats_are_refused(event, krru):
    for seat in (0, 6, 99):
        with f.refused("no_seat", event):
            mark(event, 1, seat)
        with f.refused("no_seat", event):
            tap(event, 1, button=seat)
    out(krru, 3, 0.5)
    with f.refused("seat_empty", krru):
        tap(krru, 1, button=3)
    # A dead button may be on an empty seat, but for heads-up.
    out(event, 3, 0.5)
    tap(event, 1, button=3)
    assert posts(event) == (3, 4, 5)


def test_heads_up_somebody_has_the_button():
    event = f.make_running_event(3, seats=3, preset="tda-2024")
    out(event, 2, 0.5)
    with f.refused("seat_empty", event):
        tap(event, 1, button=2)


def test_alone_at_a_table_there_is_no_button():
    event = f.make_running_event(4, seats=2)
    out(event, 1, 0.5)
    with f.refused("too_few", event):
        tap(event, 1, button=2)
    tap(event, 1)
    assert posts(event) == (None, None, None)


def test_the_desk_marks_nothing_and_nobody_after_the_end_or_at_a_table_gone(event):
    with f.refused("not_allowed", event):
        mark(event, 1, 2, by=f.make_desk(event))
    event_end(Command(event=event, by=SYSTEM, at=f.after(8)))
    with f.refused("over", event):
        mark(event, 9, 2)


def test_a_broken_table_takes_no_mark():
    event = f.make_running_event(10, seats=5, capacity=20)
    gone = f.table_of(event, 2)
    for entry in f.at_table(event, 2)[:3] + f.at_table(event, 1)[:2]:
        f.out(event, entry)
    table_break(Command(event=event, by=SYSTEM, at=f.after(6)), table=gone)
    with f.refused("table_gone", event):
        button_mark(Command(event=event, by=SYSTEM, at=f.after(7)), table=gone, seat=1)
