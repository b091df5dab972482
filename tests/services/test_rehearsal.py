"""A rehearsal: an event full of invented people, told from real ones, removed without a trace."""

from uuid import uuid4

import pytest

from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.services.clock import clock_start
from tournaments.models import Elimination, Event, Person, Seating, Table
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin
from tournaments.practice.domain.rehearsal import SceneKind
from tournaments.practice.selectors.rehearsal import scene_of
from tournaments.practice.services.rehearsal import rehearsal_fill, rehearsal_open
from tournaments.practice.services.sample import sample_remove

pytestmark = pytest.mark.django_db


def opened(players: int = 27, **own) -> Event:
    asked = {"players": players, "seats_per_table": 9, "level_minutes": 3, "key": None, **own}
    made = call_service(rehearsal_open, club=f.house(), by=f.make_dora(), at=f.ARRIVAL, **asked)
    return f.fresh(Event(pk=made.payload["event"]))


def playing(**own) -> tuple[Event, Table]:
    event = opened(**own)
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    return f.fresh(event), Table.objects.live().get(event=event, number=1)


def test_everybody_sits_and_the_clock_waits():
    event = opened(27)
    assert (event.is_sample, event.has_started, event.capacity) == (True, False, 27)
    assert Seating.objects.live().filter(event=event).count() == 27
    assert Table.objects.live().filter(event=event).count() == 3
    assert clock_levels(event.clock)[0].duration.total_seconds() == 180
    names = set(Person.objects.values_list("name", flat=True))
    assert len(names) == 27
    assert log_first_fault(event) is None


@pytest.mark.parametrize("players", [1, 10_113])
def test_a_field_that_cannot_be_is_refused_and_leaves_nothing(players):
    with f.refused("bad_players"):
        opened(players)
    with f.refused("bad_seats"):
        opened(9, seats_per_table=11)
    assert not Event.objects.exists()


def test_pressed_twice_it_is_opened_once():
    key, dora = uuid4(), f.make_dora()
    asked = {"players": 4, "seats_per_table": 9, "level_minutes": 3, "key": key}
    first = call_service(rehearsal_open, club=f.house(), by=dora, at=f.ARRIVAL, **asked)
    again = call_service(rehearsal_open, club=f.house(), by=dora, at=f.after(-59), **asked)
    assert first.payload["event"] == again.payload["event"]
    assert Seating.objects.live().count() == 4


def test_arbiters_open_none_and_real_events_are_never_filled():
    asked = {"players": 4, "seats_per_table": 9, "level_minutes": 3, "key": None}
    with f.refused("not_allowed"):
        call_service(rehearsal_open, club=f.house(), by=f.make_arno(), at=f.ARRIVAL, **asked)
    event = f.make_event()
    with f.refused("not_sample"):
        rehearsal_fill(Command(event=event, by=f.make_dora(), at=f.ARRIVAL), players=4)
    assert not Person.objects.exists()


def test_invented_people_are_never_taken_for_real_ones():
    opened(4)
    name = Person.objects.earliest("pk").name
    real = f.register(f.make_event(), name)
    assert Person.objects.filter(name=name).count() == 2
    assert not real.person.registrations.filter(event__is_sample=True).exists()
    later = f.register(f.make_event(name="Das nächste"), name)
    assert later.person == real.person


def test_the_scene_of_a_hand_stays_while_it_is_entered_and_is_done_then():
    event, table = playing()
    assert scene_of(event, table) is None
    minute = 0
    found = None
    while found is None or found.scene.kind is not SceneKind.OUT:
        minute += 1
        hand_begin(Command(event=event, by=SYSTEM, at=f.after(minute)), table=table)
        found = scene_of(event, table)
    assert not found.is_done
    assert found.name
    assert found.winner not in ("", found.name)
    entry = Seating.objects.live().get(table=table, seat=found.scene.seat).entry
    action = entries_eliminate(
        Command(event=event, by=SYSTEM, at=f.after(minute + 1)), entries=[entry]
    )
    after = scene_of(event, table)
    assert (after.name, after.winner, after.is_done) == (found.name, found.winner, True)
    f.undo(event, action, at=f.after(minute + 2))
    assert not scene_of(event, table).is_done


def test_it_is_removed_with_all_that_was_entered():
    event, table = playing()
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1)), table=table)
    entry = Seating.objects.live().filter(table=table).first().entry
    entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(2)), entries=[entry])
    sample_remove(ClubCommand(club=f.house(), by=f.make_dora(), at=f.after(3)), event=event)
    assert not Event.objects.exists()
    assert not Person.objects.exists()
    assert not Elimination.objects.exists()
