"""Who is walking to a new seat, who has arrived there, whose stack was brought without him."""

import pytest

from tests import factories as f
from tests.services.at_tables import move, seating
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Absence, Arrival, Seating
from tournaments.play.services.conduct import entry_leave, seating_arrive, stack_bring
from tournaments.seating.selectors.conduct import WALKS_FOR, marks_of, walking
from tournaments.seating.services.tables import final_table_draw, table_break

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(10, seats=6)


def walkers(event):
    return [row.entry_id for row in walking(f.fresh(event), None)]


def test_a_moved_player_walks_until_somebody_says_he_is_there(event, entry):
    assert not walkers(event)
    move(event, entry, 3)
    assert walkers(event) == [entry.pk]
    f.drive(seating_arrive, event, 4, seatings=[seating(entry)], by=f.make_desk(event))
    f.assert_logged(event, "seating.arrived", entries=[entry.pk], table=2)
    assert not walkers(event)
    with f.refused("already_arrived", event):
        f.drive(seating_arrive, event, 5, seatings=[seating(entry)])
    f.undo(event, at=f.after(6))
    assert walkers(event) == [entry.pk]


def test_players_confirm_their_own_seat_alone(event, entry):
    move(event, entry, 3)
    other = f.at_table(event, 2)[0]
    with f.refused("not_allowed", event):
        who = f.petra_of(other.registration)
        f.drive(seating_arrive, event, 4, seatings=[seating(entry)], by=who)
    with f.refused("not_allowed", event):
        f.drive(seating_arrive, event, 4, seatings=[seating(entry)], by=f.ZENO)
    own = f.petra_of(entry.registration)
    f.drive(seating_arrive, event, 4, seatings=[seating(entry)], by=own)
    with f.refused("not_allowed", event):
        f.drive(entry_leave, event, 5, entry=entry, by=own)


def test_a_seat_that_was_given_up_since_is_not_confirmed(event, entry):
    old = seating(entry)
    move(event, entry, 3)
    with f.refused("overtaken", event) as caught:
        f.drive(seating_arrive, event, 4, seatings=[old])
    table, seat = f.seat_of(entry)
    assert f"inzwischen an Tisch {table}, Platz {seat}" in str(caught.value)
    new = seating(entry)
    f.out(event, entry)
    with f.refused("gone", event):
        f.drive(seating_arrive, event, 6, seatings=[new])
    with f.refused("gone", event):
        f.drive(seating_arrive, event, 6, seatings=[Seating(pk=0)])


def test_a_first_seat_is_not_walked_to_and_can_be_confirmed(event, entry):
    f.drive(seating_arrive, event, 1, seatings=[seating(entry)])
    assert Arrival.objects.live().get().seating.entry_id == entry.pk
    with f.refused("already_arrived", event):
        f.drive(seating_arrive, event, 2, seatings=[seating(entry)])


def test_a_table_broken_sends_everybody_walking_and_each_arrives(event):
    for entry in f.at_table(event, 1)[:4]:
        f.out(event, entry)
    moved = f.at_table(event, 1)
    f.drive(table_break, event, 6, table=f.table_of(event, 1), reason="Test")
    assert walkers(event) == [entry.pk for entry in moved]
    f.drive(seating_arrive, event, 7, seatings=[seating(entry) for entry in moved])
    assert not walkers(event)


def test_a_move_taken_back_after_he_had_arrived_sends_him_back(event, entry):
    action = move(event, entry, 3)
    f.undo(event, action, at=f.after(4))
    assert not walkers(event)
    action = move(event, entry, 5)
    f.drive(seating_arrive, event, 6, seatings=[seating(entry)])
    f.undo(event, action, at=f.after(7))
    assert walkers(event) == [entry.pk]
    f.drive(seating_arrive, event, 8, seatings=[seating(entry)])
    assert not walkers(event)


def test_a_player_drawn_back_into_the_game_walks_to_his_new_seat(event):
    first, *others = f.at_table(event, 1)
    action = f.out(event, first)
    for entry in others[:3]:
        f.out(event, entry)
    f.drive(table_break, event, 6, table=f.table_of(event, 1), reason="Test")
    f.undo(event, action, at=f.after(7))
    assert first.pk in walkers(event)


def test_nobody_walks_for_ever_nor_after_the_end(event, entry):
    move(event, entry, 3)
    f.out(event, f.at_table(event, 2)[0])
    late = 4 + WALKS_FOR.total_seconds() / 60
    f.drive(entry_leave, event, late, entry=f.at_table(event, 1)[0])
    assert not walkers(event)
    move(event, f.at_table(event, 1)[1], late + 1)
    assert walkers(event)
    f.drive(event_end, event, late + 2)
    assert not walkers(event)


def test_the_stack_of_somebody_absent_is_brought_and_he_is_away(event, entry):
    move(event, entry, 3)
    f.drive(stack_bring, event, 9, seating=seating(entry), by=f.make_arno(event))
    f.assert_logged(event, "stack.brought", entry=entry.pk, table=2)
    mark = marks_of(f.fresh(event))[entry.pk]
    assert (mark.walking_since, mark.away_since) == (None, f.after(9))
    with f.refused("already_arrived", event):
        f.drive(stack_bring, event, 10, seating=seating(entry))
    f.undo(event, at=f.after(11))
    mark = marks_of(f.fresh(event))[entry.pk]
    assert (mark.walking_since, mark.away_since) == (f.after(3), None)


def test_an_absence_known_already_is_not_noted_twice(event, entry):
    f.drive(entry_leave, event, 2, entry=entry)
    move(event, entry, 3)
    f.drive(stack_bring, event, 4, seating=seating(entry))
    assert Absence.objects.live().get().left_at == f.after(2)


def test_the_final_table_sends_everybody_walking():
    event = f.make_running_event(12)
    for entry in f.entries_of(event)[:3]:
        f.out(event, entry)
    f.drive(final_table_draw, event, 6)
    assert len(walkers(event)) == 9


@pytest.mark.django_db(transaction=True)
def test_player_and_arbiter_say_at_once_that_he_is_there():
    event = f.make_running_event(12)
    entry = f.at_table(event, 1)[0]
    move(event, entry, 3)
    who = [f.petra_of(entry.registration), f.make_arno(event)]
    calls = [call(seating_arrive, event, by=by, seatings=[seating(entry)]) for by in who]
    assert_one_effect(at_once(*calls), "already_arrived")
    assert_sound(event)
