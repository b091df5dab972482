"""Two connections at once: whatever is pressed twice in the same instant has one effect."""

import threading
from uuid import uuid4

import pytest
from django.db import connections

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import players_left
from tournaments.models import Action, Elimination, Registration, Seating, Table, Waiting
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.tables import balance_step, entry_move, table_break
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db(transaction=True)

LATER = f.after(5)


def at_once(*calls):
    """Run the calls in threads, each on a connection of its own, and return what came of them.

    That is the action, or the code of the refusal; anything else is raised.
    """
    ready = threading.Barrier(len(calls))
    found = [None] * len(calls)

    def run(index, call):
        try:
            connections["default"].ensure_connection()
            ready.wait(10)
            found[index] = call()
        except Refused as refusal:
            found[index] = refusal.code
        except BaseException as error:
            found[index] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(index, call)) for index, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for outcome in found:
        if isinstance(outcome, BaseException):
            raise outcome
    return found


def assert_one_effect(found, code):
    """Expect one action, and this refusal for all the others."""
    actions = [outcome for outcome in found if isinstance(outcome, Action)]
    assert len(actions) == 1, found
    assert [outcome for outcome in found if outcome is not actions[0]] == [code] * (len(found) - 1)


def assert_sound(event):
    event = f.fresh(event)
    assert log_first_fault(event) is None
    assert event.version == event.log_sequence == Action.objects.filter(event=event).count()


def call(service, event, *, by=SYSTEM, at=LATER, **own):
    return lambda: call_service(service, event=event, by=by, at=at, **own)


def test_two_directors_break_one_table():
    event = f.make_running_event(12)
    for entry in f.at_table(event, 2)[:2]:
        entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(1)), entries=[entry])
    table = f.table_of(event, 2)
    doras = [f.make_dora(), f.make_dora()]
    found = at_once(*(call(table_break, event, by=dora, table=table) for dora in doras))
    assert_one_effect(found, "table_gone")
    assert [count.players for count in table_counts(event)] == [10]
    assert_sound(event)


def test_one_seat_is_given_to_two():
    event = f.make_running_event(12)
    one, two = f.at_table(event, 1)[:2]
    table = f.table_of(event, 2)
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, 2)}
    seat = next(seat for seat in range(1, 11) if seat not in taken)
    own = {"table": table, "seat": seat, "reason": "auf Wunsch"}
    found = at_once(*(call(entry_move, event, entry=entry, **own) for entry in (one, two)))
    assert_one_effect(found, "seat_unfit")
    assert Seating.objects.live().filter(table=table, seat=seat).count() == 1
    assert_sound(event)


def test_one_suggestion_is_carried_out_twice():
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:2]:
        entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(1)), entries=[entry])
    move = floor_advice(event, f.after(10)).moves[0]
    own = {
        "entry": f.Entry(pk=move.entry),
        "from_table": move.from_table,
        "to_table": move.to_table,
        "to_seat": move.to_seat,
    }
    assert_one_effect(at_once(*[call(balance_step, event, **own)] * 3), "overtaken")
    assert [count.players for count in table_counts(event)] == [9, 9]
    assert_sound(event)


def test_the_last_place_is_given_once():
    event = f.make_event(capacity=2)
    f.register(event, "Eins")
    names = ["Zwei", "Drei", "Vier", "Fünf"]
    found = at_once(*(call(registration_create, event, by=f.ZENO, name=name) for name in names))
    assert all(isinstance(action, Action) for action in found)
    assert [action.payload.get("waits") for action in found].count(None) == 1
    assert Registration.objects.live().filter(event=event).count() == 5
    assert Waiting.objects.live().filter(event=event).count() == 3
    assert_sound(event)


def test_one_person_registers_twice():
    event = f.make_event()
    found = at_once(*[call(registration_create, event, by=f.ZENO, name="Petra")] * 3)
    assert_one_effect(found, "duplicate")
    assert_sound(event)


def test_one_key_sent_twice_has_one_effect_and_one_answer():
    event, key = f.make_event(), uuid4()
    found = at_once(*[call(registration_create, event, by=f.ZENO, name="Petra", key=key)] * 4)
    assert len({action.pk for action in found}) == 1
    assert Registration.objects.live().filter(event=event).count() == 1
    assert_sound(event)


def test_two_arbiters_tap_the_same_player():
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    arnos = [f.make_arno(event), f.make_arno(event)]
    found = at_once(*(call(entries_eliminate, event, by=arno, entries=[entry]) for arno in arnos))
    assert_one_effect(found, "already_out")
    assert Elimination.objects.live().filter(event=event).count() == 1
    assert_sound(event)


def test_the_last_two_are_put_out_by_two_arbiters():
    event = f.make_running_event(2)
    found = at_once(*(call(entries_eliminate, event, entries=[e]) for e in f.entries_of(event)))
    assert_one_effect(found, "last_one_wins")
    assert players_left(event) == 1
    assert_sound(event)


def test_one_action_is_taken_back_twice():
    event = f.make_running_event(4)
    out = entries_eliminate(
        Command(event=event, by=SYSTEM, at=f.after(1)), entries=f.entries_of(event)[:1]
    )
    assert_one_effect(at_once(*[call(action_undo, event, action=out)] * 3), "already_undone")
    assert players_left(event) == 4
    assert_sound(event)


def test_many_are_checked_in_at_once_and_nobody_shares_a_seat():
    event = f.make_event(seats=3)
    rows = [f.register(event, f"Gast {number}") for number in range(8)]
    found = at_once(*(call(entry_check_in, event, registration=row) for row in rows))
    assert all(isinstance(action, Action) for action in found)
    seats = Seating.objects.live().filter(event=event).values_list("table__number", "seat")
    assert len(set(seats)) == 8
    assert sorted(count.players for count in table_counts(event)) == [2, 3, 3]
    assert Table.objects.live().filter(event=event).count() == 3
    assert_sound(event)


def test_two_events_do_not_wait_for_each_others_people():
    one, two = f.make_event(), f.make_event(name="Zweites")
    found = at_once(
        call(registration_create, one, name="Petra"), call(registration_create, two, name="Otto")
    )
    assert [action.event_id for action in found] == [one.pk, two.pk]
    assert_sound(one)
    assert_sound(two)
