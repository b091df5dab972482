"""What a player does on his own page: the line, when he comes, his data, leaving the list."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import localtime, now
from icalendar import Calendar

from clock.models import Level
from krru.web.rate_limits import RateLimit
from tests import factories as f
from tests.calling import call_service
from tests.pressing import HTMX, shows
from tests.views.pages import assert_refused, soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Arrival, Expected, OnSite, PlaceOffer, Registration, Waiting
from tournaments.public.views import player_actions

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return soon()


def page(client, registration):
    return text_of(client.get(f"/p/{registration.link_token}/"))


def press(client, registration, what, *, headers=None, **typed):
    return client.post(f"/p/{registration.link_token}/{what}/", typed, headers=headers)


def line(event, *names):
    """Fill the two places, and put these in line."""
    for name in ("Eva", "Uwe"):
        f.register(event, name, at=now())
    return [f.register(event, name, at=now()) for name in names]


def offered(**settings):
    """Return an event of which one place was given back, and the two who wait for it."""
    event = soon(capacity=2, **settings)
    petra, otto = line(event, "Petra Probst", "Otto Lang")
    eva = Registration.objects.get(person__name="Eva")
    call_service(registration_withdraw, event=event, by=SYSTEM, at=now(), registration=eva)
    return event, petra, otto


def test_the_line_shows_where_one_stands(client):
    event = soon(capacity=2)
    petra, otto = line(event, "Petra Probst", "Otto Lang")
    eva = Registration.objects.get(person__name="Eva")
    asked = text_of(client.get(f"/p/{eva.link_token}/abmelden/"))
    shows(asked, "2 warten auf einen Platz, der Erste", "Zurücknehmen lässt sich das nicht")
    text = page(client, otto)
    shows(text, "Du stehst auf der Warteliste, Stelle", '<strong class="slip-figure">2</strong>')
    shows(text, "abmelden/", but=("Platz annehmen",))
    press(client, petra, "abmelden")
    assert '<strong class="slip-figure">1</strong>' in page(client, otto)


def test_an_offer_shows_its_deadline_and_is_accepted_once_by_two_devices(client):
    event, petra, otto = offered()
    until = localtime(PlaceOffer.objects.get().expires_at)
    shows(page(client, petra), f"{until:%H:%M} zusagst", 'data-rings data-alert="Platz frei"')
    assert "Platz annehmen" not in page(client, otto)
    key = str(uuid4())
    answer = press(client, petra, "annehmen", headers=HTMX, idempotency_key=key)
    assert "Du bist angemeldet, Nummer" in text_of(answer)
    assert "krru:acted" in answer["HX-Trigger"]
    assert not Waiting.objects.live().filter(registration=petra).exists()
    f.assert_logged(event, "offer.accepted", registration=petra.pk)
    version = f.fresh(event).version
    answer = press(client, petra, "annehmen", idempotency_key=key)
    assert (answer.status_code, answer.url) == (302, f"/p/{petra.link_token}/")
    assert_refused(press(client, petra, "annehmen"), "wartet auf keinen Platz")
    assert f.fresh(event).version == version


def test_an_offer_a_second_after_its_deadline(client):
    event, petra, _otto = offered()
    PlaceOffer.objects.update(expires_at=now() - timedelta(seconds=1))
    version = f.fresh(event).version
    assert "Platz annehmen" not in page(client, petra)
    assert_refused(press(client, petra, "annehmen", headers=HTMX), "Die Frist ist vorbei")
    assert f.fresh(event).version == version


def test_declining_gives_the_place_to_the_next(client):
    event, petra, otto = offered()
    assert press(client, petra, "ablehnen").status_code == 302
    assert "Ein Platz ist frei" in page(client, otto)
    assert '<strong class="slip-figure">2</strong>' in page(client, petra)
    assert_refused(press(client, petra, "ablehnen"), "Dieses Angebot gibt es nicht mehr.")
    f.assert_logged(event, "offer.declined", registration=petra.pk)


def test_i_am_here_is_asked_on_the_day_alone(client):
    assert "Ich bin da" not in page(client, f.register(soon(), "Petra Probst", at=now()))
    today = f.make_event(starts_at=now() + timedelta(hours=2), at=now())
    petra = f.register(today, "Petra Probst", at=now())
    assert "Ich bin da" in page(client, petra)
    answer = text_of(press(client, petra, "da", headers=HTMX))
    shows(answer, "Wir wissen, dass du da bist", but=("/da/",))
    assert OnSite.objects.live().filter(registration=petra).exists()
    assert_refused(press(client, petra, "da"), "Das ist schon bekannt")
    assert "Doch nicht da" in answer
    assert "Ich bin da" in text_of(press(client, petra, "doch-nicht", headers=HTMX))
    assert not OnSite.objects.live().exists()
    f.undo(today, at=now())
    assert OnSite.objects.live().get().registration == petra


def test_i_come_later(client):
    today = f.make_event(starts_at=now() + timedelta(hours=2), at=now(), late_registration_level=6)
    petra = f.register(today, "Petra Probst", at=now())
    at = localtime(now() + timedelta(hours=3)).replace(second=0, microsecond=0)
    assert "Ich komme später" in page(client, petra)
    answer = press(client, petra, "spaeter", headers=HTMX, at=f"{at:%H:%M}")
    assert f"Du kommst um {at:%H:%M}" in text_of(answer)
    assert Expected.objects.live().get(registration=petra).expected_at == at
    assert f'value="{at:%H:%M}"' in text_of(answer)
    assert "Ich komme später" in text_of(press(client, petra, "doch-nicht", headers=HTMX))
    assert not Expected.objects.live().exists()
    f.assert_logged(today, "registration.unsaid", registration=petra.pk, outcome="later")
    assert_refused(press(client, petra, "doch-nicht"), "Da ist nichts zurückzunehmen.")


def test_a_time_that_is_none_or_too_late_changes_nothing(client, event):
    petra = f.register(event, "Petra Probst", at=now())
    until = f"Einsteigen geht nur bis {localtime(event.starts_at):%H:%M}."
    for typed, sentence in (
        ("", "Bitte eine Uhrzeit eingeben."),
        ("bald", "Das ist keine Uhrzeit."),
        ("25:00", "Das ist keine Uhrzeit."),
        (f"{localtime(event.starts_at + timedelta(hours=1)):%H:%M}", until),
    ):
        assert_refused(press(client, petra, "spaeter", headers=HTMX, at=typed), sentence)
    Level.objects.filter(clock=event.clock, position=0).update(duration_ms=None, hands=9)
    late = {"late_registration_level": 4}
    call_service(event_update, event=event, by=SYSTEM, at=now(), settings=late)
    at = localtime(event.starts_at + timedelta(hours=13))
    assert_refused(
        press(client, petra, "spaeter", at=f"{at:%H:%M}"), "So spät ist das Turnier vorbei."
    )
    assert not Expected.objects.exists()


def test_own_data_are_shown_and_corrected(client, event):
    answer = client.post(
        f"/t/{event.slug}/anmelden/",
        {"name": "Petra Probst", "email": "petra@example.org", "agrees_to_rules": "on"},
    )
    petra = Registration.objects.get()
    asked = text_of(client.get(f"{answer.url}aendern/"))
    assert 'value="petra@example.org"' in asked
    assert not re.search(r'name="is_listed"[^>]*checked', asked)
    told = {"name": "Petra Propst", "email": "", "phone": "0660 123", "is_listed": "on"}
    assert press(client, petra, "aendern", **told).url == answer.url
    petra = Registration.objects.select_related("person").get()
    person = petra.person
    assert (person.name, person.email, person.phone) == ("Petra Propst", "", "0660 123")
    assert petra.is_listed
    f.assert_logged(event, "registration.corrected", registration=petra.pk)
    assert_refused(press(client, petra, "aendern", **told), "Es hat sich nichts geändert.")
    assert_refused(
        press(client, petra, "aendern", **told | {"name": " "}), "Bitte einen Namen angeben."
    )
    assert_refused(press(client, petra, "aendern", **told | {"phone": "?"}), "keine Telefonnummer")


def test_who_types_a_known_name_sees_and_changes_nothing_of_the_person(client):
    f.register(soon(), "Petra Probst", at=now(), email="petra@example.org")
    event = soon()
    answer = client.post(
        f"/t/{event.slug}/anmelden/", {"name": "Petra Probst", "agrees_to_rules": "on"}
    )
    zeno = Registration.objects.select_related("person").get(event=event)
    assert "aendern/" in page(client, zeno)
    assert "petra@example.org" not in client.get(f"{answer.url}aendern/").content.decode()
    told = {"name": "Zeno Zander", "email": "zeno@example.org"}
    assert_refused(press(client, zeno, "aendern", **told), "Diesen Namen kennt der Verein schon.")
    zeno.person.refresh_from_db()
    assert (zeno.person.name, zeno.person.email) == ("Petra Probst", "petra@example.org")


def test_the_first_seat_is_confirmed(client, event):
    petra = f.register(event, "Petra Probst", at=now())
    text = page(client, petra)
    assert 'id="player-messages"' in text
    for what in ("daten/", "kalender.ics"):
        assert f"/p/{petra.link_token}/{what}" in text
    # A week before there is nothing to see there.
    shows(text, but=("Auslosungen nachrechnen", f"/t/{event.slug}/ergebnis/"))
    f.check_in(event, petra, at=now())
    text = page(client, petra)
    shows(text, "Ich bin angekommen", "Auslosungen nachrechnen")
    seating = text.partition('name="seating" value="')[2].partition('"')[0]
    answer = text_of(press(client, petra, "angekommen", headers=HTMX, seating=seating))
    assert "Ich bin angekommen" not in answer
    assert Arrival.objects.live().filter(seating=seating).exists()


def test_a_link_pressed_without_end_is_held_off(client, event, monkeypatch):
    monkeypatch.setattr(player_actions, "PER_LINK", RateLimit(name="link", most=3))
    petra = f.register(event, "Petra Probst", at=now())
    for _time in range(3):
        press(client, petra, "ablehnen")
    assert_refused(press(client, petra, "ablehnen"), "sehr oft hintereinander")
    otto = f.register(event, "Otto Lang", at=now())
    assert_refused(press(client, otto, "ablehnen"), "wartet auf keinen Platz")


def calendar_of(client, event):
    """Return the appointment in the event's file, as a calendar reads it."""
    answer = client.get(f"/t/{event.slug}/kalender.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert f'filename="{event.slug}.ics"' in answer["Content-Disposition"]
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    (appointment,) = Calendar.from_ical(answer.content).walk("VEVENT")
    return appointment


def test_the_calendar_file(client):
    name = "Turnier; Ä\r\nATTENDEE:mailto:zeno@example.org" + "; lang, \\ länger" * 9
    event = soon(name=name[:110])
    appointment = calendar_of(client, event)
    assert appointment["SUMMARY"].startswith("Turnier; Ä\nATTENDEE:mailto")
    assert "ATTENDEE" not in appointment
    assert appointment["DTSTART"].to_ical() == f"{event.starts_at:%Y%m%dT%H%M%SZ}".encode()
    assert appointment.end > event.starts_at
    assert f"/t/{event.slug}/" in appointment["DESCRIPTION"]
    assert appointment["STATUS"] == "CONFIRMED"
    assert f"/t/{event.slug}/kalender.ics" in text_of(client.get(f"/t/{event.slug}/"))
    # A later file replaces the one before.
    call_service(event_cancel, event=event, by=SYSTEM, at=now())
    after = calendar_of(client, event)
    assert after["UID"] == appointment["UID"]
    assert after["SEQUENCE"] > appointment["SEQUENCE"]
    assert after["STATUS"] == "CANCELLED"


def test_withdrawing_asks_first_and_has_one_effect(client, event):
    petra = f.register(event, "Petra Probst", at=now())
    path = f"/p/{petra.link_token}/abmelden/"
    assert "Wirklich abmelden?" in text_of(client.get(path))
    assert press(client, petra, "abmelden", idempotency_key="kein Schlüssel").status_code == 422
    assert Registration.objects.live().filter(pk=petra.pk).exists()
    key = str(uuid4())
    for _time in range(2):
        response = press(client, petra, "abmelden", idempotency_key=key)
        assert (response.status_code, response.url) == (302, f"/p/{petra.link_token}/")
    shows(text_of(client.get(response.url)), "Du bist abgemeldet", "Neu anmelden")
    assert f.assert_logged(event, "registration.withdrawn", registration=petra.pk).role == "player"
    assert client.get(f"/p/{petra.link_token}/aendern/").status_code == 302
    assert_refused(press(client, petra, "aendern", name="Eva"), "gilt nicht mehr")
    assert_refused(press(client, petra, "da"), "gilt nicht mehr")
    version = f.fresh(event).version
    assert_refused(press(client, petra, "abmelden"), "Diese Anmeldung gilt nicht mehr.")
    assert f.fresh(event).version == version


def test_who_is_checked_in_cannot_withdraw_nor_anybody_after_the_end(client, event):
    """Also when the question was opened before."""
    petra, otto = (f.register(event, name, at=now()) for name in ("Petra Probst", "Otto"))
    f.check_in(event, petra, at=now())
    version = f.fresh(event).version
    asked = client.get(f"/p/{petra.link_token}/abmelden/")
    assert (asked.status_code, asked.url) == (302, f"/p/{petra.link_token}/")
    response = press(client, petra, "abmelden")
    assert_refused(response, "Schon eingecheckt.")
    assert "Wirklich abmelden?" in text_of(response)
    assert f.fresh(event).version == version
    call_service(event_cancel, event=event, by=SYSTEM, at=now())
    assert_refused(press(client, otto, "abmelden"), "Das Turnier ist beendet.")
