"""The club's page and its backups, its staff's roles and devices, its rehearsals."""

import os
import re
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from krru import backups
from krru.data.folder import SECRET_FILE
from krru.web import served
from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, shows, text_of, url_of, words_of
from tests.views.pages import assert_refused, assert_shown, errors_of
from tournaments.changes.access import COOKIE, SYSTEM, WORK, Role, roles_of
from tournaments.event.forms.fields import PriceField
from tournaments.event.selectors.labels import money
from tournaments.event.services.clock import clock_start
from tournaments.models import Action, Club, Event, EventHead, SignInLink, StaffDevice, Table
from tournaments.play.services.hands import hand_begin
from tournaments.practice.services.rehearsal import rehearsal_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def data(settings, tmp_path):
    """A data folder of the test's own, as the program finds it."""
    settings.KRRU_DATA = tmp_path / "data"
    settings.KRRU_DATA.mkdir()
    (settings.KRRU_DATA / SECRET_FILE).write_text("secret")
    return settings.KRRU_DATA


@pytest.fixture
def stick(tmp_path, settings, data):
    settings.KRRU_BACKUP_ROOTS = str(tmp_path)
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


def save(client, **own):
    return client.post("/verein/", {"name": "Unser Verein", "backup_folder": "", **own})


def test_the_page_shows_what_there_is_to_choose_and_backs_up_into_the_data_folder(dora, data):
    page = dora.get(reverse("club-settings")).content.decode()
    shows(page, "T100", "T300", "KRRU 3.0", "TDA 2024", "150 × 1", "Noch kein Ordner gewählt")
    assert "noch nie" in page
    answer = dora.post(reverse("backup-now"), follow=True)
    (file,) = (data / "backups").glob("*.zip")
    shows(answer.content.decode(), str(file), "badge-good", "zuletzt")


def test_a_club_that_draws_without_a_hall_number_is_never_asked_for_one(dora):
    event = f.make_event()
    for name in ("Anna", "Bert"):
        f.check_in(event, f.register(event, name))
    for without, asked in ((None, True), ("on", False)):
        save(dora, **({"draws_without_number": without} if without else {}))
        assert ("Zahl aus dem Saal" in words_of(dora, event, "seats-draw")) is asked
        assert ("Saalzahl …" in dora.get(url_of(event, "director")).content.decode()) is asked


def test_name_and_folder_are_saved_and_a_backup_at_once_goes_there_and_is_remembered(dora, stick):
    assert "braucht einen Namen" in errors_of(save(dora, name="  "), "name")
    answer = save(dora, name="Kasinorunde", backup_folder=f"{stick}/")
    assert (answer.status_code, answer.url) == (302, "/verein/")
    club = Club.objects.get()
    assert (club.name, club.backup_folder) == ("Kasinorunde", str(stick))
    assert [status.folder for status in backups.backup_status()] == [stick]
    assert list(stick.iterdir()) == []
    shows(dora.get("/verein/").content.decode(), "Jede Minute", but=("Noch kein Ordner",))
    assert dora.post(reverse("backup-now")).url == "/verein/"
    (file,) = stick.glob("*.zip")
    (status,) = backups.backup_status()
    assert (status.last_file, status.error) == (file.name, "")
    file.unlink()
    stick.rmdir()
    assert_refused(dora.post(reverse("backup-now")), "ist nicht da")
    assert not stick.exists()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sicherung", "ganzen Pfad"),
        ("{stick}/fehlt", "gibt es nicht"),
        ("{stick}/datei", "eine Datei"),
        ("{stick}/" + "x" * 300, "gibt es nicht|nicht schreiben"),
        ("/" + "x" * 600, "500"),
    ],
)
def test_a_folder_that_takes_no_backup_says_why_beside_the_field(dora, stick, typed, said):
    (stick / "datei").write_text("")
    answer = save(dora, name="Neuer Name", backup_folder=typed.format(stick=stick))
    error = errors_of(answer, "backup_folder")
    assert any(part in error for part in said.split("|"))
    assert 'value="Neuer Name"' in answer.content.decode()
    assert Club.objects.get().backup_folder == ""
    assert not Action.objects.filter(kind="club.updated").exists()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0 or not Path("/proc/self").is_dir(),
    reason="root writes everywhere but into /proc",
)
def test_a_folder_that_cannot_be_written_is_refused(dora, settings, data):
    settings.KRRU_BACKUP_ROOTS = "/proc"
    assert "nicht schreiben" in errors_of(save(dora, backup_folder="/proc/self"), "backup_folder")


@pytest.fixture
def laptop(client):
    """Dora's laptop, signed in on the test's browser."""
    signed_in = f.sign_in("Doras Laptop", Role.DIRECTOR)
    client.cookies[COOKIE] = signed_in.token
    return signed_in.actor


def make_code(client, event, role, **own):
    return client.post(url_of(event, "staff-link"), {"role": role}, headers={**HTMX, **own})


@pytest.mark.parametrize("role", [Role.ARBITER, Role.DESK, Role.DIRECTOR])
def test_a_code_signs_one_device_in_and_the_page_hears_of_it(client, laptop, event, role):
    answer = make_code(client, event, role)
    text = answer.content.decode()
    assert answer.status_code == 200
    assert "<svg" in text
    link = SignInLink.objects.latest("pk")
    assert link.is_one_time
    assert link.token == ""
    assert link.event == (None if role == Role.DIRECTOR else event)
    assert link.expires_at - timezone.now() <= timedelta(minutes=5)
    asked = f"{url_of(event, 'staff-link')}?link={link.pk}"
    assert client.get(asked).status_code == 204
    path = re.search(r"/in/[\w-]+/", text)[0]
    client.cookies.clear()
    assert client.post(path, {"name": "Berta"}).status_code == 302
    client.cookies[COOKIE] = f.sign_in("Zweiter", Role.DIRECTOR).token
    assert "Berta ist angemeldet." in client.get(asked).content.decode()
    assert "Berta" in client.get(url_of(event, "staff-devices")).content.decode()


def test_the_same_press_again_shows_the_same_code(client, laptop, event):
    key = {"X-Idempotency-Key": str(uuid4())}
    found = {
        re.search(r"/in/[\w-]+/", make_code(client, event, Role.ARBITER, **key).content.decode())[0]
        for _press in range(2)
    }
    assert len(found) == 1
    text = client.post(url_of(event, "staff-link"), {"role": "arbiter"}, headers=key).text
    assert "<h1>Geräte</h1>" in text  # without scripts
    assert found.pop() in text
    assert_refused(make_code(client, event, "player"), "Rolle")
    assert Action.objects.filter(kind="staff.link_made", role="director").count() == 1


@pytest.mark.parametrize(("lan", "warns"), [("192.168.7.20", False), (None, True)])
def test_the_code_carries_the_address_of_the_hall_or_a_warning(
    client, laptop, monkeypatch, lan, warns
):
    event = f.make_event()
    monkeypatch.setattr(served, "lan_address", lambda: lan)
    text = make_code(client, event, Role.ARBITER, Host="localhost:8000").content.decode()
    assert (f"http://{lan}:8000/in/" in text) is not warns
    assert ("gilt nur auf diesem Rechner" in text) is warns


def test_the_list_says_who_is_signed_in_as_what(
    client, laptop, event, django_assert_max_num_queries
):
    f.sign_in("Arnos Handy", Role.ARBITER, event)
    f.sign_in("Anderswo", Role.DESK, f.make_event(name="Sonntagsturnier"))
    text = client.get(url_of(event, "staff")).content.decode()
    for number in range(12):
        f.sign_in(f"Handy {number}", Role.ARBITER, event)
    with django_assert_max_num_queries(10):
        client.get(url_of(event, "staff-devices"))
    shows(text, "Doras Laptop", "dieses Gerät", "Arnos Handy", "Anmeldung bei Sonntagsturnier")


def test_devices_of_evenings_that_are_over_stand_apart(client, laptop, event):
    for name, evening in (("Altes Handy", f.make_event(name="Vorige Woche")), ("Tablet", event)):
        f.sign_in(name, Role.ARBITER, evening)
    EventHead.objects.exclude(event=event).update(ended_by=Action.objects.last())
    url = url_of(event, "staff")
    now, former = (text_of(client.get(url, asked)) for asked in ({}, {"frueher": "1"}))
    shows(now, "Geräte früherer Abende", but=("Altes Handy",))
    assert f"{url}?frueher=1" in client.get(url).content.decode()
    # The newest is the first.
    assert now.index("Tablet") < now.index("Doras Laptop")
    shows(former, "Altes Handy", but=("Tablet",))


def test_a_device_is_revoked_and_may_nothing_from_then_on(client, laptop, event):
    arno = f.sign_in("Arnos Handy", Role.ARBITER, event)
    answer = client.post(url_of(event, "staff-revoke", arno.actor.device.pk), headers=HTMX)
    assert_shown(answer, "Arnos Handy")
    assert not roles_of(arno.actor.device, event)
    assert "Arnos Handy" not in client.get(url_of(event, "staff-devices")).content.decode()
    again = client.post(url_of(event, "staff-revoke", arno.actor.device.pk), headers=HTMX)
    assert again.status_code == 422
    client.cookies[COOKIE] = arno.token
    assert client.get(url_of(event, "floor")).status_code == 403


def test_who_leads_one_tournament_sees_and_revokes_only_its_devices(client, event):
    other = f.make_event(name="Sonntagsturnier")
    boss = f.sign_in("Doras Laptop", Role.DIRECTOR)
    stranger = f.sign_in("Fremd", Role.ARBITER, other)
    client.cookies[COOKIE] = f.sign_in("Gast", Role.DIRECTOR, event).token
    text = client.get(url_of(event, "staff")).content.decode()
    shows(text, "Gast", but=("Doras Laptop", "Fremd"))
    for device in (boss, stranger):
        assert client.post(url_of(event, "staff-revoke", device.actor.device.pk)).status_code == 404
    make_code(client, event, Role.DIRECTOR)
    assert SignInLink.objects.latest("pk").event == event
    assert StaffDevice.objects.count() == 3


@pytest.mark.parametrize("role", WORK)
def test_a_role_begins_at_its_home_and_is_shown_the_way_there(client, event, role):
    f.sign_browser_in(client, role, event)
    home = reverse(WORK[role].home, args=[event.slug])
    assert client.get(home).status_code == 200
    assert f'href="{home}">{WORK[role].way}</a>' in client.get(reverse("home")).content.decode()


def test_links_are_offered_for_every_role_and_an_unused_code_is_said_to_be_over(
    client, laptop, event
):
    page = client.get(reverse("staff", args=[event.slug])).content.decode()
    for role, work in WORK.items():
        shows(page, f'value="{role}"', str(work.name), str(work.task))
    make_code(client, event, Role.ARBITER)
    SignInLink.objects.update(expires_at=timezone.now())
    link = SignInLink.objects.latest("pk")
    answer = client.get(f"{url_of(event, 'staff-link')}?link={link.pk}")
    assert "abgelaufen" in answer.content.decode()
    for nonsense in ("", "?link=x", "?link=999999"):
        assert client.get(url_of(event, "staff-link") + nonsense).status_code == 404


REHEARSED = {"players": "18", "seats_per_table": "9", "level_minutes": "2"}


def test_a_rehearsal_is_opened_and_the_director_goes_to_its_evening(dora):
    assert dora.get(reverse("rehearsal")).status_code == 200
    answer = dora.post(reverse("rehearsal"), REHEARSED)
    event = Event.objects.get()
    assert (answer.status_code, answer.url) == (302, reverse("director", args=[event.slug]))
    assert dora.get(answer.url).status_code == 200
    assert event.is_sample


@pytest.mark.parametrize(
    ("field", "typed", "told"),
    [
        ("players", "20000", "Höchstens 10112"),
        ("seats_per_table", "11", "Höchstens 10"),
    ],
)
def test_what_cannot_be_is_told_next_to_the_field(dora, field, typed, told):
    assert_refused(dora.post(reverse("rehearsal"), {**REHEARSED, field: typed}), told)
    assert not Event.objects.exists()


def test_the_table_tells_the_scene_of_its_hand_and_a_real_table_tells_none(client):
    f.sign_browser_in(client, Role.ARBITER)
    own = {"players": 18, "seats_per_table": 9, "level_minutes": 2}
    made = call_service(rehearsal_open, club=f.house(), by=SYSTEM, at=f.ARRIVAL, **own)
    event = f.fresh(Event(pk=made.payload["event"]))
    address = reverse("floor-scene", args=[event.slug, 1])
    assert "scene" not in client.get(address).content.decode()
    f.drive(clock_start, event, 0)
    f.drive(hand_begin, event, 1, table=Table.objects.get(number=1))
    assert "Probe, Hand 1" in client.get(address).content.decode()
    Event.objects.update(is_sample=False)
    assert "scene" not in client.get(address).content.decode()


# --- The currency


def test_each_amount_is_in_the_currency_of_the_club_and_there_is_no_other(dora):
    event = f.make_event(fee_cents=125_050)
    assert "1.250,50\u00a0€" in dora.get(event.get_absolute_url()).content.decode()
    for currency, shown in (
        ("CHF", "CHF\u00a01’250.50"),
        ("", "1.250,50"),
        ("EUR", "1.250,50\u00a0€"),
    ):
        save(dora, currency=currency)
        page = dora.get(event.get_absolute_url()).content.decode()
        assert shown in page
        assert ("€" in page) == (currency == "EUR")
    assert save(dora, currency="XAU").status_code == 422
    assert Club.objects.get().currency == "EUR"


def test_a_process_that_loaded_no_club_asks_for_its_currency(dora):
    save(dora, currency="CHF")
    Club.loaded_currency = None
    assert money(500) == "CHF\u00a05"
    label = PriceField(label="Startgeld").label
    assert label == "Startgeld in Franken"
    save(dora, currency="")
    dora.get(reverse("club-settings"))
    assert label == "Startgeld"
