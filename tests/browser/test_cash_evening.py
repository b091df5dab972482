"""An evening of two cash tables: laptop, the arbiter's and a player's phone, and the wall."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.hall import PHONE
from tests.browser.test_screens import paired
from tests.calling import call_service
from tests.services.cashgames import USUAL, make_cash_event
from tournaments.cashgame.selectors.books import chips_on_table
from tournaments.cashgame.services.hands import cash_fee_pay
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_open
from tournaments.changes.access import SYSTEM, Role
from tournaments.models import CashSeat, CashTable

pytest_plugins = "tests.clock.fixtures"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
EARLIER = timedelta(minutes=40)


@pytest.fixture
def open_page(guests):
    return guests.open


def say(service, event, ago=timedelta(), **own):
    return call_service(service, event=event, by=SYSTEM, at=timezone.now() - ago, **own)


def two_tables():
    """Ada and Bela have played at the first of two tables for forty minutes; Petra waits."""
    event = make_cash_event(starts_at=timezone.now() - EARLIER)
    fee = {"fee_way": "time", "fee_cents": 100, "fee_minutes": 30, "is_noted": True, "seats": 2}
    for _table in range(2):
        say(cash_table_open, event, ago=EARLIER, **(USUAL | fee))
    tables = list(CashTable.objects.filter(event=event).order_by("number"))
    names = ("Ada Auer", "Bela Berg", "Petra Probst")
    people = [f.register(event, name, at=timezone.now() - EARLIER) for name in names]
    for seat, guest in enumerate(people[:2], 1):
        own = {"registration": guest, "table": tables[0], "seat": seat, "cents": 5000}
        say(cash_sit, event, ago=EARLIER, **own)
    return event, tables, people


def in_sheet(phone, url, summary, fields, button):
    """Open a seat's sheet, type, press, and wait until the sheet has closed."""
    phone.goto(url[0])
    phone.locator(".cashgame-seat").nth(url[1] - 1).click()
    sheet = phone.locator("#sheet")
    if summary:
        sheet.locator("summary", has_text=summary).click()
    form = sheet.locator("form", has=phone.get_by_role("button", name=button))
    for name, typed in fields.items():
        form.locator(f"[name={name}]").fill(typed)
    form.get_by_role("button", name=button).click()
    expect(sheet).to_be_hidden()


def test_an_evening_of_two_cash_tables(open_page, guests):
    event, tables, (ada, bela, petra) = two_tables()
    wall, _screen = paired(open_page, event)
    expect(wall.locator("li.hall-cash").first).to_contain_text("voll")
    arno = f.sign_in("Handy von Arno", Role.ARBITER, event).token
    phone, own = open_page("/", cookie=arno), open_page(reverse("player", args=[petra.link_token]))
    for one in (phone, own):
        one.set_viewport_size(PHONE)
    first = guests.hall.url(reverse("cash-table", args=[event.slug, tables[0].pk]))

    own.get_by_role("button", name="Ich möchte hier spielen").first.click()
    expect(own.get_by_text("Du bist Nummer 1 auf der Liste")).to_be_visible()
    expect(wall.locator("li.hall-cash").first).to_contain_text("1 auf der Liste: Petra Probst")

    in_sheet(phone, (first, 1), "", {}, "Hausgebühr")
    in_sheet(phone, (first, 1), "Nachkaufen", {"stack": "10", "amount": "40"}, "Nachkaufen")
    in_sheet(phone, (first, 1), "Anderer Platz", {"stack": "50"}, "Umsetzen")
    # Lists on a wall are told of lazily, and four browsers share the machine.
    told = wall.locator("li.hall-cash").first
    expect(told).to_contain_text("1 auf der Liste: bis ", timeout=20_000)
    assert CashSeat.objects.live().get(registration=ada).table == tables[1]

    # Nobody presses anything for it: the freed seat is offered to who is next.
    own.get_by_role("button", name="Ich komme").click()
    expect(own.get_by_text("Wir wissen, dass du kommst.")).to_be_visible()
    phone.goto(first)
    phone.locator(".cashgame-seat").first.click()
    sheet = phone.locator("#sheet")
    sheet.get_by_label("Wer").select_option(label="Petra Probst")
    sheet.locator("[name=amount]").fill("30")
    sheet.get_by_role("button", name="Setzen").click()
    expect(own.locator("dd", has_text="30 €")).to_be_visible()
    expect(wall.locator("li.hall-cash").first).not_to_contain_text("auf der Liste")

    _everybody_goes(event, tables, (ada, bela, petra))
    dora = f.sign_in("Laptop von Dora", Role.DIRECTOR, event).token
    laptop = open_page(reverse("cash-settling", args=[event.slug]), cookie=dora)
    # Thirty euros that Bela has won of her, and one for the house.
    expect(laptop.locator("main")).to_contain_text("Petra Probst")
    expect(laptop.locator("main")).to_contain_text("31 €")


def _everybody_goes(event, tables, people):
    """Bela has won all of Petra's chips. A fee is due once somebody has sat for a second."""
    ada, bela, petra = people
    say(cash_fee_pay, event, registration=bela)
    say(cash_fee_pay, event, ago=-timedelta(seconds=2), registration=petra)
    say(cash_out, event, registration=petra, cents=0)
    say(cash_out, event, registration=bela, cents=chips_on_table(tables[0]))
    # The hour that Ada has paid at the first table is not over at the second.
    say(cash_out, event, registration=ada, cents=chips_on_table(tables[1]))
