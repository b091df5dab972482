"""The head of an event: the row that every change locks and writes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.models import Event, Seating

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_an_event_is_read_with_its_head_in_one_statement():
    event = f.make_running_event(3)
    registration = f.entries_of(event)[0].registration
    registration.refresh_from_db()
    for read in (lambda: Event.objects.get(pk=event.pk), lambda: registration.event):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert read().status == "running"
        assert len(asked) == 1


def test_events_are_found_by_their_status():
    planned, running, over, off = (
        f.make_event(name="A"), f.make_running_event(2, name="B"),
        f.make_running_event(2, name="C"), f.make_event(name="D"),
    )  # fmt: skip
    call_service(event_end, event=over, by=SYSTEM, at=f.after(5))
    call_service(event_cancel, event=off, by=SYSTEM, at=f.after(5))
    assert set(Event.objects.open()) == {planned, running}
    assert list(Event.objects.planned()) == [planned]
    assert list(Event.objects.running()) == [running]


def test_a_change_writes_the_event_only_when_it_changes_a_setting():
    event = f.make_running_event(3)
    with CaptureQueriesContext(connection) as asked:
        f.out(event, f.entries_of(event)[0])
    assert not [one for one in asked if 'UPDATE "tournaments_event" ' in one["sql"]]
    event_update(Command(event=event, by=SYSTEM, at=f.after(5)), settings={"name": "Anders"})
    renamed = f.fresh(event)
    assert (renamed.name, renamed.version) == ("Anders", f.last_action(event).sequence)


def test_there_is_no_change_of_an_event_that_is_gone():
    event = f.make_event()
    with pytest.raises(Event.DoesNotExist):
        Event.objects.locked(event.pk + 1)


def test_what_is_voided_in_a_change_is_told_by_its_entry():
    event = f.make_running_event(3)
    entry = f.entries_of(event)[0]
    seat = Seating.objects.live().get(entry=entry)
    action = f.out(event, entry)
    assert action.payload["facts"]["voided"] == [["Seating", action.pk, [seat.pk]]]
