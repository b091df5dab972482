"""What a big screen shows of a hall: seats by name, the latest moves, the places so far."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.screens.selectors.screens import hall_moves, hall_places, hall_seating
from tournaments.seating.services.tables import entry_move, seats_swap, tables_redraw

pytestmark = pytest.mark.django_db


def test_the_hall_shows_no_more_of_a_person_than_the_results():
    event = f.make_event()
    for name, is_listed in (("Petra Probst", False), ("Anna Gruber", True), ("Özil Ömer", True)):
        f.check_in(event, f.register(event, name, is_listed=is_listed))
    rows = hall_seating(event)
    assert [name for name, _table, _seat in rows] == ["Anna Gruber", "Özil Ömer", "PP"]
    assert "Probst" not in str(rows)


def test_moves_tell_from_where_and_first_seats_are_none(django_assert_max_num_queries):
    event = f.make_running_event(20)
    entry = f.at_table(event, 1)[0]
    assert hall_moves(event) == []
    f.out(event, f.at_table(event, 2)[0])
    before = f.seat_of(entry)
    free = next(seat for seat in range(1, 11) if (2, seat) not in f.seats(event).values())
    said = {"event": event, "by": SYSTEM, "at": f.after(10), "reason": "saß falsch"}
    call_service(entry_move, **said, entry=entry, table=f.table_of(event, 2), seat=free)
    with django_assert_max_num_queries(3):
        rows = hall_moves(event)
    when = int(f.after(10).timestamp() * 1000)
    assert rows == [[when, entry.registration.person.name, *before, 2, free]]
    f.undo(event)
    assert hall_moves(event) == []


def test_a_swap_is_among_the_latest_moves():
    event = f.make_running_event(20)
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    first, second = one.registration.person.name, other.registration.person.name
    was = f.seats(event)
    said = {"event": event, "by": SYSTEM, "at": f.after(10), "reason": "saßen falsch"}
    call_service(seats_swap, **said, first=one, second=other)
    assert {tuple(row[1:]) for row in hall_moves(event)} == {
        (first, *was[one.pk], *was[other.pk]),
        (second, *was[other.pk], *was[one.pk]),
    }


def test_a_redraw_is_among_the_latest_moves():
    event = f.make_running_event(30)
    for number in (1, 2, 3):
        f.out(event, *f.at_table(event, number)[:5])
    before = f.seats(event)
    tables_redraw(Command(event=event, by=SYSTEM, at=f.after(10)))
    after = f.seats(event)
    moved = {entry for entry, seat in after.items() if before[entry] != seat}
    assert moved
    assert len(hall_moves(event)) >= len(moved)


def test_places_are_those_of_the_results():
    event = f.make_running_event(10)
    first, second, third = f.entries_of(event)[:3]
    f.out(event, first)
    f.out(event, second, third, at=f.after(9))
    rows = hall_places(event)
    names = [entry.registration.person.name for entry in (second, third, first)]
    assert rows == [[8, names[0]], [8, names[1]], [10, names[2]]]


def test_a_large_field_is_read_in_one_query(django_assert_num_queries):
    event = f.make_seated_event(30)
    with django_assert_num_queries(1):
        assert len(hall_seating(event)) == 30
