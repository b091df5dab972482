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
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import describe
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Action, Club, Registration
from tournaments.privacy.services.privacy import privacy_set
from tournaments.privacy.views.privacy import FILES

pytestmark = pytest.mark.django_db
PETRA = "petra@example.org"


@pytest.fixture
def event():
    return soon()


def own(name, row):
    return reverse(name, args=[row.link_token])


def test_the_public_page_tells_the_settings_in_force(client, event, settings):
    url = reverse("privacy")
    before = text_of(client.get(url))
    assert event.club.name in before
    assert "auch für das nächste Mal" in before
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


def test_the_file_is_handed_out_a_few_times_in_a_row(client, petra):
    url = own("own-data-json", petra)
    codes = [client.get(url).status_code for _ in range(FILES.most + 1)]
    assert codes == [200] * FILES.most + [429]
    assert "Das war sehr oft hintereinander." in text_of(client.get(url))


def test_days_are_written_as_the_language_of_the_browser_writes_them(client, petra):
    url, day = own("own-data", petra), datetime(2026, 3, 5, 12, tzinfo=UTC)
    Registration.objects.update(registered_at=day)
    Action.objects.update(at=day)
    assert text_of(client.get(url)).count("5. März 2026, 13:00") == 2
    english = text_of(client.get(url, headers={"Accept-Language": "en"}))
    assert english.count("5 March 2026, 13:00") == 2


@pytest.mark.parametrize(("left", "name"), [("nothing", "gelöscht"), ("initials", "PP")])
def test_erasing_asks_first_and_is_refused_while_he_is_registered(client, event, petra, left, name):
    url, here = own("own-data-erase", petra), own("own-data", petra)
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
    assert "Deine Daten sind gelöscht" in page
    for gone in ("Petra", PETRA, "Daten löschen …"):
        assert gone not in page
    petra.person.refresh_from_db()
    assert petra.person.name == name
    assert Action.objects.filter(kind="person.erased").count() == 1
    assert client.get(url).url == here
    assert client.post(url).status_code == 422
    # The page itself still opens, for the results.
    assert client.get(own("player", petra)).status_code == 200


@pytest.mark.parametrize("name", ["own-data", "own-data-json", "own-data-erase"])
def test_a_forged_link_opens_nothing(client, name):
    assert client.get(reverse(name, args=["zeno"])).status_code == 404


def test_the_director_says_how_long(dora):
    f.house()
    url = reverse("privacy-settings")
    assert 'value="0"' in dora.get(url).content.decode()
    for typed in ("", "-1", "4000", "bald"):
        answer = dora.post(url, {"erase_contacts_days": typed})
        assert answer.status_code == 422
        assert "Nichts gespeichert" in text_of(answer)
        assert Club.objects.get().erase_contacts_days == 0
    answer = dora.post(url, {"erase_contacts_days": "90"})
    assert (answer.status_code, answer.url) == (302, url)
    assert Club.objects.get().erase_contacts_days == 90
    assert 'value="90"' in dora.get(url).content.decode()


def test_the_director_says_what_names_the_hall_reads_and_the_page_for_all_tells_it(dora, client):
    f.house()
    assert "auf den Leinwänden als Vorname" in text_of(client.get(reverse("privacy")))
    dora.post(reverse("privacy-settings"), {"erase_contacts_days": "0"})
    assert not Club.objects.get().has_hall_names
    assert "im Saal wie auf der Turnierseite" in describe(Action.objects.latest("pk"))
    assert "auf den Leinwänden wie auf" in text_of(client.get(reverse("privacy")))
