"""The big screen in a real Chromium, served by real sockets, seen at its true sizes."""

import contextlib
import time
from datetime import timedelta

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from clock.domain import ActionKind
from clock.realtime import publish
from clock.selectors import anchor_payload
from tests.clock.evening import act, bump, make_event, minutes, start
from tests.clock.hall import Hall

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# What the browser says by itself about a request that failed, and no page can prevent.
UNREACHABLE = "Failed to load resource"

SIZES = {"beamer": (1024, 768), "tv": (1920, 1080), "4k": (3840, 2160), "upright": (1080, 1920)}


@pytest.fixture
def hall(monkeypatch):
    # The threads end with the test, and so must their connections.
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    hall = Hall().on()
    yield hall
    with contextlib.suppress(OSError):
        hall.off()
    connections.close_all()


@pytest.fixture
def screen(hall, browser):
    """Open the big screen; whatever the browser complains about fails the test."""
    complaints, contexts = [], []

    def show(event):
        context = browser.new_context(
            viewport={"width": 1920, "height": 1080},
            locale="de-DE",
            timezone_id="Europe/Vienna",
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", note)
        page.goto(hall.url(reverse("screen", args=[event.slug])))
        return page

    def note(message):
        if message.type in {"error", "warning"} and not message.text.startswith(UNREACHABLE):
            complaints.append(message.text)

    yield show
    for context in contexts:
        context.close()
    assert complaints == []


def push(event, *changed):
    version = bump(event)
    payload = {"version": version, "changed": list(changed), "anchor": anchor_payload(event.clock)}
    publish(f"event-{event.pk}", payload, id=version)


def running(ago, **own):
    """Return an event whose clock was started some time ago."""
    event = make_event(timezone.now() - ago, **own)
    start(event, timezone.now() - ago)
    return event


def face(page, wanted, timeout=5000):
    page.wait_for_selector(f"body[data-face={wanted}]", timeout=timeout)


PROBED = "performance.getEntriesByType('resource').filter((r) => /now/.test(r.name)).length > 4"


def until(page, condition, seconds=8):
    """Wait for a condition of the page. Playwright's own way needs eval, which the page forbids."""
    last = time.monotonic() + seconds
    while not page.evaluate(condition):
        assert time.monotonic() < last, condition
        page.wait_for_timeout(30)


def shown_time(page):
    high, low = (page.inner_text(f"[data-part=time-{part}]") for part in ("high", "low"))
    return f"{high}:{low}"


MEASURE = """() => {
  const height = innerHeight;
  const share = (selector) => {
    const node = document.querySelector(selector);
    return node.getBoundingClientRect().height / height;
  };
  const texts = [...document.querySelectorAll("body *")].filter((node) =>
    !["SCRIPT", "svg", "path"].includes(node.tagName) && node.getBoundingClientRect().width
    && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const page = document.documentElement;
  return {
    time: share(".time"),
    blinds: share(".blinds"),
    smallest: Math.min(...texts.map((n) => parseFloat(getComputedStyle(n).fontSize))) / height,
    outside: texts.filter((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      return box.right > innerWidth + 1 || box.bottom > height + 1;
    }).map((node) => node.outerHTML),
    scrolls: page.scrollHeight > height || page.scrollWidth > innerWidth,
    pointer: getComputedStyle(document.body).cursor,
  };
}"""


@pytest.mark.parametrize(("ago", "wanted"), [(5, "playing"), (19.5, "warning"), (21, "break")])
def test_sizes_hold_on_every_screen(screen, ago, wanted):
    page = screen(running(minutes(ago), limit="split_limit", breaks={1: 10}))
    face(page, wanted)
    page.evaluate("document.fonts.ready")
    for width, height in SIZES.values():
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(MEASURE)
        assert seen["time"] >= 0.25
        assert seen["blinds"] >= 0.12
        assert seen["smallest"] >= 0.025
        assert seen["outside"] == []
        assert not seen["scrolls"]
        assert seen["pointer"] == "none"


def test_before_the_start_it_counts_down(screen):
    page = screen(make_event(timezone.now() + minutes(17.9)))
    face(page, "before")
    assert "Beginn um" in page.inner_text(".headline")
    assert shown_time(page).startswith("17:5")
    assert page.inner_text("[data-part=next-label]") == "Erste Stufe"
    assert page.inner_text("[data-part=next-blinds]") == "1 / 2"


def test_the_break_says_when_it_ends(screen):
    page = screen(running(minutes(22), breaks={1: 10}))
    face(page, "break")
    assert page.inner_text(".blinds").startswith("Zurück um ")
    assert page.inner_text("[data-part=next-blinds]") == "8 / 15"


def test_the_big_bet_is_shown_in_limit_games_only(screen):
    event = running(minutes(5), limit="split_limit")
    assert "Großer Einsatz 4" in screen(event).inner_text(".extras")
    event.limit = "no_limit"
    event.save()
    assert "Großer" not in screen(event).inner_text(".extras")


def test_a_pause_is_seen_at_once_and_so_is_the_end_of_it(screen):
    event = running(minutes(5))
    page = screen(event)
    face(page, "playing")
    act(event, ActionKind.PAUSED, timezone.now())
    push(event, "clock")
    face(page, "paused", 2000)
    assert "ANGEHALTEN" in page.inner_text(".headline").upper()
    stood = shown_time(page)
    time.sleep(1.5)
    assert shown_time(page) == stood
    act(event, ActionKind.STARTED, timezone.now())
    push(event, "clock")
    face(page, "playing", 2000)


def test_a_new_level_takes_the_screen_and_leaves_a_badge(screen):
    page = screen(running(minutes(20) - timedelta(seconds=2)))
    face(page, "warning")
    page.wait_for_selector("[data-part=takeover]", timeout=5000)
    seen = page.inner_text("[data-part=takeover]")
    assert [line for line in seen.splitlines() if line] == [
        "Stufe 2",
        "8 / 15",
        "gilt ab der nächsten Hand",
    ]


def test_after_that_a_badge_stays_until_the_level_is_a_minute_old(screen):
    page = screen(running(minutes(20) + timedelta(seconds=57)))
    face(page, "playing")
    assert page.is_hidden("[data-part=takeover]")
    assert "gilt ab der nächsten Hand" in page.inner_text(".extras")
    page.wait_for_selector("[data-part=new]", state="hidden", timeout=5000)


def test_the_level_changes_with_the_server_dead_and_the_return_is_noticed(hall, screen):
    event = running(minutes(20) - timedelta(seconds=6))
    page = screen(event)
    face(page, "warning")
    until(page, PROBED)
    hall.off()
    page.wait_for_selector("[data-part=known]", timeout=8000)
    assert page.inner_text("[data-part=known]").startswith("Stand ")
    page.wait_for_selector("[data-part=takeover]", timeout=8000)
    assert "8 / 15" in page.inner_text("[data-part=takeover]")
    act(event, ActionKind.PAUSED, timezone.now())
    bump(event)
    hall.on()
    page.wait_for_selector("[data-part=known]", state="hidden", timeout=4000)
    face(page, "paused", 2000)


@pytest.mark.parametrize("off_by", [90_000, -3_600_000])
def test_the_screens_own_clock_does_not_matter(screen, browser, off_by):
    event = running(minutes(5))
    script = f"const real = Date.now; Date.now = () => real() + {off_by};"
    pages = [screen(event), screen(event)]
    pages[1].add_init_script(script)
    pages[1].reload()
    time.sleep(1)
    shown = [shown_time(page) for page in pages]
    seconds = [60 * int(text[:2]) + int(text[-2:]) for text in shown]
    assert abs(seconds[0] - seconds[1]) <= 1


def test_an_idle_screen_asks_for_nothing(screen):
    page = screen(running(minutes(5)))
    time.sleep(2)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    time.sleep(5)
    assert asked == []


# When in its second the page turns to the next one, after hearing forty server times that come
# `late` ms after their time. The real ones are kept from it.
TURNS = """(late) => new Promise((resolve) => {
  dispatchEvent(new Event("pagehide"));
  for (let count = 0; count < 40; count += 1) {
    const detail = { now: Date.now() - late };
    document.body.dispatchEvent(new CustomEvent("krru:time", { detail }));
  }
  const turned = () => resolve(performance.now() % 1000);
  setTimeout(() => new MutationObserver(turned).observe(
    document.querySelector("[data-part=time-low]"), { childList: true, subtree: true },
  ), 1100);
})"""


def test_a_screen_follows_clocks_that_drift_apart(screen):
    page = screen(running(minutes(5)))
    until(page, PROBED)
    page.wait_for_timeout(300)
    before = page.evaluate(TURNS, 500)
    after = page.evaluate(TURNS, 900)
    assert 350 < (after - before) % 1000 < 450


def test_axe_finds_nothing(screen):
    from axe_playwright_python.sync_playwright import Axe

    page = screen(running(minutes(5)))
    face(page, "playing")
    found = Axe().run(page).response["violations"]
    assert [(item["id"], [node["html"] for node in item["nodes"]]) for item in found] == []


HEAR = """() => {
  window.heard = [];
  for (const name of ["change", "clock", "tables", "log", "registrations", "connected"]) {
    document.body.addEventListener(`krru:${name}`, () => window.heard.push(name));
  }
}"""


def test_pages_hear_what_changed_and_everything_when_they_missed_something(screen):
    event = running(minutes(5))
    page = screen(event)
    until(page, PROBED)
    page.evaluate(HEAR)
    push(event, "clock", "tables")
    until(page, "window.heard.includes('tables')")
    assert sorted(page.evaluate("window.heard")) == ["change", "clock", "tables"]
    bump(event)
    push(event, "log")
    until(page, "window.heard.includes('registrations')")


def test_a_stream_whose_token_ran_out_gets_a_new_one(screen, monkeypatch):
    monkeypatch.setattr("clock.stream.TOKEN_MAX_AGE_S", -1)
    event = running(minutes(5))
    page = screen(event)
    page.wait_for_selector("[data-part=known]", timeout=8000)
    monkeypatch.setattr("clock.stream.TOKEN_MAX_AGE_S", 60)
    page.wait_for_selector("[data-part=known]", state="hidden", timeout=15_000)
