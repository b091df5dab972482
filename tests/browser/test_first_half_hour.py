"""From the poster's link to the seats: six phones, two desks, the director's laptop, a big screen.

A server of its own, its own tasks, its own time: nobody pushes the clock, the minute after which
a place is lost really passes.
"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.door import Door
from tests.laptops import director_link
from tests.post_office import post_office
from tournaments.changes.views.decorators import qr_svg
from tournaments.devtools.room import account

pytestmark = [pytest.mark.browser, pytest.mark.timeout(420)]

PETRA, LENA, NORA, ALIKE, WILLI, EMMA = PHONES = (
    "Petra Probst", "Lena Spät", "Nora Nagel", "Petra Propst", "Willi Wart", "Emma Price",
)  # fmt: skip
HERE, ABSENT, WALK_IN = (
    ["Ada Auer", "Ben Brandl", "Cem Czerny"], ["Dana Dorn", "Emil Egger", "Fini Fink"], "Walter Neu"
)  # fmt: skip
CAPACITY = 10
SEATS = 4
SETTINGS = {
    "Startgeld in Euro": "10",
    "Frist für einen freien Platz": "10",
    "So lange wird auf alle gewartet": "1",
    "Wo die Tische stehen": "1-2: Großer Saal\n3-9: Galerie",
}


@pytest.fixture
def door(browser, make_server):
    with post_office() as office:
        server = make_server(env={"KRRU_MAIL_URL": f"smtp://127.0.0.1:{office.port}"})
        yield from _door(browser, server, office)


def _door(browser, server, office):
    door = Door.of(browser, server, office, PHONES)
    door.laptop.sign_in(director_link(server, door.laptop.base))
    yield door
    door.close()


def test_from_the_posters_link_to_the_seats(door, tmp_path):
    the_director_makes_it(door, tmp_path)
    six_phones_open_the_poster(door)
    a_place_is_passed_on(door)
    who_comes_when(door)
    two_desks_check_in(door)
    five_minutes(door)
    the_clock_starts_without_three(door)
    a_late_arrival(door)
    the_absent_lose_their_places(door)
    a_walk_in(door)
    a_table_is_broken(door)
    assert account(door.server)["wrong"] == []
    assert [person.complaints for person in door.people] == [[]] * len(door.people)


def the_director_makes_it(door, tmp_path):
    laptop = door.laptop
    starts = timezone.localtime() + timedelta(minutes=30)
    laptop.go("/neu/")
    laptop.page.get_by_label("Name", exact=True).fill("Winterpokal")
    laptop.page.get_by_label("Tag").fill(f"{starts:%Y-%m-%d}")
    laptop.page.get_by_label("Beginn").fill(f"{starts:%H:%M}")
    laptop.page.get_by_label("T200").check()
    laptop.page.get_by_label("Plätze je Tisch").fill(str(SEATS))
    laptop.page.get_by_label("Teilnehmer höchstens").fill(str(CAPACITY))
    laptop.page.locator("details.more summary").click()
    for label, typed in SETTINGS.items():
        laptop.page.get_by_label(label).fill(typed)
    laptop.page.get_by_label("Nachmeldung").select_option(label="bis zum Ende von Stufe 3")
    laptop.press("Turnier anlegen")
    laptop.page.wait_for_url("**/leitung/")
    door.event = laptop.page.url.removeprefix(laptop.base).removesuffix("leitung/")

    people = tmp_path / "liste.csv"
    people.write_text("\n".join(["Name", *HERE, *ABSENT]), "utf-8")
    laptop.read_list(door.event, people, len(HERE + ABSENT))
    for desk in door.desks:
        desk.sign_in(laptop.link_for(door.event, "Anmeldung"))
        desk.go(f"{door.event}anmeldung/")
    door.screen.go(f"{door.event}screen/")

    laptop.go(f"{door.event}drucken/aushang/")
    laptop.see(re.compile(r"Startgeld\s*10\s€"), ".sheet-poster")
    door.link = laptop.page.locator(".sheet-qr").get_attribute("data-opens")
    assert door.link.startswith(laptop.page.locator(".sheet-link").inner_text())
    code = laptop.page.locator(".sheet-qr path").get_attribute("d")
    assert re.search(r' d="([^"]+)"', qr_svg(door.link))[1] == code


def six_phones_open_the_poster(door):
    first = len(HERE + ABSENT) + 1
    petra = door.phones[PETRA].register(door.link, PETRA, email="petra@example.org")
    emma = door.phones[EMMA].register(door.link, EMMA, button="Reserve a place")
    lena = door.phones[LENA].register(door.link, LENA)
    nora = door.phones[NORA].register(door.link, NORA)
    assert [petra, emma, lena, nora] == [first, first + 1, first + 2, first + 3]
    assert nora == CAPACITY
    door.phones[EMMA].see("You are registered, number", "#card")

    waiting = "Auf die Warteliste"
    alike = door.phones[ALIKE]
    alike.fill_in(door.link, ALIKE, email="propst@example.org")
    alike.form.get_by_role("button", name=waiting).click()
    alike.see(f"{PETRA} ist schon angemeldet.")
    alike.complaints.remove(f"422 {door.event}anmelden/")
    alike.page.get_by_label("Ich bin jemand anderes").check()
    alike.send(waiting)
    alike.see(re.compile(r"Warteliste, Stelle\s*1"), "#card")
    assert door.phones[WILLI].register(door.link, WILLI, button=waiting) == 2
    for desk in door.desks:
        desk.see("Warteliste 2", "#desk-list")


def an_address_is_proven(door):
    """She opens the link in her mail, and taps: from now on she is written to there."""
    (letter,) = door.mails_are_out(ALIKE, "propst@example.org", 1)
    alike = door.phones[ALIKE]
    link = re.search(r"/p/\S+", letter.get_content())[0]
    alike.page.goto(alike.own.partition("/p/")[0] + link)
    alike.see("Ist das deine Mailadresse?")
    alike.press("Ja, und ich komme")
    alike.see("Danke, bis dann!")


def a_place_is_passed_on(door):
    """One cancels; the next in line is asked on her page, which is open, and by mail."""
    an_address_is_proven(door)
    door.phones[NORA].withdraw()
    alike = door.phones[ALIKE]
    alike.see("Ein Platz ist frei für dich", "#card")
    until = re.search(r"bis .*(\d\d:\d\d) für dich", alike.card.inner_text())[1]
    minutes = {
        (timezone.localtime() + timedelta(minutes=9, seconds=around)).strftime("%H:%M")
        for around in range(0, 120, 10)
    }
    assert until in minutes
    door.desks[0].see("angeboten bis", "#desk-list")
    door.desks[0].see(until, "#desk-list")
    door.mails_are_out(PETRA, "petra@example.org", 1)
    door.mails_are_out(ALIKE, "propst@example.org", 2)
    alike.press("Platz annehmen", "#card")
    alike.see(re.compile(rf"Du bist angemeldet, Nummer\s*{CAPACITY}"), "#card")
    door.phones[WILLI].see(re.compile(r"Warteliste, Stelle\s*1"), "#card")

    nora = door.phones[NORA]
    nora.page.get_by_role("link", name="Neu anmelden").click()
    assert nora.register(nora.page.url, NORA, button="Auf die Warteliste") == 2


def who_comes_when(door):
    """What Lena is typing stays while others, too, say things."""
    lena = f"{timezone.localtime() + timedelta(hours=1):%H:%M}"
    door.phones[LENA].types_when(lena)
    for name in (WILLI, NORA):
        door.phones[name].press("Ich bin da", "#card")
        door.phones[name].see("Wir wissen, dass du da bist", "#card")
    for desk in door.desks:
        for name in (WILLI, NORA):
            expect(desk.page.locator("#desk-list tr", has_text=name)).to_contain_text("ist da")
    door.phones[LENA].says_when(lena)
    for desk in door.desks:
        desk.see(f"kommt um {lena}", "#desk-list")


def two_desks_check_in(door):
    """Two at a time; by hand, with the scanner, with the camera of a phone."""
    first, second = door.desks
    door.check_in_at_once(HERE[0], HERE[1])
    door.two_want(HERE[2])
    for desk, name in ((first, HERE[0]), (second, HERE[1])):
        row = desk.page.locator("#desk-list tr", has_text=name)
        row.get_by_role("button", name=re.compile(r"10.€ kassieren")).click()
        expect(row.get_by_text("bezahlt", exact=True)).to_be_visible()

    first.page.keyboard.type(door.phones[PETRA].own)
    first.page.keyboard.press("Enter")
    expect(first.sheet.get_by_role("heading", name=PETRA, exact=True)).to_be_visible()
    second.page.goto(door.phones[ALIKE].own)
    second.page.get_by_role("link", name="Einchecken").click()
    expect(second.page.get_by_role("heading", name=ALIKE, exact=True)).to_be_visible()
    for desk in door.desks:
        desk.page.get_by_role("button", name="Einchecken", exact=True).click()
    door.seats[PETRA] = first.seat_shown(PETRA)
    told = second.page.get_by_role("region", name="Zuletzt eingecheckt")
    expect(told).to_contain_text(ALIKE)
    door.seats[ALIKE] = tuple(int(one) for one in told.locator("dd").all_inner_texts())
    door.seats[EMMA] = first.check_in(EMMA)
    assert len(set(door.seats.values())) == len(door.seats) == 6
    for name in (PETRA, ALIKE, EMMA):
        door.phones[name].sees_seat(door.seats[name])
        door.phones[name].confirms_seat()
    door.phones[EMMA].see("Table", "#card")


def five_minutes(door):
    """Said once at the laptop: on the screen, and on every phone until it is read."""
    laptop, text = door.laptop, "In fünf Minuten geht es los."
    laptop.go(f"{door.event}leitung/")
    laptop.press("Durchsage …")
    laptop.sheet.get_by_label("Text").fill(text)
    laptop.press("Durchsagen", "dialog#sheet")
    door.screen.see(text, ".announcement")
    for phone in door.phones.values():
        phone.reads(text)

    laptop.open_menu("Saal")
    laptop.press("Nachricht …")
    laptop.sheet.get_by_label("Name oder Tisch").press_sequentially(ALIKE)
    laptop.sheet.get_by_role("radio", name=ALIKE).check()
    laptop.sheet.get_by_label("Text").fill("Dein Schirm steht am Eingang.")
    laptop.press("Nachricht senden", "dialog#sheet")
    door.phones[ALIKE].reads("Dein Schirm steht am Eingang.")
    for name in set(PHONES) - {ALIKE}:
        expect(door.phones[name].page.locator("#player-messages")).not_to_contain_text("Schirm")


def the_clock_starts_without_three(door):
    door.laptop.drive_clock("Space", "Uhr starten", then="Anhalten")
    expect(door.screen.page.locator("body")).to_have_attribute("data-face", "playing")
    for name in PHONES:
        expect(door.phones[name].card.locator(".clock-strip-remaining")).to_contain_text(":")


def a_late_arrival(door):
    door.phones[LENA].see("Das Turnier läuft schon", "#card")
    door.seats[LENA] = door.desks[0].check_in(LENA)
    door.phones[LENA].sees_seat(door.seats[LENA])
    door.phones[LENA].confirms_seat()


def the_absent_lose_their_places(door):
    """A minute after the start, by the rule: two who wait and are here have places, live."""
    for name in (WILLI, NORA):
        expect(door.phones[name].card).to_contain_text("Du bist angemeldet", timeout=90_000)
    second = door.desks[1]
    second.go(f"{door.event}anmeldung/")
    for name in ABSENT:
        expect(second.page.locator("#desk-list tr", has_text=name)).to_contain_text("Warteliste")
    door.check_in_at_once(WILLI, NORA)
    for name in (WILLI, NORA):
        door.phones[name].sees_seat(door.seats[name])
        door.phones[name].confirms_seat()


def a_walk_in(door):
    door.seats[WALK_IN] = door.desks[1].walk_in(WALK_IN)
    assert len(set(door.seats.values())) == len(door.seats) == CAPACITY
    expect(door.screen.page.locator("[data-part=left]")).to_have_text(str(CAPACITY))


def a_table_is_broken(door):
    """Two go out, and Petra's table is broken: whoever sat there is told where to go."""
    laptop = door.laptop
    for place, name in ((10, HERE[0]), (9, WALK_IN)):
        laptop.tap(name)
        laptop.press(re.compile(r"^Aus\b"), "dialog#sheet")
        laptop.see(f"Platz {place}", "dialog#sheet .outs")
        laptop.press("Fertig", "dialog#sheet")
        del door.seats[name]
    table = door.seats[PETRA][0]
    laptop.page.locator(f"#table-{table}-break").click()
    # The sheet of the one who went out may name Petra, too; it stands until this one comes.
    title = laptop.sheet.get_by_role("heading", name=f"Tisch {table} auflösen")
    expect(title).to_be_visible()
    laptop.see(PETRA, "dialog#sheet")
    reason = laptop.sheet.locator("#break-reason")
    if reason.count():
        reason.fill("Der Tisch wackelt")
    laptop.press(f"Tisch {table} auflösen", "dialog#sheet")
    expect(laptop.page.locator(f"#table-{table}")).to_have_count(0)
    for name, phone in door.phones.items():
        if door.seats[name][0] != table:
            expect(phone.page.locator(".moved")).to_have_count(0)
            continue
        expect(phone.page.locator(".moved h2")).to_have_text(
            "You are moving" if name == EMMA else "Du ziehst um"
        )
        goes_to(door, name)
    assert len(set(door.seats.values())) == len(door.seats) == 2 * SEATS


def goes_to(door, name):
    """Read the new seat off the phone, compare it with the laptop's, and go there."""
    phone = door.phones[name]
    figures = phone.card.locator(".moved .slip-figure").all_inner_texts()
    door.seats[name] = table, seat = tuple(map(int, figures))
    place = door.laptop.page.locator(f"#table-{table} .seat", has_text=name.split()[0])
    expect(place.locator(".seat-number", has_text=str(seat))).to_have_count(1)
    phone.sees_seat(door.seats[name])
    expect(phone.card.locator(".slip-way")).to_have_text("Großer Saal" if table < 3 else "Galerie")
    phone.confirms_seat()
    expect(phone.page.locator(".moved")).to_have_count(0)
