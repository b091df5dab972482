"""Those who come unannounced: drawn over the room (TDA 2024 7), and nothing urged meanwhile."""

import pytest

from tests import factories as f
from tests.services.dealing import mark
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.tables import final_table_draw, table_break, table_open

pytestmark = pytest.mark.django_db


def walk_in(event, count, first=1):
    """Let people come one after another, each registered as he stands there."""
    for number in range(first, first + count):
        f.check_in(event, f.register(event, f"Gast {number:02}"))
    return sorted(f.sizes(event).values())


def announced(count, **own):
    """Make an event for which so many have registered and come."""
    event = f.make_event(seats=9, capacity=40, **own)
    for row in [f.register(event, f"Angemeldet {number:02}") for number in range(count)]:
        f.check_in(event, row)
    return event


def test_tda_2024_7_walk_ins_are_drawn_over_the_room_not_table_after_table():
    event = f.make_event(seats=9, capacity=40)
    assert walk_in(event, 3) == [1, 1, 1]
    assert walk_in(event, 17, first=4) == [6, 7, 7]
    # A fourth table opens before the others are full.
    assert walk_in(event, 4, first=21) == [1, 7, 8, 8]


def test_for_walk_ins_no_more_tables_open_than_the_room_has_places():
    assert walk_in(f.make_event(seats=9, capacity=9), 2) == [2]


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


def test_tables_opened_by_the_director_are_used_first():
    event = f.make_event(seats=9, capacity=40)
    f.drive(table_open, event, -30, count=2)
    assert walk_in(event, 4) == [2, 2]


def test_no_table_is_called_short_while_people_are_checked_in_or_shortly_after():
    event = announced(18)
    assert not floor_advice(f.fresh(event), f.after(-1)).moves
    f.check_in(event, f.register(event), at=f.after(1))
    assert f.sizes(event) == {1: 9, 2: 9, 3: 1}

    def urged(minute):
        now = f.after(minute)
        items = due_items(f.fresh(event), now, advice=floor_advice(f.fresh(event), now))
        return DueKind.MOVE in {item.kind for item in items}

    assert (urged(5), urged(6)) == (False, True)  # by then nobody has come for a while
    f.drive(clock_start, event, 7)
    assert (urged(11), urged(12)) == (False, True)
    f.out(event, f.at_table(event, 1)[0], at=f.after(8))
    # Once somebody is out it is play, and now all fit at two tables.
    assert floor_advice(f.fresh(event), f.after(9)).breaks_table == 3


def test_no_table_breaks_while_those_still_expected_would_not_fit():
    event = f.make_event(seats=9, capacity=40, late_registration_level=4)
    rows = [f.register(event, f"Angemeldet {number:02}") for number in range(30)]
    for row in rows[:20]:
        f.check_in(event, row)
    f.drive(clock_start, event, 0)
    for number in (1, 2):
        f.out(event, f.at_table(event, number)[0], at=f.after(5))
    assert len(f.sizes(event)) == 4
    assert floor_advice(f.fresh(event), f.after(20)).breaks_table is None
    # Late registration has ended: nobody is waited for any more.
    assert floor_advice(f.fresh(event), f.after(85)).breaks_table == 4
    # By hand the director may at any time.
    f.drive(table_break, event, 21, table=f.table_of(event, 4))


def test_rp_9_no_final_table_while_those_still_expected_would_not_fit():
    event = f.make_event(seats=9, capacity=40, late_registration_level=4)
    rows = [f.register(event, f"Angemeldet {number:02}") for number in range(14)]
    for row in rows[:9]:
        f.check_in(event, row)
    f.drive(clock_start, event, 0)
    assert not floor_advice(f.fresh(event), f.after(20)).draws_final
    assert floor_advice(f.fresh(event), f.after(85)).draws_final
    f.drive(final_table_draw, event, 21)


def test_tda_2024_11d_a_table_that_was_only_just_opened_affects_no_blinds():
    from tournaments.seating.selectors.halts import table_far_short

    event = announced(18)
    walk_in(event, 2)
    f.drive(clock_start, event, 0)
    mark(event, 1, 1, 1)
    state = table_far_short(f.fresh(event), 3, f.after(6))
    assert (state.short_by, state.blinds_affected) == (7, False)
