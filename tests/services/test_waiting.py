"""Places and the line: who gets in, who waits, who moves up, by which deadline."""

from datetime import timedelta
from unittest.mock import patch

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import (
    capacity_of,
    offer_of,
    position_of,
    waiting_list_of,
    waiting_of,
)
from tournaments.door.services.arrivals import (
    noshows_release,
    registration_arrive,
    registration_expect,
)
from tournaments.door.services.registration import (
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.door.services.waiting_list import (
    offer_accept,
    offer_decline,
    offers_expire,
    place_give,
)
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Person, PlaceOffer, Registration, Waiting
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.tasks import places_due

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def full():
    """An event for three, with three places given and two people in line."""
    event = f.make_event(capacity=3)
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"offer_minutes": 20})
    for minute, name in enumerate(("Eins", "Zwei", "Drei", "Vier", "Fünf")):
        f.register(event, name, at=f.ARRIVAL + minute * MINUTE)
    return f.fresh(event)


def row(event, name):
    return Registration.objects.live().get(event=event, person__name=name)


def in_line(event):
    rows = Waiting.objects.live().filter(event=event).order_by("since", "pk")
    return list(rows.values_list("registration__person__name", flat=True))


def offered(event):
    rows = PlaceOffer.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("waiting__registration__person__name", flat=True))


def test_exactly_as_many_get_in_as_there_are_places_and_the_rest_waits_in_order(full):
    assert in_line(full) == ["Vier", "Fünf"]
    assert capacity_of(full).free == 0
    assert [position_of(waiting_of(row(full, name))) for name in in_line(full)] == [1, 2]
    assert log_first_fault(full) is None


def test_a_freed_place_is_offered_to_the_first_in_line_until_a_deadline(full):
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=row(full, "Zwei")
    )
    assert offered(full) == ["Vier"]
    offer = PlaceOffer.objects.live().get()
    assert offer.expires_at - offer.offered_at == timedelta(minutes=full.offer_minutes)
    assert capacity_of(full).free == 0
    # Somebody new does not slip in between.
    f.register(full, "Sechs", at=f.ARRIVAL + 11 * MINUTE)
    assert in_line(full) == ["Vier", "Fünf", "Sechs"]


def test_only_he_takes_the_offered_place_and_only_once(full):
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=row(full, "Zwei")
    )
    four, five = row(full, "Vier"), row(full, "Fünf")
    said = {"event": full, "at": f.ARRIVAL + 20 * MINUTE}
    with f.refused("not_yours", full):
        call_service(offer_accept, **said, by=f.petra_of(five), registration=four)
    with f.refused("no_offer", full):
        call_service(offer_accept, **said, by=f.petra_of(five), registration=five)
    call_service(offer_accept, **said, by=f.petra_of(four), registration=four)
    assert in_line(full) == ["Fünf"]
    with f.refused("not_waiting", full):
        call_service(offer_accept, **said, by=f.petra_of(four), registration=four)
    f.undo(full, at=f.ARRIVAL + 21 * MINUTE)
    assert offered(full) == ["Vier"]


def test_a_second_after_the_deadline_the_place_is_gone_and_the_next_is_asked(full):
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=row(full, "Zwei")
    )
    late = offer_of(waiting_of(row(full, "Vier"))).expires_at + timedelta(seconds=1)
    with f.refused("expired", full):
        offer_accept(Command(event=full, by=SYSTEM, at=late), registration=row(full, "Vier"))
    offers_expire(Command(event=full, by=SYSTEM, at=late))
    assert in_line(full) == ["Fünf", "Vier"]
    assert offered(full) == ["Fünf"]
    with f.refused("none_expired", full):
        offers_expire(Command(event=full, by=SYSTEM, at=late))


def test_who_declines_goes_to_the_end_of_the_line(full):
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=row(full, "Zwei")
    )
    offer_decline(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 12 * MINUTE), registration=row(full, "Vier")
    )
    assert in_line(full) == ["Fünf", "Vier"]
    assert offered(full) == ["Fünf"]


def test_without_a_deadline_the_next_moves_up_at_once(full):
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 6 * MINUTE), settings={"offer_minutes": 0}
    )
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=row(full, "Zwei")
    )
    assert in_line(full) == ["Fünf"]


def test_more_places_are_offered_as_soon_as_they_are_set(full):
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 6 * MINUTE), settings={"capacity": 5}
    )
    assert offered(full) == ["Vier", "Fünf"]
    f.undo(full, at=f.ARRIVAL + 7 * MINUTE)
    assert offered(full) == ["Vier", "Fünf"]


def test_a_withdrawal_is_not_taken_back_once_the_place_went_on(full):
    gone = row(full, "Zwei")
    action = registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 10 * MINUTE), registration=gone
    )
    offer_accept(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 11 * MINUTE), registration=row(full, "Vier")
    )
    with f.refused("overbooked", full):
        f.undo(full, action, at=f.ARRIVAL + 12 * MINUTE)
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 13 * MINUTE), settings={"capacity": 5}
    )
    offer_decline(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 14 * MINUTE), registration=row(full, "Fünf")
    )
    f.undo(full, action, at=f.ARRIVAL + 15 * MINUTE)
    assert waiting_of(gone) is None


def test_a_registration_taken_back_frees_its_place(full):
    action = Registration.objects.get(person__name="Drei").made_by
    f.undo(full, action, at=f.ARRIVAL + 10 * MINUTE)
    assert offered(full) == ["Vier"]


def test_nobody_is_checked_in_from_the_line_until_the_director_gives_a_place(full):
    with f.refused("cannot_check_in", full):
        f.check_in(full, row(full, "Vier"), at=f.ARRIVAL + 10 * MINUTE)
    said = {"event": full, "by": f.make_dora(), "at": f.ARRIVAL + 11 * MINUTE}
    with f.refused("full", full):
        call_service(place_give, **said, registration=row(full, "Fünf"))
    call_service(event_update, **said, settings={"capacity": 4})
    call_service(place_give, **said, registration=row(full, "Vier"))
    f.check_in(full, row(full, "Vier"), at=f.ARRIVAL + 12 * MINUTE)


def test_places_held_back_are_the_directors_to_give():
    event = f.make_event(capacity=3)
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"reserved_places": 2})
    f.register(event, "Eins")
    f.register(event, "Zwei")
    assert in_line(event) == ["Zwei"]
    guest = {"event": event, "at": f.ARRIVAL, "is_reserved": True}
    with f.refused("not_allowed", event):
        call_service(registration_create, **guest, by=f.make_desk(), name="Gast")
    call_service(registration_create, **guest, by=f.make_dora(), name="Gast")
    call_service(registration_create, **guest, by=f.make_dora(), name="Gästin")
    with f.refused("none_reserved", event):
        call_service(registration_create, **guest, by=f.make_dora(), name="Zuviel")
    assert in_line(event) == ["Zwei"]


def test_members_come_first_until_the_date_then_the_line_moves():
    event = f.make_event(capacity=3)
    until = f.ARRIVAL + timedelta(hours=-1)
    before = until - timedelta(days=1)
    event_update(
        Command(event=event, by=SYSTEM, at=before), settings={"members_first_until": until}
    )
    f.register(event, "Gast", at=before)
    f.register(event, "Mitglied", at=before + MINUTE, is_member=True)
    assert in_line(event) == ["Gast"]
    assert Person.objects.get(name="Mitglied").is_member
    with patch("django.utils.timezone.now", return_value=until + MINUTE):
        places_due()
    assert offered(event) == ["Gast"]


def test_a_long_list_puts_the_rest_in_line_in_its_order():
    event = f.make_event(capacity=2)
    people = [{"name": f"Gast {number}"} for number in range(1, 5)]
    registrations_import(Command(event=event, by=SYSTEM, at=f.ARRIVAL), people=people)
    assert in_line(event) == ["Gast 3", "Gast 4"]
    assert [waiter.is_asked for waiter in waiting_list_of(event)] == [False, False]


# No-shows and alternates


@pytest.fixture
def begun():
    """Two of three play; one never came, one waits in line; late registration is open."""
    event = f.make_event(capacity=3, late_registration_level=9)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Fehlt", "Ersatz")]
    for registration in rows[:2]:
        f.check_in(event, registration)
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"no_show_minutes": 15})
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    return f.fresh(event)


def test_who_is_not_here_in_time_loses_the_place_to_an_alternate_who_is(begun):
    with f.refused("none_due", begun):
        noshows_release(Command(event=begun, by=SYSTEM, at=f.after(14)))
    registration_arrive(
        Command(event=begun, by=SYSTEM, at=f.after(10)), registration=row(begun, "Ersatz")
    )
    with patch("django.utils.timezone.now", return_value=f.after(40)):
        places_due()
        places_due()
    assert in_line(begun) == ["Fehlt"]
    action = f.assert_logged(begun, "noshows.released")
    assert action.at == f.after(15)
    f.check_in(begun, row(begun, "Ersatz"), at=f.after(41))


def test_who_said_when_he_comes_is_no_no_show_until_then(begun):
    missing = row(begun, "Fehlt")
    said = {"event": begun, "by": f.petra_of(missing), "registration": missing}
    with f.refused("past", begun):
        call_service(registration_expect, **said, at=f.after(2), expected_at=f.after(1))
    call_service(registration_expect, **said, at=f.after(2), expected_at=f.after(30))
    with f.refused("none_due", begun):
        noshows_release(Command(event=begun, by=SYSTEM, at=f.after(29)))
    with patch("django.utils.timezone.now", return_value=f.after(40)):
        places_due()
    assert "Fehlt" in in_line(begun)
    assert f.assert_logged(begun, "noshows.released").at == f.after(30)


def test_a_seat_that_falls_free_goes_to_the_alternate_who_is_here(begun):
    registration_arrive(
        Command(event=begun, by=SYSTEM, at=f.after(1)), registration=row(begun, "Ersatz")
    )
    f.register(begun, "Dritte", at=f.after(1))
    entry = row(begun, "Anna").entries.get()
    f.check_in(begun, row(begun, "Fehlt"), at=f.after(2))
    assert in_line(begun) == ["Ersatz", "Dritte"]
    entries_eliminate(Command(event=begun, by=SYSTEM, at=f.after(3)), entries=[entry])
    assert in_line(begun) == ["Dritte"]


def test_a_seat_that_a_disqualification_frees_goes_to_the_alternate_who_is_here(begun):
    registration_arrive(
        Command(event=begun, by=SYSTEM, at=f.after(1)), registration=row(begun, "Ersatz")
    )
    f.register(begun, "Dritte", at=f.after(1))
    entry = row(begun, "Anna").entries.get()
    f.check_in(begun, row(begun, "Fehlt"), at=f.after(2))
    said = {"event": begun, "by": SYSTEM, "at": f.after(3), "entry": entry}
    gone = call_service(entry_disqualify, **said, reason="Chips eingesteckt")
    assert in_line(begun) == ["Dritte"]
    assert gone.payload["moved_up"] == [row(begun, "Ersatz").pk]
    f.undo(begun, gone)
    assert in_line(begun) == ["Ersatz", "Dritte"]


# The fee


def test_the_fee_is_paid_once_refunded_and_taken_back():
    event = f.make_event()
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"fee_cents": 1000})
    person = f.register(event)
    said = {"event": f.fresh(event), "by": f.make_desk(), "at": f.ARRIVAL, "registration": person}
    with f.refused("nothing_paid", event):
        call_service(fee_refund, **said)
    action = call_service(fee_pay, **said)
    assert action.payload["amount_cents"] == 1000
    with f.refused("already_paid", event):
        call_service(fee_pay, **said)
    with f.refused("bad_amount", event):
        call_service(fee_pay, **said, amount_cents=-5)
    call_service(fee_refund, **said)
    f.undo(event)
    with f.refused("already_paid", event):
        call_service(fee_pay, **said)
