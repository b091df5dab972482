"""Two rows that were one person: merged, taken back exactly, refused where they are two."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.line import say
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Action, Person, PersonMerge, Registration
from tournaments.people.selectors.people import people_alike, people_found
from tournaments.people.services.members import (
    members_import,
    people_merge,
    people_unmerge,
    person_correct,
)
from tournaments.privacy.services.privacy import person_erase

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def first():
    return f.make_event(name="Eins")


@pytest.fixture
def second():
    return f.make_event(name="Zwei")


@pytest.fixture
def petra(first):
    return f.register(first, "Petra Probst", phone="0660 1234")


@pytest.fixture
def peti(second):
    return f.register(second, "Peti Probst", email="peti@example.org", is_member=True)


def merge(kept, gone, *, by=SYSTEM, key=None):
    command = ClubCommand(club=kept.club, by=by, at=f.after(0), key=key)
    return people_merge(command, kept=kept, gone=gone)


def unmerge(made, *, by=SYSTEM):
    row = PersonMerge.objects.get(made_by=made)
    return people_unmerge(ClubCommand(club=row.kept.club, by=by, at=f.after(1)), merge=row)


def state():
    people = Person.objects.order_by("pk").values_list("pk", "name", "email", "phone", "is_member")
    return list(people), list(Registration.objects.order_by("pk").values_list("pk", "person"))


def found():
    return [row.name for row in people_found(f.house())]


def refused(code, call, *args, **own):
    before = state(), Action.objects.count()
    with f.refused(code) as caught:
        call(*args, **own)
    assert (state(), Action.objects.count()) == before
    return str(caught.value)


def at_club(service, by=SYSTEM, **own):
    return call_service(service, club=f.house(), by=by, at=f.after(0), **own)


def test_everything_of_one_belongs_to_the_other_and_back_exactly(petra, peti):
    before = state()
    made = merge(petra.person, peti.person)
    kept = Person.objects.get(pk=petra.person_id)
    assert (kept.email, kept.phone, kept.is_member) == ("peti@example.org", "0660 1234", True)
    assert set(Registration.objects.values_list("person", flat=True)) == {kept.pk}
    assert found() == ["Petra Probst"]
    assert "?" not in describe(made)
    back = unmerge(made)
    assert state() == before
    assert found() == ["Peti Probst", "Petra Probst"]
    assert "?" not in describe(back)
    assert log_first_fault(kept.club) is None


def test_what_came_later_stays_with_who_was_kept(petra, peti):
    made = merge(petra.person, peti.person)
    third = f.make_event(name="Drei")
    later = f.register(third, "Petra Probst")
    told = {"name": "Petra Probst", "email": "neu@example.org", "phone": "", "is_member": True}
    at_club(person_correct, person=later.person, **told)
    unmerge(made)
    kept = Person.objects.get(pk=petra.person_id)
    assert kept.email == "neu@example.org"
    assert Registration.objects.get(pk=later.pk).person_id == kept.pk
    assert Registration.objects.get(pk=peti.pk).person_id == peti.person_id


def test_who_registers_by_the_name_that_is_gone_is_known(petra, peti):
    f.register(f.make_event(name="Vor"), "Petra Probst", email="petra@example.org")
    merge(petra.person, peti.person)
    by_address = f.register(f.make_event(name="Drei"), "peti  PROBST", email="peti@example.org")
    assert by_address.person_id == petra.person_id
    by_name = f.register(f.make_event(name="Vier"), "Peti Probst")
    assert by_name.person_id == petra.person_id
    other = f.register(f.make_event(name="Fünf"), "Peti Probst", email="andere@example.org")
    assert other.person_id not in {petra.person_id, peti.person_id}


def test_two_at_one_event_are_two_until_one_withdraws(first, petra):
    namesake = f.register(first, "Petra Probst", is_namesake=True)
    told = refused("both_registered", merge, petra.person, namesake.person)
    assert "„Eins“" in told
    withdrawn = say(registration_withdraw, first, 0, registration=namesake)
    before = state()
    made = merge(petra.person, namesake.person)
    f.refuses("needed", f.undo, first, withdrawn)
    unmerge(made)
    assert state() == before


def test_one_after_the_other_and_back_in_turn(petra, peti):
    third = f.register(f.make_event(name="Drei"), "Pe Probst").person
    before = state()
    one = merge(petra.person, peti.person)
    two = merge(third, Person.objects.get(pk=petra.person_id))
    assert f.register(f.make_event(name="Vier"), "Peti Probst").person_id == third.pk
    Registration.objects.filter(event__name="Vier").delete()
    assert "zuerst" in refused("needed", unmerge, one)
    unmerge(two)
    unmerge(one)
    assert state() == before
    refused("already_undone", unmerge, one)


def test_no_merge_with_oneself_with_who_is_gone_or_erased_or_invented(petra, peti):
    refused("same", merge, petra.person, petra.person)
    made = merge(petra.person, peti.person)
    refused("merged", merge, petra.person, peti.person)
    sample = f.register(f.make_event(name="Probe", is_sample=True), "Max Muster").person
    refused("invented", merge, petra.person, sample)
    for row in (petra, peti):
        event = Registration.objects.get(pk=row.pk).event
        say(registration_withdraw, event, 60, registration=row)
    at_club(person_erase, person=petra.person)
    refused("erased", unmerge, made)
    stranger = f.register(f.make_event(name="Drei"), "Otto Kurz").person
    refused("gone", merge, stranger, petra.person)


def test_who_may_be_the_same_is_found_by_name_order_address_and_number(petra, peti):
    event = f.make_event(name="Drei")
    f.register(event, "Probst Petra")
    f.register(event, "Petra Maria Probst")
    f.register(event, "Ganz Anders", phone="0660 1234")
    f.register(event, "Otto Kurz")
    assert [row.name for row in people_alike(petra.person)] == [
        "Petra Maria Probst", "Probst Petra", "Ganz Anders",
    ]  # fmt: skip
    joerg = f.register(event, "Jörg Müller")
    f.register(event, "Mueller, Joerg")
    f.register(event, "Jörg Müllner")
    assert [row.name for row in people_alike(joerg.person)] == ["Jörg Müllner", "Mueller, Joerg"]
    assert [row.name for row in people_found(event.club, "ganz 1234")] == ["Ganz Anders"]
    assert [row.name for row in people_found(event.club, only_members=True)] == ["Peti Probst"]


def test_a_list_of_members_makes_known_people_members_and_adds_the_others(petra, peti):
    rows = [{"name": "petra probst", "email": "petra@example.org"},
            {"name": "Neu Mann", "phone": "0660 9"},
            {"name": "Otto Gast", "is_member": False}]  # fmt: skip
    action = at_club(members_import, people=rows)
    members = Person.objects.filter(is_member=True).order_by("sort_name")
    assert [(row.name, row.email) for row in members] == [
        ("Neu Mann", ""),
        ("Peti Probst", "peti@example.org"),
        ("Petra Probst", "petra@example.org"),
    ]
    assert (action.payload["count"], action.payload["left"]) == (2, 0)
    assert "?" not in describe(action)
    action = at_club(members_import, people=rows[:1], is_complete=True)
    assert (action.payload["count"], action.payload["left"]) == (1, 2)
    assert [row.name for row in members.all()] == ["Petra Probst"]
    refused("empty", at_club, members_import, people=[])
    refused("not_allowed", at_club, members_import, by=f.make_desk(), people=rows)
