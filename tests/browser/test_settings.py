"""Settings by subject and the form of a new evening, measured on a laptop of 1366 by 768."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.views.pages import planned
from tests.waits import intercept, until
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 768}
MOST_WORDS, MOST_OF_A_SENTENCE = 130, 20
SCROLLS = "document.documentElement.scrollHeight > window.innerHeight"
WIDER = "document.documentElement.scrollWidth > window.innerWidth"
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.picture text')].map((one) =>
  getComputedStyle(one).display === 'none' ? Infinity
    : parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a))"""
TOLD = {
    "fee_cents": 2000, "fee_parts": [["bounty", 500, ""], ["house", 100, ""]],
    "bounty_kind": "fixed", "rebuy_level": 3, "rebuy_cents": 2000, "addon_level": 4,
    "addon_cents": 500, "paid_places": 9, "late_registration_level": 4, "closing_time": "01:00",
    "venue": "Vereinsheim", "address": "Donaulände 12",
}  # fmt: skip


def words(locator):
    """Count the words; "20 €" is one."""
    return len([one for one in re.split(r"[ \n\t]+", locator.inner_text()) if one])


@pytest.fixture
def laptop(page, devices):
    page.set_viewport_size(LAPTOP)
    return devices.sign_in(page, Role.DIRECTOR) or page


@pytest.fixture
def evening():
    """The copy of an evening with all kinds of settings, two of them changed since."""
    now = timezone.now()
    last = planned(seats=8, capacity=48, breaks={4: 15, 8: 10, 12: 10}, **TOLD)
    made = event_copy(ClubCommand(club=last.club, by=SYSTEM, at=now), source=last)
    event = Event.objects.get(pk=made.payload["event"])
    changed = {"rebuy_level": 4, "addon_cents": 1000}
    event_update(Command(event=event, by=SYSTEM, at=now), settings=changed)
    return event


def test_the_closed_page_fits_the_screen_and_is_read_at_once(laptop, live_server, evening):
    running = f.make_running_event(10, name="Läuft", **TOLD)
    for event in (evening, running):
        laptop.goto(f"{live_server.url}/t/{event.slug}/einstellungen/")
        until(laptop, f"!({SCROLLS})")  # once the styles are there
        assert words(laptop.locator("main")) <= MOST_WORDS
        sentences = laptop.locator(".setting-sentence").all()
        assert len(sentences) == 6
        for sentence in sentences:
            assert words(sentence) <= MOST_OF_A_SENTENCE
            assert sentence.evaluate("(one) => getComputedStyle(one).fontSize") == "21px"
    laptop.set_viewport_size({"width": 390, "height": 844})
    assert not laptop.evaluate(WIDER)


def test_a_card_opens_in_place_says_what_is_typed_and_is_found_by_three_letters(
    laptop, live_server, evening
):
    laptop.goto(f"{live_server.url}/t/{evening.slug}/einstellungen/")
    laptop.locator("article", has_text="Geld").get_by_role("link", name="Ändern").click()
    expect(laptop.locator(".settings-rest a")).to_have_count(5)
    sentence = laptop.locator(".setting-sentence")
    expect(sentence).to_contain_text("20\xa0€, davon 14\xa0€ in den Topf")
    laptop.get_by_label("Startgeld in Euro").fill("25")
    expect(sentence).to_contain_text("25\xa0€, davon 19\xa0€ in den Topf")
    intercept(laptop, "**satz", lambda _asked: None)  # a slow server
    with laptop.expect_request("**satz"):
        laptop.get_by_label("Startgeld in Euro").fill("26")
    laptop.get_by_role("button", name="Speichern").click()
    expect(laptop.locator("article", has_text="Geld")).to_contain_text("26\xa0€")
    laptop.unroute_all()
    laptop.reload()
    assert f.fresh(evening).fee_cents == 2600
    search = laptop.get_by_label("Einstellung suchen")
    search.press_sequentially("spe")
    expect(laptop.locator("#cards")).to_contain_text("Sperrstunde: 01:00")
    search.press("Escape")
    expect(laptop.locator("article")).to_have_count(6)
    search.press_sequentially("spe")
    search.press("Enter")
    expect(laptop.get_by_label("Sperrstunde")).to_be_focused()


def test_an_evening_like_the_last_takes_two_clicks(laptop, live_server, evening):
    laptop.goto(live_server.url)
    laptop.get_by_role("link", name="Neuer Abend").first.click()
    expect(laptop.locator(".again h2")).to_contain_text("Wie letzten")
    until(laptop, f"!({SCROLLS})")  # once the styles are there
    assert laptop.evaluate(SMALLEST) >= 11
    laptop.get_by_role("button", name="Anlegen").click()
    laptop.wait_for_url("**/leitung/")
    made = Event.objects.latest("pk")
    assert (made.name, made.addon_cents) == (evening.name, 1000)
    assert made.starts_at - evening.starts_at == timedelta(days=7)


def test_the_first_evening_fits_the_screen_and_is_drawn_as_one_types(laptop, live_server):
    f.house()
    laptop.goto(f"{live_server.url}/neu/")
    until(laptop, f"!({SCROLLS})")  # once the styles are there
    plan = laptop.locator("#plan")
    expect(plan).to_contain_text("30 min")
    laptop.get_by_label("Schluss gegen").fill("22:00")
    expect(plan).to_contain_text("15 min")
    laptop.get_by_label("Wir sind etwa").fill("44")
    laptop.get_by_label("Plätze je Tisch").fill("8")
    expect(plan).to_contain_text("höchstens 48 Spieler an 6 Tischen")
    assert laptop.evaluate(SMALLEST) >= 11
    for width in (390, 320):
        laptop.set_viewport_size({"width": width, "height": 844})
        assert not laptop.evaluate(WIDER)
        assert laptop.evaluate(SMALLEST) >= 11
