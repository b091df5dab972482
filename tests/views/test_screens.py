"""The pages of the big screens: what a screen itself opens, and the director's list of them."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tests.flights import make_contest, played
from tests.pressing import HTMX, shows, text_of, url_of
from tests.views.pages import shown_in
from tournaments.changes.access import SYSTEM, Role, token_hash
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.models import Action, Event, Person, Registration, Screen
from tournaments.practice.services.rehearsal import sample_remove
from tournaments.screens.selectors.faces import event_of_evening
from tournaments.screens.services.screens import (
    screen_change,
    screen_claim,
    screen_make,
    screen_retire,
)
from tournaments.screens.views.big_screen import COOKIE

pytestmark = [pytest.mark.django_db, pytest.mark.running(6)]

ANY = "/leinwand/"


def a_screen(event, name="Beamer", secret="s1", **wanted):
    """Return a claimed screen and a browser that is it."""
    said = {"club": event.club, "by": SYSTEM, "at": f.START}
    screen = screen_make(club=event.club, secret=secret, at=f.START)
    call_service(screen_claim, **said, code=screen.code, name=name, event=event)
    if wanted:
        call_service(screen_change, **said, screen=screen, wanted=wanted)
    browser = Client()
    browser.cookies[COOKIE] = secret
    screen.refresh_from_db()
    return screen, browser


def link_of(response):
    found = re.search(r'id="hall-link"[^>]*>(.+?)</script>', response.content.decode())
    return json.loads(found[1])


def press(client, event, address, /, *further, **data):
    return client.post(url_of(event, address, *further), data, headers=HTMX)


# ---- what a screen opens -------------------------------------------------------------------------


def test_opening_the_page_changes_nothing_and_the_page_asks_for_a_code(client):
    text = client.get(ANY).content.decode()
    assert "hall-begin" in text
    assert not Screen.objects.exists()
    assert COOKIE not in client.cookies
    key = {"X-Idempotency-Key": str(uuid4())}
    assert client.post(ANY, headers=key).status_code == 302
    client.cookies.pop(COOKIE)
    client.post(ANY, headers=key)
    screen = Screen.objects.get()  # the same request is the same screen
    secret = client.cookies[COOKIE].value
    assert screen.secret_hash == token_hash(secret)
    assert secret not in str(vars(screen))
    assert client.cookies[COOKIE]["httponly"]
    shown = text_of(client.get(ANY))
    assert f"{screen.code[:3]} {screen.code[3:]}" in shown
    assert client.post(ANY).status_code == 302
    assert Screen.objects.count() == 1


def test_a_browser_without_cookies_is_told_so_and_does_not_ask_for_ever(client):
    answer = client.post(ANY)
    client.cookies.clear()
    text = client.get(answer["Location"]).content.decode()
    shows(text, "nimmt keine Cookies an", but=("hall-begin",))


def test_a_claimed_screen_shows_its_event_in_its_language_until_it_is_retired(client, event):
    screen, browser = a_screen(event, language="en", shows="places")
    shows(browser.get(ANY).content.decode(), event.name, '<html lang="en">', 'data-hall="places"')
    shows(client.get(url_of(event, "screen")).content.decode(), but=("data-hall", "hall-link"))
    screen_retire(ClubCommand(club=event.club, by=SYSTEM, at=f.START), screen=screen)
    assert f"{screen.code[:3]} {screen.code[3:]}" in text_of(browser.get(ANY))
    client.cookies[COOKIE] = "made-up"
    assert "Code zeigen" in client.get(ANY).content.decode()
    for strange in (browser, client):
        assert strange.get("/leinwand/saal.json?was=seating").status_code == 403
    assert client.post("/leinwand/meldung/").status_code == 403


def test_a_screen_without_an_event_says_so(event):
    screen, browser = a_screen(event)
    Screen.objects.update(event=None)
    assert "zeigt gerade kein Turnier" in text_of(browser.get(ANY))
    answer = browser.post("/leinwand/meldung/", {}).json()
    assert (answer["event_version"], answer["screen"]["event"]) == (None, None)
    assert screen.name in text_of(browser.get(ANY))


def test_a_report_with_the_token_of_the_page_is_kept_and_answered_with_what_to_show(event):
    screen, browser = a_screen(event, shows="moves")
    told = {"sound": "blocked", "delay": "12", "visible": "1", "face": "moves"}
    answer = browser.post("/leinwand/meldung/", told).json()
    assert answer["screen"]["shows"] == "moves"
    assert answer["event_version"] == f.fresh(event).version
    screen.refresh_from_db()
    assert (screen.sound_state, screen.delay_ms, screen.face) == ("blocked", 20, "moves")
    assert screen.seen_at is not None
    assert not Action.objects.filter(kind="screen.reported").exists()
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = browser.cookies
    assert strict.post("/leinwand/meldung/", {}).status_code == 403
    token = link_of(strict.get(ANY))["csrf_token"]
    assert strict.post("/leinwand/meldung/", {}, headers={"X-CSRFToken": token}).status_code == 200


def test_the_winner_has_a_first_name_on_the_photo_and_initials_on_the_internet(client, event):
    Registration.objects.update(is_listed=False)
    won, *others = f.entries_of(event)
    f.out(event, *others, is_one_hand=False)
    Person.objects.filter(registrations=won.registration).update(name="Berta Rott")
    _screen, browser = a_screen(event)
    state = url_of(event, "screen-state")
    seen = [browser.get(ANY), browser.get(state)]
    assert all("Berta R." in text.content.decode() for text in seen)
    public = [client.get(state), client.get(url_of(event, "screen"))]
    assert all('"BR"' in text.content.decode() for text in public)
    assert not any("Berta" in text.content.decode() for text in public)


def test_the_hall_is_for_screens_alone(client, event):
    f.out(event, f.entries_of(event)[0])
    _screen, browser = a_screen(event)
    for face in ("seating", "moves", "places"):
        path = f"{reverse('screen-hall')}?was={face}"
        assert browser.get(path).json()["version"] == f.fresh(event).version
        assert client.get(path).status_code == 403
    assert browser.get("/leinwand/saal.json?was=secrets").status_code == 403


# ---- the director's page -------------------------------------------------------------------------


def test_a_code_typed_in_takes_the_screen_in_until_it_is_retired(client, dora, event, monkeypatch):
    monkeypatch.setattr("tournaments.screens.selectors.screens.topics_heard", lambda names: set())

    def shown(name):
        return text_of(client.get(url_of(event, name)))

    shows(shown("screens"), "Noch keine Leinwand", "/leinwand/")
    screen = screen_make(club=club_get(), secret="s1", at=f.START)
    answer = press(client, event, "screen-claim", code=screen.code.lower(), name="Beamer vorn")
    assert answer["HX-Redirect"] == url_of(event, "screens")
    assert "Beamer vorn" in shown("screens")
    director = client.get(url_of(event, "director")).content.decode()
    shows(director, url_of(event, "screens"), "Leinwand meldet sich nicht: Beamer")
    assert press(client, event, "screen-retire", screen.pk).status_code == 200
    assert "Noch keine Leinwand" in shown("screens")
    press(client, event, "screen-undo", Action.objects.latest("pk").pk)
    assert "Beamer" in shown("screens")


def test_a_screen_is_directed_and_set_and_the_toast_takes_it_back(client, dora, event):
    screen, _browser = a_screen(event)
    answer = press(client, event, "screen-change", screen.pk, shows="seating")
    action = Action.objects.latest("pk")
    undo = url_of(event, "screen-undo", action.pk)
    assert undo in answer.content.decode()
    screen.refresh_from_db()
    assert screen.shows == "seating"
    assert client.post(undo, headers=HTMX).status_code == 200
    screen.refresh_from_db()
    assert screen.shows == "clock"
    assert client.post(undo, headers=HTMX).status_code == 422
    sheet = client.get(url_of(event, "screen-change", screen.pk)).content.decode()
    assert 'value="Beamer"' in sheet
    data = {
        "name": "Saal links", "quiet": ["0", "1"], "voice": ["0"], "volume": "35",
        "signal": "bell", "language": "en",
    }  # fmt: skip
    assert press(client, event, "screen-change", screen.pk, **data).status_code == 200
    screen.refresh_from_db()
    assert screen.name == "Saal links"
    assert screen.settings == {
        "quiet": True, "voice": False, "volume": 35, "signal": "bell", "language": "en",
    }  # fmt: skip


def test_the_list_is_sent_again_only_when_it_says_something_new(client, dora, event):
    screen, browser = a_screen(event)
    url = url_of(event, "screens-list")
    asked = shown_in(client.get(url))
    assert client.get(url, asked).status_code == 204
    browser.post("/leinwand/meldung/", {"sound": "blocked"})
    answer = client.get(url, asked)
    shows(answer.content.decode(), "Ton blockiert: dort einmal tippen", f'id="screen-{screen.pk}"')


def test_a_director_of_one_event_keeps_to_its_screens_and_one_of_the_club_fetches_another(
    client, event
):
    other = f.make_event(name="Samstagsturnier")
    screen, _browser = a_screen(other)
    taken = Action.objects.latest("pk")
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Noch keine Leinwand" in text_of(client.get(url_of(event, "screens-list")))
    assert press(client, event, "screen-change", screen.pk, here="1").status_code == 404
    assert press(client, event, "screen-retire", screen.pk).status_code == 404
    assert press(client, event, "screen-undo", taken.pk).status_code == 404
    f.sign_browser_in(client, Role.DIRECTOR)
    assert "Zeigt gerade: Samstagsturnier" in text_of(client.get(url_of(event, "screens")))
    assert press(client, event, "screen-change", screen.pk, here="1").status_code == 200
    screen.refresh_from_db()
    assert screen.event == event


def test_the_list_costs_the_same_for_many_screens(
    client, dora, event, django_assert_max_num_queries
):
    for number in range(8):
        a_screen(event, name=f"Beamer {number}", secret=f"s{number}")
    with django_assert_max_num_queries(8):
        client.get(url_of(event, "screens-list"))


def test_a_laptop_opens_a_screen_of_its_own_without_a_code(client, event, dora):
    address = reverse("screen-open", args=[event.slug])
    a_screen(event, name="leinwand 1")
    assert client.post(address)["Location"] == ANY
    row = Screen.objects.get(name="Leinwand 2")
    assert row.event == event
    assert row.is_claimed
    assert 'data-hall="clock"' in client.get(ANY).text
    client.post(address)  # the same browser is the same screen
    assert Screen.objects.count() == 2
    other = f.make_event(name="Das zweite")
    client.post(reverse("screen-open", args=[other.slug]))
    row.refresh_from_db()
    assert (row.event, Screen.objects.count()) == (other, 2)
    said = {"club": event.club, "by": SYSTEM, "at": f.START}
    call_service(screen_retire, **said, screen=row)
    client.post(address)
    row.refresh_from_db()
    assert (row.event, row.is_claimed) == (event, True)


# A screen whose tournament is gone


@pytest.fixture(autouse=True)
def now(monkeypatch):
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(5))


def gone(client):
    return client.get(reverse("screen", args=["fort"]))


def test_the_address_of_a_tournament_that_is_gone_leads_to_the_clock_of_the_evening(client):
    assert 'content="30; url=/t/fort/screen/"' in gone(client).text
    event = f.make_running_event(10)
    answer = gone(client)
    assert answer.status_code == 404
    assert f"Gleich kommt die Uhr von „{event.name}“" in answer.text
    assert f"url={reverse('screen', args=[event.slug])}" in answer.text


def test_the_evening_is_what_runs_then_what_begins_then_a_sample():
    club = f.house()
    assert event_of_evening(club, f.START) is None
    sample = f.make_running_event(10)
    Event.objects.update(is_sample=True, slug="beispiel")
    assert event_of_evening(club, f.after(5)) == sample
    planned = f.make_event(starts_at=f.START + timedelta(hours=3))
    assert event_of_evening(club, f.after(5)) == planned
    Event.objects.filter(pk=planned.pk).update(starts_at=f.START + timedelta(days=3))
    assert event_of_evening(club, f.after(5)) == sample
    assert event_of_evening(club, f.after(5), but=sample) is None


def test_a_paired_screen_of_a_removed_sample_shows_what_runs(
    client, django_capture_on_commit_callbacks
):
    sample = f.make_running_event(10)
    Event.objects.update(is_sample=True, slug="beispiel")
    screen = screen_make(club=sample.club, secret="geheim", at=f.START)
    made = {"club": sample.club, "by": SYSTEM, "at": f.START}
    call_service(screen_claim, **made, code=screen.code, name="Beamer", event=sample)
    evening = f.make_running_event(10)
    before = Screen.objects.get().version
    with django_capture_on_commit_callbacks(execute=True):
        sample_remove(
            ClubCommand(club=sample.club, by=SYSTEM, at=f.after(9)),
            event=Event.objects.get(pk=sample.pk),
        )
    row = Screen.objects.get()
    assert (row.event, row.version) == (evening, before + 1)


def test_a_flight_ends_in_words_of_its_own(client):
    contest = make_contest()
    flight = played(contest, "1A", Anna=4 * f.make_event().starting_stack)
    shows(
        text_of(client.get(url_of(flight, "screen"))),
        "Für heute ist Schluss",
        but=["Turnier ist zu Ende"],
    )
