"""A player on the clock: who may start it, how it comes out, and that each can be taken back."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import describe
from tournaments.event.services.lifecycle import event_end
from tournaments.models import ClockCall, ClockCallEnd
from tournaments.play.selectors.calls import calls_open
from tournaments.play.services.calls import clock_call_run_out, clock_call_start, clock_call_stop
from tournaments.rules.services.rules import event_rules_change
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(10, seats=5)


@pytest.fixture
def petra(event):
    return f.at_table(event, 1)[0]


def call(event, entry, minute=5, by=SYSTEM, **own):
    at = f.after(minute)
    action = call_service(clock_call_start, event=event, by=by, at=at, entry=entry, **own)
    return ClockCall.objects.get(made_by=action)


def end(service, event, row, seconds, by=SYSTEM, **own):
    at = row.began_at + timedelta(seconds=seconds)
    return call_service(service, event=event, by=by, at=at, call=row, **own)


def test_krru_s9_ten_seconds_and_the_hand_is_dead(event, petra):
    row = call(event, petra)
    f.assert_logged(event, "clock_call.started", entry=petra.pk, table=1, watch=False)
    with f.refused("not_over", event):
        end(clock_call_run_out, event, row, 8.9, outcome="dead")
    with f.refused("bad_outcome", event):
        end(clock_call_run_out, event, row, 10, outcome="check")
    action = end(clock_call_run_out, event, row, 10, outcome="dead")
    f.assert_logged(event, "clock_call.ran_out", outcome="dead", call=row.pk)
    assert describe(f.last_action(event)).startswith("Zeit abgelaufen, Hand tot")
    assert ClockCallEnd.objects.get().made_by == action
    assert not calls_open(event).exists()


def test_krru_s9_a_watch_of_thirty_seconds_may_run_before(event, petra):
    row = call(event, petra, has_watch=True)
    with f.refused("not_over", event):
        end(clock_call_run_out, event, row, 38, outcome="dead")
    end(clock_call_run_out, event, row, 40, outcome="dead")


def test_tda_29_thirty_seconds_and_a_check_where_no_bet_is_faced():
    event = f.make_running_event(4, preset="tda-2024")
    petra = f.entries_of(event)[0]
    with f.refused("no_watch", event):
        call(event, petra, has_watch=True)
    row = call(event, petra, by=f.make_arno(event))
    with f.refused("not_over", event):
        end(clock_call_run_out, event, row, 28, outcome="check")
    end(clock_call_run_out, event, row, 30, outcome="check")
    assert describe(f.last_action(event)).startswith("Zeit abgelaufen, Check")


def test_who_acts_in_time_stops_it(event, petra):
    row = call(event, petra)
    end(clock_call_stop, event, row, 4)
    f.assert_logged(event, "clock_call.stopped", outcome="acted")
    with f.refused("already_ended", event):
        end(clock_call_run_out, event, row, 12, outcome="dead")


def test_krru_the_director_calls_and_may_hand_it_to_arbiters(event, petra):
    arno = f.make_arno(event)
    with f.refused("not_allowed", event):
        call(event, petra, by=arno)
    with f.refused("not_allowed", event):
        call(event, petra, by=f.make_desk(event))
    f.drive(event_rules_change, event, 2, rules={"arbiters_may_call_clock": True})
    end(clock_call_stop, f.fresh(event), call(f.fresh(event), petra, by=arno), 3, by=arno)


def test_the_director_may_keep_it_from_arbiters_where_the_rules_do_not():
    event = f.make_running_event(4, preset="tda-2024")
    f.drive(event_rules_change, event, 2, rules={"arbiters_may_call_clock": False})
    with f.refused("not_allowed", event):
        call(f.fresh(event), f.entries_of(event)[0], by=f.make_arno(event))
    f.undo(event, at=f.after(3))
    assert f.fresh(event).lets_arbiters_call_clock


def test_one_at_a_table_only_of_who_sits_there_and_while_play_goes_on(event, petra):
    row = call(event, petra)
    with f.refused("already_called", event) as caught:
        call(event, f.at_table(event, 1)[1])
    assert petra.registration.person.name in str(caught.value)
    call(event, f.at_table(event, 2)[0])
    f.out(event, petra, at=f.after(6))
    assert row not in calls_open(event)
    with f.refused("not_seated", event):
        call(event, petra, 7)
    call(event, f.at_table(event, 1)[0], 8)
    event_end(Command(event=event, by=SYSTEM, at=f.after(9)))
    with f.refused("over", event):
        call(event, f.at_table(event, 1)[1], 10)


def test_not_before_the_start():
    event = f.make_seated_event(4)
    with f.refused("not_started", event):
        call(event, f.entries_of(event)[0])


def test_each_step_is_taken_back(event, petra):
    row = call(event, petra)
    stopped = end(clock_call_stop, event, row, 3)
    with f.refused("needed", event):
        f.undo(event, row.made_by)
    undone = f.undo(event, stopped, at=f.after(6))
    assert row in calls_open(event)
    end(clock_call_run_out, event, row, 90, outcome="dead")
    with f.refused("needed", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.after(8)), action=undone)
    f.undo(event, at=f.after(9))
    f.undo(event, row.made_by, at=f.after(9))
    assert not ClockCall.objects.live().exists()
    with f.refused("gone", event):
        end(clock_call_stop, event, row, 600)
