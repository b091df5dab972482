"""A typed name is not the person: what a stranger gets who types the name of somebody known."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, shows
from tests.views.importing import hidden, ticks
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.door.selectors.places import waiting_of
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Mail, Person, PersonMerge, Registration, with_link

pytestmark = pytest.mark.django_db

MAX = b"Name;E-Mail;Telefon;Mitglied\nMax Mustermann;max@privat.example;+43 660 1234567;ja\n"
EVIL = "attacker@evil.example"


def register(event, name, *, browser=None, **typed):
    """Register in a browser without any cookie, and return the registration."""
    filled_in = {"is_listed": "on", "agrees_to_rules": "on", "name": name, **typed}
    answer = (browser or Client()).post(f"/t/{event.slug}/anmelden/", filled_in)
    assert answer.status_code == 302, text_of(answer)
    return with_link(Registration.objects.all(), answer.url.split("/")[2]).get()


def own(registration, page, /, **posted):
    """Open or post one of a link's own pages in a browser without any cookie."""
    url = reverse(page, args=[registration.link_token])
    return Client().post(url, posted) if posted else Client().get(url)


def told(registration):
    return json.loads(own(registration, "own-data-json").content)


def withdraw(registration):
    assert own(registration, "player-withdraw", sure="1").status_code == 302


def change(registration, **typed):
    person = registration.person
    return own(registration, "player-change", **{"name": person.name, "is_listed": "on", **typed})


@pytest.fixture
def members(dora):
    """Max is a member from a list, with address and number."""
    file = SimpleUploadedFile("mitglieder.csv", MAX)
    preview = dora.post(reverse("members"), {"file": file})
    data = {"people": hidden(preview, "people"), **ticks(preview)}
    assert dora.post(reverse("members-confirm"), data, headers=HTMX).status_code < 400
    return Person.objects.get(name="Max Mustermann")


@pytest.mark.parametrize("address", ["max@privat.example", ""])
def test_the_name_of_a_member_neither_shows_changes_nor_erases_the_member(members, address):
    Person.objects.filter(pk=members.pk).update(email=address)
    typed = "" if address else EVIL
    stranger = register(soon(), "Max Mustermann", email=typed)
    assert stranger.person_id == members.pk
    assert list(Mail.objects.values_list("address", flat=True)) == [typed] * bool(typed)
    found = told(stranger)
    assert (found["complete"], found["email"], found["phone"]) == (False, typed, "")
    assert "privat" not in json.dumps(found)
    page = text_of(own(stranger, "own-data"))
    shows(page, "Nur dieses Turnier", but=("privat",))
    assert change(stranger, email=EVIL, remark="Am Rand").status_code == 302
    page = own(stranger, "player-change").content.decode()
    assert EVIL in page
    assert "privat" not in page
    refused = change(stranger, name="Niemand")
    assert refused.status_code == 422
    assert "Den Namen ändert daher die Turnierleitung." in text_of(refused)
    withdraw(stranger)
    erased = own(stranger, "own-data-erase", left="initials")
    assert erased.status_code == 422
    assert "macht das die Turnierleitung" in text_of(erased)
    members.refresh_from_db()
    assert (members.name, members.email) == ("Max Mustermann", address)
    assert members.phone == "+43 660 1234567"
    stranger.refresh_from_db()
    assert (stranger.email, stranger.remark) == (EVIL, "Am Rand")


def test_who_came_first_and_withdrew_sees_nothing_of_who_came_then():
    event = soon()
    squatter = register(event, "Eva Opfer")
    withdraw(squatter)
    typed = {"email": "eva@privat.example", "phone": "+43 664 9876543", "remark": "Rollstuhl"}
    eva = register(event, "Eva Opfer", **typed)
    assert eva.person_id == squatter.person_id
    found = told(squatter)
    assert not found["complete"]
    assert not any(word in json.dumps(found) for word in ("privat", "9876543", "Rollstuhl"))
    assert [row["event"] for row in found["registrations"]] == [event.name]
    mine = told(eva)
    assert (mine["email"], mine["phone"]) == (typed["email"], typed["phone"])
    assert [row["remark"] for row in mine["registrations"]] == ["Rollstuhl"]
    assert own(squatter, "own-data-erase", left="").status_code == 422


def test_no_link_goes_to_an_address_that_another_registration_left():
    event = soon()
    squatter = register(event, "Otto Normal", email=EVIL)
    withdraw(squatter)
    otto = register(event, "Otto Normal")
    assert otto.person_id == squatter.person_id
    assert not Mail.objects.filter(registration=otto).exists()


def test_after_a_merge_in_good_faith_a_link_opens_neither_of_the_two(dora):
    event, later = soon(), soon(name="Nächstes")
    squatter = register(event, "Gundula Haberlhofer")
    withdraw(squatter)
    typed = {"email": "gundula@privat.example", "phone": "+43 1 999888"}
    gundula = register(later, "Gundula Haberhofer", **typed)
    assert told(gundula)["complete"]
    url = reverse("person-merge", args=[gundula.person_id])
    assert dora.post(url, {"gone": squatter.person_id}, headers=HTMX)["HX-Redirect"]
    found = told(squatter)
    assert not found["complete"]
    assert not any(word in json.dumps(found) for word in ("privat", "999888", "Nächstes"))
    merge = PersonMerge.objects.get()
    assert dora.post(reverse("person-unmerge", args=[merge.pk])).status_code == 302
    assert told(gundula)["complete"]
    assert told(gundula)["email"] == typed["email"]


def test_what_the_desk_confirms_is_known_and_opened_by_that_link_alone(client, members):
    event = soon()
    rival = register(soon(name="Nächstes"), "Eva Opfer")
    assert told(rival)["complete"]
    eva = register(event, "Eva Opfer", email="eva@privat.example")
    f.sign_browser_in(client, Role.DESK, event)
    url = reverse("desk-correct", args=[event.slug, eva.pk])
    page = text_of(client.get(url, headers=HTMX))
    shows(page, "Diesen Namen kennt der Verein schon", "eva@privat.example")
    sent = {"name": "Eva Opfer", "email": "eva@privat.example", "is_listed": "on"}
    assert client.post(url, sent, headers=HTMX).status_code == 200
    assert "Diesen Namen kennt der Verein schon" not in text_of(client.get(url, headers=HTMX))
    person = Person.objects.get(pk=eva.person_id)
    assert person.email == "eva@privat.example"
    assert told(eva)["complete"]
    assert not told(rival)["complete"]
    assert "privat" not in json.dumps(told(rival))
    f.undo(event)
    person.refresh_from_db()
    assert (person.email, told(rival)["complete"], told(eva)["complete"]) == ("", True, False)
    assert told(eva)["email"] == "eva@privat.example"


def test_who_is_known_by_one_registration_alone_erases_all_once_it_is_withdrawn():
    once = register(soon(), "Eva Einmal", email="eva@privat.example")
    withdraw(once)
    assert own(once, "own-data-erase", left="initials").status_code == 302
    once.refresh_from_db()
    assert (once.person.name, once.person.email, once.email) == ("EE", "", "")
    assert "Einmal" not in once.name


def test_who_says_to_be_a_member_is_none_until_the_desk_says_so(client, members):
    event = soon()
    said = {"event": event, "by": SYSTEM, "at": timezone.now()}
    call_service(event_update, **said, settings={"members_first_until": event.starts_at})
    assert waiting_of(register(event, "Max Mustermann")) is None
    claims = register(event, "Frech Dachs", is_member="on")
    assert waiting_of(claims) is not None
    assert (claims.person.is_member, claims.says_member) == (False, True)
    f.sign_browser_in(client, Role.DESK, event)
    assert "Mitglied?" in text_of(client.get(reverse("desk", args=[event.slug])))
    url = reverse("desk-correct", args=[event.slug, claims.pk])
    assert "Sagt von sich, Vereinsmitglied zu sein." in text_of(client.get(url, headers=HTMX))
    sent = {"name": "Frech Dachs", "is_member": "on", "is_listed": "on"}
    assert client.post(url, sent, headers=HTMX).status_code == 200
    assert Person.objects.get(pk=claims.person_id).is_member
    assert "Mitglied?" not in text_of(client.get(reverse("desk", args=[event.slug])))
