"""The server's time in a process that runs: its streams, its watch, another process beside it."""

import time
from datetime import timedelta
from functools import partial

import pytest

from clock.domain import instant_ms
from clock.servertime import ServerTime, boot_id, since_boot
from krru.background.timewatch import TimeWatch
from tests import factories as f
from tests.clock.test_server_time import HOUR, Computer, corrections
from tests.services.test_races import at_once
from tournaments.timekeeping import time_follow

pytestmark = pytest.mark.django_db


@pytest.fixture
def computer(django_capture_on_commit_callbacks):
    return Computer(django_capture_on_commit_callbacks)


def test_this_computer_tells_how_long_it_has_been_on():
    first = since_boot()
    assert timedelta() < first <= since_boot()
    assert boot_id() == boot_id() != ""


def test_streams_hear_of_the_time_at_once(fresh_hub, streams, computer, monkeypatch):
    """Pages and streams have one time: what a screen counts from follows within a moment."""
    monkeypatch.setattr("clock.stream.server_time", computer.processes[0])
    monkeypatch.setattr("tournaments.timekeeping.hub", fresh_hub)
    client = streams.open("event-1")
    computer.set(HOUR)
    computer.look()
    told = client.read_until(b"event: now")
    told = client.read_until(b"event: now\ndata: %d\n\n" % instant_ms(f.after(60)))
    assert told.count(b"event: now") == 1


@pytest.mark.django_db(transaction=True)
def test_two_processes_at_the_same_instant_correct_once():
    event = f.make_running_event(3)
    on_for, wall = timedelta(days=3), [f.START]
    times = [ServerTime(lambda: wall[0], lambda: on_for) for _ in range(2)]
    for one in times:
        time_follow(one, "boot-1")
    wall[0] += HOUR
    at_once(*(partial(time_follow, one, "boot-1") for one in times))
    assert len(corrections(event)) == 1
    assert [one.now() for one in times] == [wall[0]] * 2


def test_a_process_goes_on_looking_whatever_happens(monkeypatch):
    looks = []

    def look():
        looks.append(1)
        if len(looks) == 1:
            raise OSError("once")

    monkeypatch.setattr("krru.background.timewatch.EVERY_S", 0.01)
    watch = TimeWatch(look)
    watch.start()
    until = time.monotonic() + 5
    while len(looks) < 3 and time.monotonic() < until:
        time.sleep(0.01)
    watch.stop()
    assert len(looks) >= 3
