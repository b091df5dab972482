"""What holds for every service: the log's chain, versions, idempotency keys, who may undo what."""

from uuid import uuid4

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes import audit
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.audit import (
    any_of,
    event_has,
    follows_change,
    frees_places,
    kind_in,
    kind_is,
    services,
    takes_back,
    topic_is,
    touches,
)
from tournaments.changes.commands import Command
from tournaments.changes.kinds import Group, Kind, Topic, kind_of, kinds
from tournaments.changes.selectors.log import describe, log_first_fault, log_lines
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, ActionText, IdempotencyRecord
from tournaments.play.services.eliminations import ENTRY_ELIMINATED, entries_eliminate
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_every_kind_has_one_service_and_every_service_a_kind():
    assert {kind.name for kind in kinds()} == set(services())


def test_a_kind_without_a_sentence_or_declared_twice_cannot_exist():
    with pytest.raises(ValueError, match="no sentence"):
        Kind("seat.polished", "", Group.TABLES)
    with pytest.raises(ValueError, match="declared twice"):
        Kind("seat.moved", "Noch einmal", Group.TABLES)
    assert kind_of("seat.polished") is None


def test_a_step_follows_the_changes_that_it_names_and_no_others(monkeypatch):
    event, taken = f.make_running_event(4), []
    monkeypatch.setattr(audit, "_FOLLOWING", [])
    conditions = {
        "puts_out": kind_is("puts_out"),
        "brings_in": kind_is("brings_in"),
        "out": kind_in(ENTRY_ELIMINATED),
        "tables": topic_is(Topic.TABLES),
        "mail": topic_is(Topic.MAIL),
        "cash": event_has("has_cash_game"),
        "started": event_has("has_started"),
        "places": frees_places,
        "undo": takes_back,
        "name": touches(frozenset({"name"})),
        "either": any_of(takes_back, touches(frozenset({"name"}))),
    }
    for name, condition in conditions.items():
        follows_change(condition)(lambda _change, name=name: taken.append(name))
    f.out(event, f.entries_of(event)[0])
    assert taken == ["puts_out", "out", "tables", "started", "places"]
    taken.clear()
    f.undo(event)
    assert taken == ["brings_in", "tables", "started", "undo", "either"]
    taken.clear()
    f.drive(event_update, f.fresh(event), 9, settings={"name": "Anders"})
    assert taken == ["started", "name", "either"]


def test_a_step_cannot_follow_a_quality_that_no_kind_has():
    with pytest.raises(ValueError, match="brigns_in"):
        kind_is("brigns_in")


def test_the_same_key_again_gives_the_same_answer_and_no_second_effect():
    event, key = f.make_event(), uuid4()
    own = {"event": event, "by": f.ZENO, "key": key, "name": "Petra"}
    first = call_service(registration_create, **own, at=f.ARRIVAL)
    again = call_service(registration_create, **own, at=f.START)
    assert first.pk == again.pk
    assert f.fresh(event).version == 1


def test_the_same_key_with_another_body_is_refused():
    event, key = f.make_event(), uuid4()
    own = {"event": event, "by": f.ZENO, "at": f.ARRIVAL, "key": key}
    call_service(registration_create, **own, name="Petra")
    with f.refused("key_reused", event):
        call_service(registration_create, **own, name="Otto")
    other = f.make_event(name="Anderes")
    with f.refused("key_reused", other):
        call_service(registration_create, **{**own, "event": other}, name="Petra")


def test_keys_of_two_devices_do_not_meet():
    event, key = f.make_running_event(4), uuid4()
    one, two = f.entries_of(event)[:2]
    own = {"event": event, "at": f.after(1), "key": key}
    call_service(entries_eliminate, **own, by=f.make_arno(event), entries=[one])
    call_service(entries_eliminate, **own, by=f.make_arno(event), entries=[two])
    assert IdempotencyRecord.objects.filter(key=key).count() == 2


def test_a_refusal_is_not_kept_so_that_the_key_may_still_succeed():
    event, key = f.make_event(), uuid4()
    settings = {"is_registration_open": False}
    closed = event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings=settings)
    own = {"event": event, "by": f.ZENO, "at": f.ARRIVAL, "key": key, "name": "Petra"}
    with f.refused("closed", event):
        call_service(registration_create, **own)
    action_undo(Command(event=event, by=SYSTEM, at=f.ARRIVAL), action=closed)
    call_service(registration_create, **own)
    f.assert_logged(event, "registration.created")


def test_every_change_bumps_the_version_and_lengthens_the_chain():
    event = f.make_running_event(3)
    assert event.version == event.log_sequence == Action.objects.filter(event=event).count()
    assert log_first_fault(event) is None


def test_a_changed_entry_of_the_log_is_found():
    event = f.make_running_event(3)
    row = Action.objects.get(event=event, sequence=3)
    row.payload["chips"] = 5_000
    row.save()
    assert log_first_fault(event) == 3


def test_names_can_be_erased_and_the_chain_still_verifies():
    event = f.make_running_event(3)
    ActionText.objects.filter(action__event=event).delete()
    assert log_first_fault(event) is None
    assert describe(f.last_action(event)) == "Uhr gestartet"


def test_the_chain_names_device_and_role():
    event = f.make_running_event(3)
    arno = f.make_arno(event)
    entries_eliminate(Command(event=event, by=arno, at=f.after(1)), entries=f.entries_of(event)[:1])
    Action.objects.filter(pk=f.last_action(event).pk).update(role=Role.DIRECTOR)
    assert log_first_fault(event) == f.fresh(event).log_sequence


def test_a_change_is_published_once_it_is_committed(
    monkeypatch, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(
        "tournaments.public.services.publishing.publish",
        lambda topic, payload, **own: told.append((topic, payload, own)),
    )
    event = f.make_running_event(3)
    with django_capture_on_commit_callbacks(execute=True):
        clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
        assert told == []
    ((topic, payload, version),) = told
    assert topic == f"event-{event.pk}"
    assert version["id"] == payload["version"] == f.fresh(event).version
    assert payload["changed"] == ["clock", "log"]
    assert payload["anchor"]


def test_the_log_says_who_may_take_back_what():
    event = f.make_running_event(4)
    arno, other = f.make_arno(event), f.make_arno(event)
    entries_eliminate(Command(event=event, by=arno, at=f.after(1)), entries=f.entries_of(event)[:1])
    assert [line.may_undo for line in log_lines(event, arno, most=2)] == [True, False]
    assert [line.may_undo for line in log_lines(event, other, most=2)] == [False, False]
    assert [line.may_undo for line in log_lines(event, SYSTEM, most=2)] == [True, True]
    undone = action_undo(Command(event=event, by=arno, at=f.after(2)), action=f.last_action(event))
    lines = log_lines(event, SYSTEM, most=2)
    assert [line.is_in_force for line in lines] == [True, False]
    assert lines[0].sentence == "Zurückgenommen: Ausgeschieden: Spieler 001"
    action_undo(Command(event=event, by=SYSTEM, at=f.after(3)), action=undone)
    lines = log_lines(event, SYSTEM, most=3)
    assert [line.is_in_force for line in lines] == [True, False, True]
    assert lines[0].sentence == "Rücknahme zurückgenommen"


def test_an_action_of_another_event_is_not_taken_back_here():
    event, other = f.make_event(), f.make_event(name="Anderes")
    f.register(other)
    with f.refused("gone", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=f.last_action(other))


def test_strangers_and_players_undo_nothing():
    event = f.make_event()
    row = f.register(event, by=f.ZENO)
    for who in (f.ZENO, f.petra_of(row), Actor(role=Role.PLAYER)):
        with f.refused("not_allowed", event):
            action_undo(Command(event=event, by=who, at=f.START), action=f.last_action(event))


def test_an_action_is_taken_back_once_and_put_in_force_again_once():
    event = f.make_running_event(4)
    own = {"event": event, "by": SYSTEM}
    out = call_service(entries_eliminate, **own, at=f.after(1), entries=f.entries_of(event)[:1])
    undone = call_service(action_undo, **own, at=f.after(2), action=out)
    with f.refused("already_undone", event):
        call_service(action_undo, **own, at=f.after(3), action=out)
    redone = call_service(action_undo, **own, at=f.after(4), action=undone)
    with f.refused("already_undone", event):
        call_service(action_undo, **own, at=f.after(5), action=undone)
    with f.refused("cannot_redo", event):
        call_service(action_undo, **own, at=f.after(6), action=redone)
    call_service(action_undo, **own, at=f.after(7), action=out)
    assert len(f.at_table(event, 1)) == 4
