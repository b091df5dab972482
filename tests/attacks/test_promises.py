"""What was promised before the draws cannot be exchanged afterwards without a trace."""

import hashlib

import pytest

from tests import factories as f
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Action, Event

pytestmark = pytest.mark.django_db


def promised(event):
    made = Action.objects.filter(payload__event=event.pk, kind="event.created").earliest("sequence")
    return made.payload["commitment"]


def test_the_promise_stands_in_the_chain_from_the_beginning(event):
    assert promised(event) == hashlib.sha256(event.draw_secret.encode()).hexdigest()
    Event.objects.filter(pk=event.pk).update(draw_secret="ab" * 32)
    assert promised(event) != hashlib.sha256(f.fresh(event).draw_secret.encode()).hexdigest()
    made = Action.objects.get(payload__event=event.pk, kind="event.created")
    made.payload["commitment"] = hashlib.sha256(b"ab" * 32).hexdigest()
    made.save()
    assert log_first_fault(event.club) == made.sequence
