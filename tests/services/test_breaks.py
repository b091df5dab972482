"""Tables broken and the final table drawn. Only the director does that."""

import pytest

from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Entry
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.tables import final_table_draw, table_break, table_open

pytestmark = pytest.mark.django_db


def test_tda_2024_10_a_broken_table_is_drawn_to_the_emptiest_seats():
    event = f.make_unbalanced_event()
    for entry in f.at_table(event, 3)[:7]:
        f.out(event, entry)
    action = table_break(
        Command(event=event, by=f.make_dora(event), at=f.after(9)), table=f.table_of(event, 3)
    )
    assert f.sizes(event) == {1: 10, 2: 10}
    f.assert_logged(event, "table.broken", table=3)
    moved = {pk: (table, seat) for pk, table, seat in action.payload["moves"]}
    assert len(moved) == 3
    assert moved.items() <= f.seats(event).items()


def test_a_break_and_back_and_forth():
    event = f.make_unbalanced_event()
    for entry in f.at_table(event, 3)[:7]:
        f.out(event, entry)
    before = f.seats(event)
    action = table_break(Command(event=event, by=SYSTEM, at=f.after(9)), table=f.table_of(event, 3))
    after = f.seats(event)
    undone = f.undo(event, action)
    assert f.seats(event) == before
    f.undo(event, undone)
    assert f.seats(event) == after
    with f.refused("already_undone", event):
        f.undo(event, undone)


def test_a_break_is_not_taken_back_once_somebody_moved_on():
    event = f.make_unbalanced_event()
    for entry in f.at_table(event, 3)[:7]:
        f.out(event, entry)
    action = table_break(Command(event=event, by=SYSTEM, at=f.after(9)), table=f.table_of(event, 3))
    f.out(event, Entry.objects.get(pk=action.payload["moves"][0][0]), at=f.after(11))
    with f.refused("needed", event) as caught:
        f.undo(event, action)
    assert "Ausgeschieden" in str(caught.value)
    f.undo(event)
    f.undo(event, action)
    assert f.sizes(event) == {1: 10, 2: 7, 3: 3}


def test_a_break_is_not_taken_back_once_its_number_is_used_again():
    event = f.make_unbalanced_event()
    for entry in f.at_table(event, 3)[:7]:
        f.out(event, entry)
    action = table_break(Command(event=event, by=SYSTEM, at=f.after(9)), table=f.table_of(event, 3))
    table_open(Command(event=event, by=SYSTEM, at=f.after(10)))
    with f.refused("needed", event) as caught:
        f.undo(event, action)
    assert "Tisch eröffnet: 3" in str(caught.value)


def test_a_break_needs_seats_elsewhere():
    event = f.make_unbalanced_event()
    with f.refused("cannot_break", event) as caught:
        table_break(Command(event=event, by=SYSTEM, at=f.after(9)), table=f.table_of(event, 1))
    assert "nur 3 Plätze frei" in str(caught.value)
    single = f.make_running_event(4, name="Klein")
    with f.refused("cannot_break", single):
        table_break(Command(event=single, by=SYSTEM, at=f.after(9)), table=f.table_of(single, 1))


def nearly_final():
    event = f.make_running_event(11)
    f.out(event, f.at_table(event, 2)[0])
    return event


def test_tda_rp9_the_final_table_is_drawn_anew_and_back_and_forth():
    event = nearly_final()
    assert floor_advice(event, f.after(10)).draws_final
    before = f.seats(event)
    action = final_table_draw(Command(event=event, by=f.make_dora(event), at=f.after(9)))
    after = f.seats(event)
    assert f.sizes(event) == {1: 10}
    f.assert_logged(event, "final_table.drawn", table=1, closed=[1, 2])
    undone = f.undo(event, action)
    assert f.seats(event) == before
    f.undo(event, undone)
    assert f.seats(event) == after


def test_eight_handed_events_play_a_nine_handed_final():
    event = f.make_running_event(9, seats=8)
    final_table_draw(Command(event=event, by=SYSTEM, at=f.after(9)))
    assert f.table_of(event, 1).seats == 9


def test_no_final_table_yet_or_any_more():
    planned = f.make_seated_event(11)
    with f.refused("cannot_draw_final", planned):
        final_table_draw(Command(event=planned, by=SYSTEM, at=f.START))
    event = f.make_running_event(11, name="Zweites")
    with f.refused("cannot_draw_final", event) as caught:
        final_table_draw(Command(event=event, by=SYSTEM, at=f.after(1)))
    assert "noch 11" in str(caught.value)
    f.out(event, f.at_table(event, 2)[0])
    final_table_draw(Command(event=event, by=SYSTEM, at=f.after(9)))
    with f.refused("cannot_draw_final", event) as caught:
        final_table_draw(Command(event=event, by=SYSTEM, at=f.after(9)))
    assert "einem Tisch" in str(caught.value)
    for entry in f.at_table(event, 1)[1:]:
        entry_disqualify(
            Command(event=event, by=SYSTEM, at=f.after(10)), entry=entry, reason="Test"
        )
    with f.refused("cannot_draw_final", event) as caught:
        final_table_draw(Command(event=event, by=SYSTEM, at=f.after(11)))
    assert "keine zwei" in str(caught.value)
