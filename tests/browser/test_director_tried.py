"""What a director's laptop did late, or under the pointer: each played as it was met."""

import re

import pytest
from playwright.sync_api import expect

from clock.servertime import server_time
from tests import factories as f
from tests.browser.hall import LAPTOP
from tests.pressing import name_of, url_of
from tournaments.changes.access import COOKIE, Role
from tournaments.models import Action
from tournaments.play.services.conduct import entry_leave, penalty_give
from tournaments.play.services.hands import button_mark
from tournaments.practice.services.sample import sample_make
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DUE = "#director-due"
# The panel asks by itself every so often. An answer this soon was asked for because of the press.
SOON_MS = 8_000
# Every answer that fills the panel, with how long after the press it was there.
NOTE_DUE = """() => {
  window.krruDue = [];
  document.addEventListener("click", () => { window.krruPressed = performance.now(); }, true);
  document.body.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    if (target.id === "director-due") krruDue.push(performance.now() - krruPressed);
  });
}"""


@pytest.fixture
def open_laptop(page, live_server, monkeypatch):
    def open_at(event, minute):
        monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
        dora = f.sign_in("Doras Laptop", Role.DIRECTOR)
        page.context.add_cookies([{"name": COOKIE, "value": dora.token, "url": live_server.url}])
        page.set_viewport_size(LAPTOP)
        page.goto(live_server.url + url_of(event, "director"))
        page.evaluate(NOTE_DUE)
        return page

    return open_at


def moved(event, minute):
    """Move the first of table 2 to table 1, and return the entry."""
    entry = f.at_table(event, 2)[0]
    seat = free_seats(event, [1])[1][0]
    f.drive(entry_move, event, minute, entry=entry, table=f.table_of(event, 1), seat=seat,
            reason="Laut")  # fmt: skip
    return entry


def press_in_sheet(laptop, entry, button):
    seat = laptop.locator(
        "#table-grid .seat-face", has_text=name_of(entry)[:8] + name_of(entry)[8:]
    )
    seat.click()
    laptop.locator("dialog#sheet").get_by_role("button", name=button).first.click()


def a_stack_is_there(event):
    moved(event, 10)
    return 20, "Stapel von", lambda laptop: laptop.click("[id^=duty-stack-]")


def somebody_arrived(event):
    entry = moved(event, 10)
    return 12, "unterwegs", lambda laptop: press_in_sheet(laptop, entry, re.compile("Angekommen"))


def somebody_is_back(event):
    entry = f.at_table(event, 1)[0]
    f.drive(entry_leave, event, 10, entry=entry)
    return 12, "nicht am Platz", lambda laptop: press_in_sheet(laptop, entry, "Wieder da")


def a_hand_was_sat_out(event):
    entry = f.at_table(event, 1)[0]
    f.drive(penalty_give, event, 9, entry=entry, kind="hands", amount=1, reason="Handy")
    served = re.compile("abgesessen")
    return 12, "Strafe von", lambda laptop: press_in_sheet(laptop, entry, served)


@pytest.mark.parametrize(
    "make", [a_stack_is_there, somebody_arrived, somebody_is_back, a_hand_was_sat_out]
)
def test_what_is_due_follows_every_press_at_once(open_laptop, make):
    event = f.make_running_event(12, seats=10)
    minute, words, act = make(event)
    laptop = open_laptop(event, minute)
    due = laptop.locator(DUE)
    expect(due).to_contain_text(words)
    act(laptop)
    expect(due).not_to_contain_text(words, timeout=SOON_MS)
    (first, *_later) = laptop.evaluate("krruDue")
    assert first < SOON_MS


def test_the_second_click_does_nothing_on_what_comes_up_after_a_move(open_laptop):
    event = f.make_unbalanced_event(29)
    for table in (1, 2, 3):
        f.drive(button_mark, event, 10, table=f.table_of(event, table), seat=5)
    laptop = open_laptop(event, 11)
    move = laptop.locator("[id^=duty-move-]")
    before = Action.objects.filter(event=event, kind="seat.balanced").count()
    box = move.bounding_box()
    with laptop.expect_response(re.compile("/stand/was-ansteht/")):
        move.click()
    expect(laptop.locator(f"{DUE}.is-settling")).to_be_attached()
    laptop.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(laptop.locator(f"{DUE}:not(.is-settling)")).to_be_attached()
    expect(laptop.locator(".htmx-request")).to_have_count(0)
    assert laptop.url.endswith(url_of(event, "director"))
    made = Action.objects.filter(event=event, kind="seat.balanced").count()
    assert made == before + 1


def test_dealers_of_all_tables_with_one_press(open_laptop):
    event = f.make_seated_event(25, seats=10)
    laptop = open_laptop(event, -5)
    laptop.get_by_role("button", name="Geber für alle Tische auslosen").click()
    sheet = laptop.locator("dialog#sheet")
    expect(sheet.locator(".dealers > li")).to_have_count(3)
    sheet.locator(".dealers summary").nth(1).click()
    expect(sheet.locator(".dealers .cards > li").filter(visible=True)).to_have_count(8)
    expect(sheet.locator(".dealers .is-dealer").filter(visible=True)).to_contain_text("gibt zuerst")
    sheet.get_by_role("button", name="Fertig").click()
    expect(laptop.locator(DUE)).not_to_contain_text("Geber")
    expect(laptop.locator("[id$=-dealer]")).to_have_count(0)


def test_the_sample_goes_only_when_that_is_meant(open_laptop):
    event = sample_make(club=f.house(), at=f.START)
    laptop = open_laptop(event, 1)
    laptop.get_by_text("Beispiel entfernen").dblclick()
    assert type(event).objects.filter(pk=event.pk).exists()
    laptop.get_by_text("Beispiel entfernen").click()
    laptop.get_by_role("button", name="Ja, entfernen").click()
    expect(laptop.locator(".sample-ribbon")).to_have_count(0)
    assert not type(event).objects.filter(pk=event.pk).exists()
