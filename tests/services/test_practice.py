"""A rehearsal, one that plays itself, and the sample evening: real services, invented people."""

from datetime import timedelta
from uuid import uuid4

import pytest

from clock.models import ScheduleTemplate
from clock.selectors import clock_levels, clock_state
from clock.servertime import server_time
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.registration import registration_create
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import (
    Action,
    Club,
    Elimination,
    Entry,
    Event,
    Person,
    Seating,
    SelfPlay,
    Table,
)
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin
from tournaments.practice.domain.rehearsal import SceneKind
from tournaments.practice.selectors.rehearsal import plays_due, scene_of, self_play_of
from tournaments.practice.services.rehearsal import (
    house_load,
    rehearsal_fill,
    rehearsal_open,
    sample_remove,
)
from tournaments.practice.services.self_play import (
    evening_halt,
    evening_play,
    evening_play_on,
    evening_step,
    time_pass,
)
from tournaments.tasks import rehearsals_play
from tournaments.undo.services.undo import rolled_back

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
A_NIGHT = 4000
HAPPENED = {
    "entry.checked_in",
    "clock.started",
    "rehearsal.time_passed",
    "entry.eliminated",
    "table.broken",
    "final_table.drawn",
    "event.ended",
}


def opened(players: int = 14, seats: int = 6, **own) -> Event:
    asked = {"players": players, "seats_per_table": seats, "level_minutes": 3, "key": None}
    said = {"by": own.pop("by", None) or f.make_dora(), "at": f.ARRIVAL, **asked, **own}
    made = call_service(rehearsal_open, club=f.house(), **said)
    return f.fresh(Event(pk=made.payload["event"]))


def as_dora(event: Event, at=f.START) -> Command:
    return Command(event=event, by=f.make_dora(), at=at)


def playing() -> tuple[Event, Table]:
    event = opened(27, seats=9)
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    return f.fresh(event), Table.objects.live().get(event=event, number=1)


def removed(event: Event, by=SYSTEM, at=f.START) -> Action:
    return sample_remove(ClubCommand(club=f.house(), by=by, at=at), event=event)


# A rehearsal


def test_everybody_sits_and_the_clock_waits_however_often_it_was_pressed():
    said = {"players": 27, "seats": 9, "key": uuid4(), "by": f.make_dora()}
    event = opened(**said)
    assert opened(**said, at=f.after(-59)) == event
    assert (event.is_sample, event.has_started, event.capacity) == (True, False, 27)
    assert Seating.objects.live().filter(event=event).count() == 27
    assert Table.objects.live().filter(event=event).count() == 3
    assert clock_levels(event.clock)[0].duration.total_seconds() == 180
    names = set(Person.objects.values_list("name", flat=True))
    assert len(names) == 27
    assert log_first_fault(event) is None


def test_a_field_that_cannot_be_is_refused_and_leaves_nothing():
    for code, own in (
        ("bad_players", {"players": 1}),
        ("bad_players", {"players": 10_113}),
        ("bad_seats", {"players": 9, "seats": 11}),
        ("not_allowed", {"by": f.make_arno()}),
    ):
        with f.refused(code):
            opened(**own)
    assert not Event.objects.exists()
    with f.refused("not_sample"):
        rehearsal_fill(as_dora(f.make_event()), players=4)
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
    action = f.out(event, entry, at=f.after(minute + 1))
    after = scene_of(event, table)
    assert (after.name, after.winner, after.is_done) == (found.name, found.winner, True)
    f.undo(event, action, at=f.after(minute + 2))
    assert not scene_of(event, table).is_done


# It plays itself


def play(event: Event, speed: int = 60, at=f.START) -> Action:
    return evening_play(as_dora(event, at), speed=speed)


def played(event: Event, seconds: int = A_NIGHT, since=f.START) -> int:
    """Play so many seconds, or to the end; return how many it took."""
    for second in range(1, seconds + 1):
        rows = list(plays_due())
        if not rows:
            return second
        evening_play_on(rows[0].event, at=since + second * SECOND, speed=rows[0].speed)
    return seconds


def kinds_of(event: Event) -> set[str]:
    return set(Action.objects.filter(event=event).values_list("kind", flat=True))


def step(event: Event, at=f.START, by=None) -> Action:
    return evening_step(Command(event=f.fresh(event), by=by or f.make_dora(), at=at))


def test_from_the_door_to_a_winner_an_evening_is_valid():
    event = opened(20, are_here=False)
    assert not Entry.objects.exists()
    play(event)
    seconds = played(event)
    event = f.fresh(event)
    assert event.is_over
    assert 30 < seconds < 600
    assert len(event_alive_entry_ids(event)) == 1
    assert min(places_of(event).values()) == 1
    assert Elimination.objects.live().filter(event=event).count() == 19
    assert Entry.objects.filter(event=event, entered_at__gt=event.started_by.at).exists()
    assert kinds_of(event) >= HAPPENED
    with f.refused("nothing_due"):
        step(event, f.after(200))
    assert clock_state(event.clock, f.after(60)).index > 5
    assert log_first_fault(event) is None


def test_who_lost_all_may_buy_again_where_that_is_set():
    event = opened(8)
    terms = {"rebuy_level": 6, "rebuy_chips": 200, "rebuy_most": 2, "rebuy_hold_minutes": 2}
    f.drive(event_update, event, -60, settings=terms)
    play(f.fresh(event))
    played(event)
    assert f.fresh(event).is_over
    assert {"rebuy.bought", "rebuy.declined"} & kinds_of(event)


def test_pause_stops_the_evening_and_its_clock_until_it_is_played_on():
    event = opened()
    play(event)
    played(event, 20)
    evening_halt(as_dora(event, f.START + 21 * SECOND))
    before = f.fresh(event).version
    assert played(event, 20) == 1
    assert f.fresh(event).version == before
    state = clock_state(f.fresh(event).clock, f.after(1))
    assert (state.has_started, state.is_running) == (True, False)
    play(event, at=f.after(1))
    assert clock_state(f.fresh(event).clock, f.after(1)).is_running
    played(event, 5, since=f.after(1))
    assert f.fresh(event).version > before + 5


def test_the_director_halts_the_clock_or_acts_and_the_evening_goes_on_from_there():
    event = opened()
    play(event)
    played(event, 20)
    at = f.START + 21 * SECOND
    clock_pause(as_dora(event, at))
    before = f.fresh(event).version
    played(event, 20, since=at)
    assert f.fresh(event).version == before
    clock_start(as_dora(event, at))
    gone = event_alive_entry_ids(event)[0]
    entries_eliminate(as_dora(event, at), entries=[Entry(pk=gone)])
    played(event, 60, since=at)
    assert Elimination.objects.live().filter(event=event).count() > 1
    assert Elimination.objects.live().filter(entry=gone).count() == 1


def test_what_plays_nothing_is_refused():
    event, arno = f.make_event(), f.make_arno()
    for call in (
        lambda: play(event),
        lambda: evening_halt(as_dora(event)),
        lambda: time_pass(as_dora(event), seconds=5),
        lambda: step(event),
    ):
        with f.refused("not_sample"):
            call()
    assert not SelfPlay.objects.exists()
    event = opened()
    with f.refused("not_playing"):
        evening_halt(as_dora(event))
    with f.refused("bad_speed"):
        play(event, speed=7)
    play(event, speed=5)
    with f.refused("nothing_changed"):
        play(event, speed=5)
    for code, seconds in (("bad_shift", 60), ("not_running", 9)):
        with f.refused(code):
            time_pass(as_dora(event), seconds=seconds)
    with f.refused("not_allowed"):
        step(event, by=arno)
    assert self_play_of(event) == 5


def test_the_schedule_plays_what_plays_and_nothing_else(monkeypatch, django_assert_num_queries):
    event, other = opened(), opened(9)
    monkeypatch.setattr(server_time, "now", lambda: f.START)
    with django_assert_num_queries(1):
        rehearsals_play()
    play(event)
    for second in range(1, 10):
        monkeypatch.setattr(server_time, "now", lambda second=second: f.START + second * SECOND)
        rehearsals_play()
    assert f.fresh(event).has_started
    assert not f.fresh(other).has_started


def test_it_is_removed_with_all_that_was_entered_while_it_plays():
    event = opened()
    play(event)
    played(event, 30)
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1)), table=f.table_of(event, 1))
    entry = Entry(pk=event_alive_entry_ids(event)[0])
    entries_eliminate(Command(event=event, by=SYSTEM, at=f.after(2)), entries=[entry])
    removed(event, f.make_dora(), f.after(3))
    rehearsals_play()
    for model in (Event, Person, Elimination, SelfPlay, Seating, Table):
        assert not model.objects.exists(), model


# The sample evening


def test_the_sample_evening_runs_and_is_removed_without_a_trace_but_the_log_and_never_comes_again():
    def counted():
        return [model.objects.count() for model in (Action, ScheduleTemplate, Club)]

    club = house_load(at=f.START)
    sample = Event.objects.get()
    assert sample.is_sample
    assert len(f.entries_of(sample)) == 37
    assert log_first_fault(sample) is None
    before = counted()
    assert house_load(at=f.after(60)) == club
    assert counted() == before
    kept = f.make_event(name="Echt")
    registration_create(Command(event=kept, by=SYSTEM, at=f.ARRIVAL), name="Anna Berger")
    with f.refused("not_sample"):
        removed(kept)
    with f.refused("not_allowed"):
        removed(sample, f.make_arno())
    with rolled_back():
        removed(sample)
    assert Event.objects.filter(pk=sample.pk).exists()
    removed(sample, f.make_dora())
    assert list(Event.objects.all()) == [kept]
    assert list(Person.objects.values_list("name", flat=True)) == ["Anna Berger"]
    assert Action.objects.filter(event=None).latest("sequence").kind == "sample.removed"
    assert log_first_fault(Club.objects.get()) is None
    with f.refused("gone"):
        removed(sample)
    Event.objects.update(is_sample=True)
    removed(f.fresh(kept))
    house_load(at=f.after(2))
    assert not Event.objects.exists()
