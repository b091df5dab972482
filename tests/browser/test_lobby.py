"""The lobby on a wall and on a phone: twelve rows, counted by themselves, and a ticket's way."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.browser.test_screens import paired, settle
from tests.calling import call_service
from tests.waits import until, wait_for
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_create
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Ticket, TicketUse
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Way

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = """[...document.querySelectorAll(".lobby-name")].map(({ textContent }) => textContent)"""
# In shares of the screen's height: the least of all texts, and whether every row is in sight.
SIZES = """(() => {
  const rows = [...document.querySelectorAll(".lobby-row")];
  const texts = rows.flatMap((row) => [...row.children]).filter(({ textContent }) => textContent);
  const size = (one) => parseFloat(getComputedStyle(one).fontSize) / innerHeight;
  return {
    rows: rows.length,
    least: Math.min(...texts.map(size)),
    names: Math.min(...rows.map((row) => size(row.querySelector(".lobby-name")))),
    isInSight: rows.every((row) => row.getBoundingClientRect().bottom <= innerHeight + 1),
    isWide: document.documentElement.scrollWidth <= innerWidth,
  };
})()"""


def started(name, minutes, **settings):
    """Return an event that has run for so many minutes."""
    now = timezone.now()
    event = f.make_seated_event(6, name=name, starts_at=now, **settings)
    clock_start(Command(event=event, by=SYSTEM, at=now - timedelta(minutes=minutes)))
    return f.fresh(event)


def test_the_wall_shows_twelve_events_and_asks_nothing_while_it_counts(open_page):
    now = timezone.now()
    main = started("Main Event, Flight 1C", 5)
    started("Satellit", 15, late_registration_level=1)
    for number in range(10):
        f.make_event(name=f"Turnier {number:02}", starts_at=now + timedelta(hours=1 + number))
    page, _screen = paired(open_page, main, shows="lobby")
    page.wait_for_selector("body.lobby-wall .lobby-when:not(:empty)")
    # The end of late entry, then the next break or the next event.
    assert page.evaluate(NAMES)[0] == "Satellit"
    assert page.locator(".lobby-row.is-open .lobby-name").all_inner_texts() == ["Satellit"]
    found = page.evaluate(SIZES)
    assert (found["rows"], found["isInSight"], found["isWide"]) == (12, True, True)
    assert found["least"] >= 0.03
    assert found["names"] >= 0.04
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    settle(page, asked)
    before = page.inner_text(".lobby-row:first-child .lobby-when")
    until(page, f"document.querySelector('.lobby-when').textContent !== {before!r}")
    assert asked == []
    call_service(clock_pause, event=main, by=SYSTEM, at=timezone.now())
    page.wait_for_selector(".lobby-level:has-text('Uhr steht')")


def test_the_lobby_fits_a_phone_and_leads_to_each_event(open_page):
    main = started("Main Event mit einem sehr langen Namen und Flight 1C", 5)
    started("Satellit", 1)
    page = open_page(reverse("home"), size="phone")
    page.click("a:has-text('Lobby: alle Turniere von heute')")
    page.wait_for_selector(".lobby-row .lobby-when:not(:empty)")
    assert page.evaluate(SIZES)["isWide"]
    page.click(f".lobby-name:has-text('{main.name}')")
    page.wait_for_url(f"**{main.get_absolute_url()}")


def test_a_seat_of_a_satellite_becomes_an_entry_of_the_main_event(open_page):
    """The desk gives the seat, the winner sees the ticket, the desk of the target takes it."""
    at = {"by": SYSTEM, "at": timezone.now()}
    target = f.make_event(
        name="Main Event", fee_cents=27_500, fee_parts=[["house", 2_500, ""]],
        starts_at=timezone.now() + timedelta(hours=2),
    )  # fmt: skip
    satellite = started("Satellit", 30, fee_cents=10_000)
    plan = PrizePlan(way=Way.SEATS, seat_cents=25_000, seats_for=target.pk)
    call_service(prizes_plan, event=satellite, **at, plan=plan)
    entries = f.entries_of(satellite)
    for entry in entries:
        call_service(fee_pay, event=satellite, **at, registration=entry.registration)
    for entry in entries[2:]:
        f.out(satellite, entry, at=timezone.now())
    call_service(event_end, event=satellite, by=SYSTEM, at=timezone.now())
    call_service(prizes_freeze, event=satellite, by=SYSTEM, at=timezone.now())
    winner = entries[0].registration
    desk = f.sign_in("Eingang", Role.DIRECTOR)
    laptop = open_page(reverse("payouts", args=[satellite.slug]), cookie=desk.token)
    laptop.click(f"button:has-text('{winner.person.name} den Platz geben')")
    laptop.wait_for_selector("a:has-text('T-')")
    ticket = Ticket.objects.get()
    phone = open_page(reverse("player", args=[winner.link_token]), size="phone")
    phone.wait_for_selector(f".notice:has-text('{ticket.name}')")
    there = call_service(registration_create, event=target, **at, name=winner.person.name)
    row = target.registrations.get(made_by=there)
    laptop.goto(laptop.url.split("/t/")[0] + reverse("desk-correct", args=[target.slug, row.pk]))
    laptop.click("button:has-text('Mit Ticket zahlen')")
    assert wait_for(TicketUse.objects.live().exists)
    assert TicketUse.objects.live().get().registration == row
    phone.goto(phone.url)
    assert phone.locator(".notice:has-text('Dein Ticket')").count() == 0
    laptop.goto(laptop.url.split("/t/")[0] + reverse("desk-correct", args=[target.slug, row.pk]))
    laptop.wait_for_selector("text=Bezahlt: 250 €")
