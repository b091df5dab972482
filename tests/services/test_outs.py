"""What is told of an out afterwards: by whom, when in truth, with how many chips."""

import pytest

from tests import factories as f
from tournaments.event.selectors.event import players_left
from tournaments.models import Elimination, Knockout
from tournaments.play.selectors.eliminations import entries_at, outs_before
from tournaments.play.selectors.ranking import places_made, places_of
from tournaments.play.services.elimination_details import elimination_correct, knockout_set
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(6)


def places(event):
    """Return places by number of the entry."""
    found = places_of(f.fresh(event))
    return {entry.number: found[entry.pk] for entry in f.entries_of(event) if entry.pk in found}


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


# One after the other


def test_several_out_one_after_the_other_have_places_of_their_own(event):
    one, two, three = f.entries_of(event)[:3]
    action = f.out(event, two, three, one, is_one_hand=False)
    assert places(event) == {2: 6, 3: 5, 1: 4}
    assert places_made(event, action) == {two.pk: 6, three.pk: 5, one.pk: 4}
    assert not Elimination.objects.filter(group__isnull=False).exists()
    assert elimination(one).at == f.after(5)
    f.undo(event, action)
    assert players_left(event) == 6


def test_those_before_and_after_keep_their_places(event):
    one, two, three, four = f.entries_of(event)[:4]
    f.out(event, one, at=f.after(4))
    f.out(event, three, two, at=f.after(5), is_one_hand=False)
    f.out(event, four, at=f.after(6))
    assert places(event) == {1: 6, 3: 5, 2: 4, 4: 3}


# By whom


def test_by_whom_is_told_corrected_and_left_open(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one)
    tell(event, one, two)
    action = f.assert_logged(event, "knockout.set", entries=[one.pk], takers=[two.pk])
    assert action.text.data["takers"] == "Spieler 002"
    tell(event, one, two, three)
    assert against(one) == [2, 3]
    f.undo(event)
    assert against(one) == [2]
    tell(event, one)
    f.assert_logged(event, "knockout.set", takers=[], outcome="unknown")
    assert against(one) == []


def test_several_lost_to_the_same(event):
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, two)
    rows = [elimination(one), elimination(two)]
    f.drive(knockout_set, event, 6, eliminations=rows, takers=[three])
    assert (against(one), against(two)) == ([3], [3])


def test_who_took_the_chips_does_not_stand_in_the_way_of_an_undo(event):
    one, two = f.entries_of(event)[:2]
    action = f.out(event, one)
    tell(event, one, two)
    f.undo(event, action)
    assert players_left(event) == 6
    assert against(one) == []


def test_who_cannot_have_taken_the_chips(event):
    one, two, three, four = f.entries_of(event)[:4]
    f.out(event, one, at=f.after(4))
    f.out(event, two, three)
    for taker in (one, two, three):
        with f.refused("out_before", event):
            tell(event, two, taker)
    f.out(event, four, at=f.after(9))
    tell(event, two, four, minute=10)
    with f.refused("not_here", event):
        tell(event, two, four, four, minute=10)
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    with f.refused("not_here", event):
        tell(event, two, stranger, minute=10)


def test_what_was_taken_back_is_told_no_more_of(event):
    one, two = f.entries_of(event)[:2]
    f.out(event, one)
    rows = [elimination(one)]
    f.undo(event, at=f.after(6))
    with f.refused("gone", event):
        f.drive(knockout_set, event, 7, eliminations=rows, takers=[two])
    with f.refused("gone", event):
        f.drive(elimination_correct, event, 7, eliminations=rows, to=f.after(3))


def test_arbiters_and_directors_tell_and_nobody_else(event):
    one, two = f.entries_of(event)[:2]
    f.out(event, one)
    own = {"eliminations": [elimination(one)]}
    for who in (f.ZENO, f.petra_of(one.registration), f.make_desk(event)):
        with f.refused("not_allowed", event):
            f.drive(knockout_set, event, 6, by=who, takers=[two], **own)
        with f.refused("not_allowed", event):
            f.drive(elimination_correct, event, 6, by=who, to=f.after(4), **own)
    f.drive(knockout_set, event, 6, by=f.make_arno(event), takers=[two], **own)


# When in truth


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
    with f.refused("needed", event) as caught:
        f.undo(event, action)
    assert "berichtigt" in str(caught.value)
    f.undo(event, correction)
    f.undo(event, action)
    assert players_left(event) == 6
    assert f.seat_of(one)


def test_times_that_cannot_be(event):
    one = f.entries_of(event)[0]
    f.out(event, one)
    with f.refused("in_future", event):
        correct(event, one, to=f.after(21))
    with f.refused("before_start", event):
        correct(event, one, to=f.after(-1))
    with f.refused("nothing", event):
        correct(event, one, to=f.after(5))
    with f.refused("nothing", event):
        correct(event, one)


def test_a_disqualification_keeps_its_way_when_its_time_is_set(event):
    one, two = f.entries_of(event)[:2]
    f.out(event, two, at=f.after(4))
    f.drive(entry_disqualify, event, 9, entry=one, reason="Test")
    correct(event, one, to=f.after(3))
    assert elimination(one).way == Elimination.Way.DISQUALIFIED
    assert places(event) == {1: 6, 2: 5}


# With how many chips


def test_stacks_told_afterwards_rank_those_of_one_hand(event):
    one, two = f.entries_of(event)[:2]
    f.out(event, one, two)
    assert places(event) == {1: 5, 2: 5}
    action = correct(event, one, two, start_stacks={one.pk: 90, two.pk: 40})
    f.assert_logged(event, "elimination.corrected", outcome="stacks")
    assert places(event) == {1: 5, 2: 6}
    f.undo(event, action)
    assert places(event) == {1: 5, 2: 5}


def test_stacks_that_make_no_sense(event):
    one, two = f.entries_of(event)[:2]
    f.out(event, one)
    with f.refused("bad_stack", event):
        correct(event, one, start_stacks={one.pk: 0})
    with f.refused("not_here", event):
        correct(event, one, start_stacks={two.pk: 5})


# Who was there


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
