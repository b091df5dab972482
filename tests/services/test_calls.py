"""A player on the clock, and calls for the director: start, outcome, undo of each."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.selectors.log import describe
from tournaments.dashboard.selectors.due_play import summons_items
from tournaments.event.services.lifecycle import event_end
from tournaments.models import ClockCall, ClockCallEnd, Summons
from tournaments.play.selectors.calls import calls_open
from tournaments.play.services.calls import (
    clock_call_run_out,
    clock_call_start,
    clock_call_stop,
    director_call,
    director_come,
    director_settle,
)
from tournaments.rules.services.rules import event_rules_change
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=5)]


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


SAID = {"dead": "Zeit abgelaufen, Hand tot", "check": "Zeit abgelaufen, Check"}


@pytest.mark.parametrize(
    ("preset", "has_watch", "not_yet", "over", "outcome"),
    [
        ("krru-3", False, 8.9, 10, "dead"),
        ("krru-3", True, 38, 40, "dead"),
        ("tda-2024", False, 28, 30, "check"),
    ],
    ids=["krru_s9", "krru_s9_with_a_watch", "tda_29"],
)
def test_how_long_it_takes_and_what_it_comes_to(preset, has_watch, not_yet, over, outcome):
    event = f.make_running_event(4, preset=preset)
    petra = f.entries_of(event)[0]
    row = call(event, petra, has_watch=has_watch)
    f.assert_logged(event, "clock_call.started", entry=petra.pk, table=1, watch=has_watch)
    with f.refused("not_over", event):
        end(clock_call_run_out, event, row, not_yet, outcome=outcome)
    with f.refused("bad_outcome", event):
        end(clock_call_run_out, event, row, over, outcome="check" if outcome == "dead" else "fold")
    action = end(clock_call_run_out, event, row, over, outcome=outcome)
    f.assert_logged(event, "clock_call.ran_out", outcome=outcome, call=row.pk)
    assert describe(f.last_action(event)).startswith(SAID[outcome])
    assert ClockCallEnd.objects.get().made_by == action
    assert not calls_open(event).exists()


@pytest.mark.parametrize(("preset", "may"), [("krru-3", False), ("tda-2024", True)])
def test_the_rules_say_whether_arbiters_may_and_the_director_changes_that(preset, may):
    event = f.make_running_event(4, preset=preset)
    petra, arno = f.entries_of(event)[0], f.make_arno(event)

    def may_not():
        with f.refused("not_allowed", event):
            call(f.fresh(event), petra, by=arno)

    def may_now():
        end(clock_call_stop, f.fresh(event), call(f.fresh(event), petra, by=arno), 3, by=arno)

    before, after = (may_now, may_not) if may else (may_not, may_now)
    before()
    f.drive(event_rules_change, event, 8, rules={"arbiters_may_call_clock": not may})
    after()


def test_who_acts_in_time_stops_it(event, petra):
    row = call(event, petra)
    end(clock_call_stop, event, row, 4)
    f.assert_logged(event, "clock_call.stopped", outcome="acted")
    with f.refused("already_ended", event):
        end(clock_call_run_out, event, row, 12, outcome="dead")


def test_one_at_a_table_only_of_who_sits_there_and_while_play_goes_on(event, petra):
    planned = f.make_seated_event(4, name="Geplant")
    f.refuses("not_started", call, planned, f.entries_of(planned)[0])
    with f.refused("no_watch"):
        tda = f.make_running_event(4, preset="tda-2024", name="TDA")
        call(tda, f.entries_of(tda)[0], has_watch=True)
    row = call(event, petra)
    with f.refused("already_called", event) as caught:
        call(event, f.at_table(event, 1)[1])
    assert petra.registration.person.name in str(caught.value)
    call(event, f.at_table(event, 2)[0])
    f.out(event, petra, at=f.after(6))
    assert row not in calls_open(event)
    f.refuses("not_seated", call, event, petra, 7)
    call(event, f.at_table(event, 1)[0], 8)
    f.drive(event_end, event, 9)
    f.refuses("over", call, event, f.at_table(event, 1)[1], 10)


def test_each_step_is_taken_back(event, petra):
    row = call(event, petra)
    stopped = end(clock_call_stop, event, row, 3)
    f.refuses("needed", f.undo, event, row.made_by)
    undone = f.undo(event, stopped, at=f.after(6))
    assert row in calls_open(event)
    end(clock_call_run_out, event, row, 90, outcome="dead")
    f.refuses("needed", action_undo, event, 8, action=undone)
    f.undo(event, at=f.after(9))
    f.undo(event, row.made_by, at=f.after(9))
    assert not ClockCall.objects.live().exists()
    with f.refused("gone", event):
        end(clock_call_stop, event, row, 600)


def path(event, name=""):
    return f"/t/{event.slug}/tische/1/ruf/{name}"


def test_a_call_is_due_until_it_is_done(client):
    event = f.make_running_event(6)
    f.sign_browser_in(client, Role.ARBITER, event)
    page = text_of(client.get(f"/t/{event.slug}/tische/1/"))
    assert "Turnierleitung rufen" in page
    headers = {"HX-Request": "true"}
    answer = client.post(path(event), {"reason": "rule"}, headers=headers)
    assert "Tisch 1 ruft die Turnierleitung: Regelfrage" in text_of(answer)
    f.assert_logged(event, "director.called", table=1, reason="rule")
    assert "Turnierleitung gerufen." in text_of(client.get(f"/t/{event.slug}/tische/1/stand/"))
    refused = client.post(path(event), {"reason": "chips"}, headers=headers)
    assert (refused.status_code, "hat schon gerufen" in text_of(refused)) == (422, True)
    assert client.post(path(event, "kommt/"), headers=headers).status_code == 403
    (item,) = summons_items(event)
    assert (item.title, item.number) == ("Tisch 1 ruft: Regelfrage", 1)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    due = text_of(client.get(f"/t/{event.slug}/leitung/stand/was-ansteht/"))
    assert due.index("Tisch 1 ruft: Regelfrage") == due.index("Tisch 1")
    assert path(event, "kommt/") in due
    assert client.post(path(event, "kommt/"), headers=headers).status_code == 200
    assert "Die Turnierleitung kommt." in text_of(client.get(f"/t/{event.slug}/tische/1/stand/"))
    assert client.post(path(event, "erledigt/"), headers=headers).status_code == 200
    assert summons_items(event) == []
    f.undo(event, at=f.last_action(event).at)
    assert Summons.objects.live().get().is_coming


def test_what_makes_no_sense_is_refused():
    event = f.make_running_event(6)
    said = {"event": event, "at": f.after(1), "table": f.table_of(event, 1)}
    arno = f.make_arno(event)
    with f.refused("no_word", event):
        call_service(director_call, **said, by=arno, reason="pizza")
    for service, by in ((director_come, f.make_dora(event)), (director_settle, arno)):
        with f.refused("not_called", event):
            call_service(service, **said, by=by)
    call_service(director_call, **said, by=arno, reason="chips")
    call_service(director_come, **said, by=f.make_dora(event))
    with f.refused("coming", event):
        call_service(director_come, **said, by=f.make_dora(event))
    with f.refused("not_allowed", event):
        call_service(director_settle, **said, by=f.ZENO)
