"""Every face of the big screen in a real Chromium: what it says, and that a hall can read it."""

import pytest
from django.utils import timezone

from tests.browser import looking
from tests.browser.faces import FACES, resized, shown_anew
from tests.calling import call_service
from tests.clock.evening import minutes
from tests.clock.hall import SIZES, face, measured, push, running
from tests.waits import until
from tournaments.changes.access import SYSTEM
from tournaments.club.services.club import club_colour_set, club_logo_set

pytest_plugins = ["tests.clock.fixtures", "tests.browser.faces"]
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ASKED_OF_AXE = ("hand-for-hand", "last-hands", "waiting", "colour-up", "money")
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20">
  <rect width="60" height="20" fill="#7a1f2b"/></svg>"""


SHARES = 2


@pytest.mark.parametrize("share", range(SHARES))
def test_every_face_can_be_read_on_every_screen(guests, figures, share):
    page = None
    for name in list(FACES)[share::SHARES]:
        wanted = FACES[name]
        page, _event = shown_anew(page, guests, wanted.make)
        face(page, wanted.face)
        # A new page may hear of a pointer at rest.
        until(page, "!document.body.classList.contains('has-pointer')")
        seen = page.inner_text("body").lower()
        assert [text for text in wanted.texts if text.lower() not in seen] == [], name
        if wanted.face == "ended":  # only an evening that was played has a cup
            assert page.is_visible("[data-part=cup]") is (name == "ended")
        if name in ASKED_OF_AXE:
            page.emulate_media(reduced_motion="reduce")
            assert list(looking.axe_faults(page)) == [], name
            page.emulate_media(reduced_motion="no-preference")
        for width, height in resized(page, SIZES.values()):
            page.wait_for_timeout(100)  # what is fitted to the window is fitted after that
            assert unreadable(measured(page), wanted) == [], f"{name}, {width} x {height}"


def unreadable(seen, wanted):
    """Return what is too small, outside, or covered."""
    least = {"smallest": 0.025}
    least |= {"time": 0.25} if wanted.has_time else {}
    least |= {"ready": 0.2} if wanted.face == "waiting" else {}
    least |= {"blinds": 0.12} if wanted.has_blinds else {}
    small = [f"{part}: {seen[part]}" for part, share in least.items() if seen[part] < share]
    odd = {"scrolls": seen["scrolls"], "pointer": seen["pointer"] != "none"}
    return [*small, *seen["outside"], *seen["covered"], *[part for part in odd if odd[part]]]


BRASS = "getComputedStyle(document.querySelector('.blinds')).color"


def test_the_clubs_colour_and_logo_come_without_loading_the_page_again(screen):
    event = running(minutes(5))
    page = screen(event)
    face(page, "playing")
    assert page.evaluate(BRASS) == "rgb(245, 196, 69)"
    assert page.is_hidden("[data-part=logo]")
    page.evaluate("window.isThere = true")
    said = {"club": event.club, "by": SYSTEM, "at": timezone.now()}
    call_service(club_colour_set, **said, colour="#12315e")
    call_service(club_logo_set, **said, data=SVG)
    push(event, "settings")
    page.wait_for_selector("[data-part=logo] img")
    until(page, "document.querySelector('[data-part=logo] img').naturalWidth > 0")
    assert page.locator("[data-part=logo]").bounding_box()["height"] > 40
    # The colour is made lighter until it can be read on the dark ground.
    page.wait_for_timeout(300)
    assert page.evaluate(BRASS) == "rgb(110, 158, 227)"
    assert page.evaluate("window.isThere")
    page.reload()
    face(page, "playing")
    assert page.evaluate(BRASS) == "rgb(110, 158, 227)"
