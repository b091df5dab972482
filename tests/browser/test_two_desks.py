"""Two desks at one door, on a real server: each sees at once what the other does."""

import pytest
from playwright.sync_api import expect

from tests.browser.hall import LAPTOP, PHONE, Desk, Director
from tests.laptops import director_link

pytestmark = pytest.mark.browser
GUESTS = ("Ada Auer", "Bela Berg", "Cora Cerny")


@pytest.fixture
def desks(browser, make_server, tmp_path):
    """A tournament with three guests, and two desks that look at its list: a laptop and a phone."""
    server = make_server()
    base = f"http://krru.test:{server.port}"
    laptop = Director(browser, base, LAPTOP)
    laptop.sign_in(director_link(server, base))
    event = laptop.make_tournament("Freitag", schedule="T200", seats=6, capacity=12)
    names = tmp_path / "gaeste.csv"
    names.write_text("\n".join(["Name", *GUESTS]))
    laptop.read_list(event, names, len(GUESTS))
    link = laptop.link_for(event, "Anmeldung")
    found = Desk(browser, base, LAPTOP), Desk(browser, base, PHONE)
    for desk in found:
        desk.sign_in(link)
        link = laptop.link_for(event, "Anmeldung")
        desk.go(f"{event}anmeldung/")
        # The stream is open: from now on news arrive.
        expect(desk.page.locator("#desk-list tbody tr")).to_have_count(len(GUESTS))
    yield found
    for person in (laptop, *found):
        person.context.close()


def row(desk, name):
    return desk.page.locator("#desk-list tr", has_text=name)


def test_each_desk_sees_at_once_what_the_other_did_and_who_is_late_is_told(desks):
    first, second = desks
    open_sheet(second, "Ada Auer")
    table, seat = first.check_in("Ada Auer")
    # Behind the sheet the list of the other has followed already.
    expect(row(second, "Ada Auer")).to_contain_text("Zettel", timeout=3_000)
    second.sheet.get_by_role("button", name="Einchecken", exact=True).click()
    expect(second.sheet).to_contain_text("Schon eingecheckt.")
    expect(second.sheet).to_contain_text("gemacht.")
    expect(second.sheet.locator(".desk-seat-where dd")).to_have_text([str(table), str(seat)])
    assert [said[:4] for said in second.complaints] == ["422 "]
    second.press("Schließen", "dialog#sheet")

    assert second.check_in("Bela Berg") != (table, seat)
    expect(row(first, "Bela Berg")).to_contain_text("Zettel", timeout=3_000)
    expect(first.page.locator("#desk-numbers")).to_contain_text("2")
    second.press("Rückgängig", ".desk-seat")
    expect(row(first, "Bela Berg")).to_contain_text("Einchecken", timeout=3_000)
    assert not first.complaints


def open_sheet(desk, name):
    row(desk, name).get_by_role("link", name="Einchecken").click()
    expect(desk.sheet.get_by_role("heading", name=name)).to_be_visible()
