"""Places as play begins: deadlines end there, those who are here are next, no-shows by rule."""

import pytest

from tests import factories as f
from tests.evenings.sound import assert_nothing_hangs
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
from tournaments.door.selectors.places import deadline_of, offer_of, waiting_of
from tournaments.door.services.arrivals import noshow_remove, noshows_settle
from tournaments.door.services.waiting_list import offer_accept
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.models import Absence, Entry, PlaceOffer, Waiting
from tournaments.play.services.conduct import entry_return
from tournaments.play.services.eliminations import entries_eliminate

pytestmark = pytest.mark.django_db


@pytest.fixture
def full_for_two_hours():
    """Three places, all given, two people in line; whoever is asked has two hours."""
    event = f.make_event(capacity=3, late_registration_level=9, offer_minutes=120)
    for name in ("Eins", "Zwei", "Drei", "Vier", "Fünf"):
        f.register(event, name)
    return f.fresh(event)


@pytest.fixture
def asked_for_two_hours(full_for_two_hours):
    """The same after ten minutes, when a place fell free and "Vier" was asked."""
    withdraw(full_for_two_hours, "Zwei", 10)
    return full_for_two_hours


def test_no_deadline_is_after_the_start_and_an_earlier_start_ends_them_earlier(asked_for_two_hours):
    offer = PlaceOffer.objects.live().get()
    assert (offer.offered_at, offer.expires_at) == (f.ARRIVAL + 10 * MINUTE, f.START)
    sooner = f.START - 20 * MINUTE
    change(asked_for_two_hours, 15, starts_at=sooner)
    assert offer_of(waiting_of(of(asked_for_two_hours, "Vier"))).expires_at == sooner
    with f.refused("expired", asked_for_two_hours):
        say(offer_accept, asked_for_two_hours, 41, registration=of(asked_for_two_hours, "Vier"))
    work(sooner + 2 * MINUTE)
    assert f.assert_logged(asked_for_two_hours, "offers.expired").at == sooner


def test_play_that_begins_ends_all_deadlines_and_nobody_at_home_is_asked(asked_for_two_hours):
    f.check_in(asked_for_two_hours, of(asked_for_two_hours, "Eins"))
    f.check_in(asked_for_two_hours, of(asked_for_two_hours, "Drei"))
    early = f.START - 30 * MINUTE
    say(clock_start, asked_for_two_hours, 30)
    assert deadline_of(PlaceOffer.objects.live().get()) == early
    with f.refused("expired", asked_for_two_hours):
        say(offer_accept, asked_for_two_hours, 31, registration=of(asked_for_two_hours, "Vier"))
    work(early + MINUTE)
    assert f.assert_logged(asked_for_two_hours, "offers.expired").at == early
    assert (offered(asked_for_two_hours), in_line(asked_for_two_hours)) == ([], ["Fünf", "Vier"])
    arrive(asked_for_two_hours, "Vier", 32)
    f.assert_logged(asked_for_two_hours, "registration.arrived", moved_up=[of(asked_for_two_hours, "Vier").pk])
    assert in_line(asked_for_two_hours) == ["Fünf"]


def test_once_play_should_have_begun_nobody_is_asked_and_nobody_new_passes(full_for_two_hours):
    withdraw(full_for_two_hours, "Zwei", 61)
    assert (offered(full_for_two_hours), in_line(full_for_two_hours)) == ([], ["Vier", "Fünf"])
    f.register(full_for_two_hours, "Sechs", at=f.after(2))
    assert in_line(full_for_two_hours) == ["Vier", "Fünf"], "whoever registers now is here"


def test_who_is_here_is_not_asked_but_has_the_place(full_for_two_hours):
    arrive(full_for_two_hours, "Vier", 5)
    change(full_for_two_hours, 6, capacity=5)
    assert in_line(full_for_two_hours) == offered(full_for_two_hours) == ["Fünf"]
    f.assert_logged(
        full_for_two_hours, "event.updated", moved_up=[of(full_for_two_hours, "Vier").pk], offered=[of(full_for_two_hours, "Fünf").pk]
    )


def test_to_come_is_to_take_the_place_that_is_held(asked_for_two_hours):
    arrive(asked_for_two_hours, "Vier", 11)
    assert (in_line(asked_for_two_hours), offered(asked_for_two_hours)) == (["Fünf"], [])
    undo(asked_for_two_hours, 12)
    assert (in_line(asked_for_two_hours), offered(asked_for_two_hours)) == (["Vier", "Fünf"], ["Vier"])


# Taken back


def test_without_a_deadline_the_next_moves_up_and_once_told_so_stays_in(full_for_two_hours):
    change(full_for_two_hours, 1, offer_minutes=0)
    action = withdraw(full_for_two_hours, "Zwei", 10)
    assert in_line(full_for_two_hours) == ["Fünf"]
    with f.refused("overbooked", full_for_two_hours):
        undo(full_for_two_hours, 12, action)
    change(full_for_two_hours, 13, capacity=5)
    withdraw(full_for_two_hours, "Fünf", 14)
    undo(full_for_two_hours, 15, action)
    assert in_line(full_for_two_hours) == []
    assert waiting_of(of(full_for_two_hours, "Zwei")) is None


def test_a_place_is_not_taken_back_from_whoever_is_checked_in_or_off_the_list(asked_for_two_hours):
    accepted = say(offer_accept, asked_for_two_hours, 11, registration=of(asked_for_two_hours, "Vier"))
    f.check_in(asked_for_two_hours, of(asked_for_two_hours, "Vier"), at=f.ARRIVAL + 12 * MINUTE)
    with f.refused("needed", asked_for_two_hours) as caught:
        undo(asked_for_two_hours, 13, accepted)
    assert "Eingecheckt: Vier" in str(caught.value)
    undo(asked_for_two_hours, 14)
    gone = withdraw(asked_for_two_hours, "Vier", 15)
    with f.refused("needed", asked_for_two_hours) as caught:
        undo(asked_for_two_hours, 16, accepted)
    assert "Abgemeldet: Vier" in str(caught.value)
    undo(asked_for_two_hours, 17, gone)
    undo(asked_for_two_hours, 18, accepted)
    assert (in_line(asked_for_two_hours), offered(asked_for_two_hours)) == (["Vier", "Fünf"], ["Vier"])


def test_a_registration_taken_back_takes_its_offer_along(asked_for_two_hours):
    undo(asked_for_two_hours, 11, of(asked_for_two_hours, "Vier").made_by)
    assert in_line(asked_for_two_hours) == offered(asked_for_two_hours) == ["Fünf"]


def test_an_out_taken_back_leaves_the_alternate_his_seat(full_for_two_hours):
    for name in ("Eins", "Zwei", "Drei"):
        f.check_in(full_for_two_hours, of(full_for_two_hours, name))
    say(clock_start, full_for_two_hours, 60)
    arrive(full_for_two_hours, "Vier", 61)
    back = of(full_for_two_hours, "Eins").entries.get()
    out = f.drive(entries_eliminate, full_for_two_hours, 3, entries=[back])
    entry = f.check_in(full_for_two_hours, of(full_for_two_hours, "Vier"), at=f.after(4))
    seat = f.seat_of(entry)
    f.undo(full_for_two_hours, out, at=f.after(5))
    assert in_line(full_for_two_hours) == ["Fünf"]
    assert f.seat_of(entry) == seat
    assert f.seat_of(back)


# No-shows, where the rules have them pay blinds


@pytest.fixture
def blinded():
    event = f.make_event(
        capacity=4, preset="tda-2024", late_registration_level=9, no_show_minutes=15
    )
    for name in ("Anna", "Bert", "Fehlt", "Fort"):
        f.register(event, name)
    for name in ("Anna", "Bert"):
        f.check_in(event, of(event, name))
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def test_no_shows_are_seated_and_pay_blinds_where_the_rules_say_so(blinded):
    work(f.after(40))
    work(f.after(41))
    entries = Entry.objects.live().filter(registration__person__name__in=["Fehlt", "Fort"])
    numbers = [entry.pk for entry in entries.order_by("pk")]
    assert f.assert_logged(blinded, "noshows.blinded", entries=numbers).at == f.after(15)
    assert all(f.seat_of(entry) for entry in entries)
    absent = Absence.objects.live().filter(entry__in=entries)
    assert set(absent.values_list("left_at", flat=True)) == {f.after(15)}
    assert not Waiting.objects.live().filter(event=blinded).exists()
    f.undo(blinded, at=f.after(42))
    assert not Entry.objects.live().filter(registration__person__name="Fehlt").exists()
    assert not Absence.objects.live().exists()


def test_a_table_opened_for_no_shows_stays_for_those_who_sit_there_by_now():
    event = f.make_event(capacity=6, preset="tda-2024", late_registration_level=9,
                         seats_per_table=2, no_show_minutes=15)  # fmt: skip
    for here in [f.register(event, name) for name in ("Anna", "Bert")]:
        f.check_in(event, here)
    f.register(event, "Fehlt")
    f.drive(clock_start, event, 0)
    work(f.after(15))
    blinds = f.assert_logged(event, "noshows.blinded")
    late = f.check_in(event, f.register(event, "Spaet", at=f.after(20)), at=f.after(21))
    assert f.seat_of(late)[0] == f.seat_of(of(event, "Fehlt").entries.get())[0]
    f.undo(event, blinds, at=f.after(22))
    assert not Entry.objects.live().filter(registration__person__name="Fehlt").exists()
    assert f.table_of(event, f.seat_of(late)[0]) is not None


def test_nobody_is_seated_for_others_before_the_time_is_up(blinded):
    desk = f.make_desk(blinded)
    with f.refused("none_due", blinded):
        f.drive(noshows_settle, blinded, 14, by=desk)
    f.drive(noshows_settle, blinded, 15 + 1 / 60, by=desk)
    f.assert_logged(blinded, "noshows.blinded")


def test_the_stack_of_one_who_never_came_is_taken_away_alone_and_does_not_come_back(blinded):
    work(f.after(15))
    event, seats = blinded, f.seats(blinded)
    fehlt = of(event, "Fehlt").entries.get()
    gone = f.drive(noshow_remove, event, 30, entry=fehlt, stack=160)
    f.assert_logged(event, "noshow.removed", entry=fehlt.pk, stack=160)
    # What it paid in blinds others have won; nobody else moves, and it has no place.
    assert chips_in_play(f.fresh(event)) == (640, True)
    work(f.after(40))
    assert f.seats(event) == {pk: seat for pk, seat in seats.items() if pk != fehlt.pk}
    assert in_line(event) == ["Fehlt"]
    assert_nothing_hangs(event)
    f.undo(event, gone, at=f.after(41))
    assert f.seats(event) == seats
    assert chips_in_play(f.fresh(event)) == (800, True)


def test_only_a_stack_whose_player_never_came_is_taken_away_so(blinded):
    work(f.after(15))
    anna, fehlt, fort = (of(blinded, name).entries.get() for name in ("Anna", "Fehlt", "Fort"))
    f.drive(entry_return, blinded, 20, entry=fort)
    f.refuses("has_come", noshow_remove, blinded, 30, entry=anna, stack=200)
    f.refuses("has_come", noshow_remove, blinded, 30, entry=fort, stack=200)
    f.refuses("bad_stack", noshow_remove, blinded, 30, entry=fehlt, stack=801)
    own = {"by": f.make_desk(blinded), "entry": fehlt, "stack": 200}
    f.refuses("not_allowed", noshow_remove, blinded, 30, **own)
    f.out(blinded, fehlt, at=f.after(33))
    f.refuses("has_come", noshow_remove, blinded, 34, entry=fehlt, stack=200)


def test_no_shows_taken_back_are_seated_again_by_hand_alone(blinded):
    work(f.after(15))
    f.undo(blinded, at=f.after(20))
    work(f.after(21))
    assert len(f.seats(blinded)) == 2
    f.drive(noshows_settle, blinded, 22, by=f.make_desk(blinded))
    assert len(f.seats(blinded)) == 4
