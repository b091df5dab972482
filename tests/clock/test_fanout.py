"""The parts of the benchmarks of streams and screens that think: each against something real."""

import os
import sys
import time

import pytest

from bench._bare import bare
from bench._clients import Streams
from bench._harness import memory_kb
from bench._screens import Shown, differences_ms, firsts, level_starts
from bench._serve import BenchServer
from bench.fanout import NEWS, SAMPLE, adjusting, publishing, rounds_of
from clock.realtime import publish
from tests.clock.conftest import serving

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def test_all_streams_are_read_and_missing_news_is_noticed(fresh_hub):
    from clock.stream import stream_url

    with (
        serving(fresh_hub) as server,
        Streams(server.address[1], stream_url("event-1")).open(30) as streams,
    ):
        publish("event-1", {"version": 1}, id=1)
        began = time.perf_counter()
        assert len(streams.receive(NEWS, 30, 5)) == 30
        assert time.perf_counter() - began < 5
        assert streams.receive(NEWS, 30, 0.1) == []


def test_the_yardstick_tells_when_it_published():
    with bare() as port, Streams(port, "/stream/").open(5) as streams:
        [times] = rounds_of(streams, 5, 1, publishing(port))
    assert len(times) == 5
    assert all(0 < delay < 5000 for delay in times)


def test_a_server_with_a_stop_watch_notes_each_tap_of_the_director(tmp_path):
    server = BenchServer(tmp_path / "data")
    try:
        told = SAMPLE(server.start())
        began = time.perf_counter()
        published_at = adjusting(server, told)()
        assert began < published_at() < time.perf_counter()
    finally:
        server.stop()


@linux_only
def test_memory_of_a_process_is_read():
    assert memory_kb(os.getpid()) > 10_000


def seen(*rows):
    return [Shown(at, level, seconds) for at, level, seconds in rows]


def test_screens_are_compared_by_the_seconds_both_showed():
    one = seen((1.0, "Stufe 1", 2), (2.0, "Stufe 1", 1), (2.4, "Stufe 1", 1), (3.0, "Stufe 2", 2))
    other = seen((2.002, "Stufe 1", 1), (2.99, "Stufe 2", 2), (4.0, "Stufe 2", 1))
    assert firsts(one)["Stufe 1", 1] == 2.0
    assert differences_ms(one, other) == pytest.approx([2, 10])
    assert differences_ms(other, one) == pytest.approx([2, 10])
    assert level_starts(one) == {2: 3.0}
