"""Places and the line: who gets in, who waits, who moves up, by which deadline."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.services.line import (
    MINUTE,
    arrive,
    change,
    in_line,
    of,
    offered,
    say,
    undo,
    withdraw,
    work,
)
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import capacity_of, position_of, waiting_list_of, waiting_of
from tournaments.door.services.arrivals import noshows_release, registration_expect
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.door.services.waiting_list import (
    offer_accept,
    offer_decline,
    offers_expire,
    place_give,
)
from tournaments.event.services.clock import clock_start
from tournaments.models import Person, PlaceOffer
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def full():
    """Three places, all given, and two people in line; whoever is asked has twenty minutes."""
    event = f.make_event(capacity=3, offer_minutes=20)
    for minute, name in enumerate(("Eins", "Zwei", "Drei", "Vier", "Fünf")):
        f.register(event, name, at=f.ARRIVAL + minute * MINUTE)
    return f.fresh(event)


@pytest.fixture
def asked(full):
    """The same after ten minutes, when a place fell free and "Vier" was asked."""
    withdraw(full, "Zwei", 10)
    return full


def test_exactly_as_many_get_in_as_there_are_places_and_the_rest_waits_in_order(full):
    assert in_line(full) == ["Vier", "Fünf"]
    assert capacity_of(full).free == 0
    assert [position_of(waiting_of(of(full, name))) for name in in_line(full)] == [1, 2]
    assert log_first_fault(full) is None
    f.assert_logged(full, "registration.created", waits=True)
    people = [{"name": f"Gast {number}"} for number in range(2)]
    say(registrations_import, full, 6, people=people)
    assert in_line(full) == ["Vier", "Fünf", "Gast 0", "Gast 1"]
    assert not any(waiter.is_asked for waiter in waiting_list_of(full))


def test_a_freed_place_is_offered_to_the_first_in_line_until_a_deadline(asked):
    assert offered(asked) == ["Vier"]
    offer = PlaceOffer.objects.live().get()
    assert offer.expires_at - offer.offered_at == 20 * MINUTE
    assert capacity_of(asked).free == 0
    # Somebody new does not slip in between.
    f.register(asked, "Sechs", at=f.ARRIVAL + 11 * MINUTE)
    assert in_line(asked) == ["Vier", "Fünf", "Sechs"]


def test_only_he_takes_the_offered_place_and_only_once(asked):
    four, five = of(asked, "Vier"), of(asked, "Fünf")
    with f.refused("not_yours", asked):
        say(offer_accept, asked, 20, by=f.petra_of(five), registration=four)
    with f.refused("no_offer", asked):
        say(offer_accept, asked, 20, by=f.petra_of(five), registration=five)
    say(offer_accept, asked, 20, by=f.petra_of(four), registration=four)
    assert in_line(asked) == ["Fünf"]
    with f.refused("not_waiting", asked):
        say(offer_accept, asked, 20, by=f.petra_of(four), registration=four)
    undo(asked, 21)
    assert offered(asked) == ["Vier"]


def test_a_second_after_the_deadline_the_place_is_gone_and_the_next_is_asked(asked):
    late = 30 + 1 / 60
    with f.refused("expired", asked):
        say(offer_accept, asked, late, registration=of(asked, "Vier"))
    say(offers_expire, asked, late)
    assert in_line(asked) == ["Fünf", "Vier"]
    assert offered(asked) == ["Fünf"]
    with f.refused("none_expired", asked):
        say(offers_expire, asked, late)


def test_more_places_are_offered_as_soon_as_they_are_set(full):
    change(full, 6, capacity=5)
    assert offered(full) == ["Vier", "Fünf"]
    undo(full, 7)
    assert offered(full) == ["Vier", "Fünf"]


def test_a_withdrawal_is_not_taken_back_once_the_place_went_on(full):
    gone = of(full, "Zwei")
    action = withdraw(full, "Zwei", 10)
    say(offer_accept, full, 11, registration=of(full, "Vier"))
    with f.refused("overbooked", full):
        undo(full, 12, action)
    change(full, 13, capacity=5)
    say(offer_decline, full, 14, registration=of(full, "Fünf"))
    undo(full, 15, action)
    assert waiting_of(gone) is None


def test_nobody_is_checked_in_from_the_line_until_the_director_gives_a_place(full):
    with f.refused("cannot_check_in", full):
        f.check_in(full, of(full, "Vier"), at=f.ARRIVAL + 10 * MINUTE)
    dora = f.make_dora()
    with f.refused("full", full):
        say(place_give, full, 11, by=dora, registration=of(full, "Fünf"))
    change(full, 11, capacity=4)
    say(place_give, full, 11, by=dora, registration=of(full, "Vier"))
    f.check_in(full, of(full, "Vier"), at=f.ARRIVAL + 12 * MINUTE)


def test_places_held_back_are_the_directors_to_give():
    event, dora = f.make_event(capacity=3, reserved_places=2), f.make_dora()
    f.register(event, "Eins")
    f.register(event, "Zwei")
    assert in_line(event) == ["Zwei"]
    with f.refused("not_allowed", event):
        say(registration_create, event, 0, by=f.make_desk(), name="Gast", is_reserved=True)
    for name in ("Gast", "Gästin"):
        say(registration_create, event, 0, by=dora, name=name, is_reserved=True)
    with f.refused("none_reserved", event):
        say(registration_create, event, 0, by=dora, name="Zuviel", is_reserved=True)
    assert in_line(event) == ["Zwei"]


def test_members_come_first_until_the_date_then_the_line_moves():
    event = f.make_event(capacity=3)
    until, before = f.ARRIVAL - timedelta(hours=1), f.ARRIVAL - timedelta(hours=25)
    change(event, -25 * 60, members_first_until=until)
    f.register(event, "Gast", at=before)
    f.register(event, "Mitglied", at=before + MINUTE, is_member=True)
    assert in_line(event) == ["Gast"]
    assert Person.objects.get(name="Mitglied").is_member
    work(until + MINUTE)
    assert offered(event) == ["Gast"]


# No-shows and alternates


@pytest.fixture
def begun():
    """Two of three play; one never came, one waits in line; late registration is open."""
    event = f.make_event(capacity=3, late_registration_level=9, no_show_minutes=15)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Fehlt", "Ersatz")]
    for registration in rows[:2]:
        f.check_in(event, registration)
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def test_who_is_not_here_in_time_loses_the_place_to_an_alternate_who_is(begun):
    with f.refused("none_due", begun):
        f.drive(noshows_release, begun, 14)
    arrive(begun, "Ersatz", 70)
    work(f.after(40))
    work(f.after(40))
    assert in_line(begun) == ["Fehlt"]
    assert f.assert_logged(begun, "noshows.released").at == f.after(15)
    f.check_in(begun, of(begun, "Ersatz"), at=f.after(41))


def test_who_said_when_he_comes_is_no_no_show_until_then(begun):
    missing = of(begun, "Fehlt")
    said = {"by": f.petra_of(missing), "registration": missing}
    with f.refused("past", begun):
        f.drive(registration_expect, begun, 2, **said, expected_at=f.after(1))
    f.drive(registration_expect, begun, 2, **said, expected_at=f.after(30))
    with f.refused("none_due", begun):
        f.drive(noshows_release, begun, 29)
    work(f.after(40))
    assert "Fehlt" in in_line(begun)
    assert f.assert_logged(begun, "noshows.released").at == f.after(30)


@pytest.mark.parametrize("is_sent_out", [False, True], ids=["out", "disqualified"])
def test_a_seat_that_falls_free_goes_to_the_alternate_who_is_here(begun, is_sent_out):
    arrive(begun, "Ersatz", 61)
    f.register(begun, "Dritte", at=f.after(1))
    entry = of(begun, "Anna").entries.get()
    f.check_in(begun, of(begun, "Fehlt"), at=f.after(2))
    assert in_line(begun) == ["Ersatz", "Dritte"]
    if is_sent_out:
        gone = f.drive(entry_disqualify, begun, 3, entry=entry, reason="Chips eingesteckt")
    else:
        gone = f.drive(entries_eliminate, begun, 3, entries=[entry])
    assert in_line(begun) == ["Dritte"]
    assert gone.payload["moved_up"] == [of(begun, "Ersatz").pk]
    f.undo(begun, gone)
    assert in_line(begun) == ["Ersatz", "Dritte"]
    f.undo(begun)
    assert in_line(begun) == ["Dritte"]
