"""What holds for every change: the log's chain, versions, keys, who may do and undo what."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import (
    SYSTEM,
    Actor,
    Role,
    actor_of,
    device_of,
    roles_of,
    roles_that_may,
)
from tournaments.changes.audit import kind_is, services
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.kinds import Group, Kind, describe, kind_of, kinds
from tournaments.changes.selectors.log import log_first_fault, log_lines
from tournaments.club.services.staff import (
    device_revoke,
    device_sign_in,
    director_link_create,
    link_make,
)
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import (
    Action,
    ActionText,
    Club,
    Event,
    IdempotencyRecord,
    Seating,
    SignInLink,
    StaffDevice,
)
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
        f.refuses("not_allowed", f.undo, event, by=who)
    f.register(other)
    f.refuses("gone", f.undo, event, f.last_action(other))


def test_what_is_final_or_of_an_earlier_version_is_not_taken_back_by_its_id():
    event = f.make_event()
    f.register(event)
    entry = f.last_action(event)
    for kind in ("rehearsal.played", "number.sealed"):
        Action.objects.filter(pk=entry.pk).update(kind=kind)
        f.refuses("irrevocable", f.undo, event, entry)


def test_an_action_is_taken_back_once_and_put_in_force_again_once():
    event = f.make_running_event(4)
    out = f.out(event, f.entries_of(event)[0])
    undone = f.undo(event, out)
    f.refuses("already_undone", f.undo, event, out)
    redone = f.undo(event, undone)
    f.refuses("already_undone", f.undo, event, undone)
    f.refuses("cannot_redo", f.undo, event, redone)
    f.undo(event, out)
    assert len(f.at_table(event, 1)) == 4


# --- The head of an event: the row that every change locks and writes


def test_an_event_is_read_with_its_head_in_one_statement():
    event = f.make_running_event(3)
    registration = f.entries_of(event)[0].registration
    registration.refresh_from_db()
    for read in (lambda: Event.objects.get(pk=event.pk), lambda: registration.event):
        with CaptureQueriesContext(connection) as asked:
            assert read().status == "running"
        assert len(asked) == 1


def test_a_change_writes_the_event_only_when_it_changes_a_setting():
    event = f.make_running_event(3)
    with CaptureQueriesContext(connection) as asked:
        f.out(event, f.entries_of(event)[0])
    assert not [one for one in asked if 'UPDATE "tournaments_event" ' in one["sql"]]
    event_update(Command(event=event, by=SYSTEM, at=f.after(5)), settings={"name": "Anders"})
    renamed = f.fresh(event)
    assert (renamed.name, renamed.version) == ("Anders", f.last_action(event).sequence)


def test_what_is_voided_in_a_change_is_told_by_its_entry():
    event = f.make_running_event(3)
    entry = f.entries_of(event)[0]
    seat = Seating.objects.live().get(entry=entry)
    action = f.out(event, entry)
    assert action.payload["facts"]["voided"] == [["Seating", action.pk, [seat.pk]]]


# --- Devices of the staff: links, signing in and out, grants withdrawn


@pytest.fixture
def club():
    return f.house()


def sign_in(club, link, device_token="secret", at=f.ARRIVAL, **own):
    own = {"club": club, "by": f.ZENO, "at": at, "name": "Handy", **own}
    return call_service(device_sign_in, **own, token=link, device_token=device_token)


def make_link(club, token="link", role=Role.ARBITER, by=SYSTEM, at=f.ARRIVAL, **own):
    return call_service(link_make, club=club, by=by, at=at, token=token, role=role, **own)


def logged(club, kind):
    action = Action.objects.filter(event=None).latest("sequence")
    assert action.kind == kind
    assert log_first_fault(Club.objects.get(pk=club.pk)) is None
    return action


def test_the_directors_link_works_once_for_a_quarter_of_an_hour(club):
    first, token = director_link_create(at=f.ARRIVAL), director_link_create(at=f.ARRIVAL)
    with f.refused("link_dead"):
        sign_in(club, first)  # both may stand in a journal that others read
    with f.refused("link_dead"):
        sign_in(club, token, at=f.ARRIVAL + timedelta(minutes=15))
    sign_in(club, token, at=f.ARRIVAL + timedelta(minutes=14))
    device = device_of("secret")
    assert actor_of(device, None).role == Role.DIRECTOR
    logged(club, "staff.signed_in")
    for used in (token, "erfunden"):
        with f.refused("link_dead"):
            sign_in(club, used, "another")
    assert SignInLink.objects.latest("pk").token == ""


def test_the_arbiters_code_works_for_many_until_a_new_one_is_shown(club):
    event = f.make_running_event()
    make_link(club, "code", event=event)
    with f.refused("no_name"):
        sign_in(club, "code", name="  ")
    sign_in(club, "code", "one")
    sign_in(club, "code", "two")
    make_link(club, "neu", event=event)
    with f.refused("link_dead"):
        sign_in(club, "code", "three")
    assert StaffDevice.objects.count() == 2
    f.drive(event_end, event, 2)
    with f.refused("link_dead") as caught:
        sign_in(club, "neu", "three")
    assert str(caught.value) == "Das Turnier ist zu Ende."


def test_a_grant_is_for_one_event(club):
    event, other = f.make_event(), f.make_event(name="Anderes")
    arno = f.make_arno(event)
    assert roles_of(arno.device, event) == {Role.ARBITER}
    assert roles_of(arno.device, other) == frozenset()
    assert actor_of(arno.device, other).role == Role.VISITOR


def test_a_known_device_gets_a_further_role_and_acts_as_the_highest(club):
    event = f.make_event()
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    device = arno.actor.device
    make_link(club, "leitung", Role.DIRECTOR, event=event)
    sign_in(club, "leitung", "second", known_token=arno.token)
    assert StaffDevice.objects.count() == 1
    assert actor_of(device, event).role == Role.DIRECTOR
    assert device_of(arno.token) is None
    sign_in(club, "leitung", "third", known_token="second")
    assert device.grants.count() == 2
    assert device_of("third") == device


def test_links_are_for_roles_of_staff_and_made_by_directors(club):
    with f.refused("unknown_role"):
        make_link(club, role="player")
    arno = f.make_arno()
    for who in (f.ZENO, arno):
        with f.refused("not_allowed"):
            make_link(club, by=who)
    make_link(club, by=f.make_dora())


def test_a_device_is_revoked_by_the_director_but_not_by_itself(club):
    dora, arno = f.make_dora(), f.make_arno()
    with f.refused("not_allowed"):
        device_revoke(ClubCommand(club=club, by=arno, at=f.START), device=dora.device)
    device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=arno.device)
    logged(club, "staff.revoked")
    assert actor_of(arno.device, None).role == Role.VISITOR
    with f.refused("already_revoked"):
        device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=arno.device)
    with f.refused("own_device"):
        device_revoke(ClubCommand(club=club, by=dora, at=f.START), device=dora.device)


# --- Who may do what: each is refused the rest in a sentence. `docs/reference` lists every kind


LEADS = {Role.DIRECTOR, Role.SYSTEM}
MAY = {
    # KRRU 3: people are moved, disqualified and placed by the director alone.
    "seat.moved": LEADS,
    "entry.disqualified": LEADS,
    "place.overruled": LEADS,
    "dealer.drawn": LEADS | {Role.ARBITER},
    "keep_apart.wished": LEADS | {Role.DESK},
    "seating.arrived": LEADS | {Role.ARBITER, Role.DESK, Role.PLAYER},
}


@pytest.mark.parametrize("kind", MAY)
def test_who_may(kind):
    event, service = f.make_event(), services()[kind]
    assert roles_that_may(service.permission) == MAY[kind]
    for role in set(Role) - MAY[kind]:
        with f.refused("not_allowed", event):
            service(Command(event=event, by=Actor(role=role), at=f.START))
