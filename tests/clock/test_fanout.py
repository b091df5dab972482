"""The parts of the benchmarks of streams and screens that think: each against something real."""

import os
import subprocess
import sys
import time

import pytest

from bench._hall import Director, answered
from bench._screens import Shown, differences_ms, firsts, level_starts
from bench._streams import Streams, cpu_seconds, memory_kb, share_of_a_core
from bench._timed import TimedServer
from bench.fanout import GREETING, NEWS, Bare, rounds_of
from clock.realtime import publish
from tests.clock.conftest import serving

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


def test_all_streams_are_read_and_missing_news_is_noticed(fresh_hub):
    from clock.stream import stream_url

    with serving(fresh_hub) as server:
        streams = Streams(server.address[1], stream_url("event-1"))
        try:
            assert streams.open(30, GREETING) > 0
            publish("event-1", {"version": 1}, id=1)
            began = time.perf_counter()
            assert len(streams.receive(NEWS, 30, 5)) == 30
            assert time.perf_counter() - began < 5
            assert streams.receive(NEWS, 30, 0.1) == []
        finally:
            streams.close()


def test_the_yardstick_tells_when_it_published():
    with Bare() as bare:
        streams = Streams(bare.port, "/stream/")
        try:
            streams.open(5, GREETING)
            [times] = rounds_of(streams, 5, 1, bare.post)
        finally:
            streams.close()
    assert len(times) == 5
    assert all(0 < delay < 5000 for delay in times)


def test_a_timed_server_notes_each_tap_of_the_director(tmp_path):
    server = TimedServer(tmp_path / "data")
    try:
        server.start()
        director = Director(server)
        before = len(server.published_at())
        began = time.perf_counter()
        answered(director.press("stellen", seconds="1"))
        [published_at] = server.published_at()[before:]
        assert began < published_at < time.perf_counter()
        with pytest.raises(RuntimeError, match="422"):
            answered(director.press("stellen", seconds="0"))
        assert len(server.published_at()) == before + 1
    finally:
        server.stop()


@linux_only
def test_memory_and_processor_time_of_a_process_are_read():
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        time.sleep(0.2)
        began, used = time.perf_counter(), cpu_seconds(busy.pid)
        time.sleep(0.5)
        assert 0.05 < share_of_a_core(busy.pid, began, used) < 1.3
        assert memory_kb(busy.pid) > 1000
    finally:
        busy.kill()
        busy.wait()
    assert memory_kb(os.getpid()) > 10_000


def seen(*rows):
    return [Shown(at, level, seconds, "playing") for at, level, seconds in rows]


def test_screens_are_compared_by_the_seconds_both_showed():
    one = seen((1.0, "Stufe 1", 2), (2.0, "Stufe 1", 1), (2.4, "Stufe 1", 1), (3.0, "Stufe 2", 2))
    other = seen((2.002, "Stufe 1", 1), (2.99, "Stufe 2", 2), (4.0, "Stufe 2", 1))
    assert firsts(one)["Stufe 1", 1] == 2.0
    assert differences_ms(one, other) == pytest.approx([2, 10])
    assert differences_ms(other, one) == pytest.approx([2, 10])
    assert level_starts(one) == {2: 3.0}
