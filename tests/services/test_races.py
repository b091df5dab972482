"""Two connections at once: whatever is pressed twice in the same instant has one effect."""

import threading
import time
from uuid import uuid4

import pytest
from django.db import connection, connections, transaction

from tests import factories as f
from tests.bubble import begin, make_event
from tests.buying import do, evening, lose, undo
from tests.calling import call_service
from tests.flights import add, make_contest
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import log_first_fault
from tournaments.contests.domain.stopping import StopRule
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import players_left
from tournaments.models import (
    Action,
    Drawer,
    Event,
    EventHead,
    HandRound,
    Registration,
    Seating,
    Table,
    Waiting,
)
from tournaments.money.services.drawers import drawer_open
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.play.selectors.bubble import round_current
from tournaments.play.services.bubble import table_report
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.privacy.services.privacy import person_erase
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.rebuys.services.purchases import entry_reenter
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.seats import hall_turn
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = pytest.mark.django_db(transaction=True)

AT_BUBBLE, LATER = f.after(14), f.after(5)


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
        while not found and not waiting():
            time.sleep(0.01)
        Event.objects.filter(pk=event.pk).update(name="Neu")
    other.join(60)
    assert found == ["Neu"]


# --- Changes that lock more than one event, or people, drawers and the hall: never in a ring


def in_line(hold, *calls):
    """Hold locks until these calls wait, one behind the other; then return what comes of them."""
    found, threads = threads_of(calls)
    with transaction.atomic():
        hold()
        for number, thread in enumerate(threads, 1):
            thread.start()
            while waiting() < number and all(outcome is None for outcome in found):
                time.sleep(0.01)
    return outcomes(found, threads)


def waiting():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0]


def locking(*events):
    heads = EventHead.objects.filter(event__in=events).order_by("pk")
    return lambda: list(heads.select_for_update())


def planned(event):
    return Action.objects.get(event=event, kind="prizes.planned")


@pytest.fixture
def rooms():
    """Two rooms of one day with a plan for both."""
    contest = make_contest()
    found = [f.make_event(name=f"Tag {label}") for label in ("2A", "2B")]
    for event, label in zip(found, ("2A", "2B"), strict=True):
        add(contest, event, label, order=2, stop=StopRule())
    plan = PrizePlan(way=Way.SHARES, shares=(10_000,))
    call_service(prizes_plan, event=found[0], by=SYSTEM, at=LATER, plan=plan)
    return [f.fresh(event) for event in found]


@pytest.mark.postgres_only
def test_two_rooms_take_the_same_act_back_at_once(rooms):
    backwards = [call(action_undo, room, action=planned(room)) for room in reversed(rooms)]
    found = in_line(locking(*rooms), *backwards)
    assert_one_effect(found, "already_undone")
    for room in rooms:
        assert f.fresh(room).prizes == {}
        assert_sound(room)


@pytest.mark.postgres_only
def test_a_look_at_an_undo_over_rooms_waits_for_its_turn(rooms):
    first, second = rooms
    look = lambda: undo_preview(event=second, by=SYSTEM, at=LATER, action=planned(second))
    preview, done = in_line(
        locking(first, second), look, call(action_undo, first, action=planned(first))
    )
    assert isinstance(done, Action)
    assert preview.obstacle is None
    assert_sound(second)


@pytest.mark.postgres_only
def test_a_person_is_erased_while_the_person_is_registered_elsewhere():
    before, event = f.make_event(name="Früher"), f.make_event()
    row = f.register(before, "Eva Bald")
    erase = ClubCommand(club=f.house(), by=SYSTEM, at=LATER)
    found = in_line(
        locking(event),
        call(registration_create, event, name="Eva Bald"),
        lambda: person_erase(erase, person=row.person),
    )
    assert_one_effect(found, "registered")
    assert_sound(event)


def full_evening(name):
    """Two full tables; return the event and a player out, to whom only a third has a seat."""
    event = evening(4, seats=2, name=name, rebuy_level=0)
    gone = f.entries_of(event)[0]
    lose(event, gone)
    f.check_in(event, f.register(event, "Walter Spät", at=f.after(2)), at=f.after(2))
    return f.fresh(event), gone


@pytest.mark.postgres_only
def test_a_table_opened_for_cash_and_one_that_comes_back_with_cash_never_wait_in_a_ring():
    desk = f.sign_in("Kasse am Eingang", Role.DESK).actor
    (one, first), (other, second) = full_evening("Main Event"), full_evening("Satellit")
    do(drawer_open, one, 3, by=desk, float_cents=0)
    paid = {"by": desk, "pays": True}
    back = undo(other, do(entry_reenter, other, 4, entry=second, **paid), 5)

    def hold():
        hall_turn(one)
        list(Drawer.objects.select_for_update(no_key=True))

    found = in_line(
        hold, lambda: do(entry_reenter, one, 6, entry=first, **paid), lambda: undo(other, back, 6)
    )
    assert_one_effect(found, "number_held")
    for event in (one, other):
        assert_sound(event)
