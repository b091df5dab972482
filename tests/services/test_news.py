"""What the stream tells of a change: whom it concerns, a few numbers, nothing personal."""

import json
import re

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.arrivals import noshows_release, registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.door.services.waiting_list import offer_accept
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Registration
from tournaments.play.services.conduct import seating_arrive
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.public.services.publishing import MOST_NAMED, stream_payload
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import dealer_draw_make, entry_move, seats_swap

pytestmark = pytest.mark.django_db

KEYS = {"version", "head", "changed", "anchor", "whose", "room", "ranks", "also"}


@pytest.fixture
def event():
    return f.make_running_event(12, seats=7)


def people(*entries):
    return sorted(entry.registration_id for entry in entries)


def free_seat(event, table):
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, table)}
    return next(seat for seat in range(1, 8) if seat not in taken)


def move(event, entry, table, at=None):
    place = {"table": f.table_of(event, table), "seat": free_seat(event, table), "reason": "falsch"}
    return call_service(
        entry_move, event=event, by=SYSTEM, at=at or f.after(2), entry=entry, **place
    )


# --- Whom it concerns


def test_a_seat_change_names_the_one_who_moves(event):
    petra = f.at_table(event, 1)[0]
    moved = move(event, petra, 2)
    assert moved.news["whose"] == people(petra)
    assert set(moved.news["changed"]) == {"log", "tables"}
    assert "also" not in moved.news
    assert "room" not in moved.news
    undone = f.undo(event, moved)
    assert undone.news["whose"] == people(petra)
    assert "settings" not in undone.news["changed"]
    assert f.undo(event, undone).news["whose"] == people(petra)


def test_two_who_change_seats_are_named(event):
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    own = {"first": one, "second": other, "reason": "Sicht"}
    assert f.drive(seats_swap, event, 2, **own).news["whose"] == people(one, other)


def test_a_broken_table_names_who_sat_there_and_nobody_else():
    event = f.make_running_event(12, seats=6)
    for entry in f.at_table(event, 1)[:3] + f.at_table(event, 2)[:3]:
        f.out(event, entry)
    there = f.at_table(event, 2)
    broken = f.drive(table_break, event, 9, table=f.table_of(event, 2))
    assert broken.news["whose"] == people(*there)


def test_a_draw_of_the_field_is_told_to_all():
    event = f.make_event(draw_mode="field")
    entries = [f.check_in(event, f.register(event, f"Gast {n}")) for n in range(MOST_NAMED + 1)]
    few = f.make_event(draw_mode="field", name="Klein")
    three = [f.check_in(few, f.register(few, f"Klein {n}")) for n in range(3)]
    assert len(entries) > MOST_NAMED
    assert seats_draw(Command(event=event, by=SYSTEM, at=f.ARRIVAL)).news["whose"] == "all"
    assert seats_draw(Command(event=few, by=SYSTEM, at=f.ARRIVAL)).news["whose"] == people(*three)


def test_a_check_in_names_one_and_tells_how_many_are_here():
    event = f.make_seated_event(3)
    petra = f.register(event, "Petra Probst")
    entry = f.check_in(event, petra)
    news = f.last_action(event)
    told = _news_of(event, news, {"entries", "tables", "registrations"})
    assert told["whose"] == people(entry)
    assert told["room"] == {"left": 4, "entries": 4, "average": 200, "exact": True}
    assert "also" not in told


def test_saying_that_one_has_arrived_names_him(event):
    petra = f.at_table(event, 1)[0]
    move(event, petra, 2)
    seating = petra.seatings.live().get()
    arrived = f.drive(seating_arrive, event, 3, seatings=[seating])
    assert arrived.news["whose"] == people(petra)


def test_the_first_dealer_is_told_to_that_table_alone():
    event = f.make_seated_event(12, seats=6)
    drawn = dealer_draw_make(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 1)
    )
    assert drawn.news["whose"] == people(*f.at_table(event, 1))


def test_a_place_given_back_names_who_left_and_who_is_asked():
    event = f.make_event(capacity=2, offer_minutes=30)
    names = ("Eva Eder", "Uwe Unger", "Petra Probst", "Otto Lang")
    eva, _uwe, petra, otto = (f.register(event, name) for name in names)
    gone = registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=eva)
    assert gone.news["whose"] == sorted([eva.pk, petra.pk])
    assert gone.news["also"] == ["list"]
    taken = offer_accept(
        Command(event=event, by=f.petra_of(petra), at=f.ARRIVAL), registration=petra
    )
    assert taken.news["whose"] == [petra.pk]
    assert otto.pk not in taken.news["whose"]


def test_places_freed_by_time_change_the_list():
    event = f.make_event(capacity=4, late_registration_level=9, no_show_minutes=15)
    fehlt = f.register(event, "Fehlt Noch")
    for name in ("Anna Auer", "Bert Berg"):
        f.check_in(event, f.register(event, name))
    f.drive(clock_start, event, 0)
    released = f.drive(noshows_release, f.fresh(event), 16)
    assert released.news["also"] == ["list"]
    assert released.news["whose"] == [fehlt.pk]


def test_coming_later_moves_nobody_in_the_list():
    event = f.make_event()
    petra = f.register(event)
    said = registration_expect(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra, expected_at=f.after(30)
    )
    assert said.news["whose"] == [petra.pk]
    assert "also" not in said.news


def test_the_clock_concerns_nobody_in_particular(event):
    paused = f.drive(clock_pause, event, 2)
    assert set(paused.news) == {"version", "head", "changed", "anchor"}


# --- Places


def test_an_out_names_him_and_moves_nobody_who_is_out_already(event):
    first, second = f.at_table(event, 1)[:2]
    f.out(event, first)
    out = f.out(event, second, at=f.after(6))
    assert out.news["whose"] == people(second)
    assert out.news["room"]["left"] == 10
    assert "also" not in out.news
    undone = f.undo(event, out)
    assert undone.news["whose"] == people(second)
    assert undone.news["also"] == ["places"]
    assert undone.news["room"]["left"] == 11


def test_several_of_one_hand_and_late_entries_move_places_already_had():
    event = f.make_running_event(6, late_registration_level=5)
    one, two, three = f.entries_of(event)[:3]
    late = f.register(event, "Zu spät", at=f.after(1))
    assert "also" not in _told(event, f.check_in(event, late, at=f.after(1)))
    assert f.out(event, one, two).news["also"] == ["places"]
    assert "also" not in f.out(event, three, at=f.after(7)).news
    later = f.register(event, "Noch später", at=f.after(8))
    assert _told(event, f.check_in(event, later, at=f.after(8)))["also"] == ["places"]


def test_the_last_one_left_hears_that_he_has_won():
    event = f.make_running_event(3)
    one, two, three = f.entries_of(event)
    f.out(event, one)
    last = f.out(event, two, at=f.after(7))
    assert last.news["whose"] == people(two, three)


# --- Who may be the next to move


def test_seats_and_buttons_name_the_tables_that_ask_for_the_order_of_moves(event):
    table = f.table_of(event, 1)
    first = f.seat_of(f.at_table(event, 1)[1])[1]
    assert move(event, f.at_table(event, 1)[0], 2).news["ranks"] == [1, 2]
    assert f.undo(event).news["ranks"] == [1, 2]
    for told in (
        f.drive(hand_begin, event, 3, table=table, button=first),
        f.drive(button_mark, event, 4, table=table, seat=None),
        f.undo(event, at=f.after(5)),
        f.out(event, f.at_table(event, 1)[-1], at=f.after(6)),
    ):
        assert told.news["ranks"] == [1]
    assert "ranks" not in f.drive(clock_pause, event, 7).news


# --- What goes over the line


def test_nothing_personal_and_little_of_it():
    event = f.make_running_event(24, seats=8)
    told = [f.out(event, *f.at_table(event, 2)[:2], at=f.after(1))]
    told.append(move(event, f.at_table(event, 1)[0], 2))
    told.append(f.undo(event))
    told.append(f.drive(event_end, event, 95))
    names = set(Registration.objects.values_list("person__name", flat=True))
    tokens = {row.link_token for row in Registration.objects.all()}
    for action in told:
        text = json.dumps(action.news, ensure_ascii=False)
        assert set(action.news) <= KEYS
        assert len(text) < 600, text
        assert not [one for one in names | tokens if one in text]
        assert not re.search(r"[A-ZÄÖÜ@]", text.replace("T", "").replace("Z", "")), text


def test_it_costs_a_fixed_number_of_queries(django_assert_max_num_queries):
    event = f.make_running_event(24, seats=8)
    f.out(event, f.at_table(event, 2)[0], at=f.after(1))
    petra, place = f.at_table(event, 1)[0], free_seat(event, 2)
    own = {"table": f.table_of(event, 2), "seat": place, "reason": "falsch"}
    with django_assert_max_num_queries(30):
        call_service(entry_move, event=event, by=SYSTEM, at=f.after(2), entry=petra, **own)


def test_a_first_start_is_settings_for_all():
    event = f.make_seated_event(3)
    assert "settings" in clock_start(Command(event=event, by=SYSTEM, at=f.START)).news["changed"]


def _news_of(event, action, topics):
    return stream_payload(f.fresh(event), action, topics, {})


def _told(event, _entry):
    return _news_of(event, f.last_action(event), {"entries", "tables", "registrations"})
