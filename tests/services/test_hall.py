"""The hall belongs to the club: of two events in it no table bears the number of another."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.test_races import at_once, call
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.errors import Refused
from tournaments.club.services.club import club_hall_set
from tournaments.door.services.arrivals import entry_check_in
from tournaments.event.selectors.hall import numbers_in_use, way_at
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Club, Event, Table
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import table_break, table_close, table_open

pytestmark = pytest.mark.django_db
PLAN = "Großer Saal\n1-3\n4 . 5\n\nGalerie\n9"


def numbers(event: Event) -> list[int]:
    return sorted(Table.objects.live().filter(event=event).values_list("number", flat=True))


def draw_a_plan(text: str = PLAN) -> Club:
    call_service(club_hall_set, club=f.house(), by=SYSTEM, at=f.ARRIVAL, hall=text)
    return Club.objects.get()


@pytest.fixture
def main():
    return f.make_running_event(12, seats=6, name="Main Event")


def test_a_satellite_beside_the_main_event_gets_other_numbers(main):
    satellite = f.make_running_event(8, seats=4, name="Satellit")
    assert (numbers(main), numbers(satellite)) == ([1, 2], [3, 4])
    assert numbers_in_use(main.club) == dict.fromkeys((1, 2), "Main Event") | dict.fromkeys(
        (3, 4), "Satellit"
    )
    f.out(main, *f.at_table(main, 1)[:3])
    f.out(main, *f.at_table(main, 2)[:3])
    f.drive(table_break, main, 10, table=f.table_of(main, 1), reason="Platz")
    f.drive(table_open, satellite, 11, count=2)
    assert numbers(satellite) == [1, 3, 4, 5]
    f.refuses("number_held", f.undo, main)
    f.drive(table_close, satellite, 12, table=f.table_of(satellite, 1))
    f.undo(main)
    assert numbers(main) == [1, 2]


def test_the_numbers_of_an_event_are_free_once_it_is_over(main):
    end(main)
    other = f.make_running_event(6, seats=6)
    assert numbers(other) == [1]
    sentence = f.refuses("number_held", f.undo, main)
    assert "1 Freitagsturnier" in sentence


def end(event):
    players = f.entries_of(event)
    for minute, entry in enumerate(players[:-1], 2):
        f.out(event, entry, at=f.after(minute))
    f.drive(event_end, event, 60)


def test_a_sample_has_a_hall_of_its_own(main):
    sample = f.make_event(is_sample=True)
    f.drive(table_open, sample, -5, count=2)
    assert numbers(sample) == [1, 2]
    assert numbers(f.make_seated_event(2)) == [3]


def test_an_event_takes_the_tables_of_the_plan_and_says_who_has_the_others():
    draw_a_plan()
    main = f.make_running_event(12, seats=6, name="Main Event")
    side = f.make_event(seats=6)
    f.drive(event_update, side, -20, settings={"hall_tables": "2–3, 9"})
    f.drive(table_open, f.fresh(side), -10, count=2)
    assert (numbers(main), numbers(side)) == ([1, 2], [3, 9])
    assert way_at(f.fresh(side), 9) == "Galerie"
    sentence = f.refuses("hall_full", table_open, f.fresh(side), -5)
    assert sentence == (
        "Im Saal fehlt ein freier Tisch. Vergeben: 2 Main Event. "
        "Mehr erlauben die Einstellungen unter „Tische dieses Turniers“."
    )
    sentence = f.refuses("hall_full", table_open, main, 5, count=5)
    assert sentence == (
        "Im Saal fehlen 3 freie Tische. Vergeben: 3, 9 Freitagsturnier. "
        "Mehr kennt der Saalplan des Vereins nicht."
    )


def test_who_finds_no_table_is_not_checked_in_and_the_field_is_not_drawn():
    draw_a_plan("1")
    event = f.make_seated_event(2, seats=2)
    third = f.register(event, "Dritte")
    f.refuses("hall_full", entry_check_in, event, -5, registration=third)
    field = f.make_event(draw_mode="field")
    for name in ("Eins", "Zwei"):
        f.check_in(field, f.register(field, name))
    f.refuses("hall_full", seats_draw, field, -5)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("1-12", "Tisch 6–8, 10–12 steht nicht im Saalplan."),
        ("x", "„x“ ist keine Tischnummer. Bitte so: 1–12."),
        ("3, 2-4", "Tisch 2-4 steht zweimal da."),
        ("5-1", "„5-1“: Solche Tischnummern gibt es nicht."),
    ],
)
def test_tables_that_are_not_there_are_refused(typed, sentence):
    draw_a_plan()
    event = f.make_event()
    found = f.refuses("bad_hall_tables", event_update, event, -20, settings={"hall_tables": typed})
    assert found == sentence


@pytest.mark.parametrize("typed", ["Saal\n1\n1", "Saal", "Saal\n1\nSaal\n2", "0"])
def test_a_plan_that_cannot_be_changes_nothing(typed):
    draw_a_plan()
    with pytest.raises(Refused) as found:
        draw_a_plan(typed)
    assert found.value.code == "bad_hall"
    assert Club.objects.get().hall == PLAN


@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_open_different_tables():
    events = [f.make_event(name=name) for name in ("Main Event", "Satellit", "Omaha")]
    at_once(*(call(table_open, event, at=f.ARRIVAL, count=3) for event in events))
    found = [number for event in events for number in numbers(event)]
    assert sorted(found) == list(range(1, 10))


@pytest.mark.django_db(transaction=True)
def test_the_last_table_of_the_hall_goes_to_one():
    draw_a_plan("1-3")
    events = [f.make_event(name=name) for name in ("Main Event", "Satellit")]
    answers = at_once(*(call(table_open, event, at=f.ARRIVAL, count=2) for event in events))
    assert sorted(map(len, map(numbers, events))) == [0, 2]
    assert answers.count("hall_full") == 1


# Who sits at another event


def test_who_sits_at_a_running_event_is_named_before_another_lets_them_in():
    main, side = f.make_event(name="Main Event"), f.make_event(name="Satellit")
    row = f.register(main, "Rosa Rot")
    seated = f.check_in(main, row)
    again = f.register(side, "Rosa Rot", person=row.person_id)
    sentence = f.refuses("plays_elsewhere", entry_check_in, side, -5, registration=again)
    table, seat = f.seat_of(seated)
    assert sentence == f"Rosa Rot sitzt noch bei „Main Event“: Tisch {table}, Platz {seat}."
    f.drive(entry_check_in, side, -5, registration=again, plays_at_both=True)
    f.refuses("cannot_check_in", entry_check_in, side, -4, registration=again, plays_at_both=True)


def test_who_is_out_there_or_at_a_sample_comes_in_without_a_word(main):
    gone = f.entries_of(main)[0]
    f.out(main, gone)
    person = gone.registration.person
    side = f.make_event(name="Satellit")
    f.drive(entry_check_in, side, 6, registration=f.register(side, person.name, person=person.pk))
    sample = f.make_event(is_sample=True)
    other = f.entries_of(main)[1].registration.person
    f.drive(entry_check_in, sample, 6, registration=f.register(sample, other.name, person=other.pk))
