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
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.public.selectors.told import overlay_key

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DELAY = 6


def overlay_of(event, element):
    return reverse("overlay", args=[event.slug, overlay_key(event), element])


def test_an_overlay_tells_an_out_after_its_delay_and_asks_nothing_while_idle(guests):
    event = f.make_seated_event(9, starts_at=now(), stream_delay=DELAY)
    call_service(clock_start, event=event, by=SYSTEM, at=now() - timedelta(minutes=2))
    page = guests.open(f"{overlay_of(event, 'left')}?theme=dark")
    box = page.locator(".overlay-large")
    expect(box).to_have_text("9 / 9")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(500)
    assert not [url for url in asked if "/overlay/" in url]
    out_at = now()
    f.out(event, f.entries_of(event)[-1], at=out_at)
    expect(box).to_have_text("8 / 9")
    assert now() - out_at >= timedelta(seconds=DELAY)
    # Once, and once more if the stream was lost meanwhile.
    assert len([url for url in asked if "/overlay/" in url]) <= 2
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"


def test_the_clock_of_an_overlay_stands_as_much_later(guests):
    event = f.make_seated_event(9, starts_at=now(), stream_delay=DELAY)
    call_service(clock_start, event=event, by=SYSTEM, at=now() - timedelta(minutes=2))
    page = guests.open(overlay_of(event, "clock"))
    expect(page.locator("[data-clock-state=running]")).to_have_count(1)
    paused = now()
    call_service(clock_pause, event=event, by=SYSTEM, at=paused)
    expect(page.locator("[data-clock-state=paused]")).to_have_count(1)
    assert now() - paused >= timedelta(seconds=DELAY)


def test_an_overlay_that_slept_is_right_as_soon_as_it_is_shown(guests):
    event = f.make_seated_event(9, starts_at=now(), stream_delay=1)
    call_service(clock_start, event=event, by=SYSTEM, at=now() - timedelta(minutes=2))
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


def test_the_page_for_all_follows_as_late_as_the_stream(guests):
    event = f.make_seated_event(9, starts_at=now(), stream_delay=DELAY)
    call_service(clock_start, event=event, by=SYSTEM, at=now() - timedelta(minutes=2))
    page = guests.open(url_of(event, "tournament"))
    left = page.locator("#live .stats dd").first
    expect(left).to_contain_text("9")
    told_at = now()
    f.out(event, f.entries_of(event)[-1], at=told_at)
    call_service(clock_pause, event=event, by=SYSTEM, at=now())
    expect(page.locator(".live-outs li")).to_have_count(1)
    expect(left).to_contain_text("8")
    expect(page.locator("#live [data-clock-state=paused]")).to_have_count(1)
    assert now() - told_at >= timedelta(seconds=DELAY)
