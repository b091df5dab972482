"""Registration, its withdrawal, check-in: every refusal, every log entry, every undo."""

import pytest

from tests import factories as f
from tests.services.line import say
from tournaments.changes.access import SYSTEM
from tournaments.door.services.registration import (
    registration_withdraw,
    registrations_import,
)
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import ChipMovement, Entry, Person, Registration, Table
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.planned]


def names(event):
    rows = Registration.objects.live().filter(event=event).order_by("pk")
    return list(rows.values_list("person__name", flat=True))


def withdraw(event, row, by=SYSTEM):
    return say(registration_withdraw, event, 0, by=by, registration=row)


def undo(event, action):
    return say(action_undo, event, 60, action=action)


# Registered


def test_a_namesake_and_who_has_another_address_are_other_people(event):
    other = f.make_event(name="Zweites")
    f.register(event, "Eva Huber")
    second = f.register(event, "Eva Huber", is_namesake=True)
    assert Person.objects.filter(plain_name=second.person.plain_name).count() == 2
    f.register(other, "Uwe Huber", email="uwe@example.org")
    f.register(other, "Uwe Huber", email="u.huber@example.org")
    assert names(other) == ["Uwe Huber", "Uwe Huber"]


def test_the_club_knows_a_person_again_and_learns_the_address_from_staff(event):
    first = f.register(event, "Eva Huber")
    second = f.register(f.make_event(name="Zweites"), "eva huber", email="eva@example.org")
    assert first.person_id == second.person_id
    assert Person.objects.get(pk=first.person_id).email == "eva@example.org"


def test_closed_registration_refuses_strangers_and_not_the_desk_and_a_cancelled_event_all(event):
    say(event_update, event, 0, settings={"is_registration_open": False})
    f.refuses("closed", f.register, event, "Zeno", by=f.ZENO)
    f.register(event, "Zeno", by=f.make_desk(event))
    say(event_cancel, event, 0)
    f.refuses("over", f.register, event)


def test_late_registration_and_check_in_end_with_the_level_but_not_for_the_director():
    event = f.make_running_event(4, late_registration_level=1)
    desk, dora = f.make_desk(event), f.make_dora(event)
    early, late = f.register(event, "Früh"), f.register(event, "Spät")
    f.register(event, "Zeno", by=f.ZENO, at=f.after(19))
    f.check_in(event, early, by=desk, at=f.after(19))
    f.refuses("closed", f.register, event, "Zenobia", by=f.ZENO, at=f.after(20))
    f.refuses("cannot_check_in", f.check_in, event, late, by=desk, at=f.after(21))
    f.check_in(event, late, by=dora, at=f.after(21))
    assert players_left(event) == 6


# Lists


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
    f.refuses(code, say, registrations_import, event, 0, people=rows)
    assert names(event) == ["Eva"]


def test_a_list_of_thousands_takes_a_fixed_number_of_queries(django_assert_max_num_queries):
    big = f.make_event(capacity=3000)
    rows = [{"name": f"Gast {number}"} for number in range(500)]
    # Rows of a table go in parts, of so many values each: a new column means more parts.
    with django_assert_max_num_queries(41):
        say(registrations_import, big, 0, people=rows)


# Withdrawn and corrected


def test_petra_withdraws_herself_and_nobody_else(event):
    own, other = f.register(event), f.register(event, "Otto")
    f.refuses("not_allowed", withdraw, event, own, by=f.ZENO)
    f.refuses("not_yours", withdraw, event, other, by=f.petra_of(own))
    withdraw(event, own, by=f.petra_of(own))
    assert names(event) == ["Otto"]
    f.assert_logged(event, "registration.withdrawn", registration=own.pk)
    f.refuses("gone", withdraw, event, own, by=f.petra_of(own))
    f.check_in(event, other)
    f.refuses("checked_in", withdraw, event, other)


def test_a_withdrawal_is_taken_back_unless_the_person_came_again(event):
    withdrawn = withdraw(event, f.register(event))
    f.undo(event)
    assert names(event) == ["Petra Probst"]
    f.undo(event)  # the undo of the undo
    assert names(event) == []
    f.register(event)
    f.refuses("needed", undo, event, withdrawn)


def test_neither_a_registration_nor_its_return_is_taken_back_after_the_check_in(event):
    row = f.register(event)
    withdraw(event, row)
    undone = f.undo(event)
    f.check_in(event, row)
    f.refuses("needed", undo, event, undone)
    assert "Eingecheckt: Petra Probst" in f.refuses("needed", undo, event, row.made_by)
    f.undo(event)
    undo(event, row.made_by)
    assert names(event) == []


# Checked in


def test_check_in_taken_back_put_in_force_again_and_done_anew(event):
    row = f.register(event)
    entry = f.check_in(event, row)
    seat = f.seat_of(entry)
    f.undo(event)
    f.assert_logged(event, "action.undone")
    assert (players_left(event), chips_in_play(event)) == (0, (0, True))
    assert not Table.objects.live().filter(event=event).exists()
    f.undo(event)
    assert (players_left(event), chips_in_play(event), f.seat_of(entry)) == (1, (200, True), seat)
    undone = undo(event, entry.made_by)
    assert (entry.number, f.check_in(event, row).number) == (1, 2)
    assert Entry.objects.live().filter(event=event).count() == 1
    assert ChipMovement.objects.live().filter(event=event).count() == 1
    f.refuses("needed", undo, event, undone)


def test_check_in_taken_back_keeps_the_tables_others_sit_at(event):
    first = f.check_in(event, f.register(event, "Eins"))
    second = f.check_in(event, f.register(event, "Zwei"))
    undo(event, first.made_by)
    assert f.seat_of(first) is None
    assert f.seat_of(second)
    assert Table.objects.live().filter(event=event).exists()
