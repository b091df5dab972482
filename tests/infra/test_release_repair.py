"""A folder that went from 0.1.0 straight to a later program: shared salts, unproven addresses."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.utils import timezone

from tests import factories as f
from tests.attacks.test_forged_logs import verify
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.models import Action, Person, Registration
from tournaments.people.services.members import person_correct

REPAIR = import_module("tournaments.migrations.0033_salts_and_proven_addresses")


@pytest.fixture
def sharing(db):
    """Three of one salt: the log notes two of them, and of Max another name than he has."""
    event = f.make_event()
    rows = [f.register(event, name) for name in ("Petra Probst", "Max Muster", "Vera Vogel")]
    Person.objects.update(name_salt="ab" * 16)
    club = {"club": event.club, "by": SYSTEM, "at": f.ARRIVAL}
    for row in rows[:2]:
        wanted = {"name": f"{row.person.name}-Neu", "email": "", "phone": "", "is_member": False}
        call_service(person_correct, **club, person=row.person, **wanted)
    Action.objects.filter(event=event).update(payload={})
    Person.objects.filter(name="Max Muster-Neu").update(name="Max Gefälscht")
    return event


def salt_of(name):
    return Person.objects.get(name=name).name_salt


@pytest.mark.postgres
def test_a_shared_salt_is_emptied_or_renewed_and_noted(sharing) -> None:
    editor = connection.schema_editor()
    REPAIR.give_salts(apps, editor)
    assert salt_of("Vera Vogel") == ""
    salts = {salt_of("Petra Probst-Neu"), salt_of("Max Gefälscht")}
    assert len(salts - {"", "ab" * 16}) == 2
    entry = Action.objects.latest("pk")
    assert (entry.kind, entry.role) == ("person.corrected", "system")
    assert len(entry.payload["names"]) == 1
    faults = verify("--facts")[1]
    assert "Petra" not in faults
    assert "(Max Gefälscht) heißt anders" in faults
    assert "Vera" not in faults


@pytest.mark.postgres
def test_what_is_in_order_stays(db) -> None:
    event = f.make_event()
    rows = [f.register(event, name, email=f"{name}@example.org") for name in ("petra", "max")]
    Registration.objects.update(is_mail_proven=False)
    before = list(Person.objects.values()), list(Registration.objects.values())
    newest = Action.objects.latest("pk").pk
    Action.objects.update(recorded_at=timezone.now())
    editor = connection.schema_editor()
    REPAIR.give_salts(apps, editor)
    REPAIR.prove_addresses(apps, editor)
    assert rows
    assert (list(Person.objects.values()), list(Registration.objects.values())) == before
    assert Action.objects.latest("pk").pk == newest
