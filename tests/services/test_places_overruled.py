"""A place that the director sets: with a reason, logged, shown as such, taken back."""

import pytest

from tests import bubble as b
from tests import factories as f
from tests.bubble import places
from tests.oracle_places import is_weak_order
from tests.prepared import prepared
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Seating
from tournaments.play.selectors.bubble import round_current
from tournaments.play.selectors.ranking import (
    overruled_of,
    places_made,
    places_of,
    standings,
    winner_of,
)
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.places import place_overrule
from tournaments.screens.selectors.screens import hall_places
from tournaments.seasons.selectors.review import evenings_of
from tournaments.seating.services.breaking import final_table_draw, table_break, tables_redraw

pytestmark = pytest.mark.django_db


@pytest.fixture(name="event")
@prepared
def make_event():
    """Seven; out are 1, 2, 3 and 4, in this order, on places 7 to 4."""
    event = f.make_running_event(7)
    for minute, entry in enumerate(f.entries_of(event)[:4], start=1):
        f.out(event, entry, at=f.after(minute))
    return event


def overrule(event, number, place, minute=20, *, shared=False, reason="Video", **own):
    entry = f.entries_of(event)[number - 1]
    said = {"entry": entry, "place": place, "is_shared": shared, "reason": reason}
    return f.drive(place_overrule, event, minute, **said, **own)


def ruled(event):
    found = overruled_of(f.fresh(event))
    return [entry.number for entry in f.entries_of(event) if entry.pk in found]


def test_a_place_is_set_with_a_reason_and_the_others_move_up(event):
    assert places(event) == {1: 7, 2: 6, 3: 5, 4: 4}
    action = overrule(event, 1, 5, by=f.make_dora())
    f.assert_logged(event, "place.overruled", place=5, entry=f.entries_of(event)[0].pk)
    assert action.text.data["reason"] == "Video"
    assert places(event) == {1: 5, 2: 7, 3: 6, 4: 4}
    assert ruled(event) == [1]
    lines = {line.entry: line for line in standings(f.fresh(event))}
    assert [lines[entry.pk].is_overruled for entry in f.entries_of(event)[:2]] == [True, False]
    assert [row[1].endswith("(festgelegt)") for row in hall_places(f.fresh(event))] == [
        False, True, False, False,
    ]  # fmt: skip


def test_it_holds_when_somebody_else_goes_out_or_enters_and_when_a_time_is_corrected(event):
    overrule(event, 1, 5)
    last = f.entries_of(event)[4]
    action = f.out(event, last, at=f.after(21))
    assert places_made(f.fresh(event), action) == {last.pk: 3}
    assert places(event) == {1: 5, 2: 7, 3: 6, 4: 4, 5: 3}
    rows = list(f.entries_of(event)[2].eliminations.all())
    f.drive(elimination_correct, event, 22, eliminations=rows, to=f.after(10))
    # It was said of 3, and stays above him.
    assert places(event) == {1: 4, 2: 7, 3: 5, 4: 6, 5: 3}
    assert ruled(event) == [1]


def test_a_place_is_shared_with_those_who_have_it_and_left_again(event):
    overrule(event, 1, 6, shared=True)
    f.assert_logged(event, "place.overruled", outcome="shared")
    assert places(event) == {1: 6, 2: 6, 3: 5, 4: 4}
    second = overrule(event, 1, 4, 21, shared=True)
    assert places(event) == {1: 4, 2: 7, 3: 6, 4: 4}
    last = overrule(event, 4, 7, 22)
    assert places(event) == {1: 4, 2: 6, 3: 5, 4: 7}
    assert ruled(event) == [1, 4]
    f.undo(event, last)
    assert places(event) == {1: 4, 2: 7, 3: 6, 4: 4}
    f.undo(event, second)
    assert places(event) == {1: 6, 2: 6, 3: 5, 4: 4}


def test_it_ends_with_the_out_it_was_said_of(event):
    entry = f.entries_of(event)[0]
    overrule(event, 1, 4)
    f.undo(event, entry.eliminations.get().made_by)
    assert places(event) == {2: 7, 3: 6, 4: 5}
    f.out(event, entry, at=f.after(95))
    assert places(event) == {1: 4, 2: 7, 3: 6, 4: 5}
    assert ruled(event) == []


@pytest.fixture
def ended(event):
    f.out(event, f.entries_of(event)[4], at=f.after(18))
    f.out(event, f.entries_of(event)[5], at=f.after(19))
    f.drive(event_end, event, 30)
    return event


def test_a_wrong_winner_is_corrected_in_a_finished_result_everywhere(ended):
    before = evenings_of([f.fresh(ended)])[0]
    action = overrule(ended, 6, 1, 40)
    event = f.fresh(ended)
    assert event.status == "ended"
    assert places(event) == {6: 1, 7: 2, 5: 3, 4: 4, 3: 5, 2: 6, 1: 7}
    sixth = f.entries_of(event)[5]
    assert winner_of(event).pk == sixth.registration_id
    assert {start.number: start.place for start in evenings_of([event])[0].starts}[6] == 1
    assert ruled(event) == [6]
    f.undo(ended, action)
    assert places(ended) == {start.number: start.place for start in before.starts}
    assert winner_of(f.fresh(ended)).pk == f.entries_of(event)[6].registration_id


def test_a_corrected_winner_lapses_with_the_out_before(ended):
    overrule(ended, 7, 2, 40)
    f.undo(ended, f.fresh(ended).ended_by)
    f.undo(ended, f.entries_of(ended)[5].eliminations.get().made_by)
    f.out(ended, f.entries_of(ended)[6], at=f.after(95))
    f.drive(event_end, ended, 99)
    assert places(ended)[6] == 1
    assert ruled(ended) == []


@pytest.mark.parametrize(
    ("number", "place", "own", "code"),
    [
        (1, 5, {"reason": "  "}, "no_reason"),
        (5, 5, {}, "not_out"),
        (1, 7, {}, "nothing"),
        (1, 3, {}, "no_such_place"),
        (1, 8, {}, "no_such_place"),
        (1, 0, {}, "no_such_place"),
        (1, 8, {"shared": True}, "nobody_there"),
        (1, 7, {"shared": True}, "nobody_there"),
    ],
)
def test_what_would_leave_gaps_or_changes_nothing_is_refused(event, number, place, own, code):
    f.refuses(code, overrule, event, number, place, **own)


def test_in_the_middle_of_a_shared_place_nobody_stands_alone():
    event = f.make_running_event(7)
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one)
    f.out(event, two, three, at=f.after(6))
    assert places(event) == {1: 7, 2: 5, 3: 5}
    f.refuses("no_such_place", overrule, event, 1, 6)
    overrule(event, 1, 5, shared=True)
    assert places(event) == {1: 5, 2: 5, 3: 5}


# --- A mistaken “out” taken back, however late: the stack, a seat, and everything that follows


def is_sound(event):
    """Tell whether exactly those who are in sit, each on a seat of an open table, once."""
    rows = Seating.objects.live().filter(event=event).select_related("table")
    seats = [(row.table.number, row.seat) for row in rows]
    return (
        len(seats) == len(set(seats)) == players_left(event)
        and all(row.table.voided_by_id is None for row in rows)
        and is_weak_order(places_of(f.fresh(event)), players_left(event) + 1)
    )


@pytest.fixture(name="hall")
@prepared
def make_hall():
    """Sixteen at four tables of five; the first of table 2 went out, or so it was tapped."""
    event = f.make_running_event(16, seats=5)
    entry = f.at_table(event, 2)[0]
    return event, entry, f.out(event, entry, at=f.after(5))


def test_an_hour_and_a_table_break_later_he_is_back_and_everything_follows(hall):
    event, entry, out = hall
    others = [f.at_table(event, number)[0] for number in (1, 3, 4)]
    for minute, other in enumerate(others):
        f.out(event, other, at=f.after(10 + minute))
    broken = f.drive(table_break, event, 40, table=f.table_of(event, 2), reason="Test")
    assert broken.text.data["reason"] == "Test"
    f.out(event, f.at_table(event, 3)[0], at=f.after(50))
    before = places_of(f.fresh(event))
    undo = f.undo(event, out, at=f.after(65))
    after = places_of(f.fresh(event))
    assert entry.pk in before
    assert entry.pk not in after
    assert [after[other.pk] - before[other.pk] for other in others] == [1, 1, 1]
    assert f.seat_of(entry)[0] == 3  # the smallest, as for a late entry
    assert chips_in_play(event) == (3200, True)
    assert undo.payload["draw"]
    assert is_sound(event)


def test_after_everybody_was_drawn_anew_he_gets_one_of_the_seats_that_are_left(hall):
    event, entry, out = hall
    f.drive(tables_redraw, event, 40)
    seats = f.seats(event)
    f.undo(event, out)
    assert f.seat_of(entry) is not None
    assert {pk: seat for pk, seat in f.seats(event).items() if pk != entry.pk} == {
        pk: seat for pk, seat in seats.items() if pk != entry.pk
    }
    assert is_sound(event)


def final_of(players):
    """Bring a field that has come down to so many to the final table."""
    event = f.make_running_event(14, seats=8)
    outs = [f.out(event, entry, at=f.after(5)) for entry in f.entries_of(event)[: 14 - players]]
    f.drive(final_table_draw, event, 30)
    return event, outs


def test_at_a_full_final_table_a_second_is_opened_and_closed_again_unless_another_sits_there():
    event, outs = final_of(9)
    room = f.table_of(event, 1).seats - 9
    for out in outs[: room + 1]:
        opened = f.undo(event, out)
    assert f.sizes(event) == {1: 9 + room, 2: 1}
    assert is_sound(event)
    f.undo(event, opened)
    assert f.sizes(event) == {1: 9 + room}
    assert is_sound(event)
    opened = f.undo(event, outs[room])
    f.undo(event, outs[room + 1])
    assert f.sizes(event) == {1: 9 + room, 2: 2}
    f.undo(event, opened)
    assert f.sizes(event) == {1: 9 + room, 2: 1}
    assert is_sound(event)


def test_rounds_later_the_place_of_that_round_goes_and_the_round_stays():
    event = b.make_event()
    b.first_round(event)
    entry, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    out = f.out(event, entry, at=f.after(13))
    b.report_all(event, 1, 14)
    b.release(event, 1, 15)
    f.out(event, other, at=f.after(16))
    undo = f.undo(event, out)
    assert round_current(event).number == 2
    assert b.places(event) == {other.number: 9}
    f.undo(event, undo)
    assert b.places(event) == {entry.number: 9, other.number: 8}
