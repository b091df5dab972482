"""A rehearsal that plays itself: a whole evening through the services, halted and overtaken."""

from datetime import timedelta

import pytest

from clock.selectors import clock_state
from clock.servertime import server_time
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Action, Elimination, Entry, Event, Seating, SelfPlay, Table
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.selectors.rehearsal import plays_due, self_play_of
from tournaments.practice.services.rehearsal import rehearsal_open
from tournaments.practice.services.sample import sample_remove
from tournaments.practice.services.self_play import (
    evening_halt,
    evening_play,
    evening_play_on,
    evening_step,
    time_pass,
)
from tournaments.tasks import rehearsals_play

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


def opened(players: int = 14, **own) -> Event:
    asked = {"players": players, "seats_per_table": 6, "level_minutes": 3, "key": None, **own}
    made = call_service(rehearsal_open, club=f.house(), by=f.make_dora(), at=f.ARRIVAL, **asked)
    return f.fresh(Event(pk=made.payload["event"]))


def play(event: Event, speed: int = 60, at=f.START) -> Action:
    return evening_play(Command(event=event, by=f.make_dora(), at=at), speed=speed)


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
    assert clock_state(event.clock, f.after(60)).index > 5
    assert log_first_fault(event) is None


def test_pause_stops_the_evening_and_its_clock_until_it_is_played_on():
    event = opened()
    play(event)
    played(event, 20)
    evening_halt(Command(event=event, by=f.make_dora(), at=f.START + 21 * SECOND))
    before = f.fresh(event).version
    assert played(event, 20) == 1
    assert f.fresh(event).version == before
    state = clock_state(f.fresh(event).clock, f.after(1))
    assert (state.has_started, state.is_running) == (True, False)
    play(event, at=f.after(1))
    assert clock_state(f.fresh(event).clock, f.after(1)).is_running
    played(event, 5, since=f.after(1))
    assert f.fresh(event).version > before + 5


def test_the_director_acts_in_between_and_the_evening_goes_on_from_there():
    event = opened()
    play(event)
    played(event, 20)
    gone = event_alive_entry_ids(event)[0]
    at = f.START + 21 * SECOND
    entries_eliminate(Command(event=event, by=f.make_dora(), at=at), entries=[Entry(pk=gone)])
    played(event, since=at)
    assert f.fresh(event).is_over
    assert Elimination.objects.live().filter(entry=gone).count() == 1


def test_a_clock_that_the_director_halts_halts_the_evening():
    event = opened()
    play(event)
    played(event, 20)
    clock_pause(Command(event=event, by=f.make_dora(), at=f.START + 21 * SECOND))
    before = f.fresh(event).version
    played(event, 20, since=f.START + 21 * SECOND)
    assert f.fresh(event).version == before


def test_faster_means_that_time_is_taken_off_the_clock():
    event = opened()
    play(event, speed=1)
    while not f.fresh(event).has_started:
        step(event)
    started = f.fresh(event).started_by.at
    time_pass(Command(event=event, by=f.make_dora(), at=started), seconds=40)
    assert clock_state(f.fresh(event).clock, started).elapsed == 40 * SECOND
    f.assert_logged(event, "rehearsal.time_passed", seconds=40)


def step(event: Event, at=f.START, by=None) -> Action:
    return evening_step(Command(event=f.fresh(event), by=by or f.make_dora(), at=at))


def test_step_by_step_it_comes_to_the_same():
    event = opened(4)
    kinds = []
    for second in range(60):
        if f.fresh(event).is_over:
            break
        kinds.append(step(event, f.START + second * 120 * SECOND).kind)
    assert (kinds[0], kinds[-1]) == ("clock.started", "event.ended")
    with f.refused("nothing_due"):
        step(event, f.after(200))


def test_who_lost_all_may_buy_again_where_that_is_set():
    event = opened(8)
    terms = {"rebuy_level": 6, "rebuy_chips": 200, "rebuy_most": 2, "rebuy_hold_minutes": 2}
    event_update(Command(event=event, by=f.make_dora(), at=f.ARRIVAL), settings=terms)
    play(f.fresh(event))
    played(event)
    assert f.fresh(event).is_over
    assert {"rebuy.bought", "rebuy.declined"} & kinds_of(event)


def test_only_rehearsals_play_themselves():
    event = f.make_event()
    for call in (
        lambda: play(event),
        lambda: evening_halt(Command(event=event, by=f.make_dora(), at=f.START)),
        lambda: time_pass(Command(event=event, by=f.make_dora(), at=f.START), seconds=5),
        lambda: step(event),
    ):
        with f.refused("not_sample"):
            call()
    assert not SelfPlay.objects.exists()


def test_arbiters_neither_play_nor_halt_nor_step():
    event, arno = opened(), f.make_arno()
    with f.refused("not_allowed"):
        evening_play(Command(event=event, by=arno, at=f.START), speed=5)
    play(event)
    with f.refused("not_allowed"):
        evening_halt(Command(event=event, by=arno, at=f.START))
    with f.refused("not_allowed"):
        step(event, by=arno)
    assert self_play_of(event) == 60


def test_what_is_no_speed_and_what_says_nothing_new_is_refused():
    event = opened()
    with f.refused("not_playing"):
        evening_halt(Command(event=event, by=f.make_dora(), at=f.START))
    with f.refused("bad_speed"):
        play(event, speed=7)
    play(event, speed=5)
    with f.refused("nothing_changed"):
        play(event, speed=5)
    play(event, speed=20)
    assert self_play_of(event) == 20
    with f.refused("bad_shift"):
        time_pass(Command(event=event, by=f.make_dora(), at=f.START), seconds=60)
    with f.refused("not_running"):
        time_pass(Command(event=event, by=f.make_dora(), at=f.START), seconds=9)


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


def test_it_is_removed_while_it_plays():
    event = opened()
    play(event)
    played(event, 30)
    sample_remove(ClubCommand(club=f.house(), by=f.make_dora(), at=f.after(3)), event=event)
    rehearsals_play()
    assert not Event.objects.exists()
    assert not SelfPlay.objects.exists()
    assert not Seating.objects.exists()
    assert not Table.objects.exists()
