"""The arbiter's phone in a real browser: taps that are lost, repeated, taken back, or too late."""

import pytest
from playwright.sync_api import expect

from tests import factories as f
from tests.browser import phones
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.views.requests import present
from tournaments.models import Elimination, Hand
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event():
    return f.make_running_event(6, seats=6)


@pytest.fixture
def phone(page, live_server, event):
    """Return the phone of Arno, signed in, with his table in front of him."""
    return phones.at_table(page, live_server, event)


def outs():
    return Elimination.objects.live().count()


def tap_player(phone, entry):
    phone.click(f".seat-face:has-text('{entry.registration.person.name}')")
    phone.wait_for_selector("#sheet[open]")


def tap_out(phone):
    phone.click("#sheet button:has-text('Aus')")


def test_out_and_undo_and_out_again(phone, event):
    entry = f.entries_of(event)[0]
    for _time in range(2):
        tap_player(phone, entry)
        tap_out(phone)
        phone.wait_for_selector(".outs-place:has-text('Platz 6')")
        assert outs() == 1
        phone.click("#sheet button:has-text('Zurücknehmen')")
        phone.wait_for_selector("#sheet", state="hidden")
        phone.wait_for_selector(f".seat-face:has-text('{entry.registration.person.name}')")
        assert outs() == 0


REST = "**/ausgeschieden/**"
# It takes no press at first, but not for long enough to be found so by asking.
NOTE_SETTLING = """() => new MutationObserver(() => document.body.toggleAttribute(
    "data-settled", document.querySelector("#outs.is-settling, [data-settled]") !== null,
)).observe(document.body, { subtree: true, attributeFilter: ["class"] })"""


def held_back(phone):
    """Return where what follows an out is kept until it is let go."""
    held = []

    def keep(route):
        held.append(route)

    phone.route(REST, keep)
    return held


def test_the_tap_is_told_at_once_and_the_place_follows_without_moving_a_button(phone, event):
    entry, held = f.entries_of(event)[0], held_back(phone)
    tap_player(phone, entry)
    tap_out(phone)
    sheet = phone.locator("#sheet")
    expect(sheet.locator(".outs-name")).to_have_text(entry.registration.person.name)
    expect(sheet).to_contain_text("Ist eingetragen.")
    done = sheet.get_by_role("button", name="Fertig")
    done.click(trial=True)  # waits until the sheet stands still
    done.focus()
    before = done.bounding_box()
    phone.evaluate(NOTE_SETTLING)
    held.pop().continue_()
    expect(sheet.locator(".outs-place")).to_have_text("Platz 6")
    expect(phone.locator("body")).to_have_attribute("data-settled", "")
    expect(sheet).not_to_contain_text("Ist eingetragen.")
    expect(done).to_be_focused()
    assert done.bounding_box() == before
    assert phones.faults(phone) == []


@pytest.mark.parametrize(("pressed", "out"), [("Zurücknehmen", 0), ("Fertig", 1)])
def test_what_follows_opens_no_sheet_that_was_left_meanwhile(phone, event, pressed, out):
    one, two = f.entries_of(event)[:2]
    held = held_back(phone)
    tap_player(phone, one)
    tap_out(phone)
    phone.click(f"#sheet button:has-text('{pressed}')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert outs() == out
    with phone.expect_response(REST):
        held.pop().continue_()
    expect(phone.locator("#sheet #outs")).to_have_count(1)
    expect(phone.locator("#sheet")).to_be_hidden()
    # Nor does it take the place of another player's sheet.
    tap_player(phone, two)
    expect(phone.locator("#sheet h2")).to_have_text(two.registration.person.name)


def test_what_follows_is_lost_in_another_players_sheet(phone, event):
    one, two = f.entries_of(event)[:2]
    held = held_back(phone)
    tap_player(phone, one)
    tap_out(phone)
    phone.click("#sheet button:has-text('Fertig')")
    tap_player(phone, two)
    with phone.expect_response(REST):
        held.pop().continue_()
    expect(phone.locator(".htmx-request")).to_have_count(0)
    expect(phone.locator("#sheet h2")).to_have_text(two.registration.person.name)
    expect(phone.locator("#outs")).to_have_count(0)


def test_what_should_follow_and_was_lost_is_asked_for_again(phone, event):
    phone.route(REST, lambda route: route.abort("connectionreset"), times=1)
    tap_player(phone, f.entries_of(event)[0])
    tap_out(phone)
    expect(phone.locator("#sheet")).to_contain_text("Ist eingetragen.")
    expect(phone.locator("#sheet .outs-place")).to_have_text("Platz 6")
    assert outs() == 1


def test_a_hand_tapped_without_wifi_says_that_it_waits(phone):
    phone.context.set_offline(True)
    phone.locator("#next-hand button").click()
    expect(phone.locator("#hand-begun")).to_contain_text("Getippt, wartet")
    expect(phone.locator("#floor-button")).to_contain_text("Eine Hand ist getippt und wartet.")
    phone.context.set_offline(False)
    expect(phone.locator("#floor-button")).to_contain_text("Nächste Hand")
    expect(phone.locator("[data-hands-waiting]")).to_be_hidden()
    assert Hand.objects.live().count() == 1


def test_a_tap_without_wifi_is_sent_by_itself_and_counts_once(phone, event):
    tap_player(phone, f.entries_of(event)[0])
    phone.context.set_offline(True)
    tap_out(phone)
    phone.wait_for_selector("#offline:has-text('1 Eingabe wartet.')")
    assert outs() == 0
    phone.context.set_offline(False)
    phone.wait_for_selector(".toast:has-text('1 Eingabe nachgetragen.')")
    phone.wait_for_selector("#offline", state="hidden")
    assert outs() == 1


def test_an_answer_that_was_lost_does_not_count_twice(phone, event):
    """The server did it, the phone did not hear of it: the tap goes out again, and counts once."""

    def lose(route):
        route.fetch()
        route.abort("connectionreset")

    tap_player(phone, f.entries_of(event)[0])
    phone.route("**/aus/", lose, times=1)
    tap_out(phone)
    phone.wait_for_selector(".toast:has-text('1 Eingabe nachgetragen.')")
    assert outs() == 1


def test_who_taps_second_reads_that_it_is_done(phone, event):
    entry = f.entries_of(event)[0]
    tap_player(phone, entry)
    entries_eliminate(Command(event=event, by=SYSTEM, at=present(f.fresh(event))), entries=[entry])
    tap_out(phone)
    phone.wait_for_selector("#sheet .refusal:has-text('ist schon ausgeschieden')")
    assert outs() == 1


def test_everything_on_the_table_fits_above_the_bar(phone):
    bar = phone.locator(".action-bar").bounding_box()
    for seat in phone.locator(".seat-face").all():
        box = seat.bounding_box()
        assert box["y"] + box["height"] <= bar["y"]
        assert box["height"] >= 44
