"""Big screens in a real Chromium: paired by a code, directed from the laptop, silent when idle."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clock import realtime
from tests import factories as f
from tests.calling import call_service
from tests.clock.hall import SIZES, measured
from tests.waits import wait_for
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_start
from tournaments.models import Screen
from tournaments.screens.selectors.screens import Alive, screen_pictures
from tournaments.screens.services.screens import screen_change, screen_claim
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def open_page(guests):
    return guests.open


def running(players=12):
    event = f.make_seated_event(players, starts_at=timezone.now())
    clock_start(Command(event=event, by=SYSTEM, at=timezone.now() - timedelta(minutes=3)))
    return f.fresh(event)


def paired(open_page, event, *, shows="clock", size="tv"):
    """Open a screen and claim it behind its back, as the laptop does."""
    page = open_page(reverse("screen-any"), size=size)
    page.wait_for_selector(".pairing-code")
    code = page.inner_text(".pairing-code")
    made = {"club": event.club, "by": SYSTEM, "at": timezone.now()}
    call_service(screen_claim, **made, code=code, name="Beamer", event=event)
    page.wait_for_selector("body[data-face]")
    screen = Screen.objects.get(name="Beamer")
    if shows != "clock":
        call_service(screen_change, **made, screen=screen, wanted={"shows": shows})
    return page, screen


def direct(event, screen, **wanted):
    screen.refresh_from_db()
    made = {"club": event.club, "by": SYSTEM, "at": timezone.now()}
    call_service(screen_change, **made, screen=screen, wanted=wanted)


def settle(page, asked):
    """Wait until a page has loaded its voices and said that it is ready, then forget that."""
    page.wait_for_timeout(2000)
    while asked:
        asked.clear()
        page.wait_for_timeout(2000)


def test_the_director_pairs_names_and_points_a_screen(open_page):
    event = running()
    screen = open_page(reverse("screen-any"))
    screen.wait_for_selector(".pairing-code")
    code = screen.inner_text(".pairing-code")
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    laptop = open_page(reverse("screens", args=[event.slug]), cookie=dora.token)
    laptop.fill("#code", code.lower().replace("0", "o"))
    laptop.fill("#screen-name", "Beamer vorn")
    laptop.click("#screen-claim")
    laptop.wait_for_selector("h3:has-text('Beamer vorn')")
    screen.wait_for_selector("body[data-face=playing]")
    assert screen.inner_text(".name") == event.name
    row = Screen.objects.get()
    laptop.wait_for_selector(f"#screen-{row.pk} .badge:has-text('verbunden')")
    laptop.click(f"#screen-{row.pk}-seating")
    screen.wait_for_selector("li.hall-seating")
    assert screen.locator("li.hall-seating").count() == 12
    assert wait_for(lambda: Screen.objects.get().face == "seating")
    laptop.click(".toast button:has-text('Rückgängig')")
    screen.wait_for_selector("body[data-hall=clock]")
    laptop.click(f"#screen-{row.pk}-set")
    laptop.wait_for_selector("#screen-retire")
    laptop.click("#screen-retire")
    screen.wait_for_selector(".pairing-code")
    assert screen.inner_text(".pairing-code") == code


def test_an_idle_screen_asks_nothing_and_is_known_to_be_alive(open_page, monkeypatch):
    event = running()
    page, _row = paired(open_page, event)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    settle(page, asked)
    page.wait_for_timeout(4000)
    assert asked == []
    Screen.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert screen_pictures(event.club, timezone.now())[0].alive is Alive.YES
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 0.1)
    page.context.close()
    assert wait_for(lambda: screen_pictures(event.club, timezone.now())[0].alive is Alive.NO)


def test_a_screen_reports_only_what_became_of_itself(open_page):
    event = running()
    page, row = paired(open_page, event)
    assert wait_for(lambda: Screen.objects.get().delay_ms is not None)
    sent = []
    page.on("request", lambda request: sent.append((request.method, request.url)))
    settle(page, sent)
    direct(event, row, volume=20)
    page.wait_for_timeout(1500)
    assert sent == []  # the change came with the news of it, and what it tells is the same
    direct(event, row, shows="places")
    assert wait_for(lambda: Screen.objects.get().face == "places")
    page.wait_for_timeout(100)
    assert [method for method, url in sent if "meldung" in url] == ["POST"]


def test_it_goes_on_with_the_server_dead_and_comes_back(open_page, hall):
    event = running()
    page, row = paired(open_page, event, shows="seating")
    page.wait_for_selector("li.hall-seating")
    hall.off()
    page.wait_for_selector("[data-part=strip-known]:not([hidden])", timeout=10000)
    before = page.inner_text("[data-part=strip-time]")
    page.wait_for_timeout(1500)
    assert page.inner_text("[data-part=strip-time]") != before
    assert page.locator("li.hall-seating").count() == 12
    hall.on()
    page.wait_for_selector("[data-part=strip-known]", state="hidden", timeout=15000)
    direct(event, row, shows="clock")
    page.wait_for_selector("body[data-hall=clock]")


def test_a_language_is_another_page_of_the_same_screen(open_page):
    event = running()
    page, row = paired(open_page, event)
    direct(event, row, language="en")
    page.wait_for_selector("html[lang=en]")


def test_screens_that_rotate_do_so_together_and_skip_what_is_empty(open_page):
    event = running()
    page, _row = paired(open_page, event, shows="rotating")
    turns = page.evaluate(
        """async () => {
          const { hallAt } = await import("/static/clock/hall-cycle.js");
          const at = (seconds, pages) => {
            const { face, page } = hallAt("rotating", pages, seconds * 1000);
            return `${face} ${page}`;
          };
          const all = { seating: 8, moves: 1, places: 2 };
          const none = { seating: 0, moves: 0, places: 0 };
          return {
            first: [0, 29, 30, 39, 40, 89, 90, 100, 119, 120].map((s) => at(s, all)),
            second: [150, 160, 170].map((s) => at(s, all)),
            empty: [0, 35, 1000].map((s) => at(s, none)),
            alone: [0, 9, 10, 25, 30].map((s) => hallAt("places", all, s * 1000).page),
          };
        }"""
    )
    assert turns["first"] == [
        "clock 0", "clock 0", "seating 0", "seating 0", "seating 1", "seating 5", "moves 0",
        "places 0", "places 1", "clock 0",
    ]  # fmt: skip
    assert turns["second"] == ["seating 6", "seating 7", "seating 0"]
    assert turns["empty"] == ["clock 0"] * 3
    assert turns["alone"] == [0, 0, 1, 0, 1]


def test_the_pointer_hides_and_keys_do_nothing_dangerous(open_page):
    event = running()
    page, _row = paired(open_page, event)
    url = page.url
    page.wait_for_load_state()
    page.mouse.move(300, 300)
    page.mouse.move(320, 320)
    page.wait_for_selector("body.has-pointer")
    for key in ("Space", "ArrowRight", "Escape", "Enter", "Delete", "p", "+"):
        page.keyboard.press(key)
    assert page.url == url
    assert page.get_attribute("body", "data-face") == "playing"
    page.wait_for_selector("body:not(.has-pointer)")


def at_every_size(page):
    """Load the page anew in windows of all sizes, one after the other."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        yield size


def test_a_face_with_nothing_to_show_says_so(open_page):
    event = running()
    page, _row = paired(open_page, event, shows="moves")
    for size in at_every_size(page):
        page.wait_for_selector("[data-part=hall-empty]:has-text('niemand umgesetzt')")
        found = measured(page, ".hall")
        assert (found["outside"], found["scrolls"]) == ([], False), size
        title, strip = (page.locator(part).bounding_box() for part in (".hall-title", ".strip"))
        assert title["y"] >= strip["y"] + strip["height"], size


def test_every_face_is_readable_at_every_size(open_page):
    event = running(40)
    entry = f.entries_of(event)[0]
    f.out(event, *f.entries_of(event)[30:33], at=timezone.now(), is_one_hand=False)
    move_one(event, entry)
    page, row = paired(open_page, event)
    for shows in ("seating", "moves", "places"):
        direct(event, row, shows=shows)
        page.wait_for_selector(f"body[data-hall={shows}]")
        for size in at_every_size(page):
            page.wait_for_selector(f"li.hall-{shows}")
            found = measured(page, ".hall")
            assert found["smallest"] >= 0.0249, (shows, size)
            assert found["outside"] == [], (shows, size)
            assert not found["scrolls"], (shows, size)


def move_one(event, entry):
    own = f.seat_of(entry)[0]
    free = free_seats(event)
    target = next(number for number in free if number != own and free[number])
    table = f.table_of(event, target)
    said = {"event": event, "by": SYSTEM, "at": timezone.now()}
    call_service(
        entry_move, **said, entry=entry, table=table, seat=free[target][0], reason="saß falsch"
    )
