"""Lists and names on the wall: whole, even, and as large as a hall needs, whatever the names."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.faces import resized
from tests.browser.test_screen_fit import FAULTS, FIGURES, SIZES
from tests.browser.test_screens import direct, paired, running
from tests.calling import call_service
from tests.clock.hall import SIZES as ALL_SIZES
from tests.clock.hall import STILL, measured
from tests.rasters import LOGO
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.club.services.club import club_logo_set
from tournaments.models import Club, Person
from tournaments.money.services.fees import fee_pay
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move, table_break

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
UPRIGHT = {"width": 720, "height": 1280}
LONG = "Hans-Peter Freiherr von Hohenstein"


FONTS = """performance.getEntriesByType("resource").map(({ name }) => name)
    .filter((name) => name.includes(".woff2")).map((name) => name.split("/").pop())"""


def faults(page):
    """Return what does not stand whole. A very long name may end in dots after two lines."""
    found = []
    for _width, height in resized(page, SIZES):
        page.wait_for_timeout(150)
        found += [f"{height}p: {fault}" for fault in page.evaluate(FAULTS, FIGURES)]
    return [fault for fault in found if not fault.endswith(": cut")]


def named(event, name=LONG):
    """Give everybody the longest of names, in full."""
    Club.objects.update(has_hall_names=False)
    for person in Person.objects.filter(registrations__event=event):
        person.name = person.sort_name = f"{name} {person.pk}"
        person.save()
    return event


def at_every_size(page, sizes=ALL_SIZES):
    """Load the page anew in windows of all sizes, one after the other."""
    for size in sizes:
        width, height = ALL_SIZES[size]
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        yield size


def test_every_list_is_readable_at_every_size(open_page):
    event = running(40)
    page, row = paired(open_page, event, shows="moves")
    for size in at_every_size(page, ("beamer", "upright")):
        page.wait_for_selector("[data-part=hall-empty]:has-text('niemand umgesetzt')")
        found = measured(page, ".hall")
        assert (found["outside"], found["scrolls"]) == ([], False), size
        title, strip = (page.locator(part).bounding_box() for part in (".hall-title", ".strip"))
        assert title["y"] >= strip["y"] + strip["height"], size
    f.out(event, *f.entries_of(event)[30:33], at=timezone.now(), is_one_hand=False)
    move_one(event, f.entries_of(event)[0])
    for shows in ("seating", "moves", "places"):
        direct(event, row, shows=shows)
        page.wait_for_selector(f"body[data-hall={shows}]")
        for size in at_every_size(page, ("beamer", "4k", "upright")):
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


def test_a_payment_takes_the_room_of_what_comes_next_and_many_moves_show_themselves(open_page):
    event = named(running(32, fee_cents=1000))
    page, _row = paired(open_page, event)
    page.wait_for_selector("body[data-hall=clock]")
    expect(page.locator("[data-part=next-blinds]")).to_be_visible()
    said = {"event": event, "by": SYSTEM, "at": timezone.now()}
    call_service(fee_pay, **said, registration=f.entries_of(event)[0].registration)
    expect(page.locator("[data-part=pot-amount]")).to_have_text("10 €")
    expect(page.locator("[data-part=next-blinds]")).to_be_hidden()
    for entry in f.at_table(event, 4)[3:]:
        f.out(event, entry, at=timezone.now())
    made = {"event": f.fresh(event), "by": SYSTEM, "at": timezone.now()}
    table_break(Command(**made), table=f.table_of(event, 4))
    page.wait_for_selector("body[data-hall=moves]")
    page.wait_for_selector("li.hall-moves >> nth=1")


def test_a_single_move_uses_the_width_for_the_name(open_page):
    event = named(running(24))
    move_one(event, f.entries_of(event)[0])
    page, _row = paired(open_page, event, shows="moves")
    page.wait_for_selector("li.hall-moves")
    page.set_viewport_size({"width": 1280, "height": 720})
    until(page, "innerWidth === 1280")
    name = page.locator("li.hall-moves span").nth(1)
    assert name.inner_text().startswith(LONG)
    until(page, "[...document.querySelectorAll('li.hall-moves span')]"
                ".every((one) => one.scrollWidth <= one.clientWidth)")  # fmt: skip


def test_the_final_table_the_last_two_and_the_podium_have_their_names(open_page, monkeypatch):
    address = "http://192.168.1.20:8000"
    monkeypatch.setattr(
        "tournaments.screens.views.big_screen.hall_url", lambda _asked, path: address + path
    )
    event = named(running(10))
    club_logo_set(ClubCommand(club=event.club, by=SYSTEM, at=timezone.now()), data=LOGO)
    page, _row = paired(open_page, event)
    page.wait_for_selector(".final-plate")
    *others, second, winner = f.entries_of(event)
    for players in (10, 2):
        if players == 2:
            f.out(event, *others, at=timezone.now(), is_one_hand=False)
            page.wait_for_selector(".final:has-text('Heads-up')", state="attached")
        until(page, f"document.querySelectorAll('.final-name').length === {players}")
        assert faults(page) == []
        upright(page)
        until(page, "document.querySelector('.wall').getBoundingClientRect().right <= innerWidth")
    f.out(event, second, at=timezone.now())
    page.wait_for_selector("body[data-face=ended]")
    assert page.inner_text(".winner") == winner.registration.person.name
    places = [page.inner_text(f".step-{step} .step-place") for step in (1, 2, 3)]
    assert places == ["1.", "2.", "3."]
    assert page.inner_text(".step-2 .step-name") == second.registration.person.name
    assert page.is_visible("[data-part=end-qr] svg")
    until(page, "document.querySelector('.end-logo img').naturalWidth > 0")
    assert faults(page) == []
    upright(page)
    step, code = (page.locator(one).bounding_box() for one in (".step-2", "[data-part=end-qr] svg"))
    assert step["width"] > UPRIGHT["width"] / 5
    assert step["y"] + step["height"] <= code["y"]


def upright(page):
    page.set_viewport_size(UPRIGHT)
    until(page, f"innerWidth === {UPRIGHT['width']}")
    page.wait_for_timeout(150)


def test_nothing_of_an_umlaut_is_cut_in_the_list(open_page):
    event = named(running(24), "Übermut Ägöÿ")
    page, _row = paired(open_page, event, shows="seating")
    for height in (720, 1080):
        page.set_viewport_size({"width": height * 16 // 9, "height": height})
        page.reload()
        page.wait_for_selector("li.hall-seating")
        until(page, STILL)
        line = page.locator("li.hall-seating").nth(3)
        name = line.locator("span").first
        box = line.bounding_box()
        around = {**box, "y": box["y"] - 6, "height": box["height"] + 12}
        as_shown = page.screenshot(clip=around)
        page.locator("li.hall-seating span").evaluate_all(
            "nodes => nodes.forEach((node) => { node.style.overflow = 'visible'; })"
        )
        assert name.evaluate("node => getComputedStyle(node).overflow") == "visible"
        assert page.screenshot(clip=around) == as_shown, height


def test_the_wall_has_the_letters_of_its_names_before_they_are_shown_and_no_icons(open_page):
    event = running(3)
    page, _row = paired(open_page, event)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for name, more in (("Jürgen Groß-Özil", []), ("Łukasz Peña", ["krru", "krru-ext"])):
        named(event, name)
        page.reload()
        page.wait_for_load_state("networkidle")
        until(page, f"{FONTS}.length === {1 + len(more)}")
        loaded = page.evaluate(FONTS)
        assert sorted(font.split(".")[0] for font in loaded) == sorted(["krru-wall", *more])
    assert any(re.search(r"/screen[^/]*\.js$", url) for url in asked)
    assert not [url for url in asked if "icons" in url]
