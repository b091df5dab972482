"""The owner of the laptop looks for a number that gives the seats he wants, and what that gets him.

He reads the secret in the database, and makes every draw in advance with the published arithmetic.
"""

import hashlib
import secrets

import pytest

from tests import factories as f
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Draw, FrozenDraw, HallNumber, Registration
from tournaments.seating.domain.draws import entry_item, field_draw
from tournaments.seating.domain.hall_numbers import combined_number, seal_of
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.frozen import (
    draw_call_off,
    draw_freeze,
    number_open,
    number_seal,
    numbers_close,
)
from tournaments.seating.services.locks import seat_lock
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw

pytestmark = pytest.mark.django_db
SEARCHED = 3000


@pytest.fixture
def full():
    """Twelve are here for two tables, and nobody has a seat."""
    event = f.make_event(seats=6, capacity=20, draw_mode="field")
    for number in range(12):
        f.check_in(event, f.register(event, f"Spieler Nr{number:02}"))
    return event


def wanted(event, number, draw=1):
    """Return what the owner makes in advance: who would sit at table 1, seat 1."""
    event = f.fresh(event)
    entries = [entry_item(entry.pk) for entry in f.entries_of(event)]
    seats = [(table, seat) for table in (1, 2) for seat in range(1, 7)]
    made = field_draw(
        entries, seats, secret=event.draw_secret, hall_number=number, draw_number=draw
    )
    return {place: item for item, place in made.items()}[1, 1]


def search(event, friend, **own):
    return next(str(n) for n in range(1, SEARCHED) if wanted(event, str(n), **own) == friend)


def frozen_of(event):
    return f.fresh(event).frozen


def freeze(event, **own):
    return f.drive(draw_freeze, event, -30, purpose="field", **own)


class Phone:
    """A player's phone, as its script goes about it."""

    def __init__(self, registration, number):
        self.registration, self.number = registration, number
        self.nonce = secrets.token_hex(16)
        self.by = f.petra_of(registration)

    def do(self, service, event, **own):
        frozen = frozen_of(event).pk
        own |= {"registration": self.registration, "frozen": frozen, "by": self.by}
        return f.drive(service, event, -20, **own)

    def seal(self, event):
        return self.do(number_seal, event, seal=seal_of(self.number, self.nonce))

    def open(self, event, **other):
        own = {"number": self.number, "nonce": self.nonce} | other
        return self.do(number_open, event, **own)


def phones(event, count):
    rows = Registration.objects.live().filter(event=event).order_by("pk")[:count]
    return [Phone(row, str(number)) for number, row in enumerate(rows, start=7)]


def draw(event, **own):
    return f.drive(seats_draw, event, -10, **own)


def first_seat(event):
    return next(entry_item(one.pk) for one in f.entries_of(event) if f.seat_of(one) == (1, 1))


def test_a_number_set_before_the_draw_chooses_nothing_any_more(full):
    friend = entry_item(f.entries_of(full)[0].pk)
    f.drive(draw_hall_number_set, full, -40, number=search(full, friend))
    draw(full)
    made = Draw.objects.get(event=full)
    assert made.hall_number == ""
    (picture,) = draw_pictures(full, list(draws_of(full)), to_staff=False)
    assert (picture.is_unbound, picture.agrees) == (True, True)


def test_a_number_that_was_not_asked_for_is_refused(full):
    with f.refused("not_frozen", full):
        draw(full, number="4711")
    with f.refused("not_frozen", full):
        draw(full, frozen=1, number="4711")


def test_with_one_phone_that_is_honest_the_owner_cannot_choose(full):
    honest, *accomplices = phones(full, 4)
    freeze(full)
    for phone in (honest, *accomplices):
        phone.seal(full)
    # All he knows: his own numbers, and that he may still change them.
    row = HallNumber.objects.get(registration=honest.registration)
    assert (row.number, row.nonce, row.seal) == ("", "", seal_of(honest.number, honest.nonce))
    f.drive(numbers_close, full, -15, frozen=frozen_of(full).pk)
    honest.open(full)
    # Now he knows all, and nothing is left to change.
    accomplice = accomplices[0]
    with f.refused("closed", full):
        accomplice.seal(full)
    with f.refused("other_number", full):
        accomplice.open(full, number="99")
    late = phones(full, 6)[5]
    with f.refused("closed", full):
        late.seal(full)
    with f.refused("closed", full):
        draw(full, frozen=frozen_of(full).pk, number="4711")
    with f.refused("missing", full):
        draw(full, frozen=frozen_of(full).pk)
    for phone in accomplices:
        phone.open(full)
    draw(full, frozen=frozen_of(full).pk)
    given = [(p.registration.pk, p.number, p.nonce) for p in (honest, *accomplices)]
    made = Draw.objects.get(event=full)
    assert made.hall_number == combined_number(given)
    assert first_seat(full) == wanted(full, made.hall_number)
    with f.refused("already_drawn", full):
        draw(full, frozen=frozen_of(full).pk)


def test_what_was_given_stands_in_the_chain(full):
    (phone,) = phones(full, 1)
    made = freeze(full)
    text = FrozenDraw.objects.get().text
    assert made.payload["frozen"] == hashlib.sha256(text.encode()).hexdigest()
    sealed = phone.seal(full)
    f.drive(numbers_close, full, -15, frozen=frozen_of(full).pk)
    HallNumber.objects.update(seal=seal_of("1", phone.nonce))
    with f.refused("other_number", full):
        phone.open(full)
    sealed.payload["seal"] = seal_of("1", phone.nonce)
    sealed.save()
    assert log_first_fault(full) == sealed.sequence


def test_whoever_does_not_like_the_outcome_has_to_show_it(full):
    """He can let an accomplice not open, call off, draw again: each try is counted."""
    (phone,) = phones(full, 1)
    freeze(full)
    phone.seal(full)
    f.drive(numbers_close, full, -15, frozen=frozen_of(full).pk)
    f.drive(draw_call_off, full, -14, frozen=frozen_of(full).pk)
    assert f.fresh(full).frozen is None
    for minute in (-13, -12):
        f.undo(full, f.drive(seats_draw, full, minute), at=f.after(minute + 0.5))
    freeze(full)
    draw(full, frozen=frozen_of(full).pk, number="4711")
    first = draw_pictures(full, list(draws_of(full)), to_staff=False)[0]
    assert (first.times, first.taken_back) == (3, 2)
    (gone,) = FrozenDraw.objects.exclude(voided_by=None)
    assert (gone.is_closed, gone.voided_by.kind) == (True, "draw.called_off")


def test_whatever_changes_the_list_makes_what_was_frozen_void(full):
    freeze(full)
    f.drive(draw_hall_number_set, full, -25, number="12")
    assert frozen_of(full) is not None
    late = f.check_in(full, f.register(full, "Späte Sofie"), at=f.after(-24))
    assert f.fresh(full).frozen is None
    assert f.last_action(full).payload["freeze_void"] == 1
    freeze(full)
    assert f"entry:{late.pk}" in frozen_of(full).text
    with f.refused("already_frozen", full):
        freeze(full)
    assert FrozenDraw.objects.count() == 2


def test_a_locked_seat_and_the_draw_of_another_make_it_void():
    event = f.make_running_event(10, seats=9)
    own = {"purpose": "redraw"}
    f.drive(draw_freeze, event, 1, **own)
    f.drive(seat_lock, event, 2, table=f.table_of(event, 1), seat=9, reason="Stuhl")
    assert f.fresh(event).frozen is None
    f.drive(draw_freeze, event, 3, **own)
    f.undo(event, at=f.after(4))
    assert f.fresh(event).frozen is None
    f.out(event, *f.at_table(event, 2)[:2], at=f.after(4.5))
    f.drive(draw_freeze, event, 5, purpose="break", table=f.table_of(event, 2), reason="Lärm")
    assert "|break:2|" in frozen_of(event).text
    assert "sits:1:5" in frozen_of(event).text


@pytest.mark.parametrize("number", ["", "²", "٣", "1 2", "-1", "9" * 41])
def test_a_called_number_is_digits(full, number):
    freeze(full)
    if number:
        with f.refused("bad_number", full):
            draw(full, frozen=frozen_of(full).pk, number=number)
    else:
        draw(full, frozen=frozen_of(full).pk)
        assert Draw.objects.get(event=full).hall_number == ""


def test_a_called_number_is_used_once(full):
    freeze(full)
    drawn = draw(full, frozen=frozen_of(full).pk, number="4711")
    f.undo(full, drawn, at=f.after(-9))
    f.drive(draw_freeze, full, -8, purpose="field")
    own = {"frozen": frozen_of(full).pk}
    with f.refused("used_number", full):
        f.drive(seats_draw, full, -7, **own, number="4711")
    with f.refused("used_number", full):
        f.drive(draw_hall_number_set, full, -7, number="4711")
    f.drive(seats_draw, full, -7, **own, number="12")
    assert list(Draw.objects.values_list("hall_number", flat=True)) == ["4711", "12"]


def test_nobody_gives_a_number_for_another_or_from_outside(full):
    one, other = phones(full, 2)
    freeze(full)
    one.by = other.by
    with f.refused("not_allowed", full):
        one.seal(full)
    one.by = f.make_dora(full)
    with f.refused("not_allowed", full):
        one.seal(full)
    home = Phone(f.register(full, "Zuhause Zita"), "5")
    with f.refused("not_present", full):
        home.seal(full)
    with f.refused("bad_number", full):
        other.do(number_seal, full, seal="12")
    with f.refused("no_numbers", full):
        f.drive(numbers_close, full, -15, frozen=frozen_of(full).pk)
    with f.refused("not_closed", full):
        other.open(full)


def test_a_number_can_be_changed_until_the_list_is_closed_and_opened_once(full):
    (phone,) = phones(full, 1)
    freeze(full)
    phone.seal(full)
    phone.number = "123456789"
    phone.seal(full)
    frozen = frozen_of(full).pk
    f.drive(numbers_close, full, -15, frozen=frozen)
    with f.refused("closed", full):
        f.drive(numbers_close, full, -15, frozen=frozen)
    phone.open(full)
    with f.refused("opened", full):
        phone.open(full)
    assert HallNumber.objects.get().number == "123456789"
