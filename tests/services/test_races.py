"""Two connections at once: whatever is pressed twice in the same instant has one effect."""

import threading
import time
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction

from tests import factories as f
from tests.bubble import begin, make_event
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import players_left
from tournaments.models import (
    Action,
    Event,
    HandRound,
    Registration,
    Seating,
    Table,
    Waiting,
)
from tournaments.play.selectors.bubble import round_current
from tournaments.play.services.bubble import (
    table_report,
)
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.selectors.tables import table_counts

pytestmark = pytest.mark.django_db(transaction=True)

AT_BUBBLE = f.after(14)


LATER = f.after(5)


def at_once(*calls):
    """Run the calls in threads, each on a connection of its own, and return what came of them.

    That is the action, or the code of the refusal; anything else is raised.
    """
    ready = threading.Barrier(len(calls))

    def wait():
        connections["default"].ensure_connection()
        ready.wait(10)

    found, threads = threads_of(calls, wait)
    for thread in threads:
        thread.start()
    return outcomes(found, threads)


def threads_of(calls, wait=lambda: None):
    """Return where the outcomes will be, and a thread for each call that waits before it."""
    found = [None] * len(calls)

    def run(index, call):
        try:
            wait()
            found[index] = call()
        except Refused as refusal:
            found[index] = refusal.code
        except BaseException as error:
            found[index] = error
        finally:
            connections.close_all()

    return found, [threading.Thread(target=run, args=both) for both in enumerate(calls)]


def outcomes(found, threads):
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


def waiting_for_a_lock():
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted")
        return cursor.fetchone() is not None


def call(service, event, *, by=SYSTEM, at=LATER, **own):
    return lambda: call_service(service, event=event, by=by, at=at, **own)


def once(event, code, *calls):
    """Expect one effect of these calls at once, and a sound log."""
    assert_one_effect(at_once(*calls), code)
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


def test_one_person_registers_twice_and_one_key_sent_twice_has_one_effect_and_one_answer():
    event, key = f.make_event(), uuid4()
    once(event, "duplicate", *[call(registration_create, event, by=f.ZENO, name="Otto")] * 3)
    found = at_once(*[call(registration_create, event, by=f.ZENO, name="Petra", key=key)] * 4)
    assert len({action.pk for action in found}) == 1
    assert Registration.objects.live().filter(event=event).count() == 2
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


def test_two_arbiters_tap_the_same_player_and_then_the_last_two():
    event = f.make_running_event(2)
    one, two = f.entries_of(event)
    arnos = [f.make_arno(event), f.make_arno(event)]
    once(
        event,
        "already_out",
        *(call(entries_eliminate, event, by=by, entries=[one]) for by in arnos),
    )
    f.undo(event, at=f.after(6))
    taps = [call(entries_eliminate, event, at=f.after(7), entries=[entry]) for entry in (one, two)]
    once(event, "last_one_wins", *taps)
    assert players_left(event) == 1


# Near the money: one hand is released once, one table reports once.


@pytest.fixture
def event():
    return make_event()


def test_all_tables_report_at_once_and_the_next_hand_is_released_once(event):
    begin(event, by_itself=True)
    tables = [f.table_of(event, number) for number in (1, 2, 3)]
    at_once(*(call(table_report, event, at=AT_BUBBLE, table=table, number=0) for table in tables))
    assert round_current(event).number == 1
    assert HandRound.objects.live().count() == 2
    assert_sound(event)


@pytest.mark.postgres_only
def test_a_change_that_waits_for_the_lock_reads_the_settings_written_meanwhile():
    event, waits = f.make_event(), threading.Event()
    found = []

    def lock():
        with transaction.atomic():
            waits.set()
            found.append(Event.objects.locked(event.pk).name)
        connections.close_all()

    other = threading.Thread(target=lock)
    with transaction.atomic():
        Event.objects.locked(event.pk)
        other.start()
        waits.wait(60)
        while not found and not waiting_for_a_lock():
            time.sleep(0.01)
        Event.objects.filter(pk=event.pk).update(name="Neu")
    other.join(60)
    assert found == ["Neu"]
