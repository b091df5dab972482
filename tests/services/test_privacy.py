"""Erasing: what goes, what stays, that the chain still verifies, and what is refused."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.erasing import (
    DAY,
    PETRA,
    erase,
    evening_of_petra,
    everything,
    petra_in,
    sentences,
)
from tests.services.line import say
from tests.services.test_races import at_once
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, keys_forget
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import (
    Action,
    ActionText,
    Club,
    IdempotencyRecord,
    Person,
    PersonMerge,
    Registration,
)
from tournaments.people.domain.naming import ERASED
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.privacy.selectors.exporting import person_export
from tournaments.privacy.services.privacy import contacts_erase, person_erase, privacy_set
from tournaments.tasks import privacy_due

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def event():
    return evening_of_petra()


@pytest.fixture
def petra(event):
    return petra_in(event)


# --- A person


def test_nothing_is_left_of_an_erased_person_and_the_chain_verifies(event, petra):
    sequence = event.log_sequence
    action = erase(event, by=f.petra_of(petra))
    for trace in (
        "Petra",
        "petra",
        "Probst",
        "probst",
        "Gans",
        PETRA,
        "1234567",
        "Rand",
        "gezeigt",
    ):
        assert trace not in everything(), trace
    petra.person.refresh_from_db()
    assert (petra.person.name, petra.person.erased_at) == (ERASED, f.after(60))
    assert log_first_fault(event) is None
    assert log_first_fault(event.club) is None
    assert f.fresh(event).log_sequence == sequence
    assert (action.event_id, action.kind) == (None, "person.erased")
    assert not ActionText.objects.filter(action=action).exists()
    assert "?" not in describe(action)
    f.refuses("gone", f.undo, event, action)
    f.refuses("erased", say, link_renew, event, 121, registration=petra, token="n" * 32)


@pytest.mark.parametrize("left", [ERASED, "PP"])
def test_the_others_keep_their_names_and_the_log_stays_readable(event, left):
    erase(event, keeps_initials=left == "PP")
    told = sentences(event)
    assert "Ausgeschieden: Bert Buch" not in told
    assert f"Zurückgenommen: Ausgeschieden: {left}, Anna Ast" in told
    assert f"Disqualifiziert: {left}" in told
    assert f"Durchsage: {left} bitte zur Leitung." in told
    assert f"Nachricht an {left}: {left}" in told
    assert not any("?" in sentence for sentence in told)


def test_a_reason_that_was_given_for_somebody_else_no_longer_names_her():
    event = f.make_event()
    rows = [f.register(event, name) for name in ("Petra Probst", "Anna Ast", "Bert Buch")]
    _petra, anna, _bert = (f.check_in(event, row) for row in rows)
    f.drive(clock_start, event, 0)
    f.drive(entry_disqualify, event, 5, entry=anna, reason="Hat Petra Probst geschlagen", stack=200)
    f.drive(event_end, event, 9)
    erase(f.fresh(event))
    assert "Petra" not in everything()
    assert f"Hat {ERASED} geschlagen" in everything()


def test_who_was_merged_into_her_is_erased_with_her(event, petra):
    gone = Person.objects.create(club=event.club, name="Peti Probst", email="peti@example.org",
                                 sort_name="peti probst", plain_name="peti probst")  # fmt: skip
    PersonMerge.objects.create(kept=petra.person, gone=gone, made_by=f.last_action(event))
    erase(event)
    gone.refresh_from_db()
    assert (gone.name, gone.email) == (ERASED, "")
    assert gone.erased_at is not None


def test_whoever_registers_again_is_somebody_new(event, petra):
    erase(event)
    for name in ("Petra Probst", ERASED):
        again = f.register(f.make_event(name=f"Neu {name}"), name, at=f.after(90))
        assert again.person_id != petra.person_id


def test_while_an_event_runs_nothing_is_erased(event, petra):
    running = f.make_event(name="Heute")
    row = f.register(running, "Petra Probst", at=f.after(10))
    assert row.person_id == petra.person_id
    with f.refused("registered") as caught:
        erase(event)
    assert "„Heute“" in str(caught.value)
    others = [f.register(running, name, at=f.after(10)) for name in ("Carla Cech", "Dirk Dorn")]
    for guest in (row, *others):
        f.check_in(running, guest, at=f.after(10))
    f.drive(clock_start, running, 11)
    before = everything()
    with f.refused("running") as caught:
        erase(event)
    assert "„Heute“ läuft noch" in str(caught.value)
    assert everything() == before
    f.drive(event_end, running, 12)
    erase(event)
    assert "Probst" not in everything()


def test_a_correction_cannot_be_taken_back_and_says_why(event):
    actions = Action.objects.filter(event=event)
    erase(event)
    f.undo(event, actions.get(kind="event.ended"), at=f.after(61))
    with f.refused("erased", event) as caught:
        f.undo(event, actions.get(kind="registration.corrected"), at=f.after(62))
    assert str(caught.value) == (
        "Die Daten dieser Person sind gelöscht. Das lässt sich nicht zurücknehmen."
    )
    # What happened at the table can still be put right.
    f.undo(event, actions.get(kind="entry.disqualified"), at=f.after(62))
    assert "Probst" not in everything()


def test_who_may_erase_and_that_twice_has_one_effect(event, petra):
    anna, desk = Registration.objects.get(person__name="Anna Ast"), f.make_desk()
    for by, code in (
        (f.petra_of(anna), "not_yours"),
        (f.make_arno(), "not_allowed"),
        (f.ZENO, "not_allowed"),
    ):
        with f.refused(code):
            erase(event, by=by)
    elsewhere = ClubCommand(club=Club.objects.create(name="Anderswo"), by=SYSTEM, at=f.after(60))
    with f.refused("gone"):
        person_erase(elsewhere, person=petra.person)
    assert petra_in(event).person.email == PETRA
    key = uuid4()
    first = erase(event, by=desk, person=petra.person, key=key)
    assert erase(event, by=desk, person=petra.person, key=key) == first
    with f.refused("erased"):
        erase(event, person=petra.person)


def test_what_is_handed_out_is_all_of_her_and_nobody_elses(petra):
    told = json.dumps(person_export(petra), default=str, ensure_ascii=False)
    for trace in ("Petra Probst", PETRA, "+43 660 1234567", "Sitzt gern am Rand", "Freitagsturnier",
                  "Disqualifiziert: Petra Probst", "Petra hat gezeigt"):  # fmt: skip
        assert trace in told, trace
    for name in ("Anna", "Bert"):
        assert name not in told


@pytest.mark.django_db(transaction=True)
def test_erased_at_once_on_two_phones_has_one_effect(event, petra):
    found = at_once(*[lambda: erase(event, person=petra.person)] * 2)
    assert sorted(type(outcome).__name__ for outcome in found) == ["Action", "str"]
    assert "erased" in found
    assert Action.objects.filter(kind="person.erased").count() == 1
    assert log_first_fault(event.club) is None


# --- Addresses, when the club's time for them is up


def keep_for(club, days, by=SYSTEM):
    privacy_set(
        ClubCommand(club=club, by=by, at=f.after(60)), erase_contacts_days=days, has_hall_names=True
    )


@pytest.fixture
def club(event):
    keep_for(event.club, 30)
    return f.fresh(event).club


def due(club, at, by=SYSTEM):
    return contacts_erase(ClubCommand(club=club, by=by, at=at))


def test_addresses_go_so_many_days_after_the_last_event_and_names_stay(event, club):
    for days in (-1, 3651):
        with f.refused("bad_days"):
            keep_for(club, days)
    with f.refused("none_due"):
        due(club, f.START + 30 * DAY - timedelta(seconds=1))
    action = due(club, f.START + 30 * DAY)
    assert action.payload == {"people": 1, "facts": {"made": {}}}
    for trace in (PETRA, "1234567", "Rand"):
        assert trace not in everything(), trace
    assert petra_in(event).person.name == "Petra Probst"
    assert "Ausgeschieden: Anna Ast" in sentences(event)
    assert log_first_fault(event) is None
    assert log_first_fault(club) is None
    assert describe(action) == "Kontaktdaten gelöscht: 1 Personen"
    with f.refused("none_due"):
        due(club, f.START + 31 * DAY)


def test_whoever_comes_again_keeps_the_address(club):
    again = f.make_event(name="Nächstes", starts_at=f.START + 20 * DAY)
    f.register(again, "Petra Probst", at=f.after(90))
    with f.refused("none_due"):
        due(club, f.START + 40 * DAY)
    due(club, f.START + 50 * DAY)


def test_the_task_erases_once_and_only_where_the_club_says_so(event):
    before = everything()
    with f.refused("none_due"):
        due(event.club, f.START + 9999 * DAY)
    privacy_due()
    assert everything() == before
    keep_for(event.club, 1)
    Registration.objects.filter(event=event).update(registered_at=f.START - 90 * DAY)
    event.starts_at = f.START - 60 * DAY
    event.save(update_fields=["starts_at"])
    privacy_due()
    privacy_due()
    assert Action.objects.filter(kind="contacts.erased").count() == 1
    assert PETRA not in everything()


def test_keys_of_presses_go_a_month_after_their_evening(event):
    def press(club_or_event, service, at, **own):
        return call_service(service, **club_or_event, by=SYSTEM, at=at, key=uuid4(), **own)

    def kept():
        return set(IdempotencyRecord.objects.values_list("action", flat=True))

    still, over = f.make_event(name="Noch offen"), f.make_event(name="Vorbei")
    open_one = press({"event": still}, registration_create, f.START, name="Neu Neu")
    of_club = press(
        {"club": event.club}, privacy_set, f.START, erase_contacts_days=0, has_hall_names=False
    )
    press({"event": over}, event_cancel, f.START)
    assert len(kept()) == 3
    keys_forget(f.START + 29 * DAY)
    assert len(kept()) == 3
    keys_forget(f.START + 31 * DAY)
    assert kept() == {open_one.pk}
    assert Action.objects.filter(pk=of_club.pk).exists()


def test_erasing_many_addresses_takes_a_bounded_number_of_queries(
    club, django_assert_max_num_queries
):
    for name in [f"Alt {number}" for number in range(12)]:
        f.register(f.make_event(name=name), name, email=f"a{name[4:]}@post.test")
    with django_assert_max_num_queries(20):
        assert due(club, f.START + 60 * DAY).payload["people"] == 13
