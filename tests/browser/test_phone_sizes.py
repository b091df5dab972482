"""Phones at their smallest and with the largest text: what stands where, also for seconds alone."""

import pytest
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser import looking
from tests.browser.devices import SMALL, faults
from tests.buying import TERMS, lose
from tests.services.at_tables import move
from tournaments.changes.access import Role
from tournaments.event.services.clock import clock_pause
from tournaments.models import Person
from tournaments.play.services.hands import hand_begin

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TALL = {"width": 390, "height": 844}
LONG = "Maximiliane Obermüller-Hinterhuber"
# Two that can both be pressed and lie on each other.
OVERLAPS = """() => {
  const all = [...document.querySelectorAll("button, a[href], [role=status], .clock-strip")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.textContent.trim())
    .filter((one) => one.closest(".action-bar, #floor-table"))
    .map((one) => [one, one.getBoundingClientRect(), !!one.closest(".action-bar")]);
  return all.flatMap(([one, a, isBar], at) => all.slice(at + 1)
    .filter(([other, b, too]) => isBar === too && !one.contains(other) && !other.contains(one)
      && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
    .map(([other]) => `${one.textContent.trim()} / ${other.textContent.trim()}`));
}"""


@pytest.fixture
def event(monkeypatch):
    """Return an evening with a held seat and somebody on the way from table 1 to table 2."""
    event = f.make_running_event(14, seats=8, **TERMS)
    one = f.at_table(event, 1)
    Person.objects.filter(pk=one[2].registration.person_id).update(name=LONG)
    f.drive(hand_begin, event, 2, table=f.table_of(event, 1), button=f.seat_of(one[0])[1])
    lose(event, one[3], 2.5)
    move(event, one[2], 3)
    monkeypatch.setattr(server_time, "now", lambda: f.after(3))
    return f.fresh(event)


def large_text(page, px):
    """Let the browser's own text be so large; the session has to stay."""
    page.large = page.context.new_cdp_session(page)
    page.large.send("Page.enable")
    page.large.send("Page.setFontSizes", {"fontSizes": {"standard": px, "fixed": px}})
    page.reload()


def box(page, selector):
    return page.locator(selector).filter(visible=True).first.bounding_box()


def bottom(page, selector):
    found = box(page, selector)
    return found["y"] + found["height"]


def test_an_arbiter_reads_and_presses_all_in_any_text_and_light(page, devices, event):
    devices.open(page, event, "floor-table", 1, role=Role.ARBITER, size=TALL)
    tell = page.locator("[data-tell]")
    expect(tell).to_contain_text(f"{LONG} geht an Tisch 2, Platz")
    expect(page.locator(".seat-map-note")).to_have_text(["5 spielen", "1 ohne Chips", "1 zieht um"])
    expect(page.locator(".seat.is-held [data-until]")).to_have_text("4:30")
    expect(page.locator(".seat.is-moving")).to_contain_text("→ Tisch 2")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.click(".next-hand")
        expect(page.locator("#hand-begun")).to_contain_text("läuft seit 19:03:00")
        for size in (TALL, SMALL):
            page.set_viewport_size(size)
            assert faults(page) == page.evaluate(OVERLAPS) == [], (scheme, size)
            assert box(page, ".hand-undo")["height"] >= 44
        assert scheme == "light" or list(looking.faint_faults(page)) == []
        page.click(".hand-undo")
        expect(page.locator("#hand-begun")).to_be_empty()
    for px in (24, 32):
        large_text(page, px)
        for size in (TALL, SMALL):
            page.set_viewport_size(size)
            assert faults(page) == page.evaluate(OVERLAPS) == [], (px, size)
            assert box(page, ".next-hand")["height"] >= 56
    page.get_by_role("button", name="Gesagt").click()
    expect(tell).to_be_hidden()
    page.reload()
    expect(page.locator(".seat.is-moving")).to_contain_text("→ Tisch 2")
    expect(tell).to_be_hidden()
