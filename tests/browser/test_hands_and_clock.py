"""The arbiter's phone at the table: the tap for the next hand, and a player on the clock."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from clock.selectors import clock_payload
from tests import factories as f
from tests.browser import phones
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.views.requests import present
from tournaments.event.services.clock import clock_adjust, clock_pause, clock_previous_level
from tournaments.models import ClockCallEnd, Hand
from tournaments.play.services.calls import clock_call_start
from tournaments.play.services.hands import hand_begin

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SPEAKER = """
globalThis.spoken = [];
speechSynthesis.speak = (words) => { if (words.text) spoken.push(words.text); };
"""


@pytest.fixture
def event():
    return f.make_running_event(6, seats=6)


@pytest.fixture
def phone(page, live_server, event):
    page.add_init_script(SPEAKER)
    return phones.at_table(page, live_server, event, Role.DIRECTOR)


def tell(page, event, changed, **more):
    """Let the page hear of a change, as its stream tells it."""
    detail = {"version": f.fresh(event).version, "changed": changed, **more}
    script = "detail => document.body.dispatchEvent(new CustomEvent('krru:acted', {detail}))"
    page.evaluate(script, detail)


def test_a_tap_begins_the_hand_and_the_button_takes_it_back(phone, event):
    assert "Noch nichts getippt" in phone.inner_text("#floor-in-force")
    phone.click("button:has-text('Nächste Hand')")
    phone.wait_for_selector("#floor-in-force:has-text('Hand 1 begann')")
    box = phone.locator(".next-hand").bounding_box()
    assert box["height"] >= 56
    assert box["y"] + box["height"] <= phones.SIZE["height"]
    assert phones.faults(phone) == []
    phone.reload()  # what the button said is forgotten
    phone.click("button:has-text('Nächste Hand')")
    phone.wait_for_selector(".refusal:has-text('eben erst')")
    f.undo(event, at=present())
    phone.reload()
    phone.click("button:has-text('Nächste Hand')")
    phone.wait_for_selector("#floor-in-force:has-text('Hand 1 begann')")
    phone.click("#hand-begun button:has-text('Rückgängig')")
    phone.wait_for_selector("#floor-in-force:has-text('Noch nichts getippt')")
    assert not Hand.objects.live().exists()


def test_the_level_changes_on_the_clock_and_not_at_the_table(phone, event):
    said = {"event": event, "by": SYSTEM, "at": present()}
    call_service(clock_previous_level, **said)
    call_service(hand_begin, **said, table=f.table_of(event, 1))
    call_service(clock_adjust, **said, seconds=-(20 * 60 - 3))
    phone.reload()
    assert "als Stufe 14 schon angesagt" in phone.inner_text("#floor-in-force")
    phone.wait_for_selector(".in-force.is-behind:has-text('vor Stufe 15')", timeout=10_000)
    assert "Hier gilt Stufe 14" in phone.inner_text("#floor-in-force")


def test_the_phone_counts_aloud_to_zero_and_asks_how_it_came_out(phone, event):
    entry = f.entries_of(event)[0]
    clock_call_start(
        Command(event=event, by=SYSTEM, at=present() - timedelta(seconds=7)), entry=entry
    )
    phone.reload()
    phone.click("button:has-text('Uhr läuft')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert phone.is_hidden("button:has-text('Hand ist tot')")
    phone.wait_for_selector(".call[data-phase=over]")
    assert phone.inner_text("[data-call-left]") == "0"
    assert phone.evaluate("spoken.join(' ')").endswith("2 1 0")
    assert phones.faults(phone) == []
    phone.click("button:has-text('Hand ist tot')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.get().outcome == "dead"


def test_one_tap_on_a_player_starts_it_and_one_stops_it(phone, event):
    name = f.entries_of(event)[0].registration.person.name
    phone.click(f".seat-face:has-text('{name}')")
    phone.click("#sheet button:has-text('Clock')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert phone.inner_text("[data-call-left]") in ("10", "9")
    phone.click("button:has-text('Hat gehandelt')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.get().outcome == "acted"


def test_a_page_read_again_does_not_put_the_clock_back(phone, event):
    """The clock is paused while an older page is still on its way: it stays paused."""
    answers = []
    phone.route(phone.url, lambda route: answers.append((route, route.fetch())), times=1)
    clock_adjust(Command(event=event, by=SYSTEM, at=present()), seconds=60)
    tell(phone, event, ["settings"])
    while not answers:
        phone.wait_for_timeout(50)
    clock_pause(Command(event=event, by=SYSTEM, at=present()))
    paused = clock_payload(event.clock, present())["anchor"]
    tell(phone, event, ["clock"], anchor=paused)
    state = phone.locator("[data-clock-show=state]")
    expect(state).to_have_text("angehalten")
    route, older = answers[0]
    with phone.expect_response(phone.url):
        route.fulfill(response=older)
    phone.wait_for_timeout(1000)
    expect(state).to_have_text("angehalten")
