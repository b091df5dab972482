"""The director's first minute on the smallest laptop: wrong moves first, then what was wanted."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from clock.models import ClockAction
from clock.servertime import server_time
from tests import factories as f
from tests.browser import looking
from tests.bubble import begin, report
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Elimination, Person
from tournaments.play.services.conduct import penalty_give

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALLEST = {"width": 1366, "height": 650}
SIZES = (SMALLEST, {"width": 1280, "height": 720})
PANES = """() => [...document.querySelectorAll(".dashboard, .dashboard *")].filter((one) =>
  /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1
).map((one) => one.className)"""
IN_SIGHT = """() => {
  const foot = document.querySelector(".dashboard-log").getBoundingClientRect().top;
  return [...document.querySelectorAll(".table-card")]
    .filter((one) => one.getBoundingClientRect().bottom <= foot + 1).length;
}"""

CUT_NAMES = """() => [...document.querySelectorAll(".seat-player")].filter((one) =>
  one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1
).map((one) => `${one.textContent}: ${one.clientWidth} of ${one.scrollWidth}`)"""
FIRST_NAMES = ("Hanno", "Christoph", "Wolfgang", "Jörg", "Magdalena")


@pytest.fixture
def event():
    return f.make_running_event(35, seats=5)


@pytest.fixture
def laptop(page, live_server, event):
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    page.set_viewport_size(SMALLEST)
    page.goto(live_server.url + reverse("director", args=[event.slug]))
    return page


def test_the_first_minute(laptop, event):
    seven_tables_are_in_sight(laptop)
    a_double_click_puts_nobody_out(laptop, event)
    stray_keys_do_nothing(laptop, event)
    who_is_looked_for_is_opened(laptop)
    the_clock_is_in_reach(laptop, event)
    assert list(looking.axe_faults(laptop)) == []


def seven_tables_are_in_sight(laptop):
    assert laptop.evaluate(PANES) == []
    assert laptop.evaluate(IN_SIGHT) == 7
    assert laptop.evaluate("document.documentElement.scrollWidth") <= SMALLEST["width"]


def a_double_click_puts_nobody_out(laptop, event):
    laptop.locator("#table-2 button.seat-face").first.dblclick()
    expect(laptop.locator("dialog#sheet")).to_be_visible()
    expect(laptop.locator("dialog#sheet")).to_contain_text("Mehrere aus")
    expect(laptop.locator(".htmx-request")).to_have_count(0)
    assert not Elimination.objects.filter(event=event).exists()
    laptop.keyboard.press("Escape")
    expect(laptop.locator("dialog#sheet")).to_be_hidden()


def stray_keys_do_nothing(laptop, event):
    before = ClockAction.objects.filter(clock=event.clock).count()
    # Each entry of a menu can be pressed as it opens, the last one above the line of the log, too.
    for menu, last in (("Saal", "Helfer anmelden"), ("Turnier", "Absagen …")):
        laptop.locator(".menu summary", has_text=menu).click()
        entry = laptop.get_by_role("link", name=last)
        expect(entry).to_be_in_viewport(ratio=1)
        entry.click(trial=True)
        laptop.keyboard.press("Escape")
    for key in ("ArrowRight", "ArrowLeft", "ArrowUp"):
        laptop.keyboard.press(key)
    laptop.locator(".menu summary", has_text="Turnier").click()
    expect(laptop.get_by_role("link", name="Beenden …")).to_be_visible()
    laptop.keyboard.press("Escape")
    expect(laptop.get_by_role("link", name="Beenden …")).to_be_hidden()
    assert ClockAction.objects.filter(clock=event.clock).count() == before


def who_is_looked_for_is_opened(laptop):
    laptop.keyboard.press("/")
    laptop.keyboard.type("020")
    laptop.keyboard.press("Enter")
    expect(laptop.locator("dialog#sheet")).to_contain_text("Spieler 020")
    laptop.keyboard.press("Escape")
    laptop.fill("#find", "")


def the_clock_is_in_reach(laptop, event):
    top = laptop.locator("#clock-main").bounding_box()["y"]
    laptop.click("#clock-plus-five")
    line = laptop.locator("#director-log .log > li").first
    expect(line).to_contain_text("5 Minuten mehr")
    laptop.click("#clock-plus-five")
    expect(line).to_contain_text("2 Mal")
    laptop.click("#clock-break")
    laptop.get_by_role("button", name="10 Minuten Pause").click()
    expect(laptop.locator("[data-clock-show=level]").first).to_have_text("Pause")
    expect(line).to_contain_text("Pause von 10 Minuten")
    assert laptop.locator("#clock-main").bounding_box()["y"] == top
    laptop.locator("#log-more > summary").click()
    expect(laptop.locator("#director-log .log > li").nth(3)).to_be_visible()
    laptop.locator("#log-more > summary").click()


def test_at_the_bubble_seven_full_tables_and_all_its_buttons_are_in_sight(
    page, live_server, monkeypatch
):
    event = f.make_running_event(63, seats=9, paid_places=60, capacity=63)
    f.out(event, f.at_table(event, 7)[0], at=f.after(10))  # from then on there is a forecast, too
    begin(event)
    for table in (1, 4):
        report(event, table, 0)
    monkeypatch.setattr(server_time, "now", lambda: f.after(25))
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(live_server.url + reverse("director", args=[event.slug]))
        expect(page.locator(".end-line")).to_contain_text("Schluss gegen")
        assert page.evaluate(IN_SIGHT) == 7
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.locator(".seat-face:visible").count() == 63
        for part in ("#director-facts", "#clock-main", "#round-release", "#hand-for-hand-end"):
            expect(page.locator(part)).to_be_in_viewport(ratio=1)
        expect(page.locator(".bubble-tables > li")).to_have_count(7)
        waiting = page.locator(".bubble-tables .hand-done summary")
        expect(waiting).to_have_count(5)
        for button in waiting.all():
            expect(button).to_be_in_viewport(ratio=1)
        assert list(looking.axe_faults(page)) == []
    waiting.first.click()
    said = page.get_by_role("button", name="Nein, oder schon eingetragen").first
    said.click()
    expect(waiting).to_have_count(4)
    expect(page.locator(".bubble-round")).to_contain_text("3 von 7 Tischen fertig")
    assert list(looking.axe_faults(page)) == []


def test_names_stand_whole_beside_their_marks(page, live_server):
    event = f.make_running_event(18, seats=6)
    for number, person in enumerate(Person.objects.filter(registrations__event=event)):
        person.name = f"{FIRST_NAMES[number % len(FIRST_NAMES)]} Maier"
        person.save()
    for minute, entry in enumerate(f.entries_of(event)):
        f.drive(
            penalty_give, event, 9 + minute, entry=entry, kind="hands", amount=1, reason="Handy"
        )
    dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
    page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(live_server.url + reverse("director", args=[event.slug]))
        expect(page.locator(".seat-penalty")).to_have_count(18)
        assert page.evaluate(CUT_NAMES) == []
