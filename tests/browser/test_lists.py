"""A list of people on the laptop: chosen, looked at, corrected, taken over; people found to be one.

On a phone the same pages fold, and nothing lies over anything else.
"""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import looking
from tests.browser.hall import LAPTOP, PHONE
from tests.pressing import url_of
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Person, Registration

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# As a spreadsheet in German saves it, with headings of somebody's own.
LIST = (
    "Wer;Kontakt\r\nEva Lang;eva@example.org\r\nMueller, Jörg;\r\nEva Lang;\r\n;x@example.org\r\n"
)
WINDOWS = LIST.encode("cp1252")
APART = """() => [...document.querySelectorAll(".import-table tbody tr")].every((row) => {
    const number = document.createRange();
    number.selectNodeContents(row.cells[0]);
    const name = row.querySelector("th").getBoundingClientRect();
    return number.getBoundingClientRect().right <= name.left;
})"""


@pytest.fixture
def event():
    f.register(f.make_event(name="Letztes Mal"), "Joerg Müller", email="joerg@example.org")
    return f.make_event(capacity=20)


@pytest.fixture
def laptop(page, live_server, event):
    token = f.sign_in("Doras Laptop", Role.DIRECTOR).token
    page.context.add_cookies([{"name": COOKIE, "value": token, "url": live_server.url}])
    page.set_viewport_size(LAPTOP)
    page.goto(live_server.url + url_of(event, "import"))
    return page


def preview(page, data=WINDOWS):
    file = {"name": "liste.csv", "mimeType": "text/csv", "buffer": data}
    page.set_input_files("[type=file]", file)
    page.get_by_role("button", name="Vorschau zeigen").click()


def test_a_list_of_other_headings_is_told_apart_and_taken_over(laptop, event):
    preview(laptop)
    expect(laptop.get_by_role("alert")).to_contain_text("In welcher Spalte steht der Name?")
    laptop.get_by_label("Spalte 1").select_option(label="Name")
    laptop.get_by_label("Spalte 2").select_option(label="E-Mail")
    laptop.get_by_role("button", name="So lesen").click()
    expect(laptop.locator(".is-refused")).to_have_count(2)
    expect(laptop.locator(".import-marks")).to_contain_text("ähnlich: Joerg Müller")
    laptop.get_by_role("button", name="2 Personen übernehmen").click()
    laptop.wait_for_url(f"**{url_of(event, 'desk')}")
    expect(laptop.locator("#desk-list")).to_contain_text("Mueller, Jörg")
    assert Registration.objects.live().filter(event=event).count() == 2


def test_a_list_that_was_overtaken_is_looked_at_again(laptop, event):
    preview(laptop, data=b"Name\nEva Lang\nOtto Kurz\n")
    f.register(event, "Eva Lang")
    laptop.get_by_role("button", name="2 Personen übernehmen").click()
    expect(laptop.locator(".refusal-slot")).to_contain_text("Eva Lang ist schon angemeldet.")
    laptop.get_by_text("So wird die Datei gelesen").click()
    laptop.get_by_role("button", name="So lesen").click()
    laptop.get_by_role("button", name="1 Person übernehmen").click()
    laptop.wait_for_url(f"**{url_of(event, 'desk')}")
    assert Registration.objects.live().filter(event=event).count() == 2


def test_a_file_too_large_is_refused_before_it_is_sent(laptop):
    asked = []
    laptop.on("request", lambda request: asked.append(request.method))
    preview(laptop, data=b"x" * (10 * 1024 * 1024 + 1))
    expect(laptop.locator("[data-file-refusal]")).to_have_text(
        "Die Datei ist zu groß: höchstens 10 MB."
    )
    assert "POST" not in asked
    preview(laptop, data=b"Name\nEva\n")
    expect(laptop.get_by_role("button", name="1 Person übernehmen")).to_be_visible()


def test_two_that_are_one_are_merged_and_parted_again(laptop, live_server):
    f.register(f.make_event(name="Davor"), "Jörg Müller")
    laptop.goto(live_server.url + reverse("people"))
    laptop.get_by_role("link", name="Joerg Müller").click()
    laptop.get_by_role("link", name="Mit Jörg Müller vergleichen").click()
    laptop.get_by_role("button", name="Das ist dieselbe Person").click()
    laptop.get_by_role("button", name="Jörg Müller wieder trennen").click()
    expect(laptop.get_by_role("link", name="Mit Jörg Müller vergleichen")).to_be_visible()
    assert Person.objects.count() == 2


def test_the_pages_are_accessible_and_fit(laptop, live_server, event):
    person = Person.objects.get().pk
    pages = [reverse("people"), reverse("person", args=[person]), reverse("members")]
    pages += [reverse("person-merge", args=[person]), url_of(event, "export")]
    for path in pages:
        laptop.goto(live_server.url + path)
        assert_fits(laptop)
    for path in (url_of(event, "import"), reverse("members")):
        laptop.goto(live_server.url + path)
        preview(laptop, data=("Name\n" + LIST.partition("\n")[2]).encode())
        expect(laptop.locator(".is-refused").first).to_be_visible()
        laptop.locator("summary").click()
        assert_fits(laptop)


def assert_fits(page):
    for size in (LAPTOP, PHONE):
        looking.show(page, size["width"])
        assert list(looking.axe_faults(page)) == [], (page.url, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url
        # The number of a row never lies over the name beside it.
        assert page.evaluate(APART), (page.url, size)
