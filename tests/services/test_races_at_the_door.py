"""Two at once, at the door or a cash table: a last place or seat, an offer, a fee, a person."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.services.cashgames import make_cash_event, on, open_table, sit
from tests.services.line import in_line, of, offered
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.cashgame.services.seats import cash_out
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.registration import (
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.door.services.waiting_list import offer_accept, offers_expire
from tournaments.models import Action, Person, PlaceOffer, Posting, Registration, Ticket
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.money.services.tickets import ticket_redeem
from tournaments.people.services.members import members_import, people_merge

pytestmark = pytest.mark.django_db(transaction=True)

SECOND = timedelta(seconds=1)
NOW = f.ARRIVAL + timedelta(minutes=10)
LIST = [{"name": f"Gast {number:03}"} for number in range(60)]


def desks(event):
    return [f.make_desk(event), f.make_desk(event)]


def done_at(event, service, at, **own):
    return call(service, event, at=at, **own)()


@pytest.fixture
def asked():
    """Two places; "Drei" is asked whether he takes the one that was freed, "Vier" is next."""
    event = f.make_event(capacity=2, offer_minutes=20)
    for name in ("Eins", "Zwei", "Drei", "Vier"):
        f.register(event, name)
    done_at(event, registration_withdraw, NOW, registration=of(event, "Zwei"))
    return f.fresh(event)


# The offer


def test_an_offer_taken_on_two_devices_at_once_is_one_place(asked):
    three = of(asked, "Drei")
    who = [f.petra_of(three), f.petra_of(three), f.make_desk(asked)]
    found = at_once(
        *(call(offer_accept, asked, by=by, at=NOW + SECOND, registration=three) for by in who)
    )
    assert_one_effect(found, "not_waiting")
    assert in_line(asked) == ["Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
    assert_sound(asked)


@pytest.mark.parametrize("is_late", [True, False], ids=["late", "in-time"])
def test_an_offer_taken_as_the_worker_comes_by_counts_by_its_deadline(asked, is_late):
    """The phone says yes in the instant in which the worker may pass the place on."""
    deadline = PlaceOffer.objects.live().get().expires_at
    three, at = of(asked, "Drei"), deadline + (SECOND if is_late else -SECOND)
    taken, passed = at_once(
        call(offer_accept, asked, by=f.petra_of(three), at=at, registration=three),
        call(offers_expire, asked, at=at),
    )
    if is_late:
        assert taken in {"expired", "no_offer"}
        assert isinstance(passed, Action)
        assert (in_line(asked), offered(asked)) == (["Vier", "Drei"], ["Vier"])
    else:
        assert isinstance(taken, Action)
        assert (passed, in_line(asked)) == ("none_expired", ["Vier"])
    assert_sound(asked)


# Places, seats, fees


def test_a_place_freed_while_somebody_registers_is_the_first_ones_in_line():
    event = f.make_event(capacity=2, offer_minutes=0)
    for name in ("Eins", "Zwei", "Drei"):
        f.register(event, name)
    found = at_once(
        call(registration_withdraw, event, at=NOW, registration=of(event, "Zwei")),
        *(call(registration_create, event, by=f.ZENO, at=NOW, name=name) for name in "XY"),
    )
    assert all(isinstance(action, Action) for action in found)
    assert sorted(in_line(event)) == ["X", "Y"]
    assert capacity_of(f.fresh(event)).taken == 2
    assert_sound(event)


def test_two_desks_take_and_give_back_the_same_fee_once():
    event = f.make_event(fee_cents=1000)
    petra, both = f.register(event), desks(event)
    for service, code, paid in ((fee_pay, "already_paid", 1000), (fee_refund, "nothing_paid", 0)):
        own = {"at": NOW, "registration": petra}
        assert_one_effect(at_once(*(call(service, event, by=by, **own) for by in both)), code)
        assert paid_cents(petra) == paid
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0
    assert_sound(event)


# One person


def merging(kept, gone, by):
    command = ClubCommand(club=kept.club, by=by, at=NOW)
    return lambda: people_merge(command, kept=kept, gone=gone)


def test_two_rows_are_made_one_while_both_names_are_registered():
    """Whoever is quicker: nobody is registered twice, and nobody as a row that leads to another."""
    for evening in range(3):
        event = f.make_event(name=f"Abend {evening}")
        before = f.make_event(name=f"Früher {evening}")
        kept = f.register(before, f"Eva Huber {evening}").person
        gone = f.register(f.make_event(name=f"Vorher {evening}"), f"Eva Hubr {evening}").person
        found = at_once(
            merging(kept, gone, f.make_dora()),
            call(registration_create, event, by=f.ZENO, at=NOW, name=gone.name),
            call(registration_create, event, by=f.ZENO, at=NOW, name=kept.name),
        )
        rows = Registration.objects.live().filter(event=event)
        people = list(rows.values_list("person", flat=True))
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
    kept, gone = f.register(f.make_event(), "Eva").person, f.register(f.make_event(), "Ewa").person
    assert_one_effect(at_once(*[merging(kept, gone, SYSTEM)] * 2), "merged")
    assert Person.objects.filter(pk=gone.pk).exists()


# Lists


def test_two_events_take_over_the_same_people_at_once():
    events = [f.make_event(name="Freitag"), f.make_event(name="Samstag")]
    at_once(*(call(registrations_import, event, people=LIST) for event in events))
    assert [event.registrations.live().count() for event in events] == [len(LIST)] * 2
    for event in events:
        assert_sound(event)


def test_two_lists_of_members_leave_everybody_once():
    command = ClubCommand(club=f.house(), by=SYSTEM, at=f.after(5))
    people = [{**person, "is_member": True} for person in LIST]
    at_once(*[lambda: members_import(command, people=people)] * 2)
    assert Person.objects.filter(is_member=True).count() == len(LIST) == Person.objects.count()


def test_a_ticket_redeemed_at_two_desks_of_two_events_at_once_pays_once():
    satellite = f.make_event(name="Satellit")
    winner = f.register(satellite, "Eva Sieger")
    ticket = Ticket.objects.create(
        event=satellite, registration=winner, worth_cents=2_000, made_by=f.last_action(satellite)
    )
    events = [f.make_event(name=name, fee_cents=2_000) for name in ("Main 1A", "Main 1B")]
    rows = [f.register(event, "Eva Sieger") for event in events]
    found = at_once(
        *(
            call(
                ticket_redeem, event, by=f.make_desk(event), at=NOW, registration=row, ticket=ticket
            )
            for event, row in zip(events, rows, strict=True)
        )
    )
    assert_one_effect(found, "ticket_used")
    assert sum(paid_cents(row) for row in rows) == 2_000
    for event in events:
        assert_sound(event)


def test_the_last_chips_of_a_table_are_cashed_by_two():
    event = make_cash_event()
    table = open_table(event)
    guests = [sit(event, table, name, seat) for seat, name in enumerate(("Petra", "Otto"), 1)]
    found = at_once(*(call(cash_out, event, registration=one, cents=10_000) for one in guests))
    assert_one_effect(found, "more_than_there_is")
    assert on(table) == 0
    assert_sound(event)
