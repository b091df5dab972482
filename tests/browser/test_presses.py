"""How many presses the director's batches take, counted in the browser; sheets beside the clock."""

import pytest
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser.devices import LAPTOP
from tests.bubble import begin
from tests.buying import TERMS
from tournaments.changes.access import Role
from tournaments.models import Action, Purchase, Receipt
from tournaments.play.services.hands import button_mark

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
COUNT = """() => {
  window.krruPresses = 0;
  document.addEventListener("click", (event) => { krruPresses += event.isTrusted; }, true);
}"""
# Tell whether a sheet covers the clock, the due items or the line of the log.
COVERS = """() => {
  const sheet = document.querySelector("#sheet").getBoundingClientRect();
  const beside = [".dashboard-clock", "#director-due", ".dashboard-log", ".dashboard-tools"];
  return beside.filter((one) => {
    const { left, right, top, bottom } = document.querySelector(one).getBoundingClientRect();
    return left < sheet.right && right > sheet.left && top < sheet.bottom && bottom > sheet.top;
  });
}"""


@pytest.fixture
def lead(page, devices, monkeypatch):
    """Open the director's page at a minute, counting presses from then on."""

    def lead(event, minute):
        monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
        devices.open(page, event, "director", role=Role.DIRECTOR, size=LAPTOP)
        page.evaluate(COUNT)
        return page

    return lead


def presses(laptop):
    return laptop.evaluate("krruPresses")


def take_back(laptop, words):
    """Take the latest action back, from the line of the log."""
    line = laptop.locator("#director-log .log > li").first
    expect(line).to_contain_text(words)
    line.get_by_role("button").click()
    sheet = laptop.locator("dialog#sheet")
    sheet.get_by_role("button", name="Zurücknehmen").first.click()
    expect(sheet).to_be_hidden()


def test_26_add_ons_take_28_presses_and_one_undo(lead):
    event = f.make_running_event(41, seats=8, **TERMS)
    laptop = lead(event, 3)
    laptop.click("[id^=duty-addons-]")
    sheet = laptop.locator("dialog#sheet")
    expect(sheet).to_contain_text("Tisch 6")
    assert laptop.evaluate(COVERS) == []
    for box in sheet.get_by_role("checkbox").all()[:26]:
        box.click()
    expect(sheet).to_contain_text("104")
    sheet.get_by_role("button", name="26 Add-ons verbuchen").click()
    expect(sheet).to_be_hidden()
    assert presses(laptop) <= 28
    assert Purchase.objects.live().count() == Receipt.objects.count() == 26
    assert Action.objects.filter(event=event, kind="addons.bought").count() == 1
    take_back(laptop, "Add-ons: ")
    assert not Purchase.objects.live().exists()


def test_all_moves_of_a_round_take_two_presses_and_one_undo(lead):
    event = f.make_unbalanced_event(30)
    for table in (1, 2, 3):
        f.drive(button_mark, event, 10, table=f.table_of(event, table), seat=5)
    before = f.sizes(event)
    laptop = lead(event, 11)
    laptop.click("[id^=duty-balance-]")
    sheet = laptop.locator("dialog#sheet")
    expect(sheet).to_contain_text("10 → 9")
    assert laptop.evaluate(COVERS) == []
    sheet.get_by_role("button", name="2 Umzüge ansagen").click()
    expect(sheet).to_be_hidden()
    assert presses(laptop) == 2
    assert sorted(f.sizes(event).values()) == [9, 9, 9]
    take_back(laptop, "Tische ausgeglichen: ")
    assert f.sizes(event) == before


def test_a_hand_of_hand_for_hand_takes_one_press(lead):
    event = f.make_running_event(16, seats=8, paid_places=14, capacity=16)
    begin(event)
    laptop = lead(event, 25)
    for hand in (1, 2):
        laptop.click("#round-release")
        expect(laptop.locator(".bubble-round")).to_contain_text(f"Hand {hand}")
        expect(laptop.locator("#round-release")).to_contain_text("Alle fertig, nächste Hand")
    assert presses(laptop) == 2


def test_a_due_item_is_put_aside_and_shown_again(lead):
    laptop = lead(f.make_running_event(8, seats=8, **TERMS), 3)
    due = laptop.locator("#director-due")
    expect(due.locator(".due .button-primary")).to_have_count(1)
    laptop.locator(".due > li", has_text="Add-ons verkaufen").locator(".button-icon").click()
    expect(due).to_contain_text("1 beiseite gelegt")
    expect(due.locator(".due")).not_to_contain_text("Add-ons verkaufen")
    due.locator("summary", has_text="beiseite gelegt").click()
    due.get_by_role("button", name="Add-ons verkaufen").click()
    expect(due.locator(".due")).to_contain_text("Add-ons verkaufen")
