"""The public pages as a visitor handles them: another language, sharing, paper."""

import re

import pytest
from django.utils import timezone

from tests import factories as f
from tests.browser.evening_words import ABOUT
from tests.calling import call_service
from tests.views.pages import soon
from tests.waits import until
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.club.services.club import club_about_set

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def pages_of(page):
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


@pytest.fixture
def phone(browser):
    context = browser.new_context(
        locale="de", viewport={"width": 390, "height": 664}, has_touch=True
    )
    yield context.new_page()
    context.close()


def test_another_language_keeps_what_was_typed_and_the_link_is_the_tournaments(phone, live_server):
    event = soon()
    phone.goto(f"{live_server.url}/t/{event.slug}/?da=x")
    phone.get_by_label("Dein Name").fill("Petra Probst")
    listed = phone.get_by_label("Mein Name darf")
    assert not listed.is_checked()
    listed.check()
    top = phone.evaluate("scrollY")
    # Pressed where it is: the driver of the browser would scroll to it first.
    phone.get_by_role("button", name="English").evaluate("(button) => button.click()")
    until(phone, "document.documentElement.lang === 'en'")
    assert phone.locator("[name=name]").input_value() == "Petra Probst"
    assert phone.locator("[name=is_listed]").is_checked()
    assert not phone.locator("[name=agrees_to_rules]").is_checked()
    assert top > 0
    assert abs(phone.evaluate("scrollY") - top) < 60
    # It is put back once, and not when the page is opened again.
    phone.reload()
    assert phone.locator("[name=name]").input_value() == ""
    # On plain http a browser does not know how to share: it copies.
    phone.evaluate(
        "addEventListener('copy', () => { globalThis.copied = document.activeElement.value; })"
    )
    phone.get_by_role("button", name="Share").click()
    until(phone, "document.querySelector('[data-share]').innerText.includes('Copied')")
    assert phone.evaluate("copied").endswith(f"/t/{event.slug}/")


def test_a_poster_takes_a_sheet_and_so_do_25_places(phone, live_server):
    event = f.make_running_event(25, name="Novembercup der Pokerfreunde Fürstenfeldbruck")
    call_service(club_about_set, club=event.club, by=SYSTEM, at=timezone.now(), **ABOUT)
    for minute, entry in enumerate(f.entries_of(event)[1:]):
        f.out(event, entry, at=f.after(minute + 1))
    phone.goto(f"{live_server.url}/t/{event.slug}/ergebnis/")
    assert phone.locator(".results tbody tr").count() == 25
    assert pages_of(phone) == 1
    token = f.sign_in("Doras Laptop", Role.DIRECTOR).token
    phone.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    phone.goto(f"{live_server.url}/t/{event.slug}/drucken/aushang/")
    # The second is the blind schedule.
    assert pages_of(phone) == 2
