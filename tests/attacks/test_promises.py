"""What was promised before the draws cannot be exchanged afterwards without a trace."""

import hashlib
from datetime import timedelta

import pytest
from django.urls import reverse

from krru.data.sealing import seal
from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.services.lifecycle import event_cancel, event_copy, event_end
from tournaments.models import Action, Event
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.breaking import tables_redraw

pytestmark = pytest.mark.django_db


def hash_of(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


def promised(event):
    made = Action.objects.filter(payload__event=event.pk, kind="event.created").earliest("sequence")
    return made.payload["commitment"]


def test_the_promise_stands_in_the_chain_from_the_beginning(event):
    assert promised(event) == hash_of(event.draw_secret)
    Event.objects.filter(pk=event.pk).update(draw_sealed=seal("ab" * 32))
    assert promised(event) != hash_of(f.fresh(event).draw_secret)
    made = Action.objects.get(payload__event=event.pk, kind="event.created")
    made.payload["commitment"] = hashlib.sha256(b"ab" * 32).hexdigest()
    made.save()
    assert log_first_fault(event.club) == made.sequence


def test_so_does_that_of_a_copy(event):
    copied = event_copy(
        ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL),
        source=event,
        starts_at=f.ARRIVAL + timedelta(days=7),
    )
    copy = Event.objects.get(pk=copied.payload["event"])
    assert copied.payload["commitment"] == hash_of(copy.draw_secret)
    assert copy.draw_secret != event.draw_secret


@pytest.fixture
def played():
    """A running evening whose end was taken back, and after which all was drawn anew."""
    event = f.make_running_event(6, seats=4)
    secret = event.draw_secret
    ended = event_end(Command(event=event, by=SYSTEM, at=f.after(5)))
    f.undo(event, ended, at=f.after(6))
    tables_redraw(Command(event=f.fresh(event), by=SYSTEM, at=f.after(7)))
    return f.fresh(event), secret


def test_a_secret_that_was_public_is_used_no_more(played):
    event, secret = played
    assert event.draw_secret != secret
    undone = Action.objects.get(event=event, undoes__kind="event.ended")
    assert undone.payload["commitment"] == hash_of(event.draw_secret)
    pictures = draw_pictures(event, list(draws_of(event)), to_staff=True)
    assert all(one.agrees for one in pictures)
    assert [one.secret for one in pictures] == ["", *[secret] * (len(pictures) - 1)]
    assert pictures[-1].commitment == promised(event) == hash_of(secret)


def test_the_page_keeps_the_new_secret_and_shows_the_old_one(client, played):
    event, secret = played
    where = reverse("draws", args=[event.slug])
    page = client.get(where).content.decode()
    assert secret in page
    assert event.draw_secret not in page
    assert hash_of(event.draw_secret) in page
    event_end(Command(event=event, by=SYSTEM, at=f.after(9)))
    page = client.get(where).content.decode()
    assert secret in page
    assert event.draw_secret in page


def test_a_cancellation_taken_back_gives_a_new_secret_too(event):
    secret = event.draw_secret
    cancelled = event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    f.undo(event, cancelled, at=f.after(1))
    f.check_in(event, f.register(event, "Anna Ast"))
    assert f.fresh(event).draw_secret != secret
    (picture,) = draw_pictures(f.fresh(event), list(draws_of(event)), to_staff=True)
    assert (picture.agrees, picture.secret) == (True, "")
