"""A number from the hall: phones give it, the screen counts, the director closes, all is drawn."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hall import Person
from tests.browser.rooms import Room
from tests.clock.hall import SIZES, measured

pytestmark = pytest.mark.browser
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"


@pytest.fixture
def room(browser, tmp_path):
    with Room.opened(browser, tmp_path / "data", players=12, seats=6, phones=0) as made:
        yield made


def player(browser, room, table, at):
    phone = Person(browser, room.base, {"width": 390, "height": 664})
    phone.seat = room.made["tables"][str(table)][at]
    phone.go(f"/p/{phone.seat['link']}/")
    return phone


def give(phone, number):
    phone.see("Tippe eine Zahl, die sich niemand vorher aussuchen kann")
    phone.page.locator("#own-number-field").fill(number)
    phone.press("Zahl geben")
    phone.see("Deine Zahl ist hinterlegt")


def ask(room):
    laptop = room.laptop
    laptop.go(f"{room.event}leitung/")
    laptop.open_menu("Saal")
    laptop.press("Neu auslosen …")
    laptop.see("Ohne Saalzahl steht bei den Auslosungen in Rot", "dialog#sheet")
    laptop.press("Saalzahl einholen", "dialog#sheet")
    laptop.see("ist eingefroren", "dialog#sheet")
    return laptop.page.locator("#number-state strong").first.inner_text()


def test_three_phones_give_the_number_and_one_of_them_is_away_for_a_while(browser, room):
    anna, bert, cleo = (player(browser, room, 1, at) for at in range(3))
    laptop, screen = room.laptop, room.projector.page
    digest = ask(room)
    assert re.fullmatch(r"[0-9a-f]{4}( [0-9a-f]{4}){3}", digest)
    sent = []
    cleo.page.on("request", lambda one: sent.append(one.post_data or ""))
    for phone, number in ((anna, "17"), (bert, "123456789"), (cleo, "4711")):
        give(phone, number)
        assert digest in phone.page.inner_text("#own-number")
    # What is typed stays on the phone until the list is closed.
    assert not any("4711" in body for body in sent)
    anna.page.locator("#own-number-field").fill("18")
    anna.press("Ändern")
    expect(screen.locator("[data-part=promise]")).to_contain_text(f"3 von 12 · Los-Liste {digest}")
    for width, height in SIZES.values():
        screen.set_viewport_size({"width": width, "height": height})
        screen.wait_for_timeout(50)
        seen = measured(screen)
        assert (seen["outside"], seen["covered"], seen["scrolls"]) == ([], [], False)
        assert seen["smallest"] >= 0.025
    laptop.see("3 von 12 haben eine Zahl gegeben", "dialog#sheet")

    # One leaves the page, one has no network any more.
    bert.go(f"{room.event}regeln/")
    cleo.context.set_offline(True)
    laptop.press("Schließen und auslosen", "dialog#sheet")
    laptop.see("Es fehlen noch Zahlen", "dialog#sheet")
    laptop.see(cleo.seat["name"], "dialog#sheet")
    anna.see("Deine Zahl ist geöffnet. Gleich wird gelost.")
    expect(screen.locator("[data-part=promise]")).to_contain_text("2 von 3 Zahlen fehlen")
    bert.go(f"/p/{bert.seat['link']}/")
    bert.see("Deine Zahl ist geöffnet")
    cleo.context.set_offline(False)
    cleo.page.reload()
    for phone in (anna, bert, cleo):
        phone.see("Deine Zahl war dabei.")
    laptop.see("Neu ausgelost: 12 Spieler", "#toasts")

    # Anybody can compute it again: at once what it was bound to, and after the end the seats.
    cleo.go(f"{room.event}auslosung/")
    cleo.see("Saalzahl von 3 Handys")
    cleo.see("Die Saalzahl ist aus den Zahlen der Handys")
    text = cleo.page.locator("article[data-draw]").first.text_content()
    assert all(f":{number}:" in text for number in ("18", "123456789", "4711"))
    assert [one for one in (*anna.complaints, *bert.complaints) if OFFLINE not in one] == []
    for phone in (anna, bert, cleo):
        phone.context.close()


def test_a_phone_whose_seal_is_not_on_the_list_says_so_and_keeps_its_number(browser, room):
    anna, bert = (player(browser, room, 1, at) for at in range(2))
    ask(room)
    give(anna, "17")
    give(bert, "18")
    # Somebody with the database in his hands takes one away.
    room.server.manage(
        "shell", "-c", "from tournaments.models import HallNumber as H; H.objects.first().delete()"
    )
    room.laptop.press("Schließen und auslosen", "dialog#sheet")
    anna.see("Deine Zahl fehlt auf der Liste. Sag es laut")
    bert.see("Deine Zahl war dabei.")
    for phone in (anna, bert):
        phone.context.close()
