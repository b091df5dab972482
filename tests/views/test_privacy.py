"""What is kept: the public page, a player's own data, the club's setting."""

import json
from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils.timezone import now

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.pressing import text_of
from tests.views.pages import soon
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Action, Club, Registration
from tournaments.privacy.services.privacy import privacy_set

pytestmark = pytest.mark.django_db
PETRA = "petra@example.org"


@pytest.fixture
def event():
    return soon()


def own(name, row):
    return reverse(name, args=[row.link_token])


def withdraw(event, row):
    registration_withdraw(Command(event=event, by=SYSTEM, at=now()), registration=row)


# --- For everybody


def test_the_public_page_tells_the_settings_in_force(client, event, settings):
    url = reverse("privacy")
    before = text_of(client.get(url))
    assert event.club.name in before
    assert "auch für das nächste Mal" in before
    privacy_set(ClubCommand(club=event.club, by=SYSTEM, at=now()), erase_contacts_days=30)
    settings.EMAIL_BACKEND = CONSOLE
    after = text_of(client.get(url))
    assert "30 Tage nach deinem letzten Turnier wird es von selbst gelöscht." in after
    assert "Zurzeit verschickt dieser Verein keine Mails." in after
    privacy_set(ClubCommand(club=event.club, by=SYSTEM, at=now()), erase_contacts_days=1)
    assert "Einen Tag nach deinem letzten Turnier" in text_of(client.get(url))


# --- For the player


def test_a_player_sees_and_takes_along_what_is_kept_of_him(client, event, petra):
    page = client.get(own("own-data", petra))
    for trace in ("Petra Probst", PETRA, "Kommt mit Rad", event.name):
        assert trace in text_of(page)
    assert page["Referrer-Policy"] == "same-origin"
    file = client.get(own("own-data-json", petra))
    assert "attachment" in file["Content-Disposition"]
    assert "no-store" in file["Cache-Control"]
    told = json.loads(file.content)
    assert (told["email"], told["complete"]) == (PETRA, True)
    assert told["registrations"][0]["remark"] == "Kommt mit Rad"


def test_days_are_written_as_the_language_of_the_browser_writes_them(client, petra):
    url, day = own("own-data", petra), datetime(2026, 3, 5, 12, tzinfo=UTC)
    Registration.objects.update(registered_at=day)
    Action.objects.update(at=day)
    assert text_of(client.get(url)).count("5. März 2026, 13:00") == 2
    english = text_of(client.get(url, headers={"Accept-Language": "en"}))
    assert english.count("5 March 2026, 13:00") == 2


def test_erasing_asks_first_and_is_refused_while_he_is_registered(client, event, petra):
    url = own("own-data-erase", petra)
    assert "meine Initialen: PP" in text_of(client.get(url))
    answer = client.post(url, {"left": "nothing"})
    assert answer.status_code == 422
    assert "Erst abmelden" in text_of(answer)
    petra.person.refresh_from_db()
    assert petra.person.erased_at is None


@pytest.mark.parametrize(("left", "name"), [("nothing", "gelöscht"), ("initials", "PP")])
def test_erasing(client, event, petra, left, name):
    withdraw(event, petra)
    url, here = own("own-data-erase", petra), own("own-data", petra)
    typed = {"left": left, "idempotency_key": "3b241101-e2bb-4255-8caf-4136c566a962"}
    for _time in range(2):
        answer = client.post(url, typed)
        assert (answer.status_code, answer.url) == (302, here)
    page = text_of(client.get(here))
    assert "Deine Daten sind gelöscht" in page
    assert "Petra" not in page
    assert PETRA not in page
    assert "Daten löschen …" not in page
    petra.person.refresh_from_db()
    assert petra.person.name == name
    assert Action.objects.filter(kind="person.erased").count() == 1
    assert client.get(url).url == here
    assert client.post(url).status_code == 422
    # The page itself still opens, for the results.
    assert client.get(own("player", petra)).status_code == 200


def test_whoever_typed_a_known_name_sees_only_what_he_typed(client, event, petra):
    later = soon(name="Nächstes")
    zeno = f.register(later, "Petra Probst", by=f.ZENO, at=now())
    page = text_of(client.get(own("own-data", zeno)))
    assert "Nur dieses Turnier" in page
    assert PETRA not in page
    assert "Kommt mit Rad" not in page
    assert PETRA not in client.get(own("own-data-json", zeno)).content.decode()
    erase = own("own-data-erase", zeno)
    assert erase not in page
    assert client.get(erase).url == own("own-data", zeno)
    withdraw(later, zeno)
    withdraw(event, petra)
    assert client.post(erase).status_code == 422


@pytest.mark.parametrize("name", ["own-data", "own-data-json", "own-data-erase"])
def test_a_forged_link_opens_nothing(client, name):
    assert client.get(reverse(name, args=["zeno"])).status_code == 404


# --- For the director


def test_the_director_says_how_long(dora, event):
    url = reverse("privacy-settings")
    assert 'value="0"' in dora.get(url).content.decode()
    answer = dora.post(url, {"erase_contacts_days": "90"})
    assert (answer.status_code, answer.url) == (302, url)
    assert Club.objects.get().erase_contacts_days == 90
    assert 'value="90"' in dora.get(url).content.decode()


@pytest.mark.parametrize("typed", ["", "-1", "4000", "bald"])
def test_what_is_no_number_of_days_is_refused(dora, event, typed):
    answer = dora.post(reverse("privacy-settings"), {"erase_contacts_days": typed})
    assert answer.status_code == 422
    assert "Nichts gespeichert" in text_of(answer)
    assert Club.objects.get().erase_contacts_days == 0


def test_nobody_else_may(client, event):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert client.get(reverse("privacy-settings")).status_code == 403
