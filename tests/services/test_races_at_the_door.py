"""Two at once, at the door or a cash table: a last place or seat, an offer, a fee, a person."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.services.cashgames import make_cash_event, on, open_table, say, sit
from tests.services.line import in_line, of, offered
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.cashgame.services.hands import cash_hand_begin
from tournaments.cashgame.services.line import cash_offers_lapse, cash_wait
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.arrivals import entry_check_in, registration_arrive
from tournaments.door.services.registration import (
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.door.services.waiting_list import offer_accept, offer_decline, offers_expire
from tournaments.models import (
    Action,
    CashHand,
    CashOffer,
    CashSeat,
    Entry,
    Person,
    PlaceOffer,
    Posting,
    Registration,
    Seating,
    Ticket,
)
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.money.services.tickets import ticket_redeem
from tournaments.people.services.members import members_import, people_merge
from tournaments.seating.selectors.tables import table_counts

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


def test_yes_on_one_device_and_no_on_the_other_is_one_answer(asked):
    three = of(asked, "Drei")
    own = {"by": f.petra_of(three), "at": NOW + SECOND, "registration": three}
    found = at_once(call(offer_accept, asked, **own), call(offer_decline, asked, **own))
    assert sum(isinstance(outcome, Action) for outcome in found) == 1, found
    if isinstance(found[0], Action):
        assert (found[1], in_line(asked), offered(asked)) == ("not_waiting", ["Vier"], [])
    else:
        assert (found[0], offered(asked)) == ("no_offer", ["Vier"])
        assert in_line(asked) == ["Vier", "Drei"]
    assert_sound(asked)


def test_to_come_and_to_say_yes_at_once_is_one_place(asked):
    three = of(asked, "Drei")
    own = {"at": NOW + SECOND, "registration": three}
    found = at_once(
        call(offer_accept, asked, by=f.petra_of(three), **own),
        call(registration_arrive, asked, by=f.make_desk(asked), **own),
    )
    assert isinstance(found[1], Action)
    assert isinstance(found[0], Action) or found[0] == "not_waiting"
    assert in_line(asked) == ["Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
    assert_sound(asked)


def test_two_go_and_two_are_asked(asked):
    done_at(asked, offer_accept, NOW + SECOND, registration=of(asked, "Drei"))
    f.register(asked, "Fünf", at=NOW + SECOND)
    found = at_once(
        *(
            call(registration_withdraw, asked, at=NOW + 2 * SECOND, registration=of(asked, name))
            for name in ("Eins", "Drei")
        )
    )
    assert all(isinstance(action, Action) for action in found)
    assert sorted(offered(asked)) == ["Fünf", "Vier"]
    assert capacity_of(f.fresh(asked)).taken == 2
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
    found = at_once(
        *(
            call(entry_check_in, event, by=by, at=NOW, registration=guest)
            for guest, by in zip(rows, 2 * desks(event), strict=True)
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


def test_two_desks_take_over_the_same_list():
    event = f.make_event(capacity=40)
    pressed = (call(registrations_import, event, by=by, people=LIST) for by in desks(event))
    assert_one_effect(at_once(*pressed), "duplicate")
    assert Registration.objects.live().filter(event=event).count() == len(LIST)
    assert Person.objects.count() == len(LIST)
    assert_sound(event)


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
        event=satellite,
        registration=winner,
        worth_cents=2_000,
        made_by=f.last_action(satellite),
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


def test_one_seat_of_a_cash_table_is_given_to_two():
    event = make_cash_event()
    table = open_table(event)
    guests = [f.register(event, name) for name in ("Petra", "Otto")]
    own = {"table": table, "seat": 3, "cents": 5000}
    found = at_once(*(call(cash_sit, event, registration=guest, **own) for guest in guests))
    assert_one_effect(found, "seat_taken")
    assert CashSeat.objects.live().filter(table=table, seat=3).count() == 1
    assert on(table) == 5000
    assert_sound(event)


def test_the_last_chips_of_a_table_are_cashed_by_two():
    event = make_cash_event()
    table = open_table(event)
    guests = [sit(event, table, name, seat) for seat, name in enumerate(("Petra", "Otto"), 1)]
    found = at_once(*(call(cash_out, event, registration=one, cents=10_000) for one in guests))
    assert_one_effect(found, "more_than_there_is")
    assert on(table) == 0
    assert_sound(event)


def test_one_lapsed_offer_is_passed_on_twice():
    event = make_cash_event()
    table = open_table(event, seats=2)
    sit(event, table, "Gast", 1)
    for name in ("Petra", "Otto", "Zoe"):
        say(cash_wait, event, registration=f.register(event, name), table=table)
    found = at_once(*[call(cash_offers_lapse, event, at=f.after(6))] * 2)
    assert_one_effect(found, "none_expired")
    names = CashOffer.objects.live().values_list("waiting__registration__person__name", flat=True)
    assert sorted(names) == ["Otto", "Petra"]
    assert_sound(event)


def test_one_hand_is_begun_twice():
    event = make_cash_event()
    table = open_table(event)
    found = at_once(*[call(cash_hand_begin, event, table=table)] * 2)
    assert_one_effect(found, "during_hand")
    assert CashHand.objects.live().count() == 1
    assert_sound(event)
