"""Addresses go when the club's time for them is up; names and results stay."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.services.erasing import DAY, PETRA, evening_of_petra, everything, petra_in, sentences
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.models import Action, Registration
from tournaments.privacy.services.privacy import contacts_erase, privacy_set
from tournaments.tasks import privacy_due

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return evening_of_petra()


@pytest.fixture
def club(event):
    privacy_set(ClubCommand(club=event.club, by=SYSTEM, at=f.after(60)), erase_contacts_days=30)
    return f.fresh(event).club


def due(club, at):
    return contacts_erase(ClubCommand(club=club, by=SYSTEM, at=at))


def test_addresses_go_so_many_days_after_the_last_event_and_names_stay(event, club):
    with f.refused("none_due"):
        due(club, f.START + 30 * DAY - timedelta(seconds=1))
    action = due(club, f.START + 30 * DAY)
    assert action.payload == {"people": 1, "facts": {"made": {}}}
    for trace in (PETRA, "1234567", "Rand"):
        assert trace not in everything(), trace
    assert petra_in(event).person.name == "Petra Probst"
    assert "Ausgeschieden: Anna Ast" in sentences(event)
    assert log_first_fault(event) is None
    assert log_first_fault(club) is None
    assert describe(action) == "Kontaktdaten gelöscht: 1 Personen"
    with f.refused("none_due"):
        due(club, f.START + 31 * DAY)


def test_whoever_comes_again_keeps_the_address(event, club):
    f.register(f.make_event(name="Nächstes", starts_at=f.START + 20 * DAY), "Petra Probst",
               at=f.after(90))  # fmt: skip
    with f.refused("none_due"):
        due(club, f.START + 40 * DAY)
    due(club, f.START + 50 * DAY)


def test_a_club_that_says_nothing_keeps_them(event):
    with f.refused("none_due"):
        due(event.club, f.START + 9999 * DAY)


def test_the_task_erases_once_and_only_where_the_club_says_so(event):
    before = everything()
    privacy_due()
    assert everything() == before
    privacy_set(ClubCommand(club=event.club, by=SYSTEM, at=f.after(60)), erase_contacts_days=1)
    Registration.objects.filter(event=event).update(registered_at=f.START - 90 * DAY)
    event.starts_at = f.START - 60 * DAY
    event.save(update_fields=["starts_at"])
    privacy_due()
    privacy_due()
    assert Action.objects.filter(kind="contacts.erased").count() == 1
    assert PETRA not in everything()


def test_erasing_many_addresses_takes_a_bounded_number_of_queries(
    club, event, django_assert_max_num_queries
):
    for number in range(12):
        f.register(
            f.make_event(name=f"Alt {number}"), f"Alt {number}", email=f"a{number}@post.test"
        )
    with django_assert_max_num_queries(20):
        assert due(club, f.START + 60 * DAY).payload["people"] == 13


@pytest.mark.parametrize("days", [-1, 3651])
def test_days_out_of_bounds_are_refused(event, days):
    with f.refused("bad_days"):
        privacy_set(
            ClubCommand(club=event.club, by=SYSTEM, at=f.after(60)), erase_contacts_days=days
        )


def test_how_long_is_for_the_director_to_say(event):
    for by in (f.make_arno(), f.make_desk(), f.ZENO):
        with f.refused("not_allowed"):
            privacy_set(ClubCommand(club=event.club, by=by, at=f.after(60)), erase_contacts_days=3)
        with f.refused("not_allowed"):
            contacts_erase(ClubCommand(club=event.club, by=by, at=f.after(60)))
