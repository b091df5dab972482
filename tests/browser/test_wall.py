"""The wall as a club wants it: paired at once, right by itself, and with everybody's name whole."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.browser.test_screen_fit import FAULTS, FIGURES, SIZES
from tests.browser.test_screens import paired, running
from tests.rasters import LOGO
from tests.waits import until
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.club.services.club import club_logo_set
from tournaments.models import Event, Person, Screen, Seating
from tournaments.practice.services.sample import sample_remove
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move, table_break

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UPRIGHT = {"width": 720, "height": 1280}
CUT_MOVES = """() => [...document.querySelectorAll("li.hall-moves > span")]
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)"""
LONG = "Hans-Peter Freiherr von Hohenstein"


@pytest.fixture
def open_page(guests):
    return guests.open


def faults(page):
    """Return what does not stand whole. A very long name may end in dots after two lines."""
    found = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, f"innerWidth === {width}")
        page.wait_for_timeout(150)
        found += [f"{height}p: {fault}" for fault in page.evaluate(FAULTS, FIGURES)]
    return [fault for fault in found if not fault.endswith(": cut")]


def named(event):
    """Give everybody the longest of names."""
    for person in Person.objects.filter(registrations__event=event):
        person.name = person.sort_name = f"{LONG} {person.pk}"
        person.save()
    return event


def test_first_minute_of_a_hall(open_page, guests):
    sample = running(6)
    Event.objects.update(is_sample=True, slug="beispiel")
    watched = open_page(reverse("screen", args=["beispiel"]))
    watched.wait_for_selector("body[data-face=playing]")
    event = running(12)
    wall = open_page(reverse("screen-any"))
    wall.wait_for_selector(".pairing-code")
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    laptop = open_page(reverse("screens", args=[event.slug]), cookie=dora.token)
    guests.may_fail += ["/code/", "/screen/"]
    laptop.fill("#code", "WWW 111")
    laptop.fill("#screen-name", "Beamer")
    laptop.click("#screen-claim")
    laptop.wait_for_selector(".refusal-slot:has-text('Diesen Code zeigt keine Leinwand')")
    laptop.fill("#code", wall.inner_text(".pairing-code"))
    laptop.click("#screen-claim")
    wall.wait_for_selector("body[data-face=playing]")
    assert wall.inner_text(".name") == event.name
    watched.evaluate("window.isThere = true")
    command = ClubCommand(club=sample.club, by=SYSTEM, at=timezone.now())
    sample_remove(command, event=Event.objects.get(slug="beispiel"))
    watched.wait_for_selector("h1:has-text('gibt es nicht mehr')")
    watched.wait_for_selector("body[data-face=playing]", timeout=10_000)
    assert watched.url.endswith(reverse("screen", args=[event.slug]))
    empty = open_page(reverse("screen", args=["nie-gehoert"]))
    empty.wait_for_selector("body[data-face=playing]", timeout=10_000)


def test_the_laptop_opens_a_screen_that_is_paired(open_page):
    event = running(12)
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    laptop = open_page(reverse("director", args=[event.slug]), cookie=dora.token)
    with laptop.expect_popup() as opened:
        laptop.evaluate("document.querySelector('#screen-open').click()")
    wall = opened.value
    wall.wait_for_selector("body[data-hall=clock][data-face=playing]")
    row = Screen.objects.get()
    assert (row.name, row.event) == ("Leinwand 1", event)


def test_many_moves_show_themselves_for_a_minute(open_page):
    event = running(24)
    for entry in f.at_table(event, 3)[2:]:
        f.out(event, entry, at=timezone.now())
    page, _row = paired(open_page, event)
    page.wait_for_selector("body[data-hall=clock]")
    made = {"event": f.fresh(event), "by": SYSTEM, "at": timezone.now()}
    table_break(Command(**made), table=f.table_of(event, 3))
    page.wait_for_selector("body[data-hall=moves]")
    page.wait_for_selector("li.hall-moves >> nth=1")
    found = page.evaluate("""async () => {
      const { hallAt, movedTogetherAt } = await import("/static/clock/hall-cycle.js");
      const face = (shows, at) => hallAt(shows, { seating: 1, moves: 1, places: 1 }, at, 9000).face;
      return [
        movedTogetherAt([[9000], [9000], [1]]), movedTogetherAt([[9000], [1]]), movedTogetherAt([]),
        face("clock", 68999), face("clock", 69000), face("places", 9001),
      ];
    }""")
    assert found == [9000, None, None, "moves", "clock", "places"]


def test_lists_are_filled_evenly_and_no_name_of_a_small_field_is_cut(open_page):
    event = named(running(58))
    page, _row = paired(open_page, event, shows="seating")
    page.wait_for_selector("li.hall-seating")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.wait_for_timeout(1200)
    columns = "[...document.querySelectorAll('.hall-column ul')].map((one) => one.children.length)"
    held = page.evaluate(columns)
    assert max(held) - min(held) <= len(held)
    f.out(event, *f.entries_of(event)[24:], at=timezone.now(), is_one_hand=False)
    until(page, f"{columns}.reduce((sum, one) => sum + one, 0) === 24")
    page.wait_for_timeout(300)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(1200)
        assert page.evaluate(columns) == [12, 12]
        cells = "[...document.querySelectorAll('li.hall-seating span')]"
        assert not page.evaluate(f"{cells}.some((one) => one.scrollWidth > one.clientWidth)")


def test_names_of_many_moves_stand_whole_upright_and_lengthwise(open_page):
    event = named(running(32))
    for seating in list(Seating.objects.live().filter(event=event).order_by("seat"))[:22]:
        free = free_seats(event)
        target = next(one for one, seats in free.items() if seats and one != seating.table.number)
        command = Command(event=f.fresh(event), by=SYSTEM, at=timezone.now())
        goal = {"table": f.table_of(event, target), "seat": free[target][0], "reason": "Zugluft"}
        entry_move(command, entry=seating.entry, **goal)
    page, _row = paired(open_page, event, shows="moves")
    page.wait_for_selector("li.hall-moves >> nth=1")
    for size in (UPRIGHT, *({"width": width, "height": height} for width, height in SIZES)):
        page.set_viewport_size(size)
        until(page, f"innerWidth === {size['width']}")
        until(page, "document.querySelector('.is-of-two')")
        until(page, f"({CUT_MOVES})().length === 0")
        assert page.locator("li.hall-moves").count() >= 6


@pytest.mark.parametrize("players", [10, 2])
def test_the_final_table_has_its_names(open_page, players):
    event = named(running(players))
    page, _row = paired(open_page, event)
    page.wait_for_selector(".final-plate")
    assert page.locator(".final-name").count() == players
    assert ("Heads-up" in page.inner_text(".final")) is (players == 2)
    assert faults(page) == []
    page.set_viewport_size(UPRIGHT)
    until(page, f"innerWidth === {UPRIGHT['width']}")
    clock = page.locator(".wall").bounding_box()
    assert clock["x"] + clock["width"] <= UPRIGHT["width"]


def test_the_podium_has_three_the_logo_and_the_way_to_all_places(open_page, monkeypatch):
    address = "http://192.168.1.20:8000"
    monkeypatch.setattr(
        "tournaments.screens.views.big_screen.hall_url", lambda _asked, path: address + path
    )
    event = named(running(5))
    club_logo_set(ClubCommand(club=event.club, by=SYSTEM, at=timezone.now()), data=LOGO)
    *others, winner = f.entries_of(event)
    for minute, entry in enumerate(others):
        f.out(event, entry, at=timezone.now() + timedelta(seconds=minute))
    page, _row = paired(open_page, event)
    page.wait_for_selector("body[data-face=ended]")
    assert page.inner_text(".winner") == winner.registration.person.name
    assert [page.inner_text(f".step-{step} .step-place") for step in (1, 2, 3)] == [
        "1.",
        "2.",
        "3.",
    ]
    assert page.inner_text(".step-2 .step-name") == others[-1].registration.person.name
    assert page.is_visible("[data-part=end-qr] svg")
    until(page, "document.querySelector('.end-logo img').naturalWidth > 0")
    assert faults(page) == []
    page.set_viewport_size(UPRIGHT)
    until(page, f"innerWidth === {UPRIGHT['width']}")
    step, code = (page.locator(one).bounding_box() for one in (".step-2", "[data-part=end-qr] svg"))
    assert step["width"] > UPRIGHT["width"] / 5
    assert step["y"] + step["height"] <= code["y"]
