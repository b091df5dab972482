"""The fee belongs to one event: nobody books or takes back what is another evening's."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.models import Posting
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def evenings():
    return f.make_event(name="Freitag", fee_cents=1000), f.make_event(name="Samstag")


def test_a_fee_of_another_evening_is_not_booked_here(evenings):
    friday, saturday = evenings
    petra = f.register(saturday, "Petra Probst")
    for service in (fee_pay, fee_refund):
        with f.refused("gone", friday):
            call_service(service, event=friday, by=SYSTEM, at=f.ARRIVAL, registration=petra)
    assert not Posting.objects.exists()


def test_what_happened_on_another_evening_is_not_taken_back_here(evenings):
    friday, saturday = evenings
    petra = f.register(saturday, "Petra Probst")
    with f.refused("gone", friday):
        call_service(action_undo, event=friday, by=SYSTEM, at=f.ARRIVAL, action=petra.made_by)
    assert saturday.registrations.live().get() == petra
