"""Out, by the cards or by the director's word; places follow, and an undo leaves none behind."""

import pytest

from tests import bubble
from tests import factories as f
from tests.bubble import places
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, StackCount
from tournaments.play.selectors.ranking import place_of
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = [pytest.mark.django_db, pytest.mark.running(5)]


def test_out_frees_the_seat_and_gives_the_place(event):
    arno, entry = f.make_arno(event), f.entries_of(event)[2]
    table, seat = f.seat_of(entry)
    f.out(event, entry, by=arno)
    action = f.assert_logged(
        event, "entry.eliminated", entries=[entry.pk], seats_left=[[entry.pk, table, seat]]
    )
    assert (action.device, action.text.data["name"]) == (arno.device, "Spieler 003")
    assert f.seat_of(entry) is None
    assert place_of(event, entry) == 5
    assert players_left(event) == 4
    assert chips_in_play(event) == (1000, True)


def test_an_out_has_its_own_time_but_not_that_of_a_clock_set_back(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, at=f.after(20))
    f.out(event, two, at=f.after(10))  # a clock that was set back
    assert Elimination.objects.get(entry=two).at == f.after(20)
    assert places(event) == {1: 5, 2: 4}
    f.out(event, three, at=f.after(19), recorded_at=f.after(22))
    assert places(event) == {3: 5, 1: 4, 2: 3}
    assert f.last_action(event).recorded_at == f.after(22)


@pytest.mark.parametrize(
    ("stacks", "made"),
    [((90, 250, 90), {2: 3, 1: 4, 3: 4}), ((), {1: 3, 2: 3, 3: 3}), ((90,), {1: 3, 2: 3, 3: 3})],
    ids=["known", "unknown", "one unknown"],
)
def test_same_hand_the_larger_stack_places_higher(event, stacks, made):
    gone = f.entries_of(event)[:3]
    known = {entry.pk: stack for entry, stack in zip(gone, stacks, strict=False)}
    f.out(event, *gone, start_stacks=known)
    assert places(event) == made
    assert f.last_action(event).text.data["name"] == "Spieler 001, Spieler 002, Spieler 003"


def test_the_last_one_has_won(event):
    with f.refused("last_one_wins", event):
        f.out(event, *f.entries_of(event))
    *others, last = f.entries_of(event)
    for entry in others:
        f.out(event, entry)
    assert places(event)[5] == 1
    f.refuses("last_one_wins", f.out, event, last)
    f.refuses("last_one_wins", entry_disqualify, event, 9, entry=last, reason="Test")


def test_tda_2024_23_one_hand_is_played_at_one_table():
    event = f.make_running_event(9, seats=3)
    two = [f.at_table(event, 3)[0], f.at_table(event, 1)[0]]
    with f.refused("several_tables", event) as caught:
        f.out(event, *two, start_stacks={two[0].pk: 90, two[1].pk: 250})
    assert "Tische 1, 3" in str(caught.value)
    f.out(event, *two, is_one_hand=False)
    assert places(event) == {two[0].number: 9, two[1].number: 8}


def test_rp8_in_hand_for_hand_all_tables_play_the_same_hand():
    event = f.make_running_event(9, seats=3)
    bubble.begin(event)
    two = [f.at_table(event, 3)[0], f.at_table(event, 1)[0]]
    f.out(event, *two, at=f.after(11), start_stacks={two[0].pk: 90, two[1].pk: 250})
    assert places(event) == {two[0].number: 8, two[1].number: 8}
    assert not Elimination.objects.filter(group__isnull=False).exists()


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
    with f.refused("cannot_eliminate", event) as caught:
        f.out(event, two, one)
    assert "Spieler 001 ist schon ausgeschieden" in str(caught.value)
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    f.refuses("cannot_eliminate", f.out, event, stranger)
    planned = f.make_seated_event(3, name="Geplant")
    with f.refused("cannot_eliminate", planned) as caught:
        f.out(planned, f.entries_of(planned)[0])
    assert "noch nicht begonnen" in str(caught.value)


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
