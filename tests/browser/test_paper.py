"""Paper: it fills the pages it is meant for, nothing on it is cut, and its codes can be read."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.devices import LAPTOP
from tests.browser.evening_words import ABOUT
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.club.services.club import club_about_set
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Whether its code is large enough, nothing of it is cut, and everything lies within it.
SLIPS = """() => [...document.querySelectorAll(".slip")].map((slip) => [
    slip.querySelector(".slip-qr path").getBoundingClientRect().width / 96 * 25.4 >= 25,
    slip.scrollWidth <= slip.clientWidth && slip.scrollHeight <= slip.clientHeight,
    [...slip.querySelectorAll("p, strong, svg")].every((part) =>
        part.getBoundingClientRect().bottom <= slip.getBoundingClientRect().bottom),
])"""


def pages_of(page):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


def test_sheets_take_the_pages_they_are_meant_for(page, devices):
    event = f.make_running_event(25, name="Novembercup der Pokerfreunde Fürstenfeldbruck")
    call_service(club_about_set, club=event.club, by=SYSTEM, at=f.START, **ABOUT)
    for minute, entry in enumerate(f.entries_of(event)[1:]):
        f.out(event, entry, at=f.after(minute + 1))
    devices.sign_in(page, Role.DIRECTOR)
    for name, count in (("results", 1), ("paper-poster", 2), ("paper-blank", 3)):
        assert pages_of(devices.open(page, event, name)) == count, name
    event = f.make_seated_event(96, capacity=96)
    for name, least, most in (("paper-seats", 2, 3), ("paper-tables", 1, 2), ("slips", 12, 12)):
        assert least <= pages_of(devices.open(page, event, name)) <= most, name
    page.emulate_media(media="print")
    devices.open(page, event, "paper-seats", size=LAPTOP)
    head = page.locator(".seats-table thead").last
    assert head.evaluate("(head) => getComputedStyle(head).display") == "table-header-group"
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_code_on_a_slip_is_large_enough_and_nothing_is_cut(page, devices):
    event = f.make_seated_event(2)
    page.emulate_media(media="print")
    for way in ("", "Galerie, " * 7 + "dritte Tür"):
        Event.objects.filter(pk=event.pk).update(areas=[[1, 9, way]] if way else [])
        for query in ("", "?papier=etikett"):
            devices.open(page, event, "slips", role=Role.DESK, size=LAPTOP, query=query)
            expect(page.locator(".slip-way")).to_have_count(2 if way else 0)
            assert page.evaluate(SLIPS) == [[True, True, True]] * 2, query
    assert pages_of(page) == 2
