"""Seats by draw: the whole field, one at a time, walk-ins, first dealers, and the hall number."""

import pytest

from tests import factories as f
from tests.domain.cases import field_draw
from tests.prepared import prepared
from tournaments.changes.access import SYSTEM
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import DealerDraw, Draw, Seating
from tournaments.seating.domain.draws import dealer_draw, entry_item
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.layout import dealer_seats
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import (
    dealer_draw_make,
    dealers_draw,
    final_table_draw,
    table_break,
    table_close,
    table_open,
)

pytestmark = pytest.mark.django_db


def sizes(event):
    return [count.players for count in table_counts(event)]


def draw(event, by=SYSTEM, **bound):
    return f.drive(seats_draw, event, -60, by=by, **bound)


@prepared
def field(players, **settings):
    event = f.make_event(draw_mode="field", **settings)
    for number in range(players):
        f.check_in(event, f.register(event, f"Gast {number}"))
    return event


def test_tda_2024_7_the_whole_field_is_drawn_evenly_and_anyone_can_repeat_it():
    event = field(23)
    action = draw(event, by=f.make_dora(event), number="4711")
    assert sizes(event) == [8, 8, 7]
    f.assert_logged(event, "seats.drawn", entries=23, tables_opened=[1, 2, 3])
    kept = Draw.objects.get(event=event, number=action.payload["draw"])
    again = field_draw(
        [entry_item(row[0]) for row in kept.outcome],
        [(table, seat) for table in (1, 2, 3) for seat in range(1, 11)],
        secret=event.draw_secret,
        hall_number="4711",
        draw_number=kept.number,
    )
    for entry in f.entries_of(event):
        assert again[entry_item(entry.pk)] == f.seat_of(entry)


def test_the_field_is_drawn_once_for_two_or_more_before_play():
    event, running = field(1), f.make_running_event(3, name="Läuft")
    f.refuses("too_few", draw, event)
    f.check_in(event, f.register(event, "Otto Lang"))
    action = draw(event)
    f.refuses("already_drawn", draw, event)
    f.refuses("started", draw, running)
    # Who comes after the draw is drawn alone; so the draw is not taken back.
    assert f.seat_of(f.check_in(event, f.register(event)))
    assert "Eingecheckt: Petra Probst" in f.refuses("needed", f.undo, event, action)


def test_the_draw_taken_back_closes_its_tables_and_put_in_force_again_opens_them():
    event = field(12)
    action = draw(event)
    seats = f.seats(event)
    dealer = f.drive(dealer_draw_make, event, 0, table=f.table_of(event, 1))
    assert "Erster Geber an Tisch 1" in f.refuses("needed", f.undo, event, action)
    f.undo(event, dealer)
    undone = f.undo(event, action)
    assert sizes(event) == []
    assert not Seating.objects.live().filter(event=event).exists()
    f.undo(event, undone)
    assert f.seats(event) == seats
    numbers = Draw.objects.filter(event=event).values_list("number", flat=True)
    assert list(numbers) == [1, 2]
    f.undo(event, action)
    # A draw taken back gives its number to no other.
    assert draw(event).payload["draw"] == 3


def test_a_rolling_draw_opens_tables_for_all_who_registered_and_fills_them_evenly():
    event = f.make_event(seats=9)
    rows = [f.register(event, f"Gast {number}") for number in range(20)]
    for row in rows[:7]:
        f.check_in(event, row)
    assert sorted(sizes(event)) == [2, 2, 3]
    for row in rows[7:]:
        f.check_in(event, row)
    assert sorted(sizes(event)) == [6, 7, 7]


def test_a_full_hall_opens_a_further_table_with_the_lowest_free_number():
    event = f.make_event(seats=2)
    for row in [f.register(event, "Eins"), f.register(event, "Zwei")]:
        f.check_in(event, row)
    f.check_in(event, f.register(event, "Drei"))
    assert sizes(event) == [2, 1]
    f.assert_logged(event, "entry.checked_in", tables_opened=[2])
    f.drive(table_open, event, -60)
    f.drive(table_close, event, -60, table=f.table_of(event, 3))
    f.drive(table_open, event, -60, count=2)
    f.assert_logged(event, "table.opened", tables_opened=[3, 4])


def test_a_first_dealer_is_drawn_once_until_taken_back_for_two_at_a_table_in_play():
    event, one = f.make_seated_event(3), f.make_seated_event(1, name="Allein")
    [entry] = f.entries_of(one)
    table, alone = f.table_of(event, 1), f.table_of(one, f.seat_of(entry)[0])
    f.refuses("too_few", dealer_draw_make, one, 0, table=alone)
    f.refuses("already_drawn", dealers_draw, one, 0)
    f.undo(one)
    f.refuses("table_gone", dealer_draw_make, one, 0, table=alone)
    first = f.drive(dealer_draw_make, event, 0, table=table)
    f.refuses("already_drawn", dealer_draw_make, event, 0, table=table)
    f.undo(event, first)
    assert dealer_seats([table.pk]) == {}
    f.drive(dealer_draw_make, event, 0, table=table)


def test_krru_3_all_first_dealers_are_drawn_at_once_each_as_if_alone():
    event = f.make_seated_event(12, seats=4)
    alone = f.drive(dealer_draw_make, event, 0, table=f.table_of(event, 2))
    made = f.drive(dealers_draw, event, 0, by=f.make_arno(event))
    dealt = f.assert_logged(event, "dealers.drawn", tables=2).payload["dealt"]
    first = alone.payload["draw"] + 1
    assert [(table, draw) for table, _seat, draw in dealt] == [(1, first), (3, first + 1)]
    for table, seat, draw in dealt:
        sits = [f.seat_of(entry)[1] for entry in f.at_table(event, table)]
        own = {"secret": event.draw_secret, "hall_number": "", "draw_number": draw}
        cards = dealer_draw(sits, **own)
        assert cards[seat] == max(cards.values())
        assert dealer_seats([f.table_of(event, table).pk]) == {f.table_of(event, table).pk: seat}
    f.refuses("already_drawn", dealers_draw, event, 0)
    f.undo(event, made)
    assert [row.table.number for row in DealerDraw.objects.live()] == [2]


# Those who come unannounced: drawn over the room, and nothing urged meanwhile


def walk_in(event, count, first=1):
    """Let people come one after another, each registered as he stands there."""
    for number in range(first, first + count):
        f.check_in(event, f.register(event, f"Gast {number:02}"))
    return sorted(f.sizes(event).values())


@prepared
def announced(count, come=None, **own):
    """Make an event for which so many have registered, and all or the first have come."""
    event = f.make_event(seats=9, capacity=40, **own)
    rows = [f.register(event, f"Angemeldet {number:02}") for number in range(count)]
    for row in rows[:come]:
        f.check_in(event, row)
    return event


def test_tda_2024_7_walk_ins_are_drawn_over_the_room_not_table_after_table():
    event = f.make_event(seats=9, capacity=40)
    assert walk_in(event, 3) == [1, 1, 1]
    assert walk_in(event, 17, first=4) == [6, 7, 7]
    # A fourth table opens before the others are full.
    assert walk_in(event, 4, first=21) == [1, 7, 8, 8]
    # No more tables open than the room has places, and those opened by the director first.
    assert walk_in(f.make_event(seats=9, capacity=9, name="Klein"), 2) == [2]
    opened = f.make_event(seats=9, capacity=40, name="Geöffnet")
    f.drive(table_open, opened, -30, count=2)
    assert walk_in(opened, 4) == [2, 2]


def test_where_nobody_registered_as_many_are_expected_as_came_last_time():
    before = f.make_running_event(14, name="Letzten Freitag")
    f.drive(event_end, before, 60)
    event = f.make_event(seats=9, starts_at=f.after(7 * 24 * 60))
    assert walk_in(event, 2) == [1, 1]


def test_who_comes_beside_those_announced_finds_a_table_opened_early():
    event = announced(18)
    assert sorted(f.sizes(event).values()) == [9, 9]
    assert walk_in(event, 1) == [1, 9, 9]
    assert walk_in(event, 4, first=2) == [5, 9, 9]
    assert walk_in(event, 1, first=6) == [1, 5, 9, 9]


def test_no_table_is_called_short_while_people_are_checked_in_or_shortly_after():
    event = announced(18)
    assert not floor_advice(f.fresh(event), f.after(-1)).moves
    f.check_in(event, f.register(event), at=f.after(1))
    assert f.sizes(event) == {1: 9, 2: 9, 3: 1}

    def urged(minute):
        now = f.after(minute)
        items = due_items(f.fresh(event), now, advice=floor_advice(f.fresh(event), now))
        return {DueKind.BALANCE, DueKind.MOVE} & {item.kind for item in items} != set()

    assert (urged(5), urged(6)) == (False, True)  # by then nobody has come for a while
    f.drive(clock_start, event, 7)
    assert (urged(11), urged(12)) == (False, True)
    f.out(event, f.at_table(event, 1)[0], at=f.after(8))
    # Once somebody is out it is play, and now all fit at two tables.
    assert floor_advice(f.fresh(event), f.after(9)).breaks_table == 3


def test_rp_9_no_table_breaks_and_no_final_one_while_those_still_expected_would_not_fit():
    event = announced(30, 20, late_registration_level=4)
    f.drive(clock_start, event, 0)
    for number in (1, 2):
        f.out(event, f.at_table(event, number)[0], at=f.after(5))
    assert len(f.sizes(event)) == 4
    assert floor_advice(f.fresh(event), f.after(20)).breaks_table is None
    # Late registration has ended: nobody is waited for any more.
    assert floor_advice(f.fresh(event), f.after(85)).breaks_table == 4
    # By hand the director may at any time.
    f.drive(table_break, event, 21, table=f.table_of(event, 4))
    event = announced(14, 9, late_registration_level=4)
    f.drive(clock_start, event, 0)
    assert not floor_advice(f.fresh(event), f.after(20)).draws_final
    assert floor_advice(f.fresh(event), f.after(85)).draws_final
    f.drive(final_table_draw, event, 21)
