"""The first minute of a director: an empty laptop, wrong moves, and the clock runs for who sits."""

from io import StringIO
from urllib.parse import urlparse

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clock.selectors import clock_state
from tests import factories as f
from tests.pressing import url_of
from tournaments.models import Entry, Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALLEST = {"width": 1366, "height": 650}
CHAT = "Wer kommt am Donnerstag?\n1. Ada Auer ✅\n2. - Bela Berg\n3) Cora Cerny (kommt später)"


@pytest.fixture(autouse=True)
def _voice(monkeypatch):
    """Have no voice, as many a machine: speaking a schedule beforehand takes seconds."""
    monkeypatch.setattr("clock.speech.VOICES", ())


def test_an_empty_laptop_ends_with_the_clock_running_for_those_who_sit(page, live_server):
    f.house()
    page.set_viewport_size(SMALLEST)
    the_way_in_is_told(page, live_server)
    a_tournament_is_made(page)
    event = Event.objects.get()
    expect(page).to_have_url(live_server.url + url_of(event, "director"))
    page.wait_for_load_state()
    page.locator("#clock-main").click()
    expect(page.locator("main")).to_contain_text("Es sitzt noch niemand")
    a_list_from_a_chat_is_taken_over(page)
    everybody_is_checked_in(page)
    page.get_by_role("link", name="Leitung").click()
    page.locator("#clock-main").click()
    page.get_by_role("button", name="Sofort starten").click()
    expect(page.locator("#clock-main")).to_contain_text("Anhalten")
    state = clock_state(f.fresh(event).clock, timezone.now())
    assert state.is_running


def the_way_in_is_told(page, live_server):
    """Open a page that is the director's, read the command there, and open what it prints."""
    page.goto(live_server.url + reverse("new-event"))
    expect(page.locator("main")).to_contain_text("directorlink")
    printed = StringIO()
    call_command("directorlink", stdout=printed)
    link = live_server.url + urlparse(printed.getvalue().strip()).path
    page.goto(link)
    page.get_by_label("Wer arbeitet an diesem Gerät?").fill("Doras Laptop")
    page.keyboard.press("Enter")
    page.wait_for_url(live_server.url + "/")


def a_tournament_is_made(page):
    page.get_by_role("link", name="Neues Turnier").first.click()
    page.get_by_label("Name").fill("Donnerstagspoker")
    page.get_by_label("Plätze je Tisch").fill("99")
    page.get_by_role("button", name="Turnier anlegen").click()
    expect(page.locator("main")).to_contain_text("Noch nicht angelegt")
    assert not Event.objects.exists()
    expect(page.get_by_label("Name")).to_have_value("Donnerstagspoker")
    page.get_by_label("Plätze je Tisch").fill("9")
    page.get_by_role("button", name="Turnier anlegen").click()


def a_list_from_a_chat_is_taken_over(page):
    page.locator("#director-due").get_by_role("link", name="Zur Anmeldung").click()
    page.get_by_role("link", name="Liste einlesen").first.click()
    page.get_by_label("Oder eine Liste aus dem Chat einfügen").fill(CHAT)
    page.get_by_role("button", name="Vorschau zeigen").click()
    page.get_by_role("button", name="3 Personen übernehmen").click()


def everybody_is_checked_in(page):
    for typed, name in (("ada", "Ada Auer"), ("bela", "Bela Berg"), ("cora", "Cora Cerny")):
        page.locator("[name=q]").fill("")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        expect(page.locator(".desk-seat-name")).to_have_text(name)
    assert Entry.objects.live().count() == 3
