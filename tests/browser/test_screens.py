"""Big screens in a real Chromium: paired by a code, directed from the laptop, silent when idle."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, BrowserType, expect

from clock import realtime
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tests.pressing import url_of
from tests.waits import until, wait_for
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.domain.games import Mix
from tournaments.event.services.clock import clock_jump, clock_start
from tournaments.event.services.schedule.edit import schedule_edit, schedule_mixed
from tournaments.models import Event, Registration, Screen
from tournaments.practice.services.rehearsal import sample_remove
from tournaments.screens.selectors.screens import Alive, screen_pictures
from tournaments.screens.services.screens import screen_change, screen_claim

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TURNS = """async () => {
  const { hallAt, movedTogetherAt } = await import("/static/clock/hall-cycle.js");
  const all = { seating: 8, moves: 1, places: 2 };
  const none = { seating: 0, moves: 0, places: 0 };
  const one = { seating: 1, moves: 1, places: 1 };
  const at = (seconds, pages) => {
    const { face, page } = hallAt("rotating", pages, seconds * 1000);
    return `${face} ${page}`;
  };
  const face = (shows, at) => hallAt(shows, one, at, 9000).face;
  return {
    first: [0, 29, 30, 39, 40, 89, 90, 100, 119, 120].map((s) => at(s, all)),
    second: [150, 160, 170].map((s) => at(s, all)),
    empty: [0, 35, 1000].map((s) => at(s, none)),
    alone: [0, 9, 10, 25, 30].map((s) => hallAt("places", all, s * 1000).page),
    together: [[[9000], [9000], [1]], [[9000], [1]], []].map(movedTogetherAt),
    moved: [face("clock", 68999), face("clock", 69000), face("places", 9001)],
  };
}"""


def running(players=12, **settings):
    event = f.make_seated_event(players, starts_at=timezone.now(), **settings)
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


def test_the_director_pairs_names_and_points_a_screen(open_page, guests):
    sample = running(6)
    Event.objects.update(is_sample=True, slug="beispiel")
    watched = open_page(reverse("screen", args=["beispiel"]))
    watched.wait_for_selector("body[data-face=playing]")
    watched.evaluate("window.isThere = true")
    event = running()
    wall = open_page(reverse("screen-any"))
    wall.wait_for_selector(".pairing-code")
    code = wall.inner_text(".pairing-code")
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    laptop = open_page(reverse("screens", args=[event.slug]), cookie=dora.token)
    guests.may_fail += ["/code/", "/screen/"]
    laptop.fill("#code", "WWW 111")
    laptop.fill("#screen-name", "Beamer vorn")
    laptop.click("#screen-claim")
    laptop.wait_for_selector(".refusal-slot:has-text('Diesen Code zeigt keine Leinwand')")
    laptop.fill("#code", code.lower().replace("0", "o"))
    laptop.click("#screen-claim")
    laptop.wait_for_selector("h3:has-text('Beamer vorn')")
    wall.wait_for_selector("body[data-face=playing]")
    assert wall.inner_text(".name") == event.name
    row = Screen.objects.get()
    laptop.wait_for_selector(f"#screen-{row.pk} .badge:has-text('verbunden')")
    laptop.click(f"#screen-{row.pk}-seating")
    wall.wait_for_selector("li.hall-seating")
    assert wall.locator("li.hall-seating").count() == 12
    assert wait_for(lambda: Screen.objects.get().face == "seating")
    laptop.click(".toast button:has-text('Rückgängig')")
    wall.wait_for_selector("body[data-hall=clock]")
    laptop.click(f"#screen-{row.pk}-set")
    laptop.wait_for_selector("#screen-retire")
    laptop.click("#screen-retire")
    wall.wait_for_selector(".pairing-code")
    assert wall.inner_text(".pairing-code") == code
    # A wall whose tournament goes, or never was, shows the one that is played.
    command = ClubCommand(club=sample.club, by=SYSTEM, at=timezone.now())
    sample_remove(command, event=Event.objects.get(slug="beispiel"))
    watched.wait_for_selector("h1:has-text('gibt es nicht mehr')")
    watched.wait_for_selector("body[data-face=playing]")
    assert watched.url.endswith(reverse("screen", args=[event.slug]))
    empty = open_page(reverse("screen", args=["nie-gehoert"]))
    empty.wait_for_selector("body[data-face=playing]")


def test_an_idle_screen_asks_nothing_and_reports_only_what_became_of_itself(open_page, monkeypatch):
    event = running()
    page, row = paired(open_page, event)
    assert wait_for(lambda: Screen.objects.get().delay_ms is not None)
    sent = []
    page.on("request", lambda request: sent.append((request.method, request.url)))
    settle(page, sent)
    page.wait_for_timeout(2000)
    direct(event, row, volume=20)
    page.wait_for_timeout(1500)
    assert sent == []  # the change came with the news of it, and what it tells is the same
    direct(event, row, shows="places")
    assert wait_for(lambda: Screen.objects.get().face == "places")
    page.wait_for_timeout(100)
    assert [method for method, url in sent if "meldung" in url] == ["POST"]
    Screen.objects.update(seen_at=timezone.now() - timedelta(hours=1))
    assert screen_pictures(event.club, timezone.now())[0].alive is Alive.YES
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 0.1)
    page.context.close()
    assert wait_for(lambda: screen_pictures(event.club, timezone.now())[0].alive is Alive.NO)


def test_a_screen_has_its_language_dress_pointer_and_turns(open_page):
    event = running()
    page, row = paired(open_page, event)
    page.wait_for_load_state()
    url = page.url
    page.mouse.move(300, 300)
    page.mouse.move(320, 320)
    page.wait_for_selector("body.has-pointer")
    for key in ("Space", "ArrowRight", "Escape", "Enter", "Delete", "p", "+"):
        page.keyboard.press(key)
    assert page.url == url
    assert page.get_attribute("body", "data-face") == "playing"
    page.wait_for_selector("body:not(.has-pointer)")
    turns = page.evaluate(TURNS)
    assert turns["first"] == [
        "clock 0", "clock 0", "seating 0", "seating 0", "seating 1", "seating 5", "moves 0",
        "places 0", "places 1", "clock 0",
    ]  # fmt: skip
    assert turns["second"] == ["seating 6", "seating 7", "seating 0"]
    assert turns["empty"] == ["clock 0"] * 3
    assert turns["alone"] == [0, 0, 1, 0, 1]
    assert turns["together"] == [9000, None, None]
    assert turns["moved"] == ["moves", "clock", "places"]
    ground = "getComputedStyle(document.body).backgroundImage"
    seen = {page.evaluate(ground)}
    for theme in ("felt", "ink"):
        direct(event, row, theme=theme)
        page.wait_for_selector(f"body[data-theme={theme}]")
        seen.add(page.evaluate(ground))
    assert len(seen) == 3
    of_break = page.evaluate("""() => {
      const { body } = document;
      body.dataset.face = "break";
      return ["night", "felt", "ink"].map((theme) => {
        body.dataset.theme = theme;
        return getComputedStyle(body).getPropertyValue("--ground");
      });
    }""")
    assert len(set(of_break)) == 1
    direct(event, row, language="en")
    page.wait_for_selector("html[lang=en]")


def now(event):
    return Command(event=f.fresh(event), by=SYSTEM, at=timezone.now())


def beside(phone):
    return phone.locator("[data-clock-show=beside]").first


def test_s25_the_wall_and_the_phones_follow_the_game_of_each_level(guests):
    event = f.make_seated_event(6, seats_per_table=8, starts_at=timezone.now())
    clock_start(now(event))
    event = f.fresh(event)
    levels = clock_levels(event.clock)
    mixed = schedule_mixed(event, Mix.HORSE, None, timezone.now())
    schedule_edit(now(event), levels=mixed, based_on=[level.id for level in levels])
    wall = guests.open(reverse("screen", args=[event.slug]))
    wall.wait_for_selector("body[data-face=playing]")
    player = Registration.objects.filter(event=event).earliest("pk")
    phone = guests.open(reverse("player", args=[player.link_token]), size="phone")
    token = f.sign_in("Arnos Handy", Role.ARBITER, event).token
    arbiter = guests.open(reverse("floor-table", args=[event.slug, 1]), size="phone", cookie=token)
    for level in clock_levels(f.fresh(event).clock)[1:6:2]:
        clock_jump(now(event), level=level.id)
        until(
            wall, f"document.querySelector('[data-part=game]').textContent.includes('{level.game}')"
        )
        amounts = (
            (level.small_bet, level.big_bet)
            if level.small_bet
            else (level.small_blind, level.big_blind)
        )
        expect(wall.locator("[data-part=blinds]").first).to_have_text(
            re.compile(r"\s*/\s*".join(map(str, amounts)))
        )
        shown = wall.locator("body")
        expect(shown).to_contain_text("Split Limit", use_inner_text=True)
        has = expect(shown).to_contain_text if level.bring_in else expect(shown).not_to_contain_text
        has(f"Bring-in {level.bring_in}", use_inner_text=True)
        for page in (phone, arbiter):
            expect(beside(page)).to_contain_text(level.game)
            expect(beside(page)).to_contain_text("Split Limit")


# --- A laptop with a projector beside its own display: "Leinwand öffnen" goes there by itself


# Browsers tell of displays in secure contexts alone; `localhost` is one.
LAPTOP, PROJECTOR = [0, 0, 1366, 768], [1366, 0, 1920, 1080]
DISPLAYS = "--screen-info={0,0 1366x768}{1366,0 1920x1080}"
WHERE = "[screenX, screenY, outerWidth, outerHeight]"


@pytest.fixture
def two_displays(
    browser_type: BrowserType, browser_type_launch_args: dict[str, list[str]]
) -> Iterator[Browser]:
    flags = [*browser_type_launch_args["args"], DISPLAYS]
    browser = browser_type.launch(**browser_type_launch_args | {"args": flags})
    yield browser
    browser.close()


def test_a_wall_opens_on_the_second_display_and_pairs_itself(two_displays, live_server):
    for answer, display in (("granted", PROJECTOR), ("denied", LAPTOP)):
        opened(two_displays, live_server, answer, display)


def opened(two_displays, live_server, answer, display):
    base = live_server.url.replace("127.0.0.1", "localhost")
    event = f.make_seated_event(6, starts_at=timezone.now())
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    context = two_displays.new_context(no_viewport=True, locale="de-DE")
    context.add_cookies([{"name": COOKIE, "value": dora.token, "url": base}])
    page = context.new_page()
    target = context.new_cdp_session(page).send("Target.getTargetInfo")["targetInfo"]
    two_displays.new_browser_cdp_session().send(
        "Browser.setPermission",
        {
            "permission": {"name": "window-management"},
            "setting": answer,
            "origin": base,
            "browserContextId": target["browserContextId"],
        },
    )
    page.goto(base + url_of(event, "director"))
    page.locator("summary", has_text="Saal").click()
    with page.expect_popup() as popup:
        page.click("#screen-open")
    wall = popup.value
    wall.wait_for_selector("body[data-hall=clock]")
    row = Screen.objects.latest("pk")
    assert row.is_claimed
    assert row.event == event
    assert wall.evaluate(WHERE)[:2] == display[:2]
    if answer == "granted":
        assert wall.evaluate(WHERE)[2:] == display[2:]
    context.close()
