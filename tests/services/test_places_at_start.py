"""Places as play begins: deadlines end there, those who are here are next, no-shows by rule."""

from datetime import timedelta
from unittest.mock import patch

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.test_waiting import MINUTE, in_line, offered, row
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.selectors.places import deadline_of, offer_of, waiting_of
from tournaments.door.services.arrivals import noshows_settle, registration_arrive
from tournaments.door.services.registration import registration_withdraw
from tournaments.door.services.waiting_list import offer_accept
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Absence, Entry, PlaceOffer, Waiting
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.tasks import places_due

pytestmark = pytest.mark.django_db


def work(at):
    """Let the worker come by at this instant."""
    with patch("django.utils.timezone.now", return_value=at):
        places_due()


def withdraw(event, name, at):
    registration_withdraw(Command(event=event, by=SYSTEM, at=at), registration=row(event, name))


def arrive(event, name, at):
    return registration_arrive(
        Command(event=event, by=SYSTEM, at=at), registration=row(event, name)
    )


@pytest.fixture
def full():
    """Three places, all given, two people in line; whoever is asked has two hours."""
    event = f.make_event(capacity=3, late_registration_level=9)
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"offer_minutes": 120})
    for name in ("Eins", "Zwei", "Drei", "Vier", "Fünf"):
        f.register(event, name)
    return f.fresh(event)


def test_no_deadline_is_after_the_start(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    offer = PlaceOffer.objects.live().get()
    assert (offer.offered_at, offer.expires_at) == (f.ARRIVAL + 10 * MINUTE, f.START)


def test_a_start_set_earlier_ends_the_deadlines_earlier(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    sooner = f.START - 20 * MINUTE
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 15 * MINUTE), settings={"starts_at": sooner}
    )
    assert offer_of(waiting_of(row(full, "Vier"))).expires_at == sooner
    with f.refused("expired", full):
        offer_accept(
            Command(event=full, by=SYSTEM, at=sooner + MINUTE), registration=row(full, "Vier")
        )
    work(sooner + 2 * MINUTE)
    assert f.assert_logged(full, "offers.expired").at == sooner


def test_play_that_begins_ends_all_deadlines_and_nobody_at_home_is_asked(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    f.check_in(full, row(full, "Eins"))
    f.check_in(full, row(full, "Drei"))
    early = f.START - 30 * MINUTE
    clock_start(Command(event=full, by=SYSTEM, at=early))
    assert deadline_of(PlaceOffer.objects.live().get()) == early
    with f.refused("expired", full):
        offer_accept(
            Command(event=full, by=SYSTEM, at=early + MINUTE), registration=row(full, "Vier")
        )
    work(early + MINUTE)
    assert f.assert_logged(full, "offers.expired").at == early
    assert offered(full) == []
    assert in_line(full) == ["Fünf", "Vier"]
    arrive(full, "Vier", early + 2 * MINUTE)
    f.assert_logged(full, "registration.arrived", moved_up=[row(full, "Vier").pk])
    assert in_line(full) == ["Fünf"]


def test_once_play_should_have_begun_nobody_at_home_is_asked(full):
    withdraw(full, "Zwei", f.after(1))
    assert offered(full) == []
    assert in_line(full) == ["Vier", "Fünf"]


def test_who_is_here_passes_those_who_are_not_from_the_start_on(full):
    withdraw(full, "Zwei", f.after(1))
    f.register(full, "Sechs", at=f.after(2))
    assert in_line(full) == ["Vier", "Fünf"]


def test_who_is_here_is_not_asked_but_has_the_place(full):
    arrive(full, "Vier", f.ARRIVAL + 5 * MINUTE)
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 6 * MINUTE), settings={"capacity": 5}
    )
    assert in_line(full) == ["Fünf"]
    assert offered(full) == ["Fünf"]
    f.assert_logged(
        full, "event.updated", moved_up=[row(full, "Vier").pk], offered=[row(full, "Fünf").pk]
    )


def test_to_come_is_to_take_the_place_that_is_held(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    arrive(full, "Vier", f.ARRIVAL + 11 * MINUTE)
    assert (in_line(full), offered(full)) == (["Fünf"], [])
    f.undo(full, at=f.ARRIVAL + 12 * MINUTE)
    assert (in_line(full), offered(full)) == (["Vier", "Fünf"], ["Vier"])


# Taken back


def without_deadline(event):
    event_update(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL + MINUTE), settings={"offer_minutes": 0}
    )


def test_who_was_told_that_he_moved_up_stays_in(full):
    without_deadline(full)
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    action = f.last_action(full)
    with f.refused("overbooked", full):
        f.undo(full, action, at=f.ARRIVAL + 12 * MINUTE)
    event_update(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 13 * MINUTE), settings={"capacity": 5}
    )
    withdraw(full, "Fünf", f.ARRIVAL + 14 * MINUTE)
    f.undo(full, action, at=f.ARRIVAL + 15 * MINUTE)
    assert in_line(full) == []
    assert waiting_of(row(full, "Zwei")) is None


def test_a_place_is_not_taken_back_from_whoever_is_checked_in(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    accepted = offer_accept(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 11 * MINUTE), registration=row(full, "Vier")
    )
    f.check_in(full, row(full, "Vier"), at=f.ARRIVAL + 12 * MINUTE)
    with f.refused("needed", full) as caught:
        f.undo(full, accepted, at=f.ARRIVAL + 13 * MINUTE)
    assert "Eingecheckt: Vier" in str(caught.value)
    f.undo(full, at=f.ARRIVAL + 14 * MINUTE)
    f.undo(full, accepted, at=f.ARRIVAL + 15 * MINUTE)
    assert (in_line(full), offered(full)) == (["Vier", "Fünf"], ["Vier"])


def test_a_place_is_not_taken_back_from_whoever_is_off_the_list(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    accepted = offer_accept(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL + 11 * MINUTE), registration=row(full, "Vier")
    )
    withdraw(full, "Vier", f.ARRIVAL + 12 * MINUTE)
    with f.refused("needed", full) as caught:
        f.undo(full, accepted, at=f.ARRIVAL + 13 * MINUTE)
    assert "Abgemeldet: Vier" in str(caught.value)


def test_a_registration_taken_back_takes_its_offer_along(full):
    withdraw(full, "Zwei", f.ARRIVAL + 10 * MINUTE)
    four = row(full, "Vier")
    f.undo(full, four.made_by, at=f.ARRIVAL + 11 * MINUTE)
    assert (in_line(full), offered(full)) == (["Fünf"], ["Fünf"])


def playing(full):
    for name in ("Eins", "Zwei", "Drei"):
        f.check_in(full, row(full, name))
    clock_start(Command(event=full, by=SYSTEM, at=f.START))
    arrive(full, "Vier", f.after(1))
    entry = row(full, "Eins").entries.get()
    out = entries_eliminate(Command(event=full, by=SYSTEM, at=f.after(3)), entries=[entry])
    assert in_line(full) == ["Fünf"]
    return out


def test_an_out_taken_back_puts_the_alternate_in_line_again(full):
    out = playing(full)
    f.undo(full, out, at=f.after(4))
    assert in_line(full) == ["Vier", "Fünf"]
    f.undo(full, at=f.after(5))
    assert in_line(full) == ["Fünf"]


def test_an_out_taken_back_leaves_the_alternate_his_seat(full):
    out = playing(full)
    entry = f.check_in(full, row(full, "Vier"), at=f.after(4))
    seat = f.seat_of(entry)
    f.undo(full, out, at=f.after(5))
    assert in_line(full) == ["Fünf"]
    assert f.seat_of(entry) == seat
    assert f.seat_of(row(full, "Eins").entries.get())


# No-shows, where the rules have them pay blinds


@pytest.fixture
def blinded():
    event = f.make_event(capacity=4, preset="tda-2024", late_registration_level=9)
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"no_show_minutes": 15})
    for name in ("Anna", "Bert", "Fehlt", "Fort"):
        f.register(event, name)
    for name in ("Anna", "Bert"):
        f.check_in(event, row(event, name))
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    return f.fresh(event)


def test_no_shows_are_seated_and_pay_blinds_where_the_rules_say_so(blinded):
    work(f.after(40))
    work(f.after(41))
    entries = Entry.objects.live().filter(registration__person__name__in=["Fehlt", "Fort"])
    action = f.assert_logged(
        blinded, "noshows.blinded", entries=[entry.pk for entry in entries.order_by("pk")]
    )
    assert action.at == f.after(15)
    assert all(f.seat_of(entry) for entry in entries)
    absent = Absence.objects.live().filter(entry__in=entries)
    assert set(absent.values_list("left_at", flat=True)) == {f.after(15)}
    assert not Waiting.objects.live().filter(event=blinded).exists()
    f.undo(blinded, at=f.after(42))
    assert not Entry.objects.live().filter(registration__person__name="Fehlt").exists()
    assert not Absence.objects.live().exists()


def test_a_table_opened_for_no_shows_stays_for_those_who_sit_there_by_now():
    event = f.make_event(
        capacity=6, preset="tda-2024", late_registration_level=9, seats_per_table=2
    )
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"no_show_minutes": 15})
    for here in [f.register(event, name) for name in ("Anna", "Bert")]:
        f.check_in(event, here)
    f.register(event, "Fehlt")
    f.drive(clock_start, event, 0)
    work(f.after(15))
    blinds = f.assert_logged(event, "noshows.blinded")
    late = f.check_in(event, f.register(event, "Spaet", at=f.after(20)), at=f.after(21))
    assert f.seat_of(late)[0] == f.seat_of(row(event, "Fehlt").entries.get())[0]
    f.undo(event, blinds, at=f.after(22))
    assert not Entry.objects.live().filter(registration__person__name="Fehlt").exists()
    assert f.seat_of(late) is not None
    assert f.table_of(event, f.seat_of(late)[0]) is not None


def test_nobody_is_seated_for_others_before_the_time_is_up(blinded):
    said = {"event": blinded, "by": f.make_desk(blinded)}
    with f.refused("none_due", blinded):
        call_service(noshows_settle, **said, at=f.after(14))
    call_service(noshows_settle, **said, at=f.after(15) + timedelta(seconds=1))
    f.assert_logged(blinded, "noshows.blinded")
