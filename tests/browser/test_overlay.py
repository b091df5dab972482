"""The overlay of a stream in a browser: late by its delay, and asking nothing meanwhile."""

import time
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now
from playwright.sync_api import expect

from tests import factories as f
from tests.calling import call_service
from tests.pressing import url_of
from tests.waits import until
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.public.selectors.told import overlay_key

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DELAY = 6


def overlay_of(event, element):
    return reverse("overlay", args=[event.slug, overlay_key(event), element])


def running(delay=DELAY):
    event = f.make_seated_event(9, starts_at=now(), stream_delay=delay)
    call_service(clock_start, event=event, by=SYSTEM, at=now() - timedelta(minutes=2))
    return event


# When something is first said there, by this machine's clock.
NOTE_TOLD = """([one, text]) => {
  const said = () => document.querySelector(one)?.textContent.replace(/\\s+/g, " ") ?? "";
  const look = () => {
    if (said().includes(text)) window.toldAt = Date.now();
    else setTimeout(look, 50);
  };
  look();
}"""


def test_overlays_and_the_page_for_all_follow_after_the_delay_and_ask_nothing_while_idle(guests):
    event = running()
    left = guests.open(f"{overlay_of(event, 'left')}?theme=dark")
    clock = guests.open(overlay_of(event, "clock"))
    public = guests.open(url_of(event, "tournament"))
    box = left.locator(".overlay-large")
    expect(box).to_have_text("9 / 9")
    expect(clock.locator("[data-clock-state=running]")).to_have_count(1)
    expect(public.locator("#live .stats dd").first).to_contain_text("9")
    asked = []
    left.on("request", lambda request: asked.append(request.url))
    left.wait_for_timeout(500)
    assert not [url for url in asked if "/overlay/" in url]
    left.evaluate(NOTE_TOLD, [".overlay-large", "8 / 9"])
    clock.evaluate(NOTE_TOLD, ["[data-clock-state=paused]", ":"])
    public.evaluate(NOTE_TOLD, [".live-outs li", "9"])
    out_at = now()
    f.out(event, f.entries_of(event)[-1], at=out_at)
    call_service(clock_pause, event=event, by=SYSTEM, at=now())
    for page in (left, clock, public):
        until(page, "window.toldAt !== undefined")
        assert page.evaluate("toldAt") >= 1000 * (out_at.timestamp() + DELAY)
    expect(box).to_have_text("8 / 9")
    expect(public.locator("#live .stats dd").first).to_contain_text("8")
    expect(public.locator("#live [data-clock-state=paused]")).to_have_count(1)
    # Once for each of the two, and once more if the stream was lost meanwhile.
    assert len([url for url in asked if "/overlay/" in url]) <= 3
    ground = left.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"


def test_an_overlay_that_slept_is_right_as_soon_as_it_is_shown(guests):
    event = running(delay=1)
    page = guests.open(overlay_of(event, "left"))
    expect(page.locator(".overlay-large")).to_have_text("9 / 9")
    state = page.context.new_cdp_session(page)
    state.send("Page.setWebLifecycleState", {"state": "frozen"})
    f.out(event, f.entries_of(event)[-1], at=now())
    time.sleep(2)
    state.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator(".overlay-large")).to_have_text("8 / 9")


def test_the_page_of_all_overlays_gives_addresses_and_renews_them(guests):
    event = f.make_running_event(9)
    before = overlay_of(event, "clock")
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    page = guests.open(f"{url_of(event, 'overlays')}?theme=clear&table=1", cookie=dora.token)
    expect(page.locator(".code-link")).to_have_count(7)
    expect(page.locator(".code-link").first).to_contain_text(f"{before}?theme=clear&table=1")
    guests.may_fail += ["/overlay/"]  # a preview that still loads from an old address
    page.click("#overlays-renew")
    expect(page.locator(".code-link").first).not_to_contain_text(before)
    expect(page.locator(".code-link").first).to_contain_text(overlay_of(f.fresh(event), "clock"))
    page.emulate_media(color_scheme="dark")
    frame = page.locator(".overlay-preview").first
    page_inside = frame.content_frame.locator("html")
    inside = page_inside.evaluate("(one) => getComputedStyle(one).colorScheme")
    # Where they differ the browser paints a ground, and a preview is not transparent.
    expect(frame).to_have_css("color-scheme", inside)
