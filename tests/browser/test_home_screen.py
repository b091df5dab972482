"""The page on the home screen, offline, and notices on a phone, from the tap to the push."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.hall import PHONE, Person
from tests.laptops import has_spoken, laptop_with_tables
from tests.outside import PushService, served
from tests.waits import until, wait_for
from tournaments.devtools.room import room

pytestmark = pytest.mark.browser
CLUB = "https://club.example.org"
KEPT = """async () => {
  const cache = await caches.open("krru-start");
  const names = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  return names.includes("/handy/") && names.some((name) => name.includes("start-page"));
}"""
MOVE = """
from django.utils import timezone
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Entry, Event, Table
from tournaments.seating.services.tables import entry_move
from tournaments.seating.selectors.tables import free_seats
event = Event.objects.get()
entry = Entry.objects.get(pk=ENTRY)
table = Table.objects.live().get(event=event, number=2)
seat = next(iter(free_seats(event, [2])[2]))
entry_move(Command(event=event, by=SYSTEM, at=timezone.now()), entry=entry, table=table, seat=seat,
    reason="Probe")
"""


@pytest.fixture(scope="module")
def pushes():
    with served(PushService()) as service:
        yield service
    assert service.faults == []


@pytest.fixture(scope="module")
def hall(tmp_path_factory, pushes):
    """Return a server at a name that browsers trust, and its evening of two tables."""
    env = {"KRRU_PUBLIC_URL": CLUB, "KRRU_OUTGOING_HOSTS": "127.0.0.1"}
    server = has_spoken(laptop_with_tables(tmp_path_factory.mktemp("home") / "data", env))
    made = room(server, players=14, seats=10, phones=0)
    server.start()
    yield server, made
    server.kill()


@pytest.fixture
def petra(browser, hall):
    """Return the next player of table 1, with the own page open."""
    server, made = hall
    person = Person(browser, f"http://localhost:{server.port}", PHONE)
    person.seat = made["tables"]["1"].pop(0)
    person.go(f"/p/{person.seat['link']}/")
    expect(person.page.locator("[data-clock-show=level]").first).not_to_be_empty()
    yield person
    person.context.close()


def test_the_home_screen_opens_offline_with_the_last_seat_and_a_clock_that_goes_on(petra, hall):
    server, made = hall
    own = petra.page.url
    petra.go("/handy/")
    petra.page.wait_for_url(own)
    assert petra.page.evaluate("navigator.serviceWorker.controller") is None
    until(petra.page, KEPT)
    blinds = petra.page.locator("[data-clock-show=blinds]").first.inner_text()
    server.kill()
    petra.go("/handy/")
    petra.see("Ohne Verbindung")
    expect(petra.page.locator("[data-start=table]")).to_have_text("1")
    expect(petra.page.locator("[data-start=number]")).to_have_text(str(petra.seat["seat"]))
    expect(petra.page.locator("[data-clock-show=blinds]")).to_have_text(blinds)
    clock = petra.page.locator("[data-clock-show=remaining]")
    began = clock.inner_text()
    expect(clock).not_to_have_text(began)
    for path in (f"/t/{made['slug']}/leitung/", "/", own.removeprefix(petra.base)):
        with pytest.raises(Exception, match="ERR_CONNECTION_REFUSED"):
            petra.go(path)
    # Who wants no page kept finds none.
    server.start()
    petra.page.goto(own)
    petra.page.get_by_text("Diese Seite wiederfinden").click()
    petra.page.locator("[data-keeps-own-page]").uncheck()
    petra.go("/handy/")
    expect(petra.page.locator("#start-last")).to_be_hidden()
    server.kill()
    petra.go("/handy/")
    petra.see("Alle Turniere")
    expect(petra.page.locator("#start-last")).to_be_hidden()
    server.start()


def test_a_choice_on_the_phone_leads_to_a_push_that_only_it_can_read(petra, hall, pushes):
    server, _made = hall
    petra.page.get_by_text("Nachrichten aufs Handy").click()
    form = petra.page.locator("form[data-push]")
    sender = form.get_attribute("data-push")
    # The browser under test reaches no push service of its maker.
    told = json.dumps(json.loads(pushes.subscribe(sender)))
    petra.page.evaluate(f"() => {{ PushManager.prototype.subscribe = async () => ({told}); }}")
    form.get_by_label("Tisch und Platz").uncheck()
    form.get_by_role("button", name="Einschalten").click()
    expect(petra.page.locator("form[data-push]").get_by_text("Speichern")).to_be_visible()
    expect(petra.page.get_by_label("Tisch und Platz")).not_to_be_checked()
    expect(petra.page.get_by_label("Umzug")).to_be_checked()
    server.manage("shell", "-c", MOVE.replace("ENTRY", str(petra.seat["entry"])))
    assert wait_for(lambda: pushes.shown)
    (shown,) = pushes.shown
    assert "Du ziehst um: Tisch 2, Platz" in shown["text"]
    assert (shown["silent"], shown["url"]) == (True, f"{CLUB}/p/{petra.seat['link']}/")
    petra.page.get_by_role("button", name="Ausschalten").click()
    expect(petra.page.get_by_role("button", name="Einschalten")).to_be_visible()
    assert petra.complaints == []


def test_the_worker_shows_what_is_pushed(petra):
    petra.page.evaluate("navigator.serviceWorker.register('/handy/arbeiter.js')")
    until(petra.page, KEPT)
    worker = petra.context.service_workers[0]
    # Note each notification: a browser without a window shows none.
    worker.evaluate("""() => {
      self.noted = [];
      self.registration.showNotification = async (...asked) => { self.noted.push(asked); };
    }""")
    devtools = petra.context.new_cdp_session(petra.page)
    found = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda news: found.extend(news["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    assert wait_for(lambda: petra.page.evaluate("1") and found)
    told = {"title": "Freitag", "text": "Tisch 2", "url": "/", "silent": True, "tag": "krru-1"}
    sent = {"registrationId": found[-1]["registrationId"], "data": json.dumps(told)}
    devtools.send("ServiceWorker.deliverPushMessage", {"origin": petra.base, **sent})
    assert wait_for(lambda: worker.evaluate("self.noted.length"))
    own = {"body": "Tisch 2", "tag": "krru-1", "silent": True, "renotify": False}
    assert worker.evaluate("self.noted") == [["Freitag", own | {"data": {"url": "/"}}]]
