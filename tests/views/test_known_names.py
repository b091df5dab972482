"""What is kept of people and erased, and what a stranger gets by the name of somebody known."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import now

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, shows
from tests.views.importing import hidden, ticks
from tests.views.pages import assert_refused, soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.kinds import describe
from tournaments.door.selectors.places import waiting_of
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, Club, Mail, Person, PersonMerge, Registration, with_link
from tournaments.privacy.services.privacy import privacy_set
from tournaments.privacy.views import privacy

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
    shows(text_of(own(stranger, "own-data")), "Nur dieses Turnier", but=("privat",))
    assert change(stranger, email=EVIL, remark="Am Rand").status_code == 302
    shows(own(stranger, "player-change").content.decode(), EVIL, but=("privat",))
    assert_refused(change(stranger, name="Niemand"), "Den Namen ändert daher die Turnierleitung.")
    withdraw(stranger)
    assert_refused(own(stranger, "own-data-erase", left="initials"), "macht das die Turnierleitung")
    members.refresh_from_db()
    assert (members.name, members.email) == ("Max Mustermann", address)
    assert members.phone == "+43 660 1234567"
    stranger.refresh_from_db()
    assert (stranger.email, stranger.remark) == (EVIL, "Am Rand")


def test_who_came_first_and_withdrew_sees_nothing_of_who_came_then(event):
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


def test_no_link_goes_to_an_address_that_another_registration_left(event):
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


def test_what_the_desk_confirms_is_known_and_opened_by_that_link_alone(client, event, members):
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


def test_who_says_to_be_a_member_is_none_until_the_desk_says_so(client, event, members):
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


# --- What is kept: the public page, a player's own data, the club's setting


PETRA = "petra@example.org"


@pytest.fixture
def event():
    return soon()


def own_url(name, row):
    return reverse(name, args=[row.link_token])


def test_the_public_page_tells_the_settings_in_force(client, event, settings):
    url = reverse("privacy")
    shows(text_of(client.get(url)), event.club.name, "auch für das nächste Mal")
    settings.EMAIL_BACKEND = CONSOLE
    assert "Zurzeit verschickt dieser Verein keine Mails." in text_of(client.get(url))
    for days, told in (
        (30, "30 Tage nach deinem letzten Turnier wird es von selbst gelöscht."),
        (1, "Einen Tag nach deinem letzten Turnier"),
    ):
        privacy_set(
            ClubCommand(club=event.club, by=SYSTEM, at=now()),
            erase_contacts_days=days,
            has_hall_names=True,
        )
        assert told in text_of(client.get(url))


def test_a_player_sees_and_takes_along_what_is_kept_of_him(client, event, petra, monkeypatch):
    page = client.get(own_url("own-data", petra))
    shows(text_of(page), "Petra Probst", PETRA, "Kommt mit Rad", event.name)
    assert page["Referrer-Policy"] == "same-origin"
    file = client.get(own_url("own-data-json", petra))
    assert "attachment" in file["Content-Disposition"]
    assert "no-store" in file["Cache-Control"]
    told = json.loads(file.content)
    assert (told["email"], told["complete"]) == (PETRA, True)
    assert told["registrations"][0]["remark"] == "Kommt mit Rad"
    # The file is handed out a few times in a row.
    monkeypatch.setattr(privacy, "FILES", replace(privacy.FILES, most=2))
    assert client.get(own_url("own-data-json", petra)).status_code == 200
    held = client.get(own_url("own-data-json", petra))
    assert held.status_code == 429
    assert "Das war sehr oft hintereinander." in text_of(held)


def test_days_are_written_as_the_language_of_the_browser_writes_them(client, petra):
    url, day = own_url("own-data", petra), datetime(2026, 3, 5, 12, tzinfo=UTC)
    Registration.objects.update(registered_at=day)
    Action.objects.update(at=day)
    assert text_of(client.get(url)).count("5. März 2026, 13:00") == 2
    english = text_of(client.get(url, headers={"Accept-Language": "en"}))
    assert english.count("5 March 2026, 13:00") == 2


@pytest.mark.parametrize(("left", "name"), [("nothing", "gelöscht"), ("initials", "PP")])
def test_erasing_asks_first_and_is_refused_while_he_is_registered(client, event, petra, left, name):
    url, here = own_url("own-data-erase", petra), own_url("own-data", petra)
    assert "meine Initialen: PP" in text_of(client.get(url))
    answer = client.post(url, {"left": left})
    assert (answer.status_code, "Erst abmelden" in text_of(answer)) == (422, True)
    petra.person.refresh_from_db()
    assert petra.person.erased_at is None
    registration_withdraw(Command(event=event, by=SYSTEM, at=now()), registration=petra)
    typed = {"left": left, "idempotency_key": "3b241101-e2bb-4255-8caf-4136c566a962"}
    for _time in range(2):
        answer = client.post(url, typed)
        assert (answer.status_code, answer.url) == (302, here)
    page = text_of(client.get(here))
    shows(page, "Deine Daten sind gelöscht", but=("Petra", PETRA, "Daten löschen …"))
    petra.person.refresh_from_db()
    assert petra.person.name == name
    assert Action.objects.filter(kind="person.erased").count() == 1
    assert client.get(url).url == here
    assert client.post(url).status_code == 422
    # The page itself still opens, for the results.
    assert client.get(own_url("player", petra)).status_code == 200


def test_the_director_says_how_long_and_what_names_the_hall_reads(dora, client):
    assert "auf den Leinwänden als Vorname" in text_of(client.get(reverse("privacy")))
    dora.post(reverse("privacy-settings"), {"erase_contacts_days": "0"})
    assert not Club.objects.get().has_hall_names
    assert "im Saal wie auf der Turnierseite" in describe(Action.objects.latest("pk"))
    assert "auf den Leinwänden wie auf" in text_of(client.get(reverse("privacy")))
    url = reverse("privacy-settings")
    assert 'value="0"' in dora.get(url).content.decode()
    for typed in ("", "-1", "4000", "bald"):
        assert_refused(dora.post(url, {"erase_contacts_days": typed}), "Nichts gespeichert")
        assert Club.objects.get().erase_contacts_days == 0
    answer = dora.post(url, {"erase_contacts_days": "90"})
    assert (answer.status_code, answer.url) == (302, url)
    assert Club.objects.get().erase_contacts_days == 90
    assert 'value="90"' in dora.get(url).content.decode()
