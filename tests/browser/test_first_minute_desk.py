"""The first minute of who helps at the desk: an empty laptop, wrong moves, the right person in."""

import re

import pytest
from django.core.cache import caches
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.hall import LAPTOP
from tests.pressing import HTMX, url_of
from tournaments.changes.access import Role
from tournaments.models import Entry, Registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event():
    last = f.make_event(name="Letzte Woche")
    f.register(last, "Hannes Kern")
    made = f.make_event()
    for name in ("Ada Auer", "Hanna Kernbichler"):
        f.register(made, name)
    return made


def test_an_empty_laptop_signs_in_by_a_code_and_checks_in_whom_one_meant(
    page, live_server, client, event
):
    caches["kept"].clear()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    made = client.post(url_of(event, "staff-link"), {"role": "desk"}, headers=HTMX)
    code = "".join(re.search(r"<strong>(\d{3}) (\d{3})</strong>", made.content.decode()).groups())
    page.set_viewport_size(LAPTOP)
    # The address of the desk stands on a note; the laptop may not open it, and reads the way.
    page.goto(live_server.url + url_of(event, "desk"))
    page.get_by_role("link", name="Code eintippen").click()
    page.keyboard.type(str((int(code) + 1) % 1_000_000).zfill(6))
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Diesen Code gibt es nicht")
    page.get_by_label("Code").fill(f"{code[:3]} {code[3:]}")
    page.keyboard.press("Enter")
    page.get_by_label("Wer arbeitet an diesem Gerät?").fill("Laptop am Eingang")
    page.keyboard.press("Enter")
    page.wait_for_url("**" + url_of(event, "desk"))
    # The name is typed at once, without a click, and Enter follows before anything can be read.
    page.keyboard.type("hannes kern")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-enter")).to_contain_text("Hannes Kern anmelden und einchecken")
    assert Entry.objects.count() == 0
    assert Registration.objects.filter(event=event).count() == 2
    page.keyboard.press("Enter")
    expect(page.locator(".desk-seat-name")).to_have_text("Hannes Kern")
    expect(page.locator("[name=q]")).to_have_value("")
    page.keyboard.type("ada")
    page.keyboard.press("Enter")
    expect(page.locator(".desk-seat-name")).to_have_text("Ada Auer")
    rows = Entry.objects.live().order_by("number")
    assert [row.registration.person.name for row in rows] == ["Hannes Kern", "Ada Auer"]
    page.keyboard.press("F8")
    expect(page.locator(".desk-seat")).to_have_count(0)
    assert reverse("sign-out") in page.content()
