"""Penalties that count down and go along, who is away; each with its refusals."""

import pytest

from tests import factories as f
from tests.services.dealing import give, move, seating, tap
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Absence, Penalty, PenaltyServed
from tournaments.play.services.conduct import (
    entry_leave,
    entry_return,
    penalty_serve,
    seating_arrive,
    stack_bring,
)
from tournaments.play.services.elimination_details import knockout_set
from tournaments.seating.selectors.conduct import (
    WALKS_FOR,
    hands_are_tapped,
    leaving,
    marks_of,
    penalties_of,
    penalties_sat_out,
    walking,
)
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.services.tables import seats_swap

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def left(entry):
    return [view.served.left for view in penalties_of([entry.pk]).get(entry.pk, [])]


def sits_out(event, entry):
    return marks_of(f.fresh(event)).get(entry.pk) is not None


def test_a_warning_is_kept_with_its_reason_outside_the_chain(event, entry):
    action = give(event, entry, kind="warning", amount=0, reason=" Umgangston ")
    f.assert_logged(event, "penalty.given", entry=entry.pk, outcome="warning", hands=0)
    assert "reason" not in action.payload
    (view,) = penalties_of([entry.pk])[entry.pk]
    assert (view.is_warning, view.reason, view.served.sits_out) == (True, "Umgangston", False)
    assert not sits_out(event, entry)


def test_tda_2024_71_rounds_are_hands_for_everybody_at_the_table_when_given(event, entry):
    f.out(event, f.at_table(event, 1)[4])
    give(event, entry, 6, kind="rounds", amount=2)
    f.assert_logged(event, "penalty.given", hands=8, rounds=2, outcome="hands")
    assert left(entry) == [8]


def test_tda_2024_71_tapped_hands_count_it_down(event, entry):
    tap(event, 0.5)
    give(event, entry, 1)
    assert left(entry) == [2]
    tap(event, 2)
    assert left(entry) == [1]
    tap(event, 4)
    assert left(entry) == [0]
    assert [view.penalty.entry_id for view in penalties_sat_out(event)] == [entry.pk]
    tap(event, 6)
    assert not penalties_sat_out(event)
    f.undo(event)
    assert sits_out(event, entry)


def test_a_penalty_follows_its_player_to_a_new_table_and_a_move_taken_back_was_none(event, entry):
    give(event, entry, 1, amount=5)
    tap(event, 2)
    moved = move(event, entry, 3)
    tap(event, 4, number=1)
    assert left(entry) == [4]
    tap(event, 5, number=2)
    assert left(entry) == [3]
    picture = table_pictures(f.fresh(event), f.after(2), [2])[0]
    assert [seat.mark.misses for seat in picture.seats if seat.entry == entry.pk] == [3]
    f.undo(event, moved, at=f.after(6))
    assert left(entry) == [3]
    tap(event, 7, number=1)
    assert left(entry) == [2]


def test_where_no_hands_are_tapped_staff_counts(event, entry):
    given, table = give(event, entry, 1), seating(entry).table_id
    penalty = Penalty.objects.get()
    assert not hands_are_tapped(event, table, f.after(2))
    f.drive(penalty_serve, event, 2, penalty=penalty, left=2)
    f.assert_logged(event, "penalty.served", penalty=penalty.pk, left=1)
    f.refuses("overtaken", penalty_serve, event, 3, penalty=penalty, left=2)
    f.drive(penalty_serve, event, 4, penalty=penalty, left=1)
    assert (left(entry), sits_out(event, entry)) == ([0], False)
    f.refuses("already_served", penalty_serve, event, 5, penalty=penalty, left=1)
    f.undo(event, at=f.after(6))
    assert left(entry) == [1]
    f.undo(event, given, at=f.after(7))
    assert not left(entry)
    assert not PenaltyServed.objects.live().exists()
    f.refuses("gone", penalty_serve, event, 8, penalty=penalty, left=2)
    tap(event, 9)
    assert hands_are_tapped(event, table, f.after(17))
    assert not hands_are_tapped(event, table, f.after(38))


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"amount": 0}, "bad_amount"),
        ({"amount": 51}, "bad_amount"),
        ({"kind": "rounds", "amount": 11}, "bad_amount"),
        ({"kind": "lashes"}, "bad_amount"),
    ],
)
def test_penalties_that_make_no_sense(event, entry, own, code):
    f.refuses(code, give, event, entry, **own)


def test_who_is_out_elsewhere_or_without_a_seat_gets_no_penalty_and_is_not_away(event, entry):
    f.out(event, entry)
    f.refuses("already_out", entry_leave, event, 6, entry=entry)
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    for code, who in (("already_out", entry), ("not_here", stranger)):
        f.refuses(code, give, event, who, 6)
    waits = f.make_event(draw_mode="field", name="Geplant")
    unseated = f.check_in(waits, f.register(waits))
    f.refuses("not_seated", give, waits, unseated, kind="rounds", amount=1)
    f.refuses("not_seated", entry_leave, waits, 1, entry=unseated)
    give(waits, unseated, kind="hands", amount=1)


# Away


def test_krru_away_is_seen_and_timed_until_back(event, entry):
    arno = f.make_arno(event)
    f.drive(entry_leave, event, 3, entry=entry, by=arno)
    f.assert_logged(event, "entry.left", entry=entry.pk)
    assert marks_of(f.fresh(event))[entry.pk].away_since == f.after(3)
    f.refuses("already_away", entry_leave, event, 4, entry=entry)
    back = f.drive(entry_return, event, 5, entry=entry, by=arno)
    f.assert_logged(event, "entry.returned", entry=entry.pk)
    assert not marks_of(f.fresh(event))
    f.refuses("not_away", entry_return, event, 6, entry=entry)
    f.undo(event, back, at=f.after(7))
    assert Absence.objects.live().get().left_at == f.after(3)
    back = f.drive(entry_return, event, 8, entry=entry)
    f.drive(entry_leave, event, 9, entry=entry)
    f.refuses("needed", f.undo, event, back)


def test_taps_that_come_late_keep_their_order(event, entry):
    late = {"entry": entry, "recorded_at": f.after(9)}
    f.drive(entry_leave, event, 5, entry=entry)
    f.refuses("overtaken", entry_return, event, 4, **late)
    f.drive(entry_return, event, 7, entry=entry)
    f.refuses("overtaken", entry_leave, event, 6, **late)


def test_an_absence_goes_along_to_a_new_table_and_is_forgotten_with_an_out(event, entry):
    f.drive(entry_leave, event, 3, entry=entry)
    move(event, entry, 4)
    assert marks_of(f.fresh(event))[entry.pk].away_since
    action = f.out(event, entry, at=f.after(6))
    assert not marks_of(f.fresh(event))
    f.undo(event, action)
    assert marks_of(f.fresh(event))[entry.pk].away_since


def test_what_is_marked_costs_the_same_in_every_field(event, django_assert_max_num_queries):
    for entry in f.at_table(event, 1)[:3]:
        give(event, entry)
        f.drive(entry_leave, event, 2, entry=entry)
    for entry in f.at_table(event, 2)[:2]:
        f.out(event, entry)
    for entry in f.at_table(event, 1)[3:5]:
        move(event, entry, 6)
    tap(event, 7)
    event = f.fresh(event)
    with django_assert_max_num_queries(8):
        assert len(marks_of(event)) == 5
    with django_assert_max_num_queries(8):
        assert len(marks_of(event, [entry.pk for entry in f.entries_of(event)])) == 5


def walkers(event):
    return [row.entry_id for row in walking(f.fresh(event), None)]


def test_a_moved_player_walks_until_somebody_says_he_is_there(event, entry):
    assert not walkers(event)
    old, other = seating(entry), f.petra_of(f.at_table(event, 2)[0].registration)
    move(event, entry, 3)
    assert walkers(event) == [entry.pk]
    f.refuses("overtaken", seating_arrive, event, 4, seatings=[old])
    f.refuses("not_allowed", seating_arrive, event, 4, seatings=[seating(entry)], by=other)
    f.drive(seating_arrive, event, 4, seatings=[seating(entry)], by=f.make_desk(event))
    f.assert_logged(event, "seating.arrived", entries=[entry.pk], table=2)
    assert not walkers(event)
    f.refuses("already_arrived", seating_arrive, event, 5, seatings=[seating(entry)])
    f.undo(event, at=f.after(6))
    assert walkers(event) == [entry.pk]
    # A stack won at the new table proves the arrival.
    gone = f.at_table(event, 2)[0]
    f.out(event, gone, at=f.after(7))
    won = {"eliminations": [gone.eliminations.get()], "takers": [entry]}
    f.drive(knockout_set, event, 8, **won)
    assert not walkers(event)


def test_another_seat_of_the_own_table_is_not_walked_to(event, entry):
    other = f.at_table(event, 1)[1]
    f.drive(seats_swap, event, 3, first=entry, second=other, reason="Rollstuhl")
    assert not walkers(event)
    move(event, entry, 4)
    there = f.at_table(event, 2)[0]
    f.drive(seats_swap, event, 5, first=entry, second=there, reason="Rollstuhl")
    assert walkers(event) == [entry.pk]
    f.drive(seating_arrive, event, 6, seatings=[seating(entry)])
    f.drive(seats_swap, event, 7, first=entry, second=there, reason="Doch nicht")
    assert not walkers(event)


def sent_from(event, table):
    return [one.sent_to.entry_id for one in leaving(f.fresh(event), table)]


def test_the_table_a_player_was_sent_from_last_is_told_and_a_move_taken_back_sends_back(
    event, entry
):
    one, two = f.table_of(event, 1), f.table_of(event, 2)
    seat = f.seat_of(entry)[1]
    f.undo(event, move(event, entry, 1), at=f.after(2))
    assert not walkers(event)
    action = move(event, entry, 3)
    (gone,) = leaving(f.fresh(event), one)
    assert (gone.seat, gone.sent_to) == (seat, seating(entry))
    assert not sent_from(event, two)
    f.drive(seating_arrive, event, 4, seatings=[seating(entry)])
    assert not sent_from(event, one)
    f.undo(event, action, at=f.after(5))
    assert (walkers(event), sent_from(event, two)) == ([entry.pk], [entry.pk])
    f.drive(seating_arrive, event, 6, seatings=[seating(entry)])
    assert not walkers(event)


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
    f.undo(event, at=f.after(11))
    mark = marks_of(f.fresh(event))[entry.pk]
    assert (mark.walking_since, mark.away_since) == (f.after(3), None)
