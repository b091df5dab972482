"""Two at once at the door: the last place, the last seat, one offer, one fee, one person."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.arrivals import entry_check_in, registration_arrive
from tournaments.door.services.registration import registration_create, registration_withdraw
from tournaments.door.services.waiting_list import offer_accept, offer_decline, offers_expire
from tournaments.models import (
    Action,
    Entry,
    Person,
    PlaceOffer,
    Posting,
    Registration,
    Seating,
    Waiting,
)
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.people.services.members import people_merge
from tournaments.seating.selectors.tables import table_counts

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)
NOW = f.ARRIVAL + timedelta(minutes=10)


def desks(event):
    return [f.make_desk(event), f.make_desk(event)]


@pytest.fixture
def asked():
    """Two places; "Drei" is asked whether he takes the one that was freed, "Vier" is next."""
    event = f.make_event(capacity=2, offer_minutes=20)
    for name in ("Eins", "Zwei", "Drei", "Vier"):
        f.register(event, name)
    registration_withdraw(Command(event=event, by=SYSTEM, at=NOW), registration=row(event, "Zwei"))
    return f.fresh(event)


def row(event, name):
    return Registration.objects.live().get(event=event, person__name=name)


def waiting(event):
    rows = Waiting.objects.live().filter(event=event).order_by("since", "pk")
    return list(rows.values_list("registration__person__name", flat=True))


def offered(event):
    rows = PlaceOffer.objects.live().filter(event=event)
    return list(rows.values_list("waiting__registration__person__name", flat=True))


# The offer


def test_an_offer_taken_on_two_devices_at_once_is_one_place(asked):
    three = row(asked, "Drei")
    who = [f.petra_of(three), f.petra_of(three), f.make_desk(asked)]
    found = at_once(
        *(call(offer_accept, asked, by=by, at=NOW + SECOND, registration=three) for by in who)
    )
    assert_one_effect(found, "not_waiting")
    assert waiting(asked) == ["Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
    assert_sound(asked)


def test_an_offer_taken_a_second_after_its_deadline_is_gone_whoever_is_quicker(asked):
    """The phone says yes in the instant in which the worker passes the place on."""
    late = PlaceOffer.objects.live().get().expires_at + SECOND
    three = row(asked, "Drei")
    found = at_once(
        call(offer_accept, asked, by=f.petra_of(three), at=late, registration=three),
        call(offers_expire, asked, at=late),
    )
    assert found[0] in {"expired", "no_offer"}
    assert isinstance(found[1], Action)
    assert (waiting(asked), offered(asked)) == (["Vier", "Drei"], ["Vier"])
    assert_sound(asked)


def test_an_offer_taken_in_time_stays_when_the_worker_comes_by_at_once(asked):
    deadline = PlaceOffer.objects.live().get().expires_at
    three = row(asked, "Drei")
    found = at_once(
        call(offer_accept, asked, by=f.petra_of(three), at=deadline - SECOND, registration=three),
        call(offers_expire, asked, at=deadline - SECOND),
    )
    assert isinstance(found[0], Action)
    assert found[1] == "none_expired"
    assert waiting(asked) == ["Vier"]
    assert_sound(asked)


def test_yes_on_one_device_and_no_on_the_other_is_one_answer(asked):
    three = row(asked, "Drei")
    own = {"by": f.petra_of(three), "at": NOW + SECOND, "registration": three}
    found = at_once(call(offer_accept, asked, **own), call(offer_decline, asked, **own))
    assert sum(isinstance(outcome, Action) for outcome in found) == 1, found
    if isinstance(found[0], Action):
        assert (found[1], waiting(asked), offered(asked)) == ("not_waiting", ["Vier"], [])
    else:
        assert (found[0], offered(asked)) == ("no_offer", ["Vier"])
        assert waiting(asked) == ["Vier", "Drei"]
    assert_sound(asked)


def test_to_come_and_to_say_yes_at_once_is_one_place(asked):
    three = row(asked, "Drei")
    found = at_once(
        call(offer_accept, asked, by=f.petra_of(three), at=NOW + SECOND, registration=three),
        call(registration_arrive, asked, by=f.make_desk(asked), at=NOW + SECOND,
             registration=three),
    )  # fmt: skip
    assert isinstance(found[1], Action)
    assert isinstance(found[0], Action) or found[0] == "not_waiting"
    assert waiting(asked) == ["Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
    assert_sound(asked)


def test_two_go_and_two_are_asked(asked):
    offer_accept(Command(event=asked, by=SYSTEM, at=NOW + SECOND), registration=row(asked, "Drei"))
    f.register(asked, "Fünf", at=NOW + SECOND)
    found = at_once(
        *(
            call(registration_withdraw, asked, at=NOW + 2 * SECOND, registration=row(asked, name))
            for name in ("Eins", "Drei")
        )
    )
    assert all(isinstance(action, Action) for action in found)
    assert sorted(offered(asked)) == ["Fünf", "Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
    assert_sound(asked)


# Places and seats


def test_a_place_freed_while_somebody_registers_is_the_first_ones_in_line():
    event = f.make_event(capacity=2, offer_minutes=0)
    for name in ("Eins", "Zwei", "Drei"):
        f.register(event, name)
    found = at_once(
        call(registration_withdraw, event, at=NOW, registration=row(event, "Zwei")),
        *(call(registration_create, event, by=f.ZENO, at=NOW, name=name) for name in "XY"),
    )
    assert all(isinstance(action, Action) for action in found)
    assert "Drei" not in waiting(event)
    assert sorted(waiting(event)) == ["X", "Y"]
    assert capacity_of(f.fresh(event)).taken == 2
    assert_sound(event)


def test_two_desks_check_the_same_person_in():
    event = f.make_event()
    petra = f.register(event)
    found = at_once(
        *(call(entry_check_in, event, by=by, at=NOW, registration=petra) for by in desks(event))
    )
    assert_one_effect(found, "cannot_check_in")
    assert Entry.objects.live().filter(registration=petra).count() == 1
    assert Seating.objects.live().filter(event=event).count() == 1
    assert_sound(event)


def test_two_desks_give_out_the_last_seats_and_a_table_is_opened_once():
    """Two seats are left and four come at once: nobody shares a seat, one more table opens."""
    event = f.make_event(seats=4, capacity=12)
    for name in ("Eins", "Zwei"):
        f.check_in(event, f.register(event, name))
    tables = len(table_counts(event))
    rows = [f.register(event, f"Gast {number}") for number in range(4)]
    one, two = desks(event)
    found = at_once(
        *(
            call(entry_check_in, event, by=by, at=NOW, registration=guest)
            for guest, by in zip(rows, [one, two, one, two], strict=True)
        )
    )
    assert all(isinstance(action, Action) for action in found)
    seats = Seating.objects.live().filter(event=event).values_list("table__number", "seat")
    assert len(set(seats)) == 6
    assert len(table_counts(event)) <= tables + 1
    assert sum(count.players for count in table_counts(event)) == 6
    assert_sound(event)


def test_a_withdrawal_and_a_check_in_at_once_are_one_of_the_two():
    event = f.make_event()
    petra = f.register(event)
    found = at_once(
        call(registration_withdraw, event, by=f.petra_of(petra), at=NOW, registration=petra),
        call(entry_check_in, event, by=f.make_desk(event), at=NOW, registration=petra),
    )
    assert sum(isinstance(outcome, Action) for outcome in found) == 1, found
    left = found[1] if isinstance(found[0], Action) else found[0]
    assert left in {"gone", "checked_in"}
    assert_sound(event)


# The fee


def test_two_desks_take_the_same_fee_once():
    event = f.make_event(fee_cents=1000)
    petra = f.register(event)
    own = {"at": NOW, "registration": petra}
    found = at_once(*(call(fee_pay, event, by=by, **own) for by in desks(event)))
    assert_one_effect(found, "already_paid")
    assert paid_cents(petra) == 1000
    found = at_once(*(call(fee_refund, event, by=by, **own) for by in desks(event)))
    assert_one_effect(found, "nothing_paid")
    assert paid_cents(petra) == 0
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0
    assert_sound(event)


# One person


def test_two_rows_are_made_one_while_both_names_are_registered():
    """Whoever is quicker: nobody is registered twice, and nobody as a row that leads to another."""
    for evening in range(3):
        event = f.make_event(name=f"Abend {evening}")
        before = f.make_event(name=f"Früher {evening}")
        kept = f.register(before, f"Eva Huber {evening}").person
        gone = f.register(f.make_event(name=f"Vorher {evening}"), f"Eva Hubr {evening}").person
        found = at_once(
            lambda club=before.club, kept=kept, gone=gone: people_merge(
                ClubCommand(club=club, by=f.make_dora(), at=NOW), kept=kept, gone=gone
            ),
            call(registration_create, event, by=f.ZENO, at=NOW, name=gone.name),
            call(registration_create, event, by=f.ZENO, at=NOW, name=kept.name),
        )
        people = list(
            Registration.objects.live().filter(event=event).values_list("person", flat=True)
        )
        assert len(people) == len(set(people))
        if isinstance(found[0], Action):
            assert set(people) == {kept.pk}
            assert not Registration.objects.filter(person=gone).exists()
        else:
            assert found[0] == "both_registered"
            assert set(people) == {kept.pk, gone.pk}
        codes = [outcome for outcome in found[1:] if not isinstance(outcome, Action)]
        assert codes in ([], ["duplicate"])
        assert_sound(event)
        assert log_first_fault(event.club) is None


def test_two_directors_make_two_rows_one():
    event = f.make_event()
    kept, gone = (f.register(event, "Eva").person, f.register(f.make_event(), "Ewa").person)
    found = at_once(
        *(
            lambda: people_merge(
                ClubCommand(club=event.club, by=SYSTEM, at=NOW), kept=kept, gone=gone
            )
            for _device in range(2)
        )
    )
    assert_one_effect(found, "merged")
    assert Person.objects.filter(pk=gone.pk).exists()
