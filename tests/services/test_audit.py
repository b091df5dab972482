"""What holds for every change: the log's chain, versions, keys, who may undo what; rows by hand."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import F

from krru.data import by_hand
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.audit import kind_is, services
from tournaments.changes.commands import Command
from tournaments.changes.kinds import Group, Kind, kind_of, kinds
from tournaments.changes.selectors.log import describe, log_first_fault, log_lines
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.models import (
    Action,
    ActionText,
    Draw,
    Event,
    IdempotencyRecord,
    Person,
    Registration,
)
from tournaments.models.log import among
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_every_kind_has_one_service_and_every_service_a_kind():
    assert {kind.name for kind in kinds()} == set(services())


def test_what_is_declared_wrongly_cannot_exist():
    with pytest.raises(ValueError, match="no sentence"):
        Kind("seat.polished", "", Group.TABLES)
    with pytest.raises(ValueError, match="declared twice"):
        Kind("seat.moved", "Noch einmal", Group.TABLES)
    with pytest.raises(ValueError, match="brigns_in"):
        kind_is("brigns_in")
    assert kind_of("seat.polished") is None


def test_the_same_key_gives_the_same_answer_and_none_for_anything_else():
    event, key = f.make_event(), uuid4()
    own = {"event": event, "by": f.ZENO, "key": key}
    first = call_service(registration_create, **own, at=f.ARRIVAL, name="Petra")
    again = call_service(registration_create, **own, at=f.START, name="Petra")
    assert first.pk == again.pk
    assert f.fresh(event).version == 1
    with f.refused("key_reused", event):
        call_service(registration_create, **own, at=f.ARRIVAL, name="Otto")
    other = f.make_event(name="Anderes")
    with f.refused("key_reused", other):
        call_service(registration_create, **own | {"event": other}, at=f.ARRIVAL, name="Petra")


def test_keys_of_two_devices_do_not_meet():
    event, key = f.make_running_event(4), uuid4()
    one, two = f.entries_of(event)[:2]
    own = {"event": event, "at": f.after(1), "key": key}
    call_service(entries_eliminate, **own, by=f.make_arno(event), entries=[one])
    call_service(entries_eliminate, **own, by=f.make_arno(event), entries=[two])
    assert IdempotencyRecord.objects.filter(key=key).count() == 2


def test_a_refusal_is_not_kept_so_that_the_key_may_still_succeed():
    event, key = f.make_event(), uuid4()
    closed = f.drive(event_update, event, -60, settings={"is_registration_open": False})
    own = {"event": event, "by": f.ZENO, "at": f.ARRIVAL, "key": key, "name": "Petra"}
    with f.refused("closed", event):
        call_service(registration_create, **own)
    f.undo(event, closed, at=f.ARRIVAL)
    call_service(registration_create, **own)
    f.assert_logged(event, "registration.created")


def test_the_chain_holds_without_names_and_tells_what_was_changed():
    event = f.make_running_event(3)
    assert event.version == event.log_sequence == Action.objects.filter(event=event).count()
    ActionText.objects.filter(action__event=event).delete()
    assert log_first_fault(event) is None
    assert describe(f.last_action(event)) == "Uhr gestartet"
    Action.objects.filter(pk=f.last_action(event).pk).update(role=Role.DIRECTOR)
    assert log_first_fault(event) == f.fresh(event).log_sequence
    row = Action.objects.get(event=event, sequence=3)
    row.payload["chips"] = 5_000
    row.save()
    assert log_first_fault(event) == 3


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
    f.out(event, f.entries_of(event)[0], by=arno)
    for who, may in ((arno, [True, False]), (other, [False, False]), (SYSTEM, [True, True])):
        assert [line.may_undo for line in log_lines(event, who, most=2)] == may
    undone = f.undo(event, by=arno)
    lines = log_lines(event, SYSTEM, most=2)
    assert [line.is_in_force for line in lines] == [True, False]
    assert lines[0].sentence == "Zurückgenommen: Ausgeschieden: Spieler 001"
    f.undo(event, undone)
    lines = log_lines(event, SYSTEM, most=3)
    assert [line.is_in_force for line in lines] == [True, False, True]
    assert lines[0].sentence == "Rücknahme zurückgenommen"


def test_an_undo_is_for_staff_and_for_actions_of_its_event():
    event, other = f.make_event(), f.make_event(name="Anderes")
    row = f.register(event, by=f.ZENO)
    for who in (f.ZENO, f.petra_of(row), Actor(role=Role.PLAYER)):
        with f.refused("not_allowed", event):
            f.undo(event, by=who)
    f.register(other)
    with f.refused("gone", event):
        f.undo(event, f.last_action(other))


def test_an_action_is_taken_back_once_and_put_in_force_again_once():
    event = f.make_running_event(4)
    out = f.out(event, f.entries_of(event)[0])
    undone = f.undo(event, out)
    with f.refused("already_undone", event):
        f.undo(event, out)
    redone = f.undo(event, undone)
    with f.refused("already_undone", event):
        f.undo(event, undone)
    with f.refused("cannot_redo", event):
        f.undo(event, redone)
    f.undo(event, out)
    assert len(f.at_table(event, 1)) == 4


AT = datetime(2026, 11, 25, 19, 30, 0, 123456, tzinfo=UTC)


def values_of(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def event():
    return f.make_event()


@pytest.fixture
def action(event):
    f.register(event, "Resi Brandl")
    return f.last_action(event)


def drawn(event, action, number=7):
    return Draw(event=event, number=number, kind="seats", items=[1, {"ä": None}], made_by=action)


@pytest.mark.parametrize("model", [Event, Action, Registration, Person, Draw])
def test_rows_are_as_django_reads_them(event, action, model):
    drawn(event, action).save()
    theirs = {row.pk: values_of(row) for row in model.objects.all()}
    ours = {row.pk: values_of(row) for row in by_hand.select(model, "1 = 1", [])}
    assert ours == theirs
    found = by_hand.select(model, f"id IN {among(theirs)} ORDER BY id", list(theirs))
    assert [row.pk for row in found] == sorted(theirs)
    assert all(not row._state.adding and row._state.db == "default" for row in found)


def test_what_is_written_by_hand_is_read_back_by_django(event, action):
    row = Action(
        club=event.club, event=event, sequence=1000, kind="x", at=AT, recorded_at=AT,
        role="director", payload={"a": [1, None, "ö"]}, previous_hash="h",
    )  # fmt: skip
    assert by_hand.can_insert(row)
    by_hand.insert(row)
    assert values_of(Action.objects.get(pk=row.pk)) == values_of(row)
    assert not row._state.adding
    row.payload, row.hash = {"b": 2}, "k"
    by_hand.update(row, ("payload", "hash"))
    again = Action.objects.get(pk=row.pk)
    assert (again.payload, again.hash, again.at) == ({"b": 2}, "k", AT)


def test_a_fact_that_is_created_is_written_by_hand_and_several_by_django(event, action):
    one = Draw.objects.create(event=event, number=1, kind="seats", made_by=action)
    two, three = Draw.objects.bulk_create(drawn(event, action, number) for number in (2, 3))
    (four,) = Draw.objects.bulk_create([drawn(event, action, 4)])
    assert Draw.objects.bulk_create([]) == []
    rows = {row.pk: values_of(row) for row in Draw.objects.filter(event=event)}
    for row in (one, two, three, four):
        assert rows[row.pk] == values_of(row)


def test_what_is_not_written_by_hand(event, action):
    assert not by_hand.can_insert(Draw(pk=5, event=event, number=1, kind="x", made_by=action))
    assert not by_hand.can_insert(Draw(event=event, number=F("id") + 1, kind="x", made_by=action))
    row = Registration(event=event, person=Person(club=event.club), made_by=action)
    with pytest.raises(ValueError, match="unsaved related object 'person'"):
        by_hand.insert(row)


def test_the_key_of_a_row_written_meanwhile_is_taken(event, action):
    person = Person(club=event.club, name="Resi", sort_name="resi", plain_name="resi")
    row = Registration(event=event, person=person, name="Resi", registered_at=AT, made_by=action)
    by_hand.insert(person)
    by_hand.insert(row)
    assert Registration.objects.get(pk=row.pk).person == person


def test_what_the_database_refuses_ends_the_transaction_as_with_django(event, action):
    row = drawn(event, action)
    row.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        by_hand.insert(drawn(event, action))
    assert Draw.objects.filter(event=event).count() == 1
    Draw.objects.filter(pk=row.pk).delete()
    with pytest.raises(DatabaseError):
        by_hand.update(row, ("kind",))


def test_a_fact_is_voided_by_hand(event, action):
    kept, gone = Draw.objects.bulk_create(drawn(event, action, number) for number in (2, 3))
    Draw.objects.void_by_hand([gone.pk], action)
    Draw.objects.void_by_hand([], action)
    assert list(Draw.objects.live().filter(event=event)) == [kept]
    assert Draw.objects.get(pk=gone.pk).voided_by == action
