"""The parts of the benchmarks of streams and screens that think: each against something real."""

import pytest

from bench._bare import bare
from bench._clients import Streams
from bench._screens import Shown, differences_ms, level_starts
from bench.fanout import NEWS, publishing, rounds_of
from clock.realtime import publish
from clock.stream import stream_url
from tests.clock.conftest import serving


def test_all_streams_are_read_and_missing_news_is_noticed(fresh_hub):
    with (
        serving(fresh_hub) as server,
        Streams(server.address[1], stream_url("event-1")).open(30) as streams,
    ):
        publish("event-1", {"version": 1}, id=1)
        assert len(streams.receive(NEWS, 30, 60)) == 30
        assert streams.receive(NEWS, 30, 0.1) == []


def test_the_yardstick_tells_when_it_published():
    with bare() as port, Streams(port, "/stream/").open(5) as streams:
        [times] = rounds_of(streams, 5, 1, publishing(port))
    assert len(times) == 5
    assert min(times) > 0


def test_screens_are_compared_by_the_seconds_both_showed():
    rows = [(1.0, "Stufe 1", 2), (2.0, "Stufe 1", 1), (2.4, "Stufe 1", 1), (3.0, "Stufe 2", 2)]
    one = [Shown(*row) for row in rows]
    rows = [(2.002, "Stufe 1", 1), (2.99, "Stufe 2", 2), (4.0, "Stufe 2", 1)]
    other = [Shown(*row) for row in rows]
    assert differences_ms(one, other) == pytest.approx([2, 10])
    assert differences_ms(other, one) == pytest.approx([2, 10])
    assert level_starts(one) == {2: 3.0}
