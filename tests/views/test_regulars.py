"""Regulars at the desk: people of the club who are not registered yet, found and taken."""

from uuid import uuid4

import pytest

from tests import factories as f
from tests.pressing import url_of
from tests.views.desk import Nothing, actions, data_of, post, refused
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Action, Entry, OnSite, Person, Registration, Waiting

pytestmark = pytest.mark.django_db
TITLE = "Im Verein bekannt, noch nicht angemeldet"


@pytest.fixture
def last_week():
    made = f.make_event(name="Letzte Woche")
    f.check_in(made, f.register(made, "Hannes Kern", is_listed=False, email="h@example.org"))
    f.register(made, "Paula Später")
    return made


def found(client, event, typed, **more):
    return text_of(client.get(url_of(event, "desk-list"), {"q": typed, **more}))


def test_regulars_are_found_by_name_and_only_their_names_are_told(client, last_week, desk, event):
    text = found(client, event, "kern han")
    assert TITLE in text
    assert "Hannes Kern" in text
    assert "1 Abend" in text
    assert 'id="desk-enter"' in text
    assert "h@example.org" not in text
    for typed, more in (("ha", {}), ("example", {}), ("hannes", {"only": "waiting"})):
        assert TITLE not in found(client, event, typed, **more), typed
    # Who is there already is in the list, and Enter checks him in as ever.
    f.register(event, "Hannes Kern")
    text = found(client, event, "hannes")
    assert TITLE not in text
    assert "gleich einchecken" in text


def test_a_regular_is_registered_and_checked_in_by_one_press(client, last_week, desk, event):
    hannes = Person.objects.get(name="Hannes Kern")
    key = {"X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        answer = post(client, "desk-known", event, hannes.pk, **key)
        assert answer.status_code == 200
        assert '<p class="desk-seat-name">Hannes Kern</p>' in text_of(answer)
    row = Registration.objects.get(event=event)
    # He did not want to be named the last time.
    assert (row.person, row.is_listed, row.email) == (hannes, False, "")
    assert actions(event)[-2:] == ["registration.created", "entry.checked_in"]
    with Nothing(event):
        assert post(client, "desk-known", event, hannes.pk).status_code == 404


def test_the_one_chosen_of_two_of_a_name_is_taken(client, last_week, desk, event):
    other = f.make_event(name="Anderswo")
    second = f.register(other, "Hannes Kern", is_namesake=True).person
    answer = post(client, "desk-known", event, second.pk, data={"only": "1"})
    assert "Angemeldet: Hannes Kern" in text_of(answer)
    assert Registration.objects.get(event=event).person == second
    assert not Entry.objects.filter(event=event).exists()


def test_in_a_full_house_a_regular_waits_and_is_here(client, last_week, desk):
    event = f.make_event(capacity=2)
    f.sign_browser_in(client, Role.DESK, event)
    rows = [f.register(event, name) for name in ("Eins", "Zwei")]
    hannes = Person.objects.get(name="Hannes Kern")
    refused(client, "desk-known", event, hannes.pk, sentence="Alle Plätze sind vergeben.")
    answer = post(client, "desk-known", event, hannes.pk, data={"only": "1"})
    assert "Hannes Kern steht auf der Warteliste." in text_of(answer)
    assert Waiting.objects.live().count() == OnSite.objects.live().count() == 1
    made = Action.objects.filter(event=event, kind="registration.created").latest("pk")
    assert post(client, "action-undo", event, made.pk).status_code == 200
    assert not Waiting.objects.live().exists()
    post(client, "desk-known", event, hannes.pk, data={"only": "1"})
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=rows[0])
    assert not Waiting.objects.live().exists()


@pytest.mark.parametrize("role", [None, Role.ARBITER])
def test_who_may_not_see_people_gets_no_regulars(client, last_week, event, role):
    if role:
        f.sign_browser_in(client, role, event)
    hannes = Person.objects.get(name="Hannes Kern")
    assert client.get(url_of(event, "desk-list"), {"q": "hannes"}).status_code == 403
    with Nothing(event):
        assert post(client, "desk-known", event, hannes.pk).status_code == 403


def test_erased_people_and_those_of_invented_evenings_are_nobody(client, last_week):
    event = f.make_event(is_sample=True)
    f.sign_browser_in(client, Role.DESK, event)
    assert TITLE not in found(client, event, "hannes")
    with Nothing(event):
        pk = Person.objects.get(name="Hannes Kern").pk
        assert post(client, "desk-known", event, pk).status_code == 404


# Similar names


def test_the_desk_asks_about_names_alike_as_the_form_does(client, last_week, desk, event):
    there = f.register(event, "Jörg Müller", is_listed=False)
    answer = refused(
        client,
        "desk-register",
        event,
        data=data_of("Mueller Jorg"),
        sentence="Jörg Müller ist schon angemeldet.",
    )
    assert url_of(event, "desk-check-in", there.pk) in text_of(answer)
    answer = refused(
        client,
        "desk-register",
        event,
        data=data_of("Spaeter Paula"),
        sentence="Der Verein kennt Paula Später.",
    )
    paula = Person.objects.get(name="Paula Später")
    assert url_of(event, "desk-known", paula.pk) in text_of(answer)
    key = {"X-Idempotency-Key": str(uuid4())}
    for _press in range(2):
        told = data_of("Spaeter Paula", is_other="alike")
        assert post(client, "desk-register", event, data=told, **key).status_code == 200
    assert Registration.objects.filter(event=event).count() == 2
