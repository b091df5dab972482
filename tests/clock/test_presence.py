"""Which screens are there: by the open streams of this process, or of any through Redis."""

import pytest

from clock import realtime
from clock.presence import KEY
from clock.realtime import topics_heard
from krru.devtools.postgres import free_port
from tests.clock.conftest import serving


def test_a_topic_is_heard_while_its_stream_is_open_and_a_little_longer(
    streams, fresh_hub, monkeypatch
):
    fresh_hub._began_at -= realtime.GONE_AFTER_S + 1
    client = streams.open("screen-1")
    assert topics_heard(["screen-1", "screen-2"]) == {"screen-1"}
    client.close()
    streams.wait_until(lambda: not fresh_hub.names_open())
    assert topics_heard(["screen-1"]) == {"screen-1"}
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 0)
    assert topics_heard(["screen-1"]) == set()


def test_right_after_a_start_nobody_is_missing(fresh_hub):
    assert topics_heard(["screen-7"]) == {"screen-7"}


@pytest.fixture
def full_mode(settings, redis_url, monkeypatch):
    settings.REDIS_URL = redis_url
    monkeypatch.setattr(realtime, "KEEP_ALIVE_S", 0.05)
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 1)
    yield realtime._redis(redis_url)
    realtime._redis(redis_url).delete(f"{KEY}screen-31", f"{KEY}screen-32")
    realtime._redis(redis_url).close()
    realtime._redis.cache_clear()


def test_any_process_knows_through_redis_and_it_runs_out(full_mode, fresh_hub, monkeypatch):
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 1 - realtime.KEEP_ALIVE_S)
    with serving(fresh_hub) as streams:
        streams.open("event-31")
        client = streams.open("screen-31")
        streams.wait_until(lambda: topics_heard(["screen-31", "screen-32"]) == {"screen-31"})
        assert not full_mode.exists(f"{KEY}event-31")
        client.close()
        streams.wait_until(lambda: topics_heard(["screen-31"]) == set())


def test_nobody_can_tell_with_redis_away(settings):
    port = free_port()
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    assert topics_heard(["screen-1"]) is None
    assert topics_heard([]) == set()
    realtime._redis.cache_clear()
