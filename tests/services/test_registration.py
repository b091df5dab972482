"""Registration, its withdrawal, check-in: every refusal, every log entry, every undo."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import (
    registration_correct,
    registration_create,
    registration_withdraw,
    registrations_import,
)
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Event, Person, Registration, Waiting
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def event():
    return f.make_event()


def names(event):
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("person__name", flat=True))


def test_a_stranger_may_register_and_is_logged_without_his_name_in_the_chain(event):
    row = f.register(event, "  petra   Probst ", by=f.ZENO, email="petra@example.org")
    assert (row.person.name, row.person.email) == ("petra Probst", "petra@example.org")
    action = f.assert_logged(event, "registration.created", registration=row.pk)
    assert "Probst" not in str(action.payload)
    assert action.text.data["name"] == "petra Probst"


@pytest.mark.parametrize(
    ("name", "email", "code"),
    [
        (" \t\u200b", "", "bad_name"),
        ("x" * 201, "", "bad_name"),
        ("Petra", "petra@", "bad_email"),
    ],
)
def test_a_name_or_address_that_is_none_is_refused(event, name, email, code):
    with f.refused(code, event):
        registration_create(Command(event=event, by=f.ZENO, at=f.ARRIVAL), name=name, email=email)


def test_nobody_registers_twice_whatever_the_spelling(event):
    f.register(event, "Jörg Strauß")
    with f.refused("duplicate", event):
        f.register(event, "JÖRG  STRAUSS")


def test_a_visitor_who_may_be_there_already_is_asked_whoever_sends_the_form():
    event = f.make_event()
    f.register(event, "Petra Probst")
    with f.refused("double", event):
        f.register(event, "Petra Propst", by=f.ZENO)
    f.register(event, "Petra Propst", by=f.ZENO, is_somebody_else=True)
    with f.refused("duplicate", event):
        f.register(event, "petra probst", by=f.ZENO, is_somebody_else=True)
    f.register(event, "petra probst", by=f.ZENO, is_namesake=True)
    f.register(event, "Petra Brobst")  # staff are not asked here: the desk looks at its list


def test_no_visitor_registers_for_a_sample_beside_real_evenings():
    sample = f.make_event(name="Beispiel")
    Event.objects.filter(pk=sample.pk).update(is_sample=True)
    f.register(sample, "Anna Auer", by=f.ZENO)
    f.make_event()
    with f.refused("sample", sample):
        f.register(sample, "Bert Berg", by=f.ZENO)


def test_a_namesake_is_another_person(event):
    f.register(event, "Eva Huber")
    second = f.register(event, "Eva Huber", is_namesake=True)
    assert Person.objects.filter(plain_name=second.person.plain_name).count() == 2


def test_another_address_is_another_person(event):
    f.register(event, "Eva Huber", email="eva@example.org")
    f.register(event, "Eva Huber", email="e.huber@example.org")
    assert names(event) == ["Eva Huber", "Eva Huber"]


def test_the_club_knows_a_person_again_and_learns_the_address_from_staff(event):
    first = f.register(event, "Eva Huber")
    second = f.register(f.make_event(name="Zweites"), "eva huber", email="eva@example.org")
    assert first.person_id == second.person_id
    assert Person.objects.get(pk=first.person_id).email == "eva@example.org"


def test_the_last_place_is_given_once(event):
    small = f.make_event(capacity=2)
    for name in ("Eins", "Zwei", "Drei"):
        f.register(small, name)
    waiting = Waiting.objects.live().get(event=small)
    assert waiting.registration.person.name == "Drei"
    f.assert_logged(small, "registration.created", waits=True)


def test_closed_registration_refuses_strangers_and_not_the_desk(event):
    event_update(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"is_registration_open": False}
    )
    with f.refused("closed", event):
        f.register(event, "Zeno", by=f.ZENO)
    f.register(event, "Zeno", by=f.make_desk(event))


def test_strangers_register_late_only_while_late_registration_lasts():
    event = f.make_running_event(4, late_registration_level=1)
    f.register(event, "Zeno", by=f.ZENO, at=f.after(19))
    with f.refused("closed", event):
        f.register(event, "Zenobia", by=f.ZENO, at=f.after(20))


def test_without_late_registration_the_start_ends_it():
    event = f.make_running_event(4)
    with f.refused("closed", event):
        f.register(event, "Zeno", by=f.ZENO, at=f.after(1))


def test_nothing_more_once_cancelled(event):
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    with f.refused("over", event):
        f.register(event)


def test_a_list_is_taken_as_a_whole(event):
    rows = [{"name": "Eins"}, {"name": "Zwei", "email": "zwei@example.org", "is_listed": False}]
    registrations_import(Command(event=event, by=f.make_desk(event), at=f.ARRIVAL), people=rows)
    assert names(event) == ["Eins", "Zwei"]
    f.assert_logged(event, "registration.imported")
    f.undo(event)
    assert names(event) == []


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "empty"),
        ([{"name": "Neu"}, {"name": ""}], "bad_name"),
        ([{"name": "Neu"}, {"name": "Eva"}], "duplicate"),
        ([{"name": "Neu"}, {"name": "neu "}], "duplicate"),
    ],
)
def test_a_list_is_refused_as_a_whole(event, rows, code):
    f.register(event, "Eva")
    with f.refused(code, event):
        registrations_import(Command(event=event, by=SYSTEM, at=f.ARRIVAL), people=rows)
    assert names(event) == ["Eva"]


def test_a_list_of_thousands_takes_a_fixed_number_of_queries(event, django_assert_max_num_queries):
    big = f.make_event(capacity=3000)
    rows = [{"name": f"Gast {number}"} for number in range(2000)]
    # Rows of a table go in parts, of so many values each: a new column means more parts.
    with django_assert_max_num_queries(75):
        registrations_import(Command(event=big, by=SYSTEM, at=f.ARRIVAL), people=rows)


def test_arbiters_import_nothing(event):
    with f.refused("not_allowed", event):
        registrations_import(
            Command(event=event, by=f.make_arno(event), at=f.ARRIVAL), people=[{"name": "Eins"}]
        )


def test_petra_withdraws_herself_and_nobody_else(event):
    own, other = f.register(event), f.register(event, "Otto")
    with f.refused("not_yours", event):
        registration_withdraw(
            Command(event=event, by=f.petra_of(own), at=f.ARRIVAL), registration=other
        )
    registration_withdraw(Command(event=event, by=f.petra_of(own), at=f.ARRIVAL), registration=own)
    assert names(event) == ["Otto"]
    f.assert_logged(event, "registration.withdrawn", registration=own.pk)
    with f.refused("gone", event):
        registration_withdraw(
            Command(event=event, by=f.petra_of(own), at=f.ARRIVAL), registration=own
        )


def test_zeno_withdraws_nobody(event):
    row = f.register(event)
    with f.refused("not_allowed", event):
        registration_withdraw(Command(event=event, by=f.ZENO, at=f.ARRIVAL), registration=row)


def test_who_is_checked_in_does_not_withdraw(event):
    row = f.register(event)
    f.check_in(event, row)
    with f.refused("checked_in", event):
        registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=row)


def test_a_withdrawal_is_taken_back_unless_the_person_came_again(event):
    row = f.register(event)
    withdrawn = registration_withdraw(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=row
    )
    f.undo(event)
    assert names(event) == ["Petra Probst"]
    f.undo(event)  # the undo of the undo
    assert names(event) == []
    f.register(event)
    with f.refused("needed", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=withdrawn)


def test_a_registration_is_taken_back_while_nobody_checked_in(event):
    row = f.register(event)
    made = f.last_action(event)
    f.check_in(event, row)
    with f.refused("needed", event) as caught:
        action_undo(Command(event=event, by=SYSTEM, at=f.START), action=made)
    assert "Eingecheckt: Petra Probst" in str(caught.value)
    f.undo(event)
    action_undo(Command(event=event, by=SYSTEM, at=f.START), action=made)
    assert names(event) == []


def test_corrected_data_and_back(event):
    row = f.register(event, "Petra Propst")
    own = {"event": event, "by": f.make_desk(event), "at": f.ARRIVAL, "registration": row}
    call_service(registration_correct, **own, name="Petra Probst", email="p@example.org")
    assert names(event) == ["Petra Probst"]
    f.assert_logged(event, "registration.corrected", registration=row.pk)
    f.undo(event)
    person = Person.objects.get(pk=row.person_id)
    assert (person.name, person.email, person.plain_name) == ("Petra Propst", "", "petra propst")


def test_a_correction_that_changes_nothing_or_breaks_the_name_is_refused(event):
    row = f.register(event)
    own = {"event": event, "by": SYSTEM, "at": f.ARRIVAL, "registration": row}
    with f.refused("nothing_changed", event):
        call_service(registration_correct, **own, name="Petra  Probst")
    with f.refused("bad_name", event):
        call_service(registration_correct, **own, name=" ")
    with f.refused("bad_email", event):
        call_service(registration_correct, **own, name="Petra", email="nirgends")
