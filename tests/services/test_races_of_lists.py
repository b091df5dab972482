"""Two who take over the same list in the same instant: everybody on it is registered once."""

import pytest

from tests import factories as f
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.door.services.registration import registrations_import
from tournaments.models import Person, Registration
from tournaments.people.services.members import members_import

pytestmark = pytest.mark.django_db(transaction=True)
LIST = [{"name": f"Gast {number:03}"} for number in range(60)]


def test_two_desks_take_over_the_same_list():
    event = f.make_event(capacity=40)
    desks = [f.make_desk(), f.make_desk()]
    found = at_once(*(call(registrations_import, event, by=desk, people=LIST) for desk in desks))
    assert_one_effect(found, "duplicate")
    assert Registration.objects.live().filter(event=event).count() == len(LIST)
    assert Person.objects.count() == len(LIST)
    assert_sound(event)


def test_two_events_take_over_the_same_people_who_stay_one_each():
    events = [f.make_event(name="Freitag"), f.make_event(name="Samstag")]
    at_once(*(call(registrations_import, event, people=LIST) for event in events))
    assert [event.registrations.live().count() for event in events] == [len(LIST)] * 2
    for event in events:
        assert_sound(event)


def test_two_lists_of_members_leave_everybody_once():
    club = f.house()
    people = [{**person, "is_member": True} for person in LIST]
    at_once(
        *(
            lambda: members_import(ClubCommand(club=club, by=SYSTEM, at=f.after(5)), people=people)
            for _number in range(2)
        )
    )
    assert Person.objects.filter(is_member=True).count() == len(LIST) == Person.objects.count()
