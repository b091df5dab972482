"""Somebody sets the computer's clock while the evening runs, with injected clocks."""

import threading
from datetime import timedelta

import pytest

from clock.domain import instant_ms
from clock.selectors import clock_state
from clock.servertime import ServerTime, server_time
from krru.background import timewatch
from krru.background.timewatch import TimeWatch
from krru.observing.alive import Presence, presence
from tests import factories as f
from tests.pressing import HTMX, url_of, words_of
from tournaments import timekeeping
from tournaments.changes.access import Role
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Event, EventHead
from tournaments.timekeeping import time_begin, time_watch

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)


class Computer:
    """A wall clock that can be set, one that cannot, and the time of a server that runs."""

    def __init__(self):
        self.wall, self.on_for = f.START, timedelta(days=3)
        self.time = ServerTime(lambda: self.wall, lambda: self.on_for)

    def passes(self, span):
        self.wall, self.on_for = self.wall + span, self.on_for + span


@pytest.fixture
def computer():
    made = Computer()
    made.time.begin(None)
    return made


def test_set_back_the_time_goes_on_as_if_it_were_not(computer):
    computer.passes(7 * MINUTE)
    assert computer.time.now() == f.after(7)
    computer.wall -= HOUR
    assert (computer.time.now(), computer.time.ahead()) == (f.after(7), HOUR)
    computer.passes(13 * MINUTE)
    assert computer.time.now() == f.after(20)
    computer.wall += HOUR
    assert (computer.time.now(), computer.time.ahead()) == (f.after(20), timedelta())
    # Before it begins the computer's clock holds.
    other = Computer()
    other.wall -= HOUR
    assert other.time.now() == f.after(-60)


def test_set_forward_the_time_follows_also_of_a_computer_that_slept(computer):
    for hours in (1, 3):
        computer.wall += hours * HOUR
        assert (computer.time.now(), computer.time.ahead()) == (computer.wall, timedelta())
        computer.passes(MINUTE)
        assert computer.time.now() == computer.wall


def test_a_second_back_and_a_slow_crystal_are_no_step(computer):
    for _ in range(100):
        computer.passes(5 * MINUTE)
        computer.wall -= SECOND
        assert computer.time.now() == computer.wall


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("minutes", "begins"),
    [(-60, 0), (5, 5), pytest.param(-2 * 24 * 60, -2 * 24 * 60, id="forgotten long ago")],
)
def test_after_a_start_it_goes_on_from_what_was_written_down(minutes, begins):
    event = f.make_running_event(3)
    computer = Computer()
    computer.wall += minutes * MINUTE
    time_begin(computer.time)
    assert computer.time.now() == f.after(begins)
    computer.passes(MINUTE)
    if begins >= 0:
        left = clock_state(event.clock, computer.time.now()).remaining
        assert left == (20 - begins - 1) * MINUTE


@pytest.mark.django_db
def test_who_leads_reads_that_the_clock_was_set_back(client, monkeypatch, computer):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.DIRECTOR)
    for name in ("wall", "ran", "_last"):
        monkeypatch.setattr(server_time, name, getattr(computer.time, name))
    assert "zurückgestellt" not in words_of(client, event, "director-due")
    computer.wall -= HOUR
    words = words_of(client, event, "director-due")
    assert "Die Uhr des Rechners wurde um 1:00:00 zurückgestellt" in words
    # Levels played by that time stay.
    f.out(event, f.entries_of(event)[0], at=computer.time.now())
    words = words_of(client, event, "director-due")
    assert "Bei Freitagsturnier steht schon etwas mit der Zeit davor." in words
    assert client.post(url_of(event, "computer-time"), headers=HTMX).status_code == 422
    assert computer.time.ahead() == HOUR


@pytest.fixture
def a_day_ahead(client, monkeypatch, computer):
    """A computer that was a day ahead, when something was entered, and is right again."""
    monkeypatch.setattr(server_time, "wall", lambda: computer.wall)
    monkeypatch.setattr(server_time, "ran", lambda: computer.on_for)
    monkeypatch.setattr(server_time, "_last", None)
    planned = f.make_event()
    rehearsal = f.make_running_event(3)
    Event.objects.filter(pk=rehearsal.pk).update(is_sample=True)
    f.sign_browser_in(client, Role.DIRECTOR)
    computer.wall += 24 * HOUR
    server_time.begin(None)
    for event in (planned, rehearsal):
        f.register(event, "Zu spät Gekommen", at=server_time.now())
    computer.wall -= 24 * HOUR
    assert server_time.ahead() == 24 * HOUR
    return planned, rehearsal


@pytest.mark.django_db
def test_one_press_takes_over_the_clock_that_was_put_right(client, computer, a_day_ahead):
    planned, _rehearsal = a_day_ahead
    assert "um 1 Tag 0:00 zurückgestellt" in words_of(client, planned, "director-due")
    other = ServerTime(lambda: computer.wall, lambda: computer.on_for)
    other.begin(computer.wall + 24 * HOUR)
    assert not timekeeping._is_taken(other)

    assert client.post(url_of(planned, "computer-time"), headers=HTMX).status_code == 200

    assert server_time.now() == computer.wall
    assert "zurückgestellt" not in words_of(client, planned, "director-due")
    assert timekeeping._is_taken(other)
    for event in a_day_ahead:
        taken = f.last_action(event)
        assert (taken.kind, taken.recorded_at) == ("clock.time_taken", computer.wall)
        assert log_first_fault(f.fresh(event)) is None
        with f.refused("irrevocable"):
            f.undo(f.fresh(event), taken, at=computer.wall)
    again = client.post(url_of(planned, "computer-time"), headers=HTMX)
    assert again.status_code == 422
    # Entries from now on are of today.
    f.register(f.fresh(planned), "Rechtzeitig Da", at=server_time.now())
    assert f.last_action(planned).recorded_at == computer.wall


@pytest.mark.django_db
def test_a_rehearsal_keeps_no_wrong_time_alive_after_a_start(a_day_ahead, computer):
    EventHead.objects.update(log_recorded_at=computer.wall + HOUR)
    time = ServerTime(lambda: computer.wall, lambda: computer.on_for)
    time_begin(time)
    assert time.ahead() == timedelta()


def test_a_gap_of_a_wrong_clock_is_none(tmp_path):
    seen = Presence(tmp_path / "alive")
    assert not seen.note(f.START)
    assert seen.note(f.after(24 * 60))
    assert seen.away
    assert seen.note(f.after(1))
    assert seen.away is None


@pytest.mark.django_db
def test_set_forward_screens_hear_it_and_the_gap_is_asked_about(
    fresh_hub, streams, computer, monkeypatch, tmp_path
):
    monkeypatch.setattr(timekeeping, "presence", seen := Presence(tmp_path / "alive"))
    for name in ("clock.stream.server_time", "tournaments.timekeeping.server_time"):
        monkeypatch.setattr(name, computer.time)
    monkeypatch.setattr("tournaments.timekeeping.hub", fresh_hub)
    client = streams.open("event-1")
    time_watch()
    computer.wall += HOUR
    time_watch()
    told = client.read_until(b"event: now\ndata: %d\n\n" % instant_ms(f.after(60)))
    assert told.count(b"event: now") == 1
    assert seen.away == (f.START, f.after(60))
    assert presence.away is None


def test_a_process_goes_on_looking_whatever_happens(monkeypatch):
    looks, is_enough = [], threading.Event()

    def look():
        looks.append(1)
        if len(looks) == 1:
            raise OSError("once")
        if len(looks) == 3:
            is_enough.set()

    monkeypatch.setattr(timewatch, "EVERY_S", 0.01)
    watch = TimeWatch(look)
    watch.start()
    assert is_enough.wait(20)
    watch.stop()
