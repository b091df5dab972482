"""The sample evening and the house, loaded once and removed for good."""

import pytest

from clock.models import ScheduleTemplate
from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.registration import registration_create
from tournaments.models import Action, Club, Event, Person
from tournaments.practice.services.sample import house_load, sample_make, sample_remove
from tournaments.undo.services.undo import rolled_back

pytestmark = pytest.mark.django_db


def last_of_club():
    return Action.objects.filter(event=None).latest("sequence")


def test_the_sample_evening_runs_and_is_removed_without_a_trace_but_the_log():
    club = f.house()
    kept = f.make_event(name="Echt")
    registration_create(Command(event=kept, by=SYSTEM, at=f.ARRIVAL), name="Anna Berger")
    sample = sample_make(club=club, at=f.START)
    assert sample.is_sample
    assert len(f.entries_of(sample)) == 37
    assert log_first_fault(sample) is None
    with f.refused("not_sample"):
        sample_remove(ClubCommand(club=club, by=SYSTEM, at=f.START), event=kept)
    with f.refused("not_allowed"):
        sample_remove(ClubCommand(club=club, by=f.make_arno(), at=f.START), event=sample)
    sample_remove(ClubCommand(club=club, by=f.make_dora(), at=f.START), event=sample)
    assert list(Event.objects.all()) == [kept]
    assert list(Person.objects.values_list("name", flat=True)) == ["Anna Berger"]
    assert last_of_club().kind == "sample.removed"
    assert log_first_fault(Club.objects.get()) is None
    with f.refused("gone"):
        sample_remove(ClubCommand(club=club, by=SYSTEM, at=f.START), event=sample)


def test_a_removal_that_was_rolled_back_can_be_done_again():
    club = f.house()
    sample = sample_make(club=club, at=f.START)
    command = ClubCommand(club=club, by=SYSTEM, at=f.START)
    with rolled_back():
        sample_remove(command, event=sample)
    assert Event.objects.filter(pk=sample.pk).exists()
    sample_remove(command, event=sample)
    assert not Event.objects.exists()


def test_loading_the_house_again_changes_nothing():
    club = house_load(at=f.START)
    assert Event.objects.filter(is_sample=True).count() == 1
    before = (Action.objects.count(), ScheduleTemplate.objects.count(), Club.objects.count())
    assert house_load(at=f.after(60)) == club
    after = (Action.objects.count(), ScheduleTemplate.objects.count(), Club.objects.count())
    assert before == after


def test_a_removed_sample_does_not_come_back():
    club = house_load(at=f.START)
    sample_remove(ClubCommand(club=club, by=SYSTEM, at=f.after(1)), event=Event.objects.get())
    house_load(at=f.after(2))
    assert not Event.objects.exists()
