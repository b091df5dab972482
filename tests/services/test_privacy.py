"""Erasing: what goes, what stays, that the chain still verifies, and what is refused."""

import json
from uuid import uuid4

import pytest

from tests import factories as f
from tests.services.erasing import (
    CONTACT,
    PETRA,
    erase,
    evening_of_petra,
    everything,
    petra_in,
    sentences,
)
from tests.services.test_races import at_once
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.registration import registration_create, registration_withdraw
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import (
    Action,
    ActionText,
    Club,
    Person,
    PersonMerge,
    Registration,
)
from tournaments.people.selectors.people import is_sure
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.privacy.domain.privacy import ERASED
from tournaments.privacy.selectors.privacy import person_export
from tournaments.privacy.services.privacy import person_erase

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def event():
    return evening_of_petra()


# --- A person


def test_nothing_is_left_of_an_erased_person_and_the_chain_verifies(event):
    sequence = event.log_sequence
    petra = petra_in(event)
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


def test_the_others_keep_their_names_and_the_log_stays_readable(event):
    erase(event)
    told = sentences(event)
    assert "Ausgeschieden: Bert Buch" not in told
    assert f"Zurückgenommen: Ausgeschieden: {ERASED}, Anna Ast" in told
    assert f"Disqualifiziert: {ERASED}" in told
    assert f"Durchsage: {ERASED} bitte zur Leitung." in told
    assert f"Nachricht an {ERASED}: {ERASED}" in told
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


def test_results_keep_initials_if_she_wishes(event):
    erase(event, keeps_initials=True)
    person = Registration.objects.order_by("pk").first().person
    assert person.name == "PP"
    assert "Disqualifiziert: PP" in sentences(event)


def test_who_was_merged_into_her_is_erased_with_her(event):
    petra = petra_in(event).person
    gone = Person.objects.create(club=event.club, name="Peti Probst", email="peti@example.org",
                                 sort_name="peti probst", plain_name="peti probst")  # fmt: skip
    PersonMerge.objects.create(kept=petra, gone=gone, made_by=f.last_action(event))
    erase(event)
    gone.refresh_from_db()
    assert (gone.name, gone.email) == (ERASED, "")
    assert gone.erased_at is not None


def test_whoever_registers_again_is_somebody_new(event):
    old = petra_in(event).person
    erase(event)
    again = f.register(f.make_event(name="Nächstes"), "Petra Probst", at=f.after(90))
    assert again.person_id != old.pk
    other = f.register(f.make_event(name="Übernächstes"), ERASED, at=f.after(90))
    assert other.person_id != old.pk


def test_while_an_event_runs_nothing_is_erased(event):
    running = f.make_event(name="Heute")
    row = f.register(running, "Petra Probst", at=f.after(10))
    assert row.person_id == petra_in(event).person_id
    with f.refused("registered") as caught:
        erase(event)
    assert "„Heute“" in str(caught.value)
    for name in ("Petra Probst", "Carla Cech", "Dirk Dorn"):
        person = row if name == "Petra Probst" else f.register(running, name, at=f.after(10))
        f.check_in(running, person, at=f.after(10))
    f.clock_start(Command(event=running, by=SYSTEM, at=f.after(11)))
    before = everything()
    with f.refused("running") as caught:
        erase(event)
    assert "„Heute“ läuft noch" in str(caught.value)
    assert everything() == before
    event_end(Command(event=running, by=SYSTEM, at=f.after(12)))
    erase(event)
    assert "Probst" not in everything()


def test_after_withdrawing_it_is_possible():
    event = f.make_event()
    petra = f.register(event, "Petra Probst", **CONTACT)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra)
    withdrawn = f.last_action(event)
    erase(event, person=petra.person)
    assert "probst" not in everything()
    with f.refused("erased", event) as caught:
        f.undo(event, withdrawn)
    assert "gelöscht" in str(caught.value)


def test_a_correction_cannot_be_taken_back_and_says_why(event):
    correction = Action.objects.get(event=event, kind="registration.corrected")
    erase(event)
    f.undo(event, Action.objects.get(event=event, kind="event.ended"), at=f.after(61))
    with f.refused("erased", event) as caught:
        f.undo(event, correction, at=f.after(62))
    assert str(caught.value) == (
        "Die Daten dieser Person sind gelöscht. Das lässt sich nicht zurücknehmen."
    )
    # What happened at the table can still be put right.
    f.undo(event, Action.objects.get(event=event, kind="entry.disqualified"), at=f.after(62))
    assert "Probst" not in everything()


def test_the_erasing_itself_has_no_undo(event):
    action = erase(event)
    with f.refused("gone", event):
        f.undo(event, action)


def test_twice_has_one_effect(event):
    key = uuid4()
    first = erase(event, key=key)
    person = Registration.objects.order_by("pk").first().person
    assert erase(event, key=key, person=person) == first
    with f.refused("erased"):
        erase(event, person=person)


def test_who_may_erase(event):
    petra = petra_in(event)
    anna = Registration.objects.get(person__name="Anna Ast")
    with f.refused("not_yours"):
        erase(event, by=f.petra_of(anna))
    for by in (f.make_arno(), f.ZENO):
        with f.refused("not_allowed"):
            erase(event, by=by)
    assert petra_in(event).person.email == PETRA
    erase(event, by=f.make_desk(), person=petra.person)


def test_nobody_is_erased_by_another_club(event):
    elsewhere = Club.objects.create(name="Anderswo")
    with f.refused("gone"):
        person_erase(
            ClubCommand(club=elsewhere, by=SYSTEM, at=f.after(60)), person=petra_in(event).person
        )


def test_an_erased_person_gets_no_new_link(event):
    petra = petra_in(event)
    erase(event)
    with f.refused("erased", event):
        link_renew(
            Command(event=event, by=SYSTEM, at=f.after(61)), registration=petra, token="n" * 32
        )


def test_whoever_types_a_known_name_neither_sees_nor_erases_what_was_known(event):
    """The program knows people by name: so a link made by typing one must not open the rest."""
    later = f.make_event(name="Nächstes")
    action = registration_create(
        Command(event=later, by=f.ZENO, at=f.after(20)), name="Petra Probst"
    )
    zeno = Registration.objects.select_related("person", "made_by").get(
        pk=action.payload["registration"]
    )
    assert zeno.person_id == petra_in_first(event).person_id
    assert not is_sure(zeno)
    told = json.dumps(person_export(zeno), default=str)
    assert PETRA not in told
    assert "1234567" not in told
    assert "Freitagsturnier" not in told
    registration_withdraw(Command(event=later, by=SYSTEM, at=f.after(21)), registration=zeno)
    with f.refused("not_sure") as caught:
        erase(event, by=f.petra_of(zeno), person=zeno.person)
    assert "Turnierleitung" in str(caught.value)
    assert is_sure(petra_in_first(event))


def petra_in_first(event):
    return Registration.objects.select_related("person", "made_by").filter(event=event).first()


def test_what_is_handed_out_is_all_of_her_and_nobody_elses(event):
    told = json.dumps(person_export(petra_in(event)), default=str, ensure_ascii=False)
    for trace in ("Petra Probst", PETRA, "+43 660 1234567", "Sitzt gern am Rand", "Freitagsturnier",
                  "Disqualifiziert: Petra Probst", "Petra hat gezeigt"):  # fmt: skip
        assert trace in told, trace
    for name in ("Anna", "Bert"):
        assert name not in told


@pytest.mark.django_db(transaction=True)
def test_erased_at_once_on_two_phones_has_one_effect():
    event = evening_of_petra()
    person, club = petra_in(event).person, event.club
    found = at_once(*[lambda: erase(event, person=person)] * 2)
    assert sorted(type(outcome).__name__ for outcome in found) == ["Action", "str"]
    assert "erased" in found
    assert Action.objects.filter(kind="person.erased").count() == 1
    assert log_first_fault(club) is None
