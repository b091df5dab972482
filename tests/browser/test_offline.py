"""Arbiters' phones without Wi-Fi: taps wait on the phone, and go out once, in order, or are asked.

Over plain http, by a name that is not localhost: a page cannot be loaded without a server there.
"""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser import looking
from tests.browser.offline import Phone
from tests.laptops import laptop_with_tables
from tests.waits import intercept, until, wait_for
from tournaments.devtools.room import account, room

pytestmark = pytest.mark.browser
SEATS, TABLES = 6, 12
REVOKE = """
from django.utils import timezone
from tournaments.models import Grant
Grant.objects.filter(device__name="Handy 3").update(revoked_at=timezone.now())
"""
SELLS = """
from django.utils import timezone
from tournaments.money.services.drawers import drawer_open
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Event, StaffDevice
command = Command(event=Event.objects.get(), by=SYSTEM, at=timezone.now())
event_update(command, settings={"rebuy_level": 9, "rebuy_cents": 500})
drawer_open(command, float_cents=0, device=StaffDevice.objects.get(name="Handy 2"))
"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """Return a server in the middle of a tournament, and the tournament."""
    server = laptop_with_tables(tmp_path_factory.mktemp("offline") / "data")
    made = room(server, players=SEATS * TABLES, seats=SEATS, phones=3)
    server.start()
    yield server, made
    server.kill()


@pytest.fixture
def make_phone(hall, new_context):
    """Return a maker of phones, each with a browser of its own, at the next tables."""

    def make(table, number=1, *, context=None):
        server, made = hall
        if context is None:
            context = new_context(has_touch=True)
            cookie = {"name": "krru_device", "value": made["tokens"][number - 1]}
            context.add_cookies([{**cookie, "url": f"http://krru.test:{server.port}"}])
        return Phone(context, hall, table)

    return make


def acted(hall, phone):
    """Return what the log has of a table: kind, at, recorded_at."""
    told = account(hall[0])
    assert told["wrong"] == []
    return [
        row
        for row in told["actions"]
        if row["device"] is not None and phone.table in tables_of(row["payload"])
    ]


def tables_of(payload):
    return {
        payload.get("table"),
        *(table for _entry, table, _seat in payload.get("seats_left", ())),
    }


def kinds(rows):
    return [row["kind"] for row in rows]


def test_taps_without_wifi_wait_and_are_entered_on_return_with_their_time(hall, make_phone):
    phone = make_phone(1).open()
    phone.lose_wifi()
    began = time.time()
    phone.out(2)
    expect(phone.sheet).to_be_hidden()
    phone.see("1 Eingabe wartet.")
    expect(phone.seat(2).locator(".seat-waiting")).to_be_visible()
    # A finger may tremble, and be quicker than the page.
    phone.page.locator("#next-hand button").evaluate("(one) => { one.click(); one.click(); }")
    phone.see("2 Eingaben warten.")
    expect(phone.page.locator("#hand-begun")).to_contain_text("Getippt, wartet")
    expect(phone.page.locator("#next-hand button")).to_be_hidden()
    ended = time.time()
    # A link does not lead away from the table.
    tables = phone.page.get_by_role("link", name="Tische").last
    tables.click()
    expect(phone.page.locator(".toast")).to_contain_text("keine andere Seite")
    assert phone.page.url.endswith(phone.path)
    phone.page.wait_for_timeout(1000)
    phone.find_wifi()
    expect(phone.page.locator(".toast").last).to_contain_text("2 Eingaben nachgetragen.")
    phone.all_is_in()
    expect(phone.page.locator("#hand-begun")).not_to_contain_text("Getippt, wartet")
    expect(phone.page.locator(f".seat-face[hx-get$='/{phone.entry(2)}/']")).to_have_count(0)
    rows = acted(hall, phone)
    assert kinds(rows) == ["entry.eliminated", "hand.begun"]
    assert began - 0.5 <= rows[0]["at"] <= rows[1]["at"] <= ended + 0.5
    assert all(row["recorded_at"] > ended + 0.9 for row in rows)
    tables.click()
    phone.page.wait_for_url("**/tische/")


def test_an_answer_to_what_was_asked_before_the_loss_does_not_end_it(make_phone):
    phone = make_phone(1).open()
    held = []

    def hold(route):
        held.append(route)

    intercept(phone.page, "**/stream/now/**", hold)
    until(phone.page, "!!document.body.dispatchEvent(new CustomEvent('krru:connected'))")
    assert wait_for(lambda: phone.page.evaluate("1") and held)
    phone.lose_wifi()
    phone.page.evaluate("document.body.addEventListener('krru:queue', () => (window.tried = 1))")
    held[0].fulfill(status=200, body=str(time.time() * 1000))
    until(phone.page, "window.tried === 1")
    expect(phone.strip).to_be_visible()
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.find_wifi()
    phone.all_is_in()


def test_every_kind_of_tap_waits_and_one_of_them_is_withdrawn(hall, make_phone):
    phone = make_phone(2).open()
    phone.lose_wifi()
    phone.page.get_by_role("button", name="Mehrere aus").click()
    several = phone.sheet.locator(".many li")
    expect(several).to_have_count(SEATS)
    for seat in (0, 3):
        several.nth(seat).get_by_role("checkbox").check()
    phone.sheet.get_by_role("button", name="Aus in dieser Hand").click()
    phone.see("1 Eingabe wartet.")
    expect(phone.page.locator(".seat-waiting")).to_have_count(2)
    against_whom(phone, out=2, taker=3)
    for name in ("Nicht da", "Wieder da"):
        phone.tap_seat(5)
        phone.sheet.get_by_role("button", name=name).click()
        expect(phone.sheet).to_be_hidden()
    warned(phone, 6)
    phone.out(3)
    items = phone.look_at_queue()
    expect(items).to_have_count(7)
    expect(items.nth(5)).to_contain_text("Verwarnung: Handy am Tisch")
    assert list(looking.axe_faults(phone.page)) == []
    withdrawn = items.filter(has_text="Tisch 2, Platz 3").last
    withdrawn.get_by_role("button", name="Zurückziehen").click()
    expect(items).to_have_count(6)
    phone.queue.get_by_role("button", name="Schließen").click()
    phone.find_wifi()
    phone.all_is_in()
    expect(phone.queue.locator(".queue-item")).to_have_count(0)
    outs = [row["payload"]["entries"] for row in acted(hall, phone)]
    assert [len(entries) for entries in outs] == [2, 1]
    assert outs[1] == [phone.entry(2)]
    told = account(hall[0])["actions"]
    (taken,) = [row["payload"] for row in told if row["kind"] == "knockout.set"]
    assert (taken["entries"], taken["takers"]) == ([phone.entry(2)], [phone.entry(3)])
    of_two = [phone.entry(5), phone.entry(6)]
    made = [row["kind"] for row in told if row["payload"].get("entry") in of_two]
    assert len(made) - made.count("entry.checked_in") == 3


def against_whom(phone, out, taker):
    phone.tap_seat(out)
    expect(phone.sheet.get_by_label("Gegen wen?")).to_have_count(0)
    phone.sheet.get_by_role("button", name=re.compile("^Aus")).click()
    phone.tap_seat(out)
    assert list(looking.axe_faults(phone.page)) == []
    phone.sheet.get_by_label("Gegen wen?").select_option(str(phone.entry(taker)))
    phone.sheet.get_by_role("button", name="Eintragen").first.click()
    phone.see("3 Eingaben warten.")


def warned(phone, seat):
    phone.tap_seat(seat)
    expect(phone.sheet.get_by_role("button", name="Wieder da")).to_have_count(0)
    phone.sheet.get_by_text("Verwarnen oder strafen").click()
    assert list(looking.axe_faults(phone.page)) == []
    phone.sheet.get_by_role("button", name="Eintragen").last.click()
    expect(phone.sheet.get_by_label("Mit eigenen Worten")).to_be_focused()  # a reason is missing
    phone.sheet.get_by_role("button", name="Handy am Tisch").click()
    phone.see("6 Eingaben warten.")


def test_a_tap_whose_answer_was_lost_and_that_is_withdrawn_comes_back_as_a_question(
    hall, make_phone
):
    phone = make_phone(3).open()
    phone.lose_answers()
    phone.out(1)
    phone.see("1 Eingabe wartet.")
    item = phone.look_at_queue()

    def is_withdrawn():
        """Press until it is heard: the list is drawn anew with every try to send."""
        if "Vielleicht ist es schon angekommen" in item.inner_text():
            return True
        if (button := item.get_by_role("button", name="Zurückziehen")).count():
            button.click()
        return False

    assert wait_for(is_withdrawn, every=0.3)
    phone.find_answers()
    expect(phone.queue.locator(".queue-item")).to_contain_text("schon angekommen und gilt")
    assert kinds(acted(hall, phone)) == ["entry.eliminated"]


def test_the_queue_outlives_the_server_and_the_page_and_every_tap_counts_once(hall, make_phone):
    """The server is killed with a tap under way, and the page loaded anew when it is back."""
    phone, server = make_phone(4).open(), hall[0]
    phone.lose_answers()
    phone.out(1)
    phone.see("1 Eingabe wartet.")
    server.kill()
    phone.find_answers()
    phone.see("Keine Verbindung")
    for seat in (2, 3):
        phone.out(seat)
    phone.see("3 Eingaben warten.")
    server.start()
    phone.page.reload()
    phone.all_is_in()
    rows = acted(hall, phone)
    assert [row["payload"]["entries"] for row in rows] == [[phone.entry(n)] for n in (1, 2, 3)]


def test_what_a_colleague_taps_is_seen_at_once_or_told_when_one_was_late(hall, make_phone):
    late, quick = make_phone(5, 1).open(), make_phone(5, 2).open()
    quick.out(3)
    expect(quick.sheet.locator(".outs-place")).to_be_visible()
    quick.page.keyboard.press("Escape")
    expect(late.page.locator(f".seat-face[hx-get$='/{late.entry(3)}/']")).to_have_count(0)
    late.lose_wifi()
    late.out(1)
    late.out(2)
    quick.out(1)
    expect(quick.sheet.locator(".outs-place")).to_be_visible()
    late.find_wifi()
    told = late.page.locator(".toast", has_text="War schon eingetragen")
    expect(told).to_contain_text(re.compile(r"ist schon ausgeschieden \(.+, \d\d:\d\d\)\."))
    late.all_is_in()
    assert kinds(acted(hall, late)) == ["entry.eliminated"] * 3


def test_two_pages_of_one_phone_send_each_tap_once(hall, make_phone):
    one = make_phone(6).open()
    other = make_phone(7, context=one.context).open()
    one.lose_wifi()
    other.see("Keine Verbindung")
    for seat in (1, 2):
        one.out(seat)
        other.out(seat)
    other.see("4 Eingaben warten.")
    one.see("4 Eingaben warten.")
    one.find_wifi()
    for phone in (one, other):
        phone.all_is_in()
        assert kinds(acted(hall, phone)) == ["entry.eliminated"] * 2


def test_a_page_that_is_killed_while_it_sends_leaves_its_taps_to_the_others(hall, make_phone):
    one = make_phone(11).open()
    other = make_phone(12, context=one.context).open()
    one.lose_wifi()
    one.out(1)
    other.see("1 Eingabe wartet.")
    intercept(other.page, "**/stream/now/**", lambda route: route.abort("connectionreset"))
    intercept(one.page, "**/aus/", lambda _route: None)  # on its way for ever
    with one.page.expect_request("**/aus/"):
        one.find_wifi()
    one.page.close()
    other.find_answers()
    other.page.evaluate("dispatchEvent(new Event('online'))")
    other.all_is_in()
    assert kinds(acted(hall, one)) == ["entry.eliminated"]


def test_a_phone_whose_clock_is_wrong_asks_when_it_was(hall, make_phone):
    for hours, words in ((-5, "geht um Stunden falsch"), (0, "wurde inzwischen verstellt")):
        phone = make_phone(8)
        phone.page.clock.install(time=datetime.now(UTC) + timedelta(hours=hours))
        phone.open()
        phone.lose_wifi()
        phone.out(1)
        if not hours:
            phone.page.clock.set_system_time(datetime.now(UTC) - timedelta(minutes=20))
        phone.find_wifi()
        phone.see("1 Eingabe ist zu klären.")
        item = phone.look_at_queue()
        expect(item).to_contain_text(words)
        assert acted(hall, phone) == []
    expect(item).to_contain_text(phone.people[1]["name"].rsplit(" ", 1)[0])
    assert list(looking.axe_faults(phone.page)) == []
    item.get_by_role("button", name="Trotzdem richtigstellen").click()
    expect(phone.sheet.get_by_role("button", name=re.compile("^Aus"))).to_be_visible()
    phone.page.keyboard.press("Escape")
    phone.look_at_queue().get_by_role("button", name="Verwerfen").click()
    phone.queue.get_by_role("button", name="Schließen").click()
    phone.all_is_in()


def test_a_revoked_phone_is_told_and_shows_what_to_read_aloud(hall, make_phone):
    phone = make_phone(9, 3).open()
    phone.lose_wifi()
    phone.out(1)
    phone.out(2)
    hall[0].manage("shell", "--no-imports", "-c", REVOKE)
    phone.find_wifi()
    phone.see("Dieses Gerät ist abgemeldet. Nicht eingetragen: 2")
    items = phone.look_at_queue()
    expect(items).to_have_count(2)
    expect(phone.queue).to_contain_text("vorlesen")
    phone.page.reload()
    phone.see("Nicht eingetragen: 2")
    items = phone.look_at_queue()
    phone.queue.get_by_role("button", name="Alle verwerfen").click()
    expect(items).to_have_count(0)
    assert acted(hall, phone) == []


def test_a_re_buy_is_paid_at_a_table_without_wifi(hall, make_phone):
    # The last one here: from now on an out holds the seat.
    hall[0].manage("shell", "--no-imports", "-c", SELLS)
    phone = make_phone(10, 2).open()
    phone.lose_wifi()
    phone.tap_seat(2)
    phone.sheet.get_by_role("button", name="Re-buy, bezahlt").click()
    phone.see("1 Eingabe wartet.")
    phone.find_wifi()
    phone.all_is_in()
    told = account(hall[0])
    # The program may have called the start meanwhile.
    sold = [one for one in told["actions"] if one["kind"] == "rebuy.bought"][-1]
    assert told["wrong"] == []
    assert sold["payload"]["entry"] == phone.entry(2)
    assert [receipt[2] for receipt in sold["payload"]["receipts"]] == [500]
