"""What is written again from notes is what the services wrote, or they write it themselves."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.prepared import PATH, prepared
from tournaments.changes.access import Role
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

MANY = 100


def rows():
    """Return everything the database holds."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
            found[table] = cursor.fetchall()
    return found


def seated_and_signed_in():
    club = f.house()
    event = f.make_running_event(12, seats=6)
    return club, event, f.sign_in("Doras Laptop", Role.DIRECTOR, event), f.register(event)


def unbalanced():
    return f.make_unbalanced_event()


def drawn_at_once():
    return f.make_seated_event(13, seats=6, draw_mode=Event.DrawMode.FIELD)


def made(make):
    """Return rows, values and the number of statements of a maker, and take it back."""
    with transaction.atomic():
        PATH.begin()
        with CaptureQueriesContext(connection) as statements:
            value = make()
        found = rows(), value, len(statements)
        transaction.set_rollback(True)
    return found


@pytest.mark.parametrize("make", [seated_and_signed_in, unbalanced, drawn_at_once])
def test_rows_are_those_that_the_services_wrote(make):
    PATH.beginning.further.clear()
    by_services, value, statements = made(make)
    again, same_value, few = made(make)
    assert again == by_services
    assert same_value == value
    assert few < MANY < statements


def test_a_prepared_event_goes_on_as_one_of_the_services():
    made(f.make_running_event)
    PATH.begin()
    event = f.make_running_event()
    before = event.version
    f.out(event, f.entries_of(event)[0])
    assert f.fresh(event).version == before + 1
    assert log_first_fault(event) is None


def test_other_arguments_make_another_event():
    assert made(lambda: f.make_event(seats=8).seats_per_table)[1] == 8
    assert made(lambda: f.make_event(seats=9).seats_per_table)[1] == 9
    assert made(lambda: f.make_event(seats=8).seats_per_table)[1] == 8


def test_upon_other_rows_the_services_are_called():
    made(f.make_event)
    PATH.begin()
    f.make_event(name="Anderswo")
    Event.objects.update(name="Von Hand")
    with CaptureQueriesContext(connection) as statements:
        event = f.make_event()
    assert any(row["sql"].startswith("SELECT") for row in statements)
    assert {event.name, *Event.objects.values_list("name", flat=True)} == {
        "Freitagsturnier", "Von Hand",
    }  # fmt: skip


def test_rows_taken_back_meanwhile_are_noticed():
    first_and_second = lambda: [f.make_event().pk for _ in range(2)]

    def first_taken_back():
        with transaction.atomic():
            f.make_event()
            transaction.set_rollback(True)
        return [f.make_event().pk]

    # PostgreSQL counts on after what is taken back.
    number = 1 if connection.vendor == "sqlite" else 2
    assert made(first_and_second)[1] == [1, 2]
    for _ in range(2):
        assert made(first_taken_back)[1] == [number]
        assert made(first_and_second)[1] == [1, 2]


def test_under_changed_settings_the_services_are_called(settings):
    made(f.house)
    settings.LANGUAGE_CODE = "en"
    with CaptureQueriesContext(connection) as statements:
        f.house()
    assert any(row["sql"].startswith("SELECT") for row in statements)


def test_what_a_maker_took_back_itself_is_not_written():
    @prepared
    def make():
        event = f.make_event()
        with transaction.atomic():
            f.make_event(name="Zurückgenommen")
            transaction.set_rollback(True)
        return event

    names = lambda: (make(), list(Event.objects.values_list("name", flat=True)))[1]
    assert made(names)[1] == made(names)[1] == ["Freitagsturnier"]
