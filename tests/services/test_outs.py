"""What is told of an out afterwards: by whom, when in truth, with how many chips; disqualified."""

import pytest

from tests import bubble
from tests import factories as f
from tests.bubble import places
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Knockout, StackCount
from tournaments.play.selectors.eliminations import entries_at, outs_before
from tournaments.play.selectors.ranking import places_made, standings
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    out_disqualify,
)
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = [pytest.mark.django_db, pytest.mark.running(6)]


def elimination(entry):
    return Elimination.objects.live().get(entry=entry)


def against(entry):
    rows = Knockout.objects.live().filter(elimination__entry=entry)
    return sorted(rows.values_list("by__number", flat=True))


def tell(event, out, *takers, minute=6):
    own = {"eliminations": [elimination(out)], "takers": takers}
    return f.drive(knockout_set, event, minute, **own)


def correct(event, *entries, minute=20, **own):
    rows = [elimination(entry) for entry in entries]
    return f.drive(elimination_correct, event, minute, eliminations=rows, **own)


def test_who_cannot_have_taken_the_chips(event):
    one, two, three, four = f.entries_of(event)[:4]
    f.out(event, one, at=f.after(4))
    f.out(event, two, three)
    for taker in (one, two, three):
        f.refuses("out_before", tell, event, two, taker)
    f.out(event, four, at=f.after(9))
    tell(event, two, four, minute=10)
    f.refuses("not_here", tell, event, two, four, four, minute=10)
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    f.refuses("not_here", tell, event, two, stranger, minute=10)


def test_the_true_time_of_an_earlier_bust_moves_the_places(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, at=f.after(5))
    f.out(event, two, at=f.after(8))
    f.out(event, three, at=f.after(12))
    tell(event, three, f.entries_of(event)[4], minute=13)
    action = correct(event, three, to=f.after(6))
    f.assert_logged(event, "elimination.corrected", entries=[three.pk], outcome="time")
    assert places(event) == {1: 6, 3: 5, 2: 4}
    assert places_made(event, action) == {three.pk: 5}
    assert against(three) == [5]
    f.undo(event, action)
    assert places(event) == {1: 6, 2: 5, 3: 4}
    assert against(three) == [5]


def test_a_hand_is_moved_in_time_as_a_whole(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, at=f.after(5))
    f.out(event, two, three, at=f.after(8))
    correct(event, three, to=f.after(4))
    assert places(event) == {1: 4, 2: 5, 3: 5}
    assert elimination(two).at == f.after(4)


def test_an_out_is_taken_back_after_what_was_corrected_of_it(event):
    one = f.entries_of(event)[0]
    action = f.out(event, one)
    correction = correct(event, one, to=f.after(2))
    assert "berichtigt" in f.refuses("needed", f.undo, event, action)
    f.undo(event, correction)
    f.undo(event, action)
    assert players_left(event) == 6
    assert f.seat_of(one)


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("in_future", {"to": f.after(21)}),
        ("before_start", {"to": f.after(-1)}),
        ("nothing", {"to": f.after(5)}),
        ("nothing", {}),
        ("bad_stack", {"stack_of": (0, 0)}),
        ("not_here", {"stack_of": (1, 5)}),
    ],
)
def test_corrections_that_cannot_be(event, code, own):
    rows = f.entries_of(event)
    f.out(event, rows[0])
    if "stack_of" in own:
        index, stack = own["stack_of"]
        own = {"start_stacks": {rows[index].pk: stack}}
    f.refuses(code, correct, event, rows[0], **own)


def test_who_sat_at_the_table_when_somebody_went_out(event):
    one, two, three = f.entries_of(event)[:3]
    table = f.table_of(event, 1)
    f.out(event, one, at=f.after(4))
    f.out(event, two, at=f.after(8))
    then = entries_at(table.pk, f.after(4))
    assert one.pk not in then
    assert two.pk in then
    assert set(entries_at(table.pk, f.after(8))) == set(then) - {two.pk}
    assert [row.entry_id for row in outs_before(event, f.after(9), 1)] == [two.pk]
    assert three.pk in entries_at(table.pk, f.after(8))


def test_tda_2024_71_a_disqualified_stack_leaves_play(event):
    entry = f.entries_of(event)[0]
    own = {"entry": entry, "reason": "Chips eingesteckt", "stack": 250}
    f.drive(entry_disqualify, event, 5, by=f.make_dora(), **own)
    f.assert_logged(event, "entry.disqualified", entries=[entry.pk], stack=250)
    assert f.last_action(event).text.data["reason"] == "Chips eingesteckt"
    assert chips_in_play(event) == (950, True)
    assert places(event) == {1: 6}
    assert is_disqualified(event, entry)
    f.undo(event)
    assert (chips_in_play(event), players_left(event)) == ((1200, True), 6)


def is_disqualified(event, entry):
    return next(line for line in standings(event) if line.entry == entry.pk).is_disqualified


def test_tda_2024_71_who_is_out_already_keeps_the_place_and_no_chips_leave(event):
    entry, other = f.entries_of(event)[:2]
    f.refuses("cannot_disqualify", out_disqualify, event, 3, entry=entry, reason="Test")
    f.out(event, entry, at=f.after(4))
    f.out(event, other, at=f.after(6))
    f.refuses("no_reason", out_disqualify, event, 9, entry=entry, reason=" ")
    action = f.drive(out_disqualify, event, 10, entry=entry, reason="Chips eingesteckt")
    f.assert_logged(event, "out.disqualified", entries=[entry.pk])
    assert f.last_action(event).text.data["reason"] == "Chips eingesteckt"
    assert places(event) == {1: 6, 2: 5}
    assert chips_in_play(event) == (1200, True)
    assert is_disqualified(event, entry)
    f.refuses("cannot_disqualify", out_disqualify, event, 11, entry=entry, reason="Noch einmal")
    f.undo(event, action)
    assert not is_disqualified(event, entry)


def test_disqualified_afterwards_he_stays_in_the_hand_he_went_out_in():
    event = bubble.make_event()
    bubble.begin(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(11))
    f.out(event, two, at=f.after(12))
    f.drive(out_disqualify, event, 13, entry=one, reason="Chips eingesteckt")
    assert bubble.places(event) == {one.number: 8, two.number: 8}
    row = one.eliminations.get(voided_by=None)
    f.drive(elimination_correct, event, 14, eliminations=[row], to=f.after(11.5))
    assert bubble.places(event) == {one.number: 8, two.number: 8}


# --- Out, by the cards or by the director's word; places follow, and an undo leaves none behind


@pytest.mark.running(5)
def test_an_out_has_its_own_time_but_not_that_of_a_clock_set_back(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, at=f.after(20))
    f.out(event, two, at=f.after(10))  # a clock that was set back
    assert Elimination.objects.get(entry=two).at == f.after(20)
    assert places(event) == {1: 5, 2: 4}
    f.out(event, three, at=f.after(19), recorded_at=f.after(22))
    assert places(event) == {3: 5, 1: 4, 2: 3}
    assert f.last_action(event).recorded_at == f.after(22)


@pytest.mark.running(5)
def test_the_last_one_has_won(event):
    f.refuses("last_one_wins", f.out, event, *f.entries_of(event))
    *others, last = f.entries_of(event)
    for entry in others:
        f.out(event, entry)
    assert places(event)[5] == 1
    f.refuses("last_one_wins", f.out, event, last)
    f.refuses("last_one_wins", entry_disqualify, event, 9, entry=last, reason="Test")


def test_tda_2024_23_one_hand_is_played_at_one_table():
    event = f.make_running_event(9, seats=3)
    two = [f.at_table(event, 3)[0], f.at_table(event, 1)[0]]
    assert "Tische 1, 3" in f.refuses(
        "several_tables", f.out, event, *two, start_stacks={two[0].pk: 90, two[1].pk: 250}
    )
    f.out(event, *two, is_one_hand=False)
    assert places(event) == {two[0].number: 9, two[1].number: 8}


def test_rp8_in_hand_for_hand_all_tables_play_the_same_hand():
    event = f.make_running_event(9, seats=3)
    bubble.begin(event)
    two = [f.at_table(event, 3)[0], f.at_table(event, 1)[0]]
    f.out(event, *two, at=f.after(11), start_stacks={two[0].pk: 90, two[1].pk: 250})
    assert places(event) == {two[0].number: 8, two[1].number: 8}
    assert not Elimination.objects.filter(group__isnull=False).exists()


@pytest.mark.running(5)
def test_who_cannot_go_out(event):
    one, two = f.entries_of(event)[:2]
    for entries, own, code in (
        ([], {}, "nobody"),
        ([one, one], {}, "nobody"),
        ([one], {"start_stacks": {one.pk: 0}}, "bad_stack"),
    ):
        with f.refused(code, event):
            f.out(event, *entries, **own)
    f.out(event, one)
    assert "Spieler 001 ist schon ausgeschieden" in f.refuses(
        "cannot_eliminate", f.out, event, two, one
    )
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    f.refuses("cannot_eliminate", f.out, event, stranger)
    planned = f.make_seated_event(3, name="Geplant")
    assert "noch nicht begonnen" in f.refuses(
        "cannot_eliminate", f.out, planned, f.entries_of(planned)[0]
    )


def test_an_undo_is_not_taken_back_once_the_player_moved_or_would_leave_nobody():
    event = f.make_running_event(12)
    first = f.at_table(event, 1)[0]
    undone = f.undo(event, f.out(event, first))
    f.out(event, first, at=f.after(7))
    f.refuses("overtaken", f.undo, event, undone)
    event = f.make_running_event(2, name="Zu zweit")
    one, two = f.entries_of(event)
    undone = f.undo(event, f.out(event, one))
    f.out(event, two, at=f.after(7))
    f.refuses("last_one_wins", f.undo, event, undone)


@pytest.mark.running(5)
def test_ended_early_the_counted_stacks_rank_who_is_left(event):
    first, *left = f.entries_of(event)
    f.out(event, first)
    stacks = dict(zip([entry.pk for entry in left], [100, 400, 100, 400], strict=True))
    f.drive(event_end, event, 60, stacks=stacks)
    assert places(event) == {3: 1, 5: 1, 2: 3, 4: 3, 1: 5}
    assert StackCount.objects.live().count() == 4
    f.refuses("over", f.out, event, left[0], at=f.after(61))
    f.undo(event)
    assert places(event) == {1: 5}
    assert not StackCount.objects.live().exists()
    f.drive(event_end, event, 91)
    assert set(places(event).values()) == {1, 5}


def test_of_several_out_at_once_the_log_keeps_the_seat_of_each():
    event = f.make_running_event(20)
    gone = [f.at_table(event, 1)[2], f.at_table(event, 2)[5], f.at_table(event, 1)[0]]
    seats = [[entry.pk, *f.seat_of(entry)] for entry in gone]
    action = f.out(event, *gone, is_one_hand=False)
    assert action.payload["seats_left"] == seats
    assert "seat" not in action.payload
    assert log_first_fault(event) is None
    names = ", ".join(entry.registration.person.name for entry in gone)
    assert describe(f.last_action(event)) == f"Ausgeschieden: {names}"
    f.undo(event, action)
    assert [[entry.pk, *f.seat_of(entry)] for entry in gone] == seats
