"""The arbiter's phone in a real browser: taps that are lost, repeated, taken back, or too late."""

import pytest

from tests import factories as f
from tests.browser import phones
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.views.requests import present
from tournaments.models import Elimination
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
    phone.wait_for_selector("#sheet .refusal:has-text('ist schon ausgeschieden.')")
    assert outs() == 1


def test_everything_on_the_table_fits_above_the_bar(phone):
    bar = phone.locator(".action-bar").bounding_box()
    for seat in phone.locator(".seat-face").all():
        box = seat.bounding_box()
        assert box["y"] + box["height"] <= bar["y"]
        assert box["height"] >= 44
