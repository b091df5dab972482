"""What is written again from notes is what the services wrote, or they write it themselves."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.prepared import PATH, prepared
from tournaments.changes.access import Role
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Event

pytestmark = pytest.mark.django_db

MANY = 100


def rows():
    """Return everything the database holds."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            found[table] = cursor.fetchall()
    return found


def made(make):
    """Return rows, values and the number of statements of a maker, and take it back."""
    with transaction.atomic():
        PATH.begin()
        with CaptureQueriesContext(connection) as statements:
            value = make()
        found = rows(), value, len(statements)
        transaction.set_rollback(True)
    return found


def seated_and_signed_in():
    club, event = f.house(), f.make_running_event(12, seats=6)
    return club, event, f.sign_in("Doras Laptop", Role.DIRECTOR, event), f.register(event)


@pytest.mark.parametrize("make", [seated_and_signed_in, f.make_unbalanced_event])
def test_rows_are_those_that_the_services_wrote(make):
    PATH.beginning.further.clear()
    by_services, value, statements = made(make)
    again, same_value, few = made(make)
    assert again == by_services
    assert same_value == value
    assert few < MANY < statements


def test_a_prepared_event_goes_on_as_one_of_the_services_and_other_arguments_make_another():
    made(f.make_running_event)
    PATH.begin()
    event = f.make_running_event()
    f.out(event, f.entries_of(event)[0])
    assert f.fresh(event).version == event.version + 1
    assert log_first_fault(event) is None
    for seats in (8, 9, 8):
        assert made(lambda seats=seats: f.make_event(seats=seats))[1].seats_per_table == seats


def asked_of_the_services():
    with CaptureQueriesContext(connection) as statements:
        f.make_event()
    return any(row["sql"].startswith("SELECT") for row in statements)


def test_upon_other_rows_and_under_changed_settings_the_services_are_called(settings):
    made(f.make_event)
    PATH.begin()
    assert not asked_of_the_services()
    Event.objects.update(name="Von Hand")
    assert asked_of_the_services()
    PATH.begin()
    settings.LANGUAGE_CODE = "en"
    assert asked_of_the_services()


def test_what_was_taken_back_meanwhile_is_not_written():
    @prepared
    def make():
        event = f.make_event()
        with transaction.atomic():
            f.make_event(name="Zurückgenommen")
            transaction.set_rollback(True)
        return event

    def names():
        with transaction.atomic():
            f.make_event(name="Auch")
            transaction.set_rollback(True)
        return make(), list(Event.objects.values_list("name", flat=True))

    assert made(names)[1] == made(names)[1]
    assert made(names)[1][1] == ["Freitagsturnier"]
