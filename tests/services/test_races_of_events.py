"""Changes that lock more than one event, or people, drawers and the hall: never in a ring."""

import time

import pytest
from django.db import connection, transaction

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tests.calling import call_service
from tests.flights import add, make_contest
from tests.services.test_races import (
    LATER,
    assert_one_effect,
    assert_sound,
    call,
    outcomes,
    threads_of,
)
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand
from tournaments.contests.domain.stopping import StopRule
from tournaments.door.services.registration import registration_create
from tournaments.models import Action, Drawer, EventHead
from tournaments.money.services.drawers import drawer_open
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.privacy.services.privacy import person_erase
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.rebuys.services.purchases import entry_reenter
from tournaments.seating.services.seats import hall_turn
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres_only]


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
    call_service(
        prizes_plan,
        event=found[0],
        by=SYSTEM,
        at=LATER,
        plan=PrizePlan(way=Way.SHARES, shares=(10_000,)),
    )
    return [f.fresh(event) for event in found]


def test_two_rooms_take_the_same_act_back_at_once(rooms):
    backwards = [call(action_undo, room, action=planned(room)) for room in reversed(rooms)]
    found = in_line(locking(*rooms), *backwards)
    assert_one_effect(found, "already_undone")
    for room in rooms:
        assert f.fresh(room).prizes == {}
        assert_sound(room)


def test_a_look_at_an_undo_over_rooms_waits_for_its_turn(rooms):
    first, second = rooms
    look = lambda: undo_preview(event=second, by=SYSTEM, at=LATER, action=planned(second))
    preview, done = in_line(
        locking(first, second), look, call(action_undo, first, action=planned(first))
    )
    assert isinstance(done, Action)
    assert preview.obstacle is None
    assert_sound(second)


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
        hold,
        lambda: do(entry_reenter, one, 6, entry=first, **paid),
        lambda: undo(other, back, 6),
    )
    assert_one_effect(found, "number_held")
    for event in (one, other):
        assert_sound(event)
