"""The smallest phones and the largest text: places of parts, in brief states, too."""

import re

import pytest
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser import looking
from tests.browser.devices import SMALL, faults, tell
from tests.buying import TERMS, lose
from tests.services.dealing import move
from tests.waits import intercept, lengthen
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Person, Seating
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.play.services.conduct import seating_arrive
from tournaments.play.services.hands import hand_begin
from tournaments.prizes.domain.plans import PrizePlan, Way

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TALL = {"width": 390, "height": 844}
SIZES = (TALL, {"width": 360, "height": 740}, {"width": 844, "height": 390}, SMALL)
LONG = "Maximiliane Obermüller-Hinterhuber"
FONT = "(one) => parseFloat(getComputedStyle(one).fontSize)"
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
    lengthen(page, 8000)  # for which a hand begun can be taken back
    told = page.locator("[data-tell]")
    expect(told).to_contain_text(f"{LONG} geht an Tisch 2, Platz")
    expect(page.locator(".seat-map-note")).to_have_text(["5 spielen", "1 ohne Chips", "1 zieht um"])
    expect(page.locator(".seat.is-held [data-until]")).to_have_text("4:30")
    expect(page.locator(".seat.is-moving")).to_contain_text("→ Tisch 2")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.click(".next-hand")
        expect(page.locator("#hand-begun")).to_contain_text("läuft seit 19:03:00")
        for size in SIZES:
            page.set_viewport_size(size)
            assert faults(page) == page.evaluate(OVERLAPS) == [], (scheme, size)
            assert box(page, ".hand-undo")["height"] >= 44
        assert scheme == "light" or list(looking.faint_faults(page)) == []
        page.click(".hand-undo")
        expect(page.locator("#hand-begun")).to_be_empty()
    assert box(page, ".seat-face")["height"] >= 48  # on the smallest phone
    for px in (24, 32):
        large_text(page, px)
        for size in SIZES:
            page.set_viewport_size(size)
            assert faults(page) == page.evaluate(OVERLAPS) == [], (px, size)
            assert box(page, ".next-hand")["height"] >= 56
    page.get_by_role("button", name="Gesagt").click()
    expect(told).to_be_hidden()
    page.reload()
    expect(page.locator(".seat.is-moving")).to_contain_text("→ Tisch 2")
    expect(told).to_be_hidden()


@pytest.fixture
def near():
    """Return an evening shortly before the money, with prizes, and somebody's own page."""
    event = f.make_running_event(9, seats=5, paid_places=3, fee_cents=2000)
    f.drive(prizes_plan, event, 1, plan=PrizePlan(way=Way.CURVE), typed_places=3)
    for row in f.entries_of(event):
        f.drive(fee_pay, event, 1, registration=row.registration)
    f.out(event, *f.at_table(event, 2)[:3], at=f.after(2))
    return f.fresh(event)


def test_a_player_sees_time_blinds_seat_and_the_money_at_once(page, devices, near):
    one = f.at_table(near, 1)[0]
    f.drive(seating_arrive, near, 3, seatings=[Seating.objects.live().get(entry=one)])
    devices.own(page, one.registration, TALL)
    table, seat = f.seat_of(one)
    line = page.locator("#player-seat summary")
    expect(line).to_contain_text(f"Tisch {table}, Platz {seat}")
    expect(page.locator(".near")).to_have_text("Noch 3 bis zum Geld")
    expect(page.locator(".prize-lines li")).to_have_count(3)
    assert box(page, ".clock-remaining")["height"] >= 80
    assert bottom(page, ".clock-blinds") <= 300
    assert bottom(page, "#player-seat summary") <= 440
    page.set_viewport_size(SMALL)
    assert float(page.locator(".clock-remaining").evaluate(FONT)) >= 80
    assert float(page.locator(".clock-blinds").evaluate(FONT)) >= 33
    for selector in (".clock-blinds", "#player-seat summary", "[data-room=left]", ".near"):
        assert bottom(page, selector) <= SMALL["height"], selector
    line.click()
    expect(page.locator(".seat.is-me")).to_be_visible()
    large_text(page, 32)
    for size in SIZES:
        page.set_viewport_size(size)
        assert faults(page) == [], size


def test_those_at_home_follow_clock_outs_and_prizes_on_any_phone(page, devices, near):
    intercept(page, re.compile("/stream/"), lambda _route: None)  # it is told by hand
    devices.open(page, near, "tournament", size=TALL)
    expect(page.locator(".live-outs li")).to_have_count(3)
    expect(page.locator(".live-prizes .is-next")).to_contain_text("3. Platz")
    assert bottom(page, ".clock-blinds") <= 300
    assert page.locator(".button-accent").count() == 0
    f.out(near, f.at_table(near, 1)[0], at=f.after(4))
    tell(page, "entries")
    expect(page.locator(".near")).to_have_text("Noch 2 bis zum Geld")
    expect(page.locator(".live-outs li:visible")).to_have_count(3)
    large_text(page, 32)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for size in SIZES:
            page.set_viewport_size(size)
            assert faults(page) == [], (scheme, size)
    # At the end it becomes the page of an evening that is over.
    f.drive(event_end, near, 5)
    tell(page, "settings")
    expect(page.get_by_role("link", name="Zum Ergebnis").first).to_be_visible()
