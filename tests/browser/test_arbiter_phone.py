"""The arbiter's phone at a table: outs, hands, the button, conduct, and what comes late."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from clock.selectors import clock_payload
from clock.servertime import server_time
from tests import factories as f
from tests.browser.devices import PHONE, faults, tap, tell
from tests.calling import call_service
from tests.pressing import name_of, now
from tests.services.dealing import tap as tap_hand
from tests.waits import box_of, intercept
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.views.requests import present
from tournaments.event.services.clock import clock_adjust, clock_pause, clock_previous_level
from tournaments.models import ClockCallEnd, Elimination, Hand, Knockout
from tournaments.play.services.calls import clock_call_start
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.running(10, seats=6),
]
DECLINES = re.compile("^Kein Re-buy: aus")  # and what follows from it
REST = "**/ausgeschieden/**"
# It takes no press at first, but not for long enough to be found so by asking.
NOTE_SETTLING = """() => new MutationObserver(() => document.body.toggleAttribute(
    "data-settled", document.querySelector("#outs.is-settling, [data-settled]") !== null,
)).observe(document.body, { subtree: true, attributeFilter: ["class"] })"""
SPEAKER = """
globalThis.spoken = [];
speechSynthesis.speak = (words) => { if (words.text) spoken.push(words.text); };
"""


@pytest.fixture
def phone(page, devices, event):
    """Return the phone of Arno, signed in, with his table in front of him."""
    page.add_init_script(SPEAKER)
    return devices.open(page, event, "floor-table", 1, role=Role.ARBITER)


def test_a_hand_at_another_table_makes_a_phone_ask_nothing(phone, event):
    asked = []
    phone.on("request", lambda request: asked.append(request.url))
    version = f.fresh(event).version
    with phone.expect_response("**/tische/1/bubble/"):
        tell(phone, "acted", version=version + 1, changed=["hands"], ranks=[2])
        tell(phone, "acted", version=version + 2, changed=["bubble"])  # told together
    assert not [url for url in asked if url.endswith("/stand/")]
    with phone.expect_response("**/tische/1/stand/"):
        tell(phone, "acted", version=version + 3, changed=["hands"], ranks=[1])


def test_in_a_large_hall_an_out_at_another_table_is_asked_for_late_and_once(page, devices):
    event = f.make_running_event(28, seats=2)
    page.clock.install()
    phone = devices.open(page, event, "floor-table", 1, role=Role.ARBITER)
    asked = []
    phone.on("request", lambda one: asked.extend(re.findall("/tische/(.*)", one.url)))
    version = f.fresh(event).version
    for number, table in enumerate((2, 3, 4), start=1):
        tell(phone, "acted", version=version + number, changed=["entries", "tables"], ranks=[table])
    tell(phone, "acted", version=version + 4, changed=["conduct"])
    with phone.expect_response("**/tische/1/stand/"):
        phone.clock.run_for(300)
    assert asked == ["1/stand/"]
    with phone.expect_response("**/tische/1/stand/"), phone.expect_response("**/tische/1/bubble/"):
        phone.clock.run_for(60_000)
    assert sorted(asked) == ["1/bubble/", "1/stand/", "1/stand/"]
    with phone.expect_response("**/tische/1/button/"):
        tell(phone, "acted", version=version + 5, changed=["entries", "tables"], ranks=[1, 2])
        phone.clock.run_for(300)


def by_system(event, at=None):
    return Command(event=event, by=SYSTEM, at=at or present(f.fresh(event)))


def outs():
    return Elimination.objects.live().count()


def press(phone, words, within="#sheet"):
    phone.locator(within).get_by_role("button", name=words, exact=True).first.click()


def tap_out(phone, entry):
    tap(phone, entry)
    phone.click("#sheet button:has-text('Aus')")


def held_back(phone):
    """Return where what follows an out is kept until it is let go."""
    held = []

    def keep(route):
        held.append(route)

    intercept(phone, REST, keep)
    return held


def test_out_and_undo_and_out_again(phone, event):
    one, two = f.at_table(event, 1)[:2]
    told = phone.locator("#toasts .toast", has_text="Zurückgenommen")
    for _time in range(2):
        tap_out(phone, one)
        phone.wait_for_selector(".outs-place:has-text('Platz 10')")
        # A toast goes when what it tells is overtaken.
        expect(told).to_have_count(0)
        assert outs() == 1
        phone.click("#sheet button:has-text('Zurücknehmen')")
        phone.wait_for_selector("#sheet", state="hidden")
        expect(told).to_be_visible()
        phone.wait_for_selector(f".seat-face:has-text('{name_of(one)}')")
        assert outs() == 0
    tap(phone, two)
    entries_eliminate(by_system(event), entries=[two])
    phone.click("#sheet button:has-text('Aus')")
    phone.wait_for_selector("#sheet .refusal:has-text('ist schon ausgeschieden')")
    assert outs() == 1


def test_a_bust_with_bounty_in_the_re_buy_time_is_told_on_one_sheet_of_four_taps(page, devices):
    own = {"bounty_kind": "fixed", "fee_cents": 1000, "fee_parts": [["bounty", 500, ""]]}
    event = f.make_running_event(6, seats=6, rebuy_level=15, **own)
    phone = devices.open(page, event, "floor-table", 1, role=Role.ARBITER)
    one, two, three, four, taker = f.at_table(event, 1)[:5]
    sheet, title = phone.locator("#sheet"), phone.locator("#sheet-title")
    tap_out(phone, one)
    press(phone, name_of(taker))
    expect(sheet.locator("[aria-pressed=true]")).to_have_text(name_of(taker))
    press(phone, DECLINES)
    expect(sheet).to_be_hidden()
    assert Knockout.objects.live().get().elimination.entry == one
    # Of two in one hand the sheet stays until both have answered, and then asks against whom.
    tap(phone, two)
    press(phone, "Mehrere aus")
    expect(sheet.locator(f"input[value='{two.pk}']")).to_be_checked()
    sheet.locator(f"input[value='{three.pk}']").check()
    press(phone, "Aus in dieser Hand")
    expect(title).to_have_text("Ohne Chips")
    press(phone, DECLINES)
    expect(title).to_have_text("Ausgeschieden und ohne Chips")
    press(phone, DECLINES)
    expect(title).to_have_text("Ausgeschieden")
    press(phone, name_of(taker))
    expect(sheet.locator("[aria-pressed=true]")).to_have_text(name_of(taker))
    press(phone, "Fertig")
    # Another arbiter was first; the table has the answers too.
    tap(phone, four)
    entries_eliminate(by_system(event), entries=[four])
    phone.click("#sheet button:has-text('Aus')")
    expect(title).to_have_text("Ohne Chips")
    phone.reload()
    phone.click(".conduct button:has-text('Re-buy oder aus …')")
    press(phone, "Niemand: gibt auf")
    expect(sheet).to_contain_text("Hat aufgegeben")
    assert (outs(), Knockout.objects.live().count()) == (4, 3)


def test_the_tap_is_told_at_once_and_the_place_follows_without_moving_a_button(phone, event):
    entry, held = f.at_table(event, 1)[0], held_back(phone)
    tap_out(phone, entry)
    sheet = phone.locator("#sheet")
    expect(sheet.locator(".outs-name")).to_have_text(name_of(entry))
    expect(sheet).to_contain_text("Ist eingetragen.")
    done = sheet.get_by_role("button", name="Fertig")
    done.click(trial=True)  # waits until the sheet stands still
    done.focus()
    before = box_of(done)
    phone.evaluate(NOTE_SETTLING)
    held.pop().continue_()
    expect(sheet.locator(".outs-place")).to_have_text("Platz 10")
    expect(phone.locator("body")).to_have_attribute("data-settled", "")
    expect(sheet).not_to_contain_text("Ist eingetragen.")
    expect(done).to_be_focused()
    assert box_of(done) == before
    assert faults(phone) == []


def test_what_follows_an_out_opens_no_sheet_that_was_left_and_is_asked_for_again_if_lost(
    phone, event
):
    one, two, three = f.at_table(event, 1)[:3]
    held, sheet = held_back(phone), phone.locator("#sheet")
    for pressed, count in (("Zurücknehmen", 0), ("Fertig", 1)):
        tap_out(phone, one)
        phone.click(f"#sheet button:has-text('{pressed}')")
        expect(sheet).to_be_hidden()
        assert outs() == count
        with phone.expect_response(REST):
            held.pop().continue_()
        expect(phone.locator("#sheet #outs")).to_have_count(1)
        expect(sheet).to_be_hidden()
    # Nor does it take the place of another player's sheet.
    tap_out(phone, two)
    phone.click("#sheet button:has-text('Fertig')")
    tap(phone, three)
    with phone.expect_response(REST):
        held.pop().continue_()
    expect(phone.locator(".htmx-request")).to_have_count(0)
    expect(sheet.locator("h2")).to_have_text(name_of(three))
    expect(phone.locator("#outs")).to_have_count(0)
    phone.unroute_all()
    intercept(phone, REST, lambda route: route.abort("connectionreset"), times=1)
    phone.click("#sheet button:has-text('Aus')")
    expect(sheet).to_contain_text("Ist eingetragen.")
    expect(sheet.locator(".outs-place")).to_have_text("Platz 8")
    assert outs() == 3


def hand(event, number):
    """Another phone taps the next hand."""
    hand_begin(by_system(event, now(event) + timedelta(seconds=6)), table=f.table_of(event, number))


def assert_sound(phone):
    assert faults(phone) == []
    for button in phone.locator("#sheet button:visible, #sheet .chip:visible").all():
        assert box_of(button)["height"] >= 44


def test_a_tap_begins_the_hand_the_button_moves_and_what_was_told_grows_old(
    phone, event, monkeypatch
):
    minute = lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))
    in_force, button = phone.locator("#floor-in-force"), phone.locator("#floor-button")
    minute(17)
    phone.reload()
    expect(in_force).to_contain_text("Angesagt seit")
    phone.click("button:has-text('Nächste Hand')")
    expect(in_force).to_contain_text("Hand 1 begann")
    phone.click("#hand-begun button:has-text('Rückgängig')")
    expect(in_force).to_contain_text("Angesagt seit")
    assert not Hand.objects.live().exists()
    minute(19)
    seats = [f.seat_of(entry)[1] for entry in f.at_table(event, 1)]
    tap_hand(event, 18, button=seats[0])
    phone.reload()
    to_come = "D {} · SB {} · BB {}".format(*seats[1:4])
    expect(phone.locator(".next-hand-posts")).to_have_text(to_come)
    box = box_of(phone.locator(".next-hand"))
    assert box["height"] >= 56
    assert box["y"] + box["height"] <= PHONE["height"]
    phone.click("button:has-text('Nächste Hand')")
    expect(in_force).to_contain_text("Hand 2 begann")
    expect(phone.locator(".seat:has(.seat-button) .seat-number")).to_contain_text(str(seats[1]))
    assert faults(phone) == []
    # Nobody taps any more: the phone looks again by itself when the tap has grown old.
    minute(29 - 1 / 60)
    phone.reload()
    expect(in_force).to_contain_text("Stufe 2 angesagt")
    minute(29.1)
    expect(in_force).to_contain_text("angenommen")
    expect(button).to_contain_text("Button zuletzt um 19:19 bekannt")
    expect(phone.locator(".seat-button")).to_have_count(0)
    phone.locator("#floor-button").get_by_role("button", name="Button setzen").click()
    choice = phone.locator(".button-seats .button").first
    assert box_of(choice)["height"] >= 44
    phone.get_by_label("Die nächste Hand beginnt damit").check()
    choice.click()
    expect(phone.locator("#floor-table .seat-post")).to_have_count(3)


def test_the_level_changes_on_the_clock_and_not_at_the_table(phone, event):
    said = {"event": event, "by": SYSTEM, "at": present()}
    call_service(clock_previous_level, **said)
    call_service(hand_begin, **said, table=f.table_of(event, 1))
    call_service(clock_adjust, **said, seconds=-(20 * 60 - 3))
    phone.reload()
    in_force = phone.locator(".in-force")
    expect(in_force).to_contain_text("als Stufe 14 schon angesagt")
    phone.wait_for_selector(".in-force.is-behind:has-text('vor Stufe 15')")
    expect(in_force.locator("summary")).to_have_text(
        re.compile("gilt hier.*Stufe 15 angesagt.*Stufe 14", re.DOTALL)
    )


def test_a_call_of_the_clock_is_started_stopped_and_counted_aloud_to_zero(phone, devices, event):
    entry = f.at_table(event, 1)[0]
    devices.open(phone, event, "floor-table", 1, role=Role.DIRECTOR)
    tap(phone, entry)
    phone.click("#sheet button:has-text('Clock')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert int(phone.inner_text("[data-call-left]")) <= 10
    phone.click("button:has-text('Hat gehandelt')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.get().outcome == "acted"
    clock_call_start(by_system(event, present() - timedelta(seconds=7)), entry=entry)
    phone.reload()
    phone.click("button:has-text('Uhr läuft')")
    phone.wait_for_selector(".call[data-phase=countdown]")
    assert phone.is_hidden("button:has-text('Hand ist tot')")
    phone.wait_for_selector(".call[data-phase=over]")
    assert phone.inner_text("[data-call-left]") == "0"
    assert phone.evaluate("spoken.join(' ')").endswith("2 1 0")
    assert faults(phone) == []
    phone.click("button:has-text('Hand ist tot')")
    phone.wait_for_selector("#sheet", state="hidden")
    assert ClockCallEnd.objects.latest("pk").outcome == "dead"


def test_a_page_read_again_does_not_put_the_clock_back(page, devices, event):
    """The clock is paused while an older page is still on its way: it stays paused."""
    phone = devices.open(page, event, "floor-table", 1, role=Role.DIRECTOR)
    answers = []
    intercept(phone, phone.url, lambda route: answers.append((route, route.fetch())), times=1)
    clock_adjust(by_system(event), seconds=60)
    tell(phone, "acted", version=f.fresh(event).version, changed=["settings"])
    while not answers:
        phone.wait_for_timeout(50)
    clock_pause(by_system(event))
    anchor = clock_payload(event.clock, present())["anchor"]
    tell(phone, "acted", version=f.fresh(event).version, changed=["clock"], anchor=anchor)
    state = phone.locator("[data-clock-show=state]")
    expect(state).to_have_text("angehalten")
    route, older = answers[0]
    with phone.expect_response(phone.url):
        route.fulfill(response=older)
    phone.wait_for_timeout(1000)
    expect(state).to_have_text("angehalten")
