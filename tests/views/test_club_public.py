"""What strangers and their programs see of the club: front page, place, preview, calendars."""

import json
import re
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tests.views.pages import assert_refused, soon, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.club.services.club import club_about_set, club_colour_set
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Event, Registration
from tournaments.practice.services.rehearsal import sample_make

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def club():
    club = f.house()
    call_service(
        club_about_set,
        club=club,
        by=SYSTEM,
        at=f.ARRIVAL,
        venue="Gasthof Post",
        address="Hauptplatz 3, 4020 Linz",
        contact="info@klub.at\n0660 123456",
        description="Jeden Freitag.\n\nAlle sind <b>willkommen</b>.",
        house_text="Einlass ab 18 Uhr",
        imprint="Verein Linz\n\nZVR <script>",
    )
    return club


def test_the_tournament_says_where_what_it_costs_and_whom_to_ask(client, club):
    event = soon(fee_cents=2000)
    text = text_of(client.get(f"/t/{event.slug}/"))
    poster = text[text.index('id="poster"') : text.index('id="anmelden"')]
    assert "Gasthof Post, Hauptplatz 3, 4020 Linz" in poster
    shows(poster, "openstreetmap.org/search?query=Hauptplatz+3%2C+4020+Linz", "Startgeld 20")
    links = ('<a href="mailto:info@klub.at" rel="noopener">', 'href="tel:0660123456"')
    shows(text, *links, "<p>Jeden Freitag.</p>", reverse("imprint"), but=("<b>willkommen",))
    shows(text, "Einlass ab 18 Uhr", "nur bis zum Start")
    # The page that is kept for strangers is written anew when either says otherwise.
    event_update(
        Command(event=event, by=SYSTEM, at=timezone.now()), settings={"venue": "Kulturhaus"}
    )
    shows(text_of(client.get(f"/t/{event.slug}/")), "Kulturhaus", but=("Gasthof",))


def test_a_link_to_it_can_be_shared_and_has_a_picture(client, club):
    event = soon(name='Cup "A" <1>')
    text = client.get(f"/t/{event.slug}/?da=1").content.decode()
    shared = re.search(r'data-share="([^"]*)"', text).group(1)
    assert shared == f"http://testserver/t/{event.slug}/"
    said = dict(re.findall(r'<meta property="(og:[a-z:]+)" content="([^"]*)">', text))
    assert said["og:title"] == "Cup &quot;A&quot; &lt;1&gt;"
    assert said["og:url"] == shared
    assert "Gasthof Post" in said["og:description"]
    picture = client.get(said["og:image"].replace("http://testserver", "").replace("&amp;", "&"))
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(PNG)
    assert picture.content[16:24] == (1200).to_bytes(4) + (630).to_bytes(4)
    before = picture.content
    call_service(club_colour_set, club=club, by=SYSTEM, at=f.ARRIVAL, colour="#7a1f2b")
    assert client.get(reverse("preview", args=[event.slug])).content != before
    assert said["og:image"] not in client.get(f"/t/{event.slug}/").content.decode()
    assert client.get(reverse("club-preview")).content.startswith(PNG)
    assert client.get("/t/gibt-es-nicht/bild.png").status_code == 404


def test_search_engines_are_told_of_evenings_with_place_price_seats_and_state(client, club):
    event = soon(name="Cup </script>", fee_cents=2550, capacity=10, venue="Kulturhaus")
    f.register(event, "Eva Lang", at=timezone.now())
    gone = soon(name="Abgesagt")
    call_service(event_cancel, event=gone, by=SYSTEM, at=timezone.now())
    told = {}
    for page in (event.get_absolute_url(), gone.get_absolute_url(), "/"):
        said = re.findall(
            r'<script type="application/ld\+json">(.*?)</script>', page_of(client, page)
        )
        found = json.loads(said[0])
        assert found["@context"] == "https://schema.org"
        told |= {(page, one["name"]): one for one in found["@graph"]}
    one = told[event.get_absolute_url(), "Cup </script>"]
    assert one == told["/", "Cup </script>"]
    assert one["location"]["name"] == "Kulturhaus"
    assert (one["offers"]["price"], one["offers"]["availability"]) == ("25.50", "InStock")
    assert (one["maximumAttendeeCapacity"], one["remainingAttendeeCapacity"]) == (10, 9)
    assert datetime.fromisoformat(one["startDate"]) == event.starts_at
    assert one["eventStatus"] == "EventScheduled"
    assert told[gone.get_absolute_url(), "Abgesagt"]["eventStatus"] == "EventCancelled"


def page_of(client, path):
    return client.get(path).content.decode()


def test_pages_with_names_are_not_to_be_found_and_a_phone_learns_what_to_call_them(client, club):
    event = soon()
    noindex = '<meta name="robots" content="noindex">'
    assert noindex not in client.get(f"/t/{event.slug}/").content.decode()
    f.register(event, "Eva Lang", at=timezone.now())
    for page in ("", "ergebnis/", "auslosung/"):
        assert noindex in client.get(f"/t/{event.slug}/{page}").content.decode(), page
    for file in ("ergebnis.csv", "ergebnis.json"):
        assert client.get(f"/t/{event.slug}/{file}")["X-Robots-Tag"] == "noindex"
    home = client.get("/").content.decode()
    shows(home, 'rel="apple-touch-icon"', 'href="/manifest.webmanifest"', but=(noindex,))
    told = client.get("/manifest.webmanifest").json()
    assert (told["name"], told["start_url"], told["display"]) == (
        club.name,
        "/handy/",
        "standalone",
    )
    shows(client.get("/robots.txt").content.decode(), "Disallow: /p/", but=("/t/",))


def test_the_imprint_is_plain_text_and_missing_where_there_is_none(client, club):
    shows(text_of(client.get("/impressum/")), "<p>Verein Linz</p>", "ZVR &lt;script&gt;")
    call_service(club_about_set, club=club, by=SYSTEM, at=f.ARRIVAL)
    assert client.get("/impressum/").status_code == 404
    assert "Impressum" not in client.get("/").content.decode()


def test_the_front_page_is_the_clubs_and_never_the_samples(client, club):
    sample = sample_make(club=club, at=timezone.now())
    shows(text_of(client.get("/")), "Gerade steht nichts an", "Zum Ausprobieren")
    event = soon(name="Echter Abend")
    home = text_of(client.get("/"))
    assert sample.name not in home
    shows(home, "Echter Abend", "Hauptplatz 3", 'href="webcal://testserver/kalender.ics"')
    f.sign_browser_in(client, Role.DIRECTOR)
    assert sample.name in text_of(client.get("/"))
    assert event.slug in home


def test_the_sample_takes_no_stranger_once_there_is_a_real_evening(client, club):
    sample = f.make_event(name="Probe", is_sample=True)
    typed = {"name": "Zeno Fremd", "agrees_to_rules": "on"}
    assert client.post(f"/t/{sample.slug}/anmelden/", typed).status_code == 302
    soon(name="Echter Abend")
    page = text_of(client.get(f"/t/{sample.slug}/"))
    shows(page, "Das ist ein Beispiel zum Ausprobieren", but=('name="agrees_to_rules"',))
    answer = client.post(f"/t/{sample.slug}/anmelden/", {**typed, "name": "Yvonne Neu"})
    assert_refused(answer, "Bei einem Beispiel meldet sich niemand an")
    assert Registration.objects.filter(event=sample).count() == 1


def test_the_calendar_warns_of_the_end_of_late_entry(client, club):
    late = soon(name="Spät", late_registration_level=2)
    (appointment,) = calendar(client, f"/t/{late.slug}/kalender.ics").walk("VEVENT")
    _start, alarm = appointment.walk("VALARM")
    level = clock_levels(late.clock)[0].duration
    assert alarm["TRIGGER"].dt == 2 * level - timedelta(minutes=30)
    assert alarm["DESCRIPTION"].startswith("Einsteigen geht noch bis")


def test_the_calendar_has_place_and_alarm_and_the_own_one_the_own_link(client, club):
    event = soon(fee_cents=1500)
    (appointment,) = calendar(client, f"/t/{event.slug}/kalender.ics").walk("VEVENT")
    assert appointment["LOCATION"] == "Gasthof Post, Hauptplatz 3, 4020 Linz"
    (alarm,) = appointment.walk("VALARM")
    assert alarm["TRIGGER"].dt == timedelta(hours=-2)
    assert "info@klub.at" in appointment["DESCRIPTION"]
    petra = f.register(event, "Petra Probst", at=timezone.now())
    answer = client.get(f"/p/{petra.link_token}/kalender.ics")
    assert "no-store" in answer["Cache-Control"]
    (own,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert own["UID"] == appointment["UID"]
    assert f"/p/{petra.link_token}/" in own["URL"]
    assert client.get("/p/unbekannt/kalender.ics").status_code == 404


def test_the_clubs_calendar_holds_its_evenings(client, club, django_assert_max_num_queries):
    first, second, gone = soon(name="Erster"), soon(name="Zweiter"), soon(name="Abgesagt")
    event_cancel(Command(event=gone, by=SYSTEM, at=timezone.now()))
    f.make_event(name="Probe", is_sample=True, starts_at=timezone.now() + timedelta(days=1))
    old = soon(name="Lange her")
    Event.objects.filter(pk=old.pk).update(starts_at=timezone.now() - timedelta(days=90))
    with django_assert_max_num_queries(3):
        found = calendar(client, "/kalender.ics")
    with django_assert_max_num_queries(2):
        told = client.get("/termine.json").json()["evenings"]
    assert {"Erster", "Zweiter"} <= {one["name"] for one in told}
    evenings = {str(one["SUMMARY"]): one for one in found.walk("VEVENT")}
    assert set(evenings) == {"Erster", "Zweiter", "Abgesagt"}
    assert evenings["Abgesagt"]["STATUS"] == "CANCELLED"
    assert not evenings["Abgesagt"].walk("VALARM")
    alone = calendar(client, f"/t/{first.slug}/kalender.ics").walk("VEVENT")[0]
    assert evenings["Erster"]["DTEND"].dt == alone["DTEND"].dt
    assert f"/t/{second.slug}/" in evenings["Zweiter"]["URL"]
    assert found["X-WR-CALNAME"] == club.name


def test_the_list_can_stand_on_any_site_and_nothing_else_can(client, club):
    event = soon(name="Cup <b>", fee_cents=2000)
    f.register(event, "Eva Lang", at=timezone.now())
    sample_make(club=club, at=timezone.now())
    answer = client.get("/einbetten/")
    assert "frame-ancestors 'self' *" in answer["Content-Security-Policy"]
    assert "X-Frame-Options" not in answer
    assert not answer.cookies
    text = text_of(answer)
    shows(text, "Cup &lt;b&gt;", "Gasthof Post", but=("<form", "<script", "Eva"))
    assert text.count("<li>") == 1
    for page in ("/", f"/t/{event.slug}/"):
        other = client.get(page)
        assert "frame-ancestors 'self';" in other["Content-Security-Policy"] + ";"
        assert "frame-ancestors 'self' *" not in other["Content-Security-Policy"]
        assert other["X-Frame-Options"] == "SAMEORIGIN"
    f.sign_browser_in(client, Role.DIRECTOR)
    assert "src=&quot;http" in client.get(reverse("club-settings")).content.decode()


SOLD = {
    "fee_cents": 2000, "fee_parts": [["house", 300, ""]], "rebuy_level": 2, "rebuy_cents": 1000,
    "rebuy_chips": 300,
}  # fmt: skip


def test_what_it_costs_is_said_in_parts_wherever_others_read_it(client, club):
    event = soon(**SOLD)
    (appointment,) = calendar(client, f"/t/{event.slug}/kalender.ics").walk("VEVENT")
    told = appointment["DESCRIPTION"].replace("\N{NO-BREAK SPACE}", " ")
    shows(told, "Startgeld: 20 €, davon 17 € Preistopf + 3 € Haus", "Re-buy: 10 €, 300 Chips")
    answer = client.get("/termine.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    (told,) = answer.json()["evenings"]
    assert (told["fee_cents"], told["free"], told["venue"]) == (2000, 60, "Gasthof Post")
    assert told["url"].startswith("http://testserver/t/")
    entry, rebuy = told["costs"]
    assert (entry["what"], entry["cents"], entry["chips"]) == ("entry", 2000, 200)
    assert entry["parts"] == [
        {"to": "pool", "name": "", "cents": 1700}, {"to": "house", "name": "", "cents": 300},
    ]  # fmt: skip
    assert (rebuy["what"], rebuy["cents"], rebuy["chips"]) == ("rebuy", 1000, 300)
    assert client.get(f"/api/v1/events/{event.slug}").json()["costs"] == [entry, rebuy]
    listed = text_of(client.get("/einbetten/")).replace("\N{NO-BREAK SPACE}", " ")
    assert "<p>Startgeld 20 €, Re-buy 10 €</p>" in listed
    assert client.get(f"/api/v1/events/{soon(name='Umsonst').slug}").json()["costs"] == []
    event.delete()
    assert "€" not in text_of(client.get("/einbetten/"))


def calendar(client, path):
    answer = client.get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert max(map(len, answer.content.split(b"\r\n"))) <= 75
    return Calendar.from_ical(answer.content)
