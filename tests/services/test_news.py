"""What the stream tells of a change: whom it concerns, a few numbers, nothing personal."""

import json
import re

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tests.services.dealing import move
from tournaments.door.services.arrivals import noshows_release, registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.door.services.waiting_list import offer_accept
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import LostStack, Registration
from tournaments.play.services.conduct import seating_arrive
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.public.services import publishing
from tournaments.public.services.publishing import stream_payload
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import dealer_draw_make, seats_swap

pytestmark = [pytest.mark.django_db, pytest.mark.running(12, seats=7)]


KEYS = {"version", "head", "changed", "anchor", "whose", "room", "ranks", "also"}


def people(*entries):
    return sorted(entry.registration_id for entry in entries)


@pytest.fixture
def petra(event):
    return f.at_table(event, 1)[0]


# --- Whom it concerns


def test_a_seat_change_and_having_arrived_name_the_one_who_moves(event, petra):
    moved = move(event, petra, 2)
    assert moved.news["whose"] == people(petra)
    assert set(moved.news["changed"]) == {"log", "tables"}
    assert {"also", "room"}.isdisjoint(moved.news)
    undone = f.undo(event, moved)
    assert undone.news["whose"] == people(petra)
    assert "settings" not in undone.news["changed"]
    assert f.undo(event, undone).news["whose"] == people(petra)
    arrived = f.drive(seating_arrive, event, 91, seatings=[petra.seatings.live().get()])
    assert arrived.news["whose"] == people(petra)
    other = f.at_table(event, 2)[0]
    own = {"first": petra, "second": other, "reason": "Sicht"}
    assert f.drive(seats_swap, event, 92, **own).news["whose"] == people(petra, other)


def test_a_broken_table_and_a_first_dealer_name_who_sits_there_alone():
    event = f.make_seated_event(12, seats=6)
    drawn = f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 1))
    assert drawn.news["whose"] == people(*f.at_table(event, 1))
    assert "settings" in f.drive(clock_start, event, 0).news["changed"]  # for all
    event = f.fresh(event)
    for entry in f.at_table(event, 1)[:3] + f.at_table(event, 2)[:3]:
        f.out(event, entry)
    there = f.at_table(event, 2)
    broken = f.drive(table_break, event, 9, table=f.table_of(event, 2))
    assert broken.news["whose"] == people(*there)


@pytest.mark.parametrize("players", [3, 5])
def test_a_draw_of_a_large_field_is_told_to_all(players, monkeypatch):
    monkeypatch.setattr(publishing, "MOST_NAMED", 4)
    event = f.make_event(draw_mode="field")
    entries = [f.check_in(event, f.register(event, f"Gast {n}")) for n in range(players)]
    told = f.drive(seats_draw, event, -60).news["whose"]
    assert told == (people(*entries) if players == 3 else "all")


def test_a_check_in_names_one_and_tells_how_many_are_here():
    event = f.make_seated_event(3)
    petra = f.register(event, "Petra Probst")
    entry = f.check_in(event, petra)
    news = f.last_action(event)
    told = _news_of(event, news, {"entries", "tables", "registrations"})
    assert told["whose"] == people(entry)
    assert told["room"] == {"left": 4, "entries": 4, "average": 200, "exact": True}
    assert "also" not in told


def test_a_place_given_back_names_who_left_and_who_is_asked():
    event = f.make_event(capacity=2, offer_minutes=30)
    names = ("Eva Eder", "Uwe Unger", "Petra Probst", "Otto Lang")
    eva, _uwe, petra, otto = (f.register(event, name) for name in names)
    gone = f.drive(registration_withdraw, event, -60, registration=eva)
    assert gone.news["whose"] == sorted([eva.pk, petra.pk])
    assert gone.news["also"] == ["list"]
    taken = f.drive(offer_accept, event, -60, by=f.petra_of(petra), registration=petra)
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


def test_coming_later_and_the_clock_move_nobody_in_the_list(event):
    petra = f.register(event, "Petra Probst")
    own = {"registration": petra, "expected_at": f.after(30)}
    said = f.drive(registration_expect, event, 1, **own)
    assert said.news["whose"] == [petra.pk]
    assert "also" not in said.news
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


def test_a_lost_stack_and_its_taker_are_told_to_both():
    event = evening(bounty_kind="fixed", fee_parts=[["bounty", 500, ""]])
    loser, taker, other = f.entries_of(event)[:3]
    assert lose(event, loser).news["whose"] == people(loser)
    lost = LostStack.objects.get(entry=loser)
    told = do(knockout_set, event, 2, takers=[taker], lost=[lost])
    assert told.news["whose"] == people(taker)
    assert "tables" in told.news["changed"]
    changed = do(knockout_set, event, 3, takers=[other], lost=[lost])
    assert changed.news["whose"] == people(taker, other)
    assert undo(event, changed).news["whose"] == people(taker, other)


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


def _news_of(event, action, topics):
    return stream_payload(f.fresh(event), action, topics)


def _told(event, _entry):
    return _news_of(event, f.last_action(event), {"entries", "tables", "registrations"})
