"""Places and the line: who gets in, who waits, who moves up, by which deadline."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.evenings.sound import assert_nothing_hangs
from tests.prepared import prepared
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
from tournaments.door.selectors.places import (
    capacity_of,
    deadline_of,
    offer_of,
    position_of,
    waiting_list_of,
    waiting_of,
)
from tournaments.door.services.arrivals import (
    noshow_remove,
    noshows_release,
    noshows_settle,
    registration_expect,
)
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.door.services.waiting_list import (
    offer_accept,
    offer_decline,
    offers_expire,
    place_give,
)
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.models import Absence, Entry, Person, PlaceOffer, Waiting
from tournaments.play.services.conduct import entry_return
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def full():
    """Three places, all given, and two people in line; whoever is asked has twenty minutes."""
    return make_full(offer_minutes=20)


def make_full(**terms):
    event = f.make_event(capacity=3, **terms)
    for minute, name in enumerate(("Eins", "Zwei", "Drei", "Vier", "Fünf")):
        f.register(event, name, at=f.ARRIVAL + minute * MINUTE)
    return f.fresh(event)


@pytest.fixture
@prepared
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


def test_a_freed_place_is_offered_to_the_first_in_line_who_alone_takes_it_and_only_once(asked):
    assert offered(asked) == ["Vier"]
    offer = PlaceOffer.objects.live().get()
    assert offer.expires_at - offer.offered_at == 20 * MINUTE
    assert capacity_of(asked).free == 0
    # Somebody new does not slip in between.
    f.register(asked, "Sechs", at=f.ARRIVAL + 11 * MINUTE)
    assert in_line(asked) == ["Vier", "Fünf", "Sechs"]
    four, five = of(asked, "Vier"), of(asked, "Fünf")
    f.refuses("not_yours", say, offer_accept, asked, 20, by=f.petra_of(five), registration=four)
    f.refuses("no_offer", say, offer_accept, asked, 20, by=f.petra_of(five), registration=five)
    say(offer_accept, asked, 20, by=f.petra_of(four), registration=four)
    assert in_line(asked) == ["Fünf", "Sechs"]
    f.refuses("not_waiting", say, offer_accept, asked, 20, by=f.petra_of(four), registration=four)
    undo(asked, 21)
    assert offered(asked) == ["Vier"]


def test_a_second_after_the_deadline_the_place_is_gone_and_the_next_is_asked(asked):
    late = 30 + 1 / 60
    f.refuses("expired", say, offer_accept, asked, late, registration=of(asked, "Vier"))
    say(offers_expire, asked, late)
    assert in_line(asked) == ["Fünf", "Vier"]
    assert offered(asked) == ["Fünf"]
    f.refuses("none_expired", say, offers_expire, asked, late)


def test_a_withdrawal_is_not_taken_back_once_the_place_went_on(full):
    gone = of(full, "Zwei")
    action = withdraw(full, "Zwei", 10)
    say(offer_accept, full, 11, registration=of(full, "Vier"))
    f.refuses("overbooked", undo, full, 12, action)
    change(full, 13, capacity=5)
    say(offer_decline, full, 14, registration=of(full, "Fünf"))
    undo(full, 15, action)
    assert waiting_of(gone) is None


def test_nobody_is_checked_in_from_the_line_until_the_director_gives_a_place(full):
    f.refuses("cannot_check_in", f.check_in, full, of(full, "Vier"), at=f.ARRIVAL + 10 * MINUTE)
    dora = f.make_dora()
    f.refuses("full", say, place_give, full, 11, by=dora, registration=of(full, "Fünf"))
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
@prepared
def begun():
    """Two of three play; one never came, one waits in line; late registration is open."""
    event = f.make_event(capacity=3, late_registration_level=9, no_show_minutes=15)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Fehlt", "Ersatz")]
    for registration in rows[:2]:
        f.check_in(event, registration)
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def test_who_is_not_here_in_time_loses_the_place_to_an_alternate_who_is(begun):
    f.refuses("none_due", noshows_release, begun, 14)
    arrive(begun, "Ersatz", 70)
    work(f.after(40))
    work(f.after(40))
    assert in_line(begun) == ["Fehlt"]
    assert f.assert_logged(begun, "noshows.released").at == f.after(15)
    f.check_in(begun, of(begun, "Ersatz"), at=f.after(41))


def test_who_said_when_he_comes_is_no_no_show_until_then(begun):
    missing = of(begun, "Fehlt")
    said = {"by": f.petra_of(missing), "registration": missing}
    f.refuses("past", registration_expect, begun, 2, **said, expected_at=f.after(1))
    f.drive(registration_expect, begun, 2, **said, expected_at=f.after(30))
    f.refuses("none_due", noshows_release, begun, 29)
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


# --- Places as play begins: deadlines end there, those who are here are next, no-shows by rule


@pytest.fixture
def full_tonight():
    """Three places, all given, two people in line; whoever is asked has two hours."""
    return make_full(late_registration_level=9, offer_minutes=120)


@pytest.fixture
@prepared
def asked_tonight(full_tonight):
    """The same after ten minutes, when a place fell free and "Vier" was asked."""
    withdraw(full_tonight, "Zwei", 10)
    return full_tonight


def test_no_deadline_is_after_the_start_and_an_earlier_start_ends_them_earlier(asked_tonight):
    offer = PlaceOffer.objects.live().get()
    assert (offer.offered_at, offer.expires_at) == (f.ARRIVAL + 10 * MINUTE, f.START)
    sooner = f.START - 20 * MINUTE
    change(asked_tonight, 15, starts_at=sooner)
    assert offer_of(waiting_of(of(asked_tonight, "Vier"))).expires_at == sooner
    with f.refused("expired", asked_tonight):
        say(offer_accept, asked_tonight, 41, registration=of(asked_tonight, "Vier"))
    work(sooner + 2 * MINUTE)
    assert f.assert_logged(asked_tonight, "offers.expired").at == sooner


def test_play_that_begins_ends_all_deadlines_and_nobody_at_home_is_asked(asked_tonight):
    f.check_in(asked_tonight, of(asked_tonight, "Eins"))
    f.check_in(asked_tonight, of(asked_tonight, "Drei"))
    early = f.START - 30 * MINUTE
    say(clock_start, asked_tonight, 30)
    assert deadline_of(PlaceOffer.objects.live().get()) == early
    with f.refused("expired", asked_tonight):
        say(offer_accept, asked_tonight, 31, registration=of(asked_tonight, "Vier"))
    work(early + MINUTE)
    assert f.assert_logged(asked_tonight, "offers.expired").at == early
    assert (offered(asked_tonight), in_line(asked_tonight)) == ([], ["Fünf", "Vier"])
    arrive(asked_tonight, "Vier", 32)
    f.assert_logged(asked_tonight, "registration.arrived", moved_up=[of(asked_tonight, "Vier").pk])
    assert in_line(asked_tonight) == ["Fünf"]


def test_once_play_should_have_begun_nobody_is_asked_and_nobody_new_passes(full_tonight):
    withdraw(full_tonight, "Zwei", 61)
    assert (offered(full_tonight), in_line(full_tonight)) == ([], ["Vier", "Fünf"])
    f.register(full_tonight, "Sechs", at=f.after(2))
    assert in_line(full_tonight) == ["Vier", "Fünf"], "whoever registers now is here"


def test_who_is_here_is_not_asked_but_has_the_place(full_tonight):
    arrive(full_tonight, "Vier", 5)
    change(full_tonight, 6, capacity=5)
    assert in_line(full_tonight) == offered(full_tonight) == ["Fünf"]
    f.assert_logged(
        full_tonight,
        "event.updated",
        moved_up=[of(full_tonight, "Vier").pk],
        offered=[of(full_tonight, "Fünf").pk],
    )
    # Who was told so keeps it, though the new places are taken back.
    undo(full_tonight, 7)
    assert in_line(full_tonight) == offered(full_tonight) == ["Fünf"]


def test_to_come_is_to_take_the_place_that_is_held(asked_tonight):
    arrive(asked_tonight, "Vier", 11)
    assert (in_line(asked_tonight), offered(asked_tonight)) == (["Fünf"], [])
    undo(asked_tonight, 12)
    assert (in_line(asked_tonight), offered(asked_tonight)) == (["Vier", "Fünf"], ["Vier"])


# Taken back


def test_without_a_deadline_the_next_moves_up_and_once_told_so_stays_in(full_tonight):
    change(full_tonight, 1, offer_minutes=0)
    action = withdraw(full_tonight, "Zwei", 10)
    assert in_line(full_tonight) == ["Fünf"]
    f.refuses("overbooked", undo, full_tonight, 12, action)
    change(full_tonight, 13, capacity=5)
    withdraw(full_tonight, "Fünf", 14)
    undo(full_tonight, 15, action)
    assert in_line(full_tonight) == []
    assert waiting_of(of(full_tonight, "Zwei")) is None


def test_a_place_is_not_taken_back_from_whoever_is_checked_in_or_off_the_list(asked_tonight):
    accepted = say(offer_accept, asked_tonight, 11, registration=of(asked_tonight, "Vier"))
    f.check_in(asked_tonight, of(asked_tonight, "Vier"), at=f.ARRIVAL + 12 * MINUTE)
    assert "Eingecheckt: Vier" in f.refuses("needed", undo, asked_tonight, 13, accepted)
    undo(asked_tonight, 14)
    gone = withdraw(asked_tonight, "Vier", 15)
    assert "Abgemeldet: Vier" in f.refuses("needed", undo, asked_tonight, 16, accepted)
    undo(asked_tonight, 17, gone)
    undo(asked_tonight, 18, accepted)
    assert (in_line(asked_tonight), offered(asked_tonight)) == (["Vier", "Fünf"], ["Vier"])


def test_a_registration_taken_back_takes_its_offer_along(asked_tonight):
    undo(asked_tonight, 11, of(asked_tonight, "Vier").made_by)
    assert in_line(asked_tonight) == offered(asked_tonight) == ["Fünf"]


def test_an_out_taken_back_leaves_the_alternate_his_seat(full_tonight):
    for name in ("Eins", "Zwei", "Drei"):
        f.check_in(full_tonight, of(full_tonight, name))
    say(clock_start, full_tonight, 60)
    arrive(full_tonight, "Vier", 61)
    back = of(full_tonight, "Eins").entries.get()
    out = f.drive(entries_eliminate, full_tonight, 3, entries=[back])
    entry = f.check_in(full_tonight, of(full_tonight, "Vier"), at=f.after(4))
    seat = f.seat_of(entry)
    f.undo(full_tonight, out, at=f.after(5))
    assert in_line(full_tonight) == ["Fünf"]
    assert f.seat_of(entry) == seat
    assert f.seat_of(back)


# No-shows, where the rules have them pay blinds


@pytest.fixture
@prepared
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


def test_no_shows_taken_back_are_seated_again_by_hand_alone_and_never_before_the_time(blinded):
    desk = f.make_desk(blinded)
    f.refuses("none_due", f.drive, noshows_settle, blinded, 14, by=desk)
    work(f.after(15))
    f.undo(blinded, at=f.after(20))
    work(f.after(21))
    assert len(f.seats(blinded)) == 2
    f.drive(noshows_settle, blinded, 22, by=desk)
    assert len(f.seats(blinded)) == 4
