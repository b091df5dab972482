"""A chip race at three tables, on an arbiter's phone; the director sees which are missing."""

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.pressing import url_of
from tests.races import in_race
from tournaments.changes.access import COOKIE, Role
from tournaments.event.selectors.event import chips_in_play
from tournaments.models import ChipRace

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP, PHONE = {"width": 1366, "height": 650}, {"width": 390, "height": 664}
SMALL = {"width": 320, "height": 568}


def opened(browser, live_server, event, role, size):
    context = browser.new_context(viewport=size, locale="de-DE", base_url=live_server.url)
    token = f.sign_in(f"Gerät {role}", role, event).token
    context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    return context.new_page()


def looked_at(page):
    for size in (SMALL, PHONE):
        page.set_viewport_size(size)
        assert list(looking.axe_faults(page)) == []
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_a_race_at_three_tables(browser, live_server):
    chips = f.house().chip_sets.get(name="Steffen")
    event = in_race(f.make_running_event(12, seats=4, chip_set=chips), 1)
    before = chips_in_play(event)[0]
    director = opened(browser, live_server, event, Role.DIRECTOR, LAPTOP)
    arbiter = opened(browser, live_server, event, Role.ARBITER, PHONE)
    director.goto(url_of(event, "director"))
    expect(director.get_by_text("Es fehlt: 1, 2, 3.")).to_be_visible()
    arbiter.goto(url_of(event, "floor"))
    arbiter.get_by_role("link", name="Chip Race").click()
    looked_at(arbiter)
    for table in (1, 2, 3):
        arbiter.get_by_role("link", name=f"Eintauschen Tisch {table}").click()
        fields = arbiter.get_by_label("Chips zu 1")
        expect(fields).to_have_count(4)
        for field, count in enumerate((4, 3, 2, 1)):
            fields.nth(field).fill(str(count))
        if table == 1:
            looked_at(arbiter)
        arbiter.get_by_role("button", name="Karten geben und eintauschen").click()
        expect(arbiter.get_by_text("gewinnt", exact=True)).to_have_count(2)
        if table == 1:
            looked_at(arbiter)
        arbiter.get_by_role("link", name="Alle Tische").click()
        expect(arbiter.get_by_text("fertig", exact=True)).to_have_count(table)
    expect(director.get_by_text("Es fehlt")).to_have_count(0)
    assert ChipRace.objects.live().count() == 3
    assert chips_in_play(f.fresh(event))[0] == before
    director.context.close()
    arbiter.context.close()
