"""The owner of the laptop chooses a number that gives the seats he wants, or exchanges a secret.

He reads the secret in the database, and makes every draw in advance with the published arithmetic.
What was promised before the draws cannot be exchanged afterwards without a trace.
"""

import hashlib
from datetime import timedelta

import pytest
from django.urls import reverse

from krru.data.sealing import seal
from tests import factories as f
from tests.domain.cases import field_draw
from tests.services.test_seats import field
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.services.lifecycle import event_cancel, event_copy, event_end
from tournaments.models import Action, Draw, Event
from tournaments.seating.domain.draws import entry_item
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.breaking import tables_redraw
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw

pytestmark = pytest.mark.django_db
SEARCHED = 3000


@pytest.fixture
def full():
    """Twelve are here for two tables, without seats."""
    return field(12, seats=6, capacity=20)


def wanted(event, number):
    """Return who would sit at table 1, seat 1, as the owner reckons in advance."""
    event = f.fresh(event)
    entries = [entry_item(entry.pk) for entry in f.entries_of(event)]
    seats = [(table, seat) for table in (1, 2) for seat in range(1, 7)]
    made = field_draw(entries, seats, secret=event.draw_secret, hall_number=number, draw_number=1)
    return {place: item for item, place in made.items()}[1, 1]


def draw(event, minute=-10, **own):
    return f.drive(seats_draw, event, minute, **own)


def pictures(event, *, to_staff=True):
    event = f.fresh(event)
    return draw_pictures(event, list(draws_of(event)), to_staff=to_staff)


def test_a_number_chosen_by_the_owner_is_shown_with_the_entry_that_bound_it(full):
    """It cannot be hindered without a hall that listens, so the page says who typed it and when."""
    friend = entry_item(f.entries_of(full)[0].pk)
    number = next(str(n) for n in range(1, SEARCHED) if wanted(full, str(n)) == friend)
    bound = f.drive(draw_hall_number_set, full, -40, number=number)
    draw(full)
    shown = pictures(full, to_staff=False)[0]
    assert (shown.hall_number, shown.called.at) == (number, bound.at)
    assert (shown.called.sequence, shown.is_called_with) == (bound.sequence, False)
    assert (shown.rests_on, shown.agrees) == ("before", True)
    f.refuses("needed", f.undo, full, bound, at=f.after(-9))


def test_whoever_does_not_like_the_outcome_has_to_show_it_and_the_number_is_in_the_chain(full):
    for minute in (-13, -12):
        f.undo(full, draw(full, minute), at=f.after(minute + 0.5))
    made = draw(full, number="4711")
    shown, *voided = pictures(full)
    assert (shown.times, shown.taken_back, shown.is_called_with) == (3, 2, True)
    assert [(one.is_voided, one.agrees) for one in voided] == [(True, True)] * 2
    made.payload["hall_number"] = "12"
    made.save()
    assert log_first_fault(full) == made.sequence


def test_a_number_is_called_once(full):
    drawn = draw(full, number="4711")
    f.undo(full, drawn, at=f.after(-9))
    for service in (seats_draw, draw_hall_number_set):
        f.refuses("used_number", service, full, -7, number="4711")
    draw(full, -7, number="12")
    assert list(Draw.objects.values_list("hall_number", flat=True)) == ["4711", "12"]


def hash_of(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


def promise_of(event):
    return Action.objects.get(payload__event=event.pk, kind="event.created")


def test_the_promise_stands_in_the_chain_from_the_beginning_also_of_a_copy(event):
    made = promise_of(event)
    assert made.payload["commitment"] == hash_of(event.draw_secret)
    command = ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL)
    starts_at = f.ARRIVAL + timedelta(days=7)
    copied = event_copy(command, source=event, starts_at=starts_at)
    copy = Event.objects.get(pk=copied.payload["event"])
    assert copied.payload["commitment"] == hash_of(copy.draw_secret)
    assert copy.draw_secret != event.draw_secret
    Event.objects.filter(pk=event.pk).update(draw_sealed=seal("ab" * 32))
    assert made.payload["commitment"] != hash_of(f.fresh(event).draw_secret)
    made.payload["commitment"] = hash_of("ab" * 32)
    made.save()
    assert log_first_fault(event.club) == made.sequence


def test_a_secret_that_was_public_is_used_no_more_and_the_page_keeps_the_new_one(client):
    """The end of a running evening is taken back, and all is drawn anew."""
    event = f.make_running_event(6, seats=4)
    secret = event.draw_secret
    ended = f.drive(event_end, event, 5)
    undone = f.undo(event, ended, at=f.after(6))
    f.drive(tables_redraw, f.fresh(event), 7)
    new = f.fresh(event).draw_secret
    assert new != secret
    assert undone.payload["commitment"] == hash_of(new)
    shown = pictures(event)
    assert all(one.agrees for one in shown)
    assert [one.secret for one in shown] == ["", *[secret] * (len(shown) - 1)]
    assert shown[-1].commitment == promise_of(event).payload["commitment"] == hash_of(secret)

    where = reverse("draws", args=[event.slug])
    page = client.get(where).content.decode()
    assert [text in page for text in (secret, new, hash_of(new))] == [True, False, True]
    f.drive(event_end, f.fresh(event), 9)
    page = client.get(where).content.decode()
    assert [text in page for text in (secret, new)] == [True, True]


def test_a_cancellation_taken_back_gives_a_new_secret_too(event):
    secret = event.draw_secret
    cancelled = f.drive(event_cancel, event, 0)
    f.undo(event, cancelled, at=f.after(1))
    f.check_in(event, f.register(event, "Anna Ast"))
    assert f.fresh(event).draw_secret != secret
    (shown,) = pictures(event)
    assert (shown.agrees, shown.secret) == (True, "")
