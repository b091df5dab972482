"""The pages for everybody: the club's tournaments, one of them, registering, the health check."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import DatabaseError
from django.test import RequestFactory
from django.utils import timezone

from krru.web import served
from tests import factories as f
from tests.pressing import shows
from tests.views.pages import assert_shown, bare, soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.views.decorators import hall_url, opens_only_here
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import ChipSet, Event, Person, Registration

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def page_of(client, event):
    return client.get(f"/t/{event.slug}/")


def test_home_shows_running_next_and_past(client):
    f.house()
    shows(text_of(client.get("/")), "Gerade steht nichts an", but=("Neuer Abend",))
    f.make_running_event(4, name="Jetztturnier")
    soon(name="Baldturnier")
    over = f.make_running_event(2, name="Altturnier")
    f.drive(event_end, over, 30)
    event_cancel(Command(event=soon(name="Niemalsturnier"), by=SYSTEM, at=timezone.now()))
    text = text_of(client.get("/"))
    assert text.index("Jetztturnier") < text.index("Baldturnier") < text.index("Altturnier")
    shows(text, "4 von 4 im Spiel", "60 von 60 Plätzen frei", "Beendet, 2 haben mitgespielt")
    shows(text, "Abgesagt", f"/t/{over.slug}/ergebnis/")


def test_home_offers_everybody_what_is_theirs(client):
    mine, other = f.make_event(name="Meins"), f.make_event(name="Anderes")
    f.sign_browser_in(client, Role.ARBITER, mine)
    text = text_of(client.get("/"))
    assert "/neu/" not in text
    assert text.count("Zu den Tischen") == 1
    assert f"/t/{other.slug}/leitung/" not in text
    f.sign_browser_in(client, Role.DIRECTOR)
    shows(text_of(client.get("/")), "/neu/", f"/t/{other.slug}/leitung/")


def test_tournament_page_is_a_poster(client):
    event = soon(chip_set=ChipSet.objects.first() or f.house().chip_sets.first(), seats=10)
    f.register(event, "Eva Lang", at=timezone.now())
    f.register(event, "Otto Verborgen", at=timezone.now(), is_listed=False)
    response = page_of(client, event)
    text = text_of(response)
    assert response.status_code == 200
    shows(text, "58 von 60 Plätzen frei", "Texas Hold’em, No Limit", "15 × 1", "12 × 5")
    # Big bets are shown in limit games alone.
    but = ("Verborgen", "8 / 15 – 30")
    shows(text, "20 min je Stufe", "Eva Lang", "und eine weitere Person", but=but)
    begins = timezone.localtime(event.starts_at + timedelta(minutes=20))
    assert f"{begins:%H:%M}" in text  # when the second level is expected
    assert "8 / 15 – 30" in text_of(page_of(client, soon(limit="split_limit")))


def test_a_running_evening_is_live(client):
    event = f.make_running_event(30)
    one, two, taker, *_others = sorted(f.at_table(event, 1), key=lambda row: row.registration_id)
    people = [row.registration.person for row in (one, two, taker)]
    for person, name in zip(people, ("Josef Huber", "Jan Hofer", "Karin Auer"), strict=True):
        Person.objects.filter(pk=person.pk).update(name=name)
    Registration.objects.filter(person__in=people[:2]).update(is_listed=False)
    f.out(event, two)
    text = text_of(page_of(client, event))
    shows(bare(text), 'im Spiel</dt><dd class="stat-value">29', "JH 2</b>", "von 30")
    # Initials alone play nowhere; names are told where they sit.
    shows(bare(text), "Karin Auer</span>", but=["Josef", "Huber", "JH 1"])
    shows(text, "und eine weitere Person", 'data-stream="/stream/')
    assert 'data-again-on="registrations entries clock settings tables"' in text
    shows(text, f"/t/{event.slug}/ergebnis/", f"/t/{event.slug}/auslosung/")
    # 29 hold thirty stacks of 200 between them.
    assert ">206<" in text


def test_health_says_that_all_is_well_and_nothing_secret(client, settings):
    response = client.get("/health/")
    assert response.status_code == 200
    wanted = {"ok", "version", "mode", "streams", "time_ahead_s", "schedule_age_s"}
    assert response.json().keys() == wanted
    assert response.json()["ok"] is True
    assert settings.SECRET_KEY not in response.content.decode()
    assert "no-store" in response["Cache-Control"]
    assert response["X-Content-Type-Options"] == "nosniff"
    page = client.get("/")
    for name in ("Content-Security-Policy", "Permissions-Policy"):
        assert (name in page, name in response) == (True, False)
    with patch.object(Event.objects, "exists", side_effect=DatabaseError("weg")):
        response = client.get("/health/")
    assert (response.status_code, response.json()["ok"]) == (503, False)
    assert "weg" not in response.content.decode()


@pytest.mark.parametrize(
    ("host", "asked", "told"),
    [
        ("0.0.0.0", "localhost:8000", "http://192.168.7.20:8000/"),
        ("127.0.0.1", "localhost:8000", "http://localhost:8000/"),
        ("0.0.0.0", "hall.example:8000", "http://hall.example:8000/"),
        ("10.9.9.9", "10.9.9.9:8000", "http://10.9.9.9:8000/"),
        ("fd00::7", "localhost:8000", "http://[fd00::7]:8000/"),
    ],
)
def test_links_for_other_devices_open_where_the_server_listens(monkeypatch, host, asked, told):
    monkeypatch.setenv("KRRU_HOST", host)
    monkeypatch.setattr(served, "lan_address", lambda: "192.168.7.20")
    assert hall_url(RequestFactory().get("/", HTTP_HOST=asked), "/") == told
    assert opens_only_here(told) is ("localhost" in told)


OF_AN_EVENT = ("t/{slug}/", "t/{slug}/ergebnis/", "t/{slug}/auslosung/")
OF_A_PLAYER = ("p/{token}/", "p/{token}/daten/", "p/{token}/abmelden/")


def test_every_public_page_speaks_the_language_of_the_phone(client):
    event = soon()
    token = f.register(event, at=timezone.now()).link_token
    for page in ("", *OF_AN_EVENT, *OF_A_PLAYER):
        path = "/" + page.format(slug=event.slug, token=token)
        for asked, spoken in (("de-AT,de;q=0.9", "de"), ("en-GB,en;q=0.8", "en"), ("fr,it", "de")):
            answer = client.get(path, headers={"Accept-Language": asked})
            assert_shown(answer, f'<html lang="{spoken}">')
            assert "Accept-Language" in answer["Vary"]


def test_members_first_is_told_wherever_one_may_decide_to_come(client):
    until = timezone.now() + timedelta(days=1)
    event = soon(members_first_until=until)
    told = f"{timezone.localtime(until):%H:%M} Uhr zuerst für Vereinsmitglieder"
    for path in ("/", f"/t/{event.slug}/"):
        assert told in text_of(client.get(path))
    soon(name="Zweites", members_first_until=until)
    assert text_of(client.get("/")).count(told) == 2
    Event.objects.update(members_first_until=timezone.now() - timedelta(minutes=1))
    for path in ("/", f"/t/{event.slug}/"):
        assert "zuerst für Vereinsmitglieder" not in text_of(client.get(path))


def test_a_visitor_gets_one_script_and_no_library(client):
    event = soon()
    text = text_of(client.get(f"/t/{event.slug}/"))
    shows(text, "js/page.js", 'data-again-parts="live poster door about facts schedule who"')
    assert "htmx-2" not in text
    for part in ("poster", "door", "about", "facts", "schedule", "who"):
        assert f'id="{part}"' in text
    f.sign_browser_in(client, Role.DESK, event)
    assert "htmx-2" in text_of(client.get(f"/t/{event.slug}/"))
