"""Rows read and written by hand are the rows that Django reads and writes."""

from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, IntegrityError, models, transaction
from django.db.models import F

from krru.data import by_hand
from tests.factories import last_action, make_event, register
from tournaments.models import Action, Draw, Event, Person, Registration
from tournaments.models.log import among

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
AT = datetime(2026, 11, 25, 19, 30, 0, 123456, tzinfo=UTC)


def values_of(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def event():
    return make_event()


@pytest.fixture
def action(event):
    register(event, "Resi Brandl")
    return last_action(event)


def drawn(event, action, number=7):
    return Draw(event=event, number=number, kind="seats", items=[1, {"ä": None}], made_by=action)


@pytest.mark.parametrize("model", [Event, Action, Registration, Person, Draw])
def test_rows_are_as_django_reads_them(event, action, model):
    drawn(event, action).save()
    theirs = {row.pk: values_of(row) for row in model.objects.all()}
    ours = {row.pk: values_of(row) for row in by_hand.select(model, "1 = 1", [])}
    assert ours == theirs
    found = by_hand.select(model, f"id IN {among(theirs)} ORDER BY id", list(theirs))
    assert [row.pk for row in found] == sorted(theirs)
    assert all(not row._state.adding and row._state.db == "default" for row in found)


def test_a_row_read_by_hand_leads_to_others_and_can_be_saved(event):
    (row,) = by_hand.select(Event, "id = %s", [event.pk])
    assert row.club == event.club
    row.name = "Anders"
    row.save()
    assert Event.objects.get(pk=event.pk).name == "Anders"


def test_what_is_written_by_hand_is_read_back_by_django(event, action):
    row = Action(
        club=event.club, event=event, sequence=1000, kind="x", at=AT, recorded_at=AT,
        role="director", payload={"a": [1, None, "ö"]}, previous_hash="h",
    )  # fmt: skip
    assert by_hand.can_insert(row)
    by_hand.insert(row)
    assert values_of(Action.objects.get(pk=row.pk)) == values_of(row)
    assert not row._state.adding
    row.payload, row.hash = {"b": 2}, "k"
    by_hand.update(row, ("payload", "hash"))
    again = Action.objects.get(pk=row.pk)
    assert (again.payload, again.hash, again.at) == ({"b": 2}, "k", AT)


def test_a_fact_that_is_created_is_written_by_hand_and_several_by_django(event, action):
    one = Draw.objects.create(event=event, number=1, kind="seats", made_by=action)
    two, three = Draw.objects.bulk_create(drawn(event, action, number) for number in (2, 3))
    (four,) = Draw.objects.bulk_create([drawn(event, action, 4)])
    assert Draw.objects.bulk_create([]) == []
    rows = {row.pk: values_of(row) for row in Draw.objects.filter(event=event)}
    for row in (one, two, three, four):
        assert rows[row.pk] == values_of(row)


def test_a_key_of_its_own_and_an_expression_are_left_to_django(event, action):
    assert not by_hand.can_insert(Draw(pk=5, event=event, number=1, kind="x", made_by=action))
    row = Draw(event=event, number=F("id") + 1, kind="x", made_by=action)
    assert not by_hand.can_insert(row)


def test_a_row_that_hangs_on_one_not_written_is_refused(event, action):
    row = Registration(event=event, person=Person(club=event.club), made_by=action)
    with pytest.raises(ValueError, match="unsaved related object 'person'"):
        by_hand.insert(row)


def test_the_key_of_a_row_written_meanwhile_is_taken(event, action):
    person = Person(club=event.club, name="Resi", sort_name="resi", plain_name="resi")
    row = Registration(event=event, person=person, name="Resi", registered_at=AT, made_by=action)
    by_hand.insert(person)
    by_hand.insert(row)
    assert Registration.objects.get(pk=row.pk).person == person


def test_what_the_database_refuses_ends_the_transaction_as_with_django(event, action):
    drawn(event, action).save()
    with pytest.raises(IntegrityError), transaction.atomic():
        by_hand.insert(drawn(event, action))
    assert Draw.objects.filter(event=event).count() == 1


def test_an_update_of_what_is_gone_is_an_error(event, action):
    row = drawn(event, action)
    by_hand.insert(row)
    Draw.objects.filter(pk=row.pk).delete()
    with pytest.raises(DatabaseError):
        by_hand.update(row, ("kind",))


def test_a_fact_is_voided_by_hand(event, action):
    kept, gone = Draw.objects.bulk_create(drawn(event, action, number) for number in (2, 3))
    Draw.objects.void_by_hand([gone.pk], action)
    Draw.objects.void_by_hand([], action)
    assert list(Draw.objects.live().filter(event=event)) == [kept]
    assert Draw.objects.get(pk=gone.pk).voided_by == action
