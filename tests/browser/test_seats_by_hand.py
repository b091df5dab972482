"""The director's laptop: players moved on the plan, by all means; draws made again by a visitor."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories as f
from tests.browser.devices import faults
from tests.browser.hall import LAPTOP, PHONE
from tests.calling import call_service
from tests.waits import intercept, until
from tournaments.changes.access import COOKIE, SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Draw
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.breaking import tables_redraw
from tournaments.seating.services.chairs import keep_apart_wish, seat_lock

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.running(14, seats=8),
]

# Panels that come after the page move the seats below them.
AT_REST = """() => {
  const { top } = document.querySelector("[data-place]").getBoundingClientRect();
  const isSame = window.seatTop === top && !document.querySelector(".htmx-request");
  window.seatTop = top;
  return isSame;
}"""


@pytest.fixture
def base(live_server):
    return live_server.url.replace("localhost", "krru.test")


@pytest.fixture
def open_laptop(browser, base, event):
    """Open the dashboard at a size; what the page complains of is kept on it."""
    dora, contexts = f.sign_in("Doras Laptop", Role.DIRECTOR), []

    def open_(size=LAPTOP):
        context = browser.new_context(viewport=size, has_touch=size is PHONE, locale="de-DE")
        contexts.append(context)
        context.add_cookies([{"name": COOKIE, "value": dora.token, "url": base}])
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(base + reverse("director", args=[event.slug]))
        until(page, "window.htmx !== undefined")
        page.evaluate("document.fonts.ready.then(() => true)")
        until(page, AT_REST, every=300)
        return page

    yield open_
    for context in contexts:
        context.close()


def seat(page, table, number):
    return page.locator(f"[data-place='{table}-{number}'] .seat-face")


def free(event, number):
    return next(at for at in range(1, 9) if (number, at) not in f.seats(event).values())


def drag(page, start, end):
    # The page may move between the look and the press, as it has just begun: then once more.
    for _ in range(5):
        start.hover()
        page.mouse.down()
        end.hover()
        if page.locator(".seat-ghost").count() == 1:
            break
        page.mouse.up()
    expect(page.locator(".seat-ghost")).to_have_count(1)
    page.mouse.up()
    expect(page.locator(".seat-ghost")).to_have_count(0)


def give_reason(page, button):
    sheet = page.locator("#sheet")
    expect(sheet).to_be_visible()
    assert faults(page) == []
    sheet.get_by_label("Grund").fill("saß falsch")
    sheet.get_by_role("button", name=button).click()
    expect(sheet).to_be_hidden()


def sits(page, entry, *place):
    """Tell whether a player sits here, once the page says so: the sheet may close before that."""
    expect(seat(page, *place)).to_have_attribute("hx-get", re.compile(rf"/{entry.pk}/$"))
    return f.seat_of(entry) == place


def test_players_are_dragged_with_a_reason_exchanged_or_without_a_word(open_laptop, event):
    page, sheet = open_laptop(), "#sheet"
    one, number = f.at_table(event, 1)[0], free(event, 2)
    drag(page, seat(page, *f.seat_of(one)), seat(page, 2, number))
    expect(page.locator(sheet)).to_contain_text("Der Ablauf verlangt gerade keinen Umzug.")
    give_reason(page, "Umsetzen")
    assert sits(page, one, 2, number)
    # On a player, two change seats; an undo takes both back.
    here, other = f.seat_of(one), f.at_table(event, 1)[0]
    there = f.seat_of(other)
    drag(page, seat(page, *here), seat(page, *there))
    give_reason(page, "Tauschen")
    assert sits(page, one, *there)
    assert sits(page, other, *here)
    page.locator(".toast").last.get_by_role("button", name="Rückgängig").click()
    expect(page.locator(".toast").last).to_contain_text("Zurückgenommen")
    assert sits(page, one, *here)
    seat(page, *here).click()
    expect(page.locator(sheet)).to_contain_text(one.registration.person.name)
    page.keyboard.press("Escape")
    # What the procedure asks for goes without a word.
    for entry in f.at_table(event, 1)[:3]:
        f.out(event, entry)
    page = open_laptop()
    move = floor_advice(f.fresh(event), f.after(10)).moves[0]
    drag(page, seat(page, 2, move.from_seat), seat(page, 1, move.to_seat))
    expect(page.locator(".toast")).to_contain_text("umgesetzt")
    assert f.last_action(event).kind == "seat.balanced"
    expect(page.locator(sheet)).to_be_hidden()
    assert page.complaints == []


def test_a_double_click_puts_nobody_out_and_a_seat_is_locked(open_laptop, event):
    page, sheet = open_laptop(), "#sheet"
    count = Action.objects.filter(event=event).count()
    for face in page.locator("[data-place^='1-'] button.seat-face").all():
        face.scroll_into_view_if_needed()
        face.hover()
        page.mouse.down()
        page.mouse.up()
        expect(page.locator(sheet)).to_be_visible()
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        expect(page.locator(f"{sheet}:not(.is-settling)")).to_be_visible()
        expect(page.locator(".htmx-request")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(page.locator(sheet)).to_be_hidden()
    assert Action.objects.filter(event=event).count() == count
    number = free(event, 2)
    seat(page, 2, number).click()
    page.locator(sheet).get_by_label("Grund").fill("Stuhl kaputt")
    assert faults(page) == []
    page.locator(sheet).get_by_role("button", name="Platz sperren").click()
    expect(page.locator(f"[data-place='2-{number}'].is-locked")).to_be_visible()
    seat(page, 2, number).click()
    expect(page.locator(sheet)).to_contain_text("Stuhl kaputt")
    assert faults(page) == []
    page.keyboard.press("Escape")
    # Somebody goes out, and the page has not heard of it: it is refused beside the table.
    entry = f.at_table(event, 1)[0]
    place, free_one = f.seat_of(entry), free(event, 2)
    intercept(page, "**/stand/tische/**", lambda route: route.abort())
    f.out(event, entry)
    drag(page, seat(page, *place), seat(page, 2, free_one if free_one != number else number + 1))
    expect(page.locator("#table-2 .refusal-slot")).to_contain_text("an keinem Tisch")


def test_by_keys_and_by_finger(open_laptop, event):
    page, entry = open_laptop(), f.at_table(event, 1)[0]
    number = free(event, 2)
    seat(page, *f.seat_of(entry)).focus()
    page.keyboard.press("u")
    expect(page.locator("#seats-told")).to_contain_text("jetzt den Platz wählen")
    expect(page.locator(".is-lifted")).to_have_count(1)
    for _ in range(12):
        place = page.evaluate("document.activeElement.closest('[data-place]')?.dataset.place")
        if place and place.startswith("2-"):
            break
        page.keyboard.press("ArrowRight")
    assert place.startswith("2-")
    seat(page, 2, number).focus()
    page.keyboard.press("Enter")
    give_reason(page, "Umsetzen")
    assert sits(page, entry, 2, number)
    page.keyboard.press("u")
    page.keyboard.press("Escape")
    expect(page.locator("#seats-told")).to_have_text("Nichts geändert.")
    expect(page.locator("#seats-mode")).to_have_attribute("aria-pressed", "false")
    page, entry = open_laptop(PHONE), f.at_table(event, 2)[0]
    number = free(event, 1)
    page.locator("#seats-mode").tap()
    seat(page, *f.seat_of(entry)).tap()
    expect(page.locator(".is-lifted")).to_have_count(1)
    seat(page, 1, number).tap()
    give_reason(page, "Umsetzen")
    assert sits(page, entry, 1, number)


# Draws made again by the visitor


def played_out(event, *, is_wished=True):
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    said = {"event": event, "by": SYSTEM, "at": f.after(1)}
    if is_wished:
        call_service(keep_apart_wish, **said, first=one.registration, second=other.registration)
    call_service(
        seat_lock, **said, table=f.table_of(event, 2), seat=free(event, 2), reason="Stuhl kaputt"
    )
    tables_redraw(Command(event=event, by=SYSTEM, at=f.after(2)))
    event_end(Command(event=f.fresh(event), by=SYSTEM, at=f.after(60)))


def open_draws(page, base, event):
    page.goto(base + reverse("draws", args=[event.slug]))
    return page.locator("article[data-draw]")


def test_every_draw_is_made_again_in_the_visitors_browser(page, base, event):
    assert open_draws(page, base, event).first.locator("[data-check]").count() == 0
    played_out(event)
    draws = open_draws(page, base, event)
    assert page.evaluate("window.isSecureContext") is False
    expect(page.locator("#promise")).to_have_text(
        "In deinem Browser nachgerechnet: Es ist das versprochene Geheimnis."
    )
    checks = page.locator("[data-check]")
    # The redraw went by a wish, which is nobody's business but the desk's.
    assert (draws.count(), checks.count()) == (15, 14)
    expect(checks).to_have_text(["In deinem Browser nachgerechnet: stimmt."] * 14)
    expect(draws.first).to_contain_text("Öffentlich steht davon nur die Prüfsumme")
    expect(draws.first).to_contain_text("nachgerechnet, stimmt")
    expect(draws.first).not_to_contain_text("Getrennt zu halten waren:")
    assert faults(page) == []
    # Nobody's wish: the redraw is made again, too, and what was changed is found.
    event = f.make_running_event(14, seats=8)
    played_out(event, is_wished=False)
    draw = Draw.objects.filter(event=event, kind="redraw").get()
    rows = draw.outcome
    rows[2][1:], rows[5][1:] = rows[5][1:], rows[2][1:]
    Draw.objects.filter(pk=draw.pk).update(outcome=rows)
    first = open_draws(page, base, event).first
    expect(first.locator("[data-check]")).to_have_text(
        "In deinem Browser nachgerechnet: stimmt nicht. Anders sind die Zeilen 3, 6."
    )
    expect(first.locator(".outcome > .is-wrong")).to_have_count(2)
    assert faults(page) == []
