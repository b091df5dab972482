"""The owner of the laptop looks for a number that gives the seats he wants, and what shows it.

He reads the secret in the database, and makes every draw in advance with the published arithmetic.
"""

import pytest

from tests import factories as f
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Draw
from tournaments.seating.domain.draws import entry_item, field_draw
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw

pytestmark = pytest.mark.django_db
SEARCHED = 3000


@pytest.fixture
def full():
    """Twelve are here for two tables, without seats."""
    event = f.make_event(seats=6, capacity=20, draw_mode="field")
    for number in range(12):
        f.check_in(event, f.register(event, f"Spieler Nr{number:02}"))
    return event


def wanted(event, number):
    """Return who would sit at table 1, seat 1, as the owner reckons in advance."""
    event = f.fresh(event)
    entries = [entry_item(entry.pk) for entry in f.entries_of(event)]
    seats = [(table, seat) for table in (1, 2) for seat in range(1, 7)]
    made = field_draw(entries, seats, secret=event.draw_secret, hall_number=number, draw_number=1)
    return {place: item for item, place in made.items()}[1, 1]


def draw(event, minute=-10, **own):
    return f.drive(seats_draw, event, minute, **own)


def picture(event):
    return draw_pictures(event, list(draws_of(event)), to_staff=False)[0]


def test_a_number_chosen_by_the_owner_is_shown_with_the_entry_that_bound_it(full):
    """It cannot be hindered without a hall that listens, so the page says who typed it and when."""
    friend = entry_item(f.entries_of(full)[0].pk)
    number = next(str(n) for n in range(1, SEARCHED) if wanted(full, str(n)) == friend)
    bound = f.drive(draw_hall_number_set, full, -40, number=number)
    draw(full)
    shown = picture(full)
    assert (shown.hall_number, shown.called.at) == (number, bound.at)
    assert (shown.called.sequence, shown.is_called_with) == (bound.sequence, False)
    assert (shown.is_unbound, shown.agrees) == (False, True)


def test_the_number_stands_in_the_chain(full):
    made = draw(full, number="4711")
    assert made.payload["hall_number"] == "4711"
    assert picture(full).is_called_with
    made.payload["hall_number"] = "12"
    made.save()
    assert log_first_fault(full) == made.sequence


def test_whoever_does_not_like_the_outcome_has_to_show_it(full):
    for minute in (-13, -12):
        f.undo(full, draw(full, minute), at=f.after(minute + 0.5))
    draw(full, number="4711")
    assert (picture(full).times, picture(full).taken_back) == (3, 2)


@pytest.mark.parametrize("number", ["²", "٣", "1 2", "-1", "9" * 41])
def test_a_number_is_digits(full, number):
    with f.refused("bad_number", full):
        draw(full, number=number)


def test_a_number_is_called_once(full):
    drawn = draw(full, number="4711")
    f.undo(full, drawn, at=f.after(-9))
    with f.refused("used_number", full):
        draw(full, -7, number="4711")
    with f.refused("used_number", full):
        f.drive(draw_hall_number_set, full, -7, number="4711")
    draw(full, -7, number="12")
    assert list(Draw.objects.values_list("hall_number", flat=True)) == ["4711", "12"]


def test_a_number_that_was_drawn_with_is_not_taken_back(full):
    bound = f.drive(draw_hall_number_set, full, -12, number="11")
    draw(full)
    with f.refused("needed", full):
        f.undo(full, bound, at=f.after(-9))
