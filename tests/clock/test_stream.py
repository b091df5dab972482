"""The open streams, over real sockets: what a client gets, misses, and is refused."""

import array
import io
import json
import re
import threading
import time
import wave

import pytest
from django.core import signing
from django.core.cache import caches

from clock import realtime, stream
from clock.realtime import BACKLOG, publish
from clock.signals import PEAK, RATE, SIGNALS, signal_version, signal_wav
from clock.stream import stream_token, stream_url, topic_of_token
from tests.clock.conftest import frame, serving


def tell(version, *changed, topic="event-1"):
    publish(topic, {"version": version, "changed": list(changed)}, id=version)


def hello_of(client):
    return json.loads(re.search(rb"event: hello\ndata: (.*)\n", client.received)[1])


def test_a_change_reaches_all_streams_of_its_topic_and_no_others(streams):
    first, second, other = streams.open(), streams.open(), streams.open("event-2")
    tell(7, "tables", "log")
    for client in (first, second):
        assert frame(7, "tables", "log") in client.read_until(b"id: 7")
    publish("event-2", b'{"version":8}', id=8)  # bytes are sent as they are
    assert b"id: 7" not in other.read_until(b'id: 8\ndata: {"version":8}\n\n')


def test_the_answer_is_an_uncached_unbuffered_stream_that_greets(streams):
    client = streams.open()
    head = client.received.lower()
    for line in (
        b"200 ok",
        b"content-type: text/event-stream",
        b"cache-control: no-cache",
        b"x-accel-buffering: no",
    ):
        assert line in head
    retry = int(re.search(rb"retry: (\d+)\n\n", client.received)[1])
    assert stream.RETRY_MS <= retry < stream.RETRY_MS + stream.RETRY_SPREAD_MS
    hello = hello_of(client)
    assert abs(hello["now"] - time.time() * 1000) < 60_000
    assert hello["version"] is None


def test_a_resuming_client_first_gets_what_it_missed(streams):
    """A page says its version, and a resume overrules it; the newest stays the newest."""
    for version in (4, 5, 6):
        tell(version)
    client = streams.open(headers="Last-Event-ID: 4\r\n")
    text = client.received
    assert b"id: 4\n" not in text
    assert text.index(b"id: 5\n") < text.index(b"id: 6\n") < text.index(b"event: hello")
    assert hello_of(client)["version"] == 6
    for asked, has_news in (
        ({"version": 5}, True),
        ({"version": 6}, False),
        ({"version": 4, "headers": "Last-Event-ID: 6\r\n"}, False),
        ({"headers": "Last-Event-ID: nonsense\r\n"}, False),
    ):
        assert (b"id: 6\n" in streams.open(**asked).received) is has_news, asked
    for version in (9, 8):  # one overtook the other
        tell(version)
    assert hello_of(streams.open())["version"] == 9


def test_the_servers_time_is_an_answer_and_only_read(streams):
    client = streams.get("/stream/now/")
    answer = client.read_until(b"\r\n\r\n")
    client.socket.sendall(b"POST /stream/now/ HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n")
    assert b"no-store" in answer
    told, _, refused = client.read_to_end().split(b"\r\n\r\n", 1)[1].partition(b"HTTP/1.1 ")
    assert abs(int(told) - time.time() * 1000) < 60_000
    assert refused.startswith(b"405 Method Not Allowed")


def test_a_device_that_asks_for_the_time_was_in_contact(streams):
    """Only one that its page named: a forged name, or the token of a topic, notes nothing."""
    for name in (stream_token("device-7"), "device-8", stream_token("event-9")):
        streams.get(f"/stream/now/?as={name}").read_until(b"\r\n\r\n")
    (first, last), *further = caches["kept"].get("contact:device-7")
    assert first == last
    assert abs(first - time.time() * 1000) < 60_000
    assert not further
    assert [caches["kept"].get(f"contact:{name}") for name in ("device-8", "event-9")] == [None] * 2


@pytest.mark.parametrize("token", ["", "nonsense", "event-1", "event-1:abc:def", "forged,forged"])
def test_a_forged_token_opens_nothing(streams, token):
    answer = streams.get(f"/stream/{token}/", "Connection: close\r\n").read_to_end()
    assert b"403" in answer.split(b"\r\n")[0]


def test_every_keep_alive_tells_the_time_and_the_more_are_open_to_wait_the_longer(
    streams, fresh_hub, monkeypatch
):
    monkeypatch.setattr(realtime, "KEEP_ALIVE_S", 0.05)
    client = streams.open()
    fresh_hub.stream_count = 10**9
    for _ in range(2):
        client.received = b""
        client.read_until(b"event: now\ndata: 1")
    told = int(re.search(rb"retry: (\d+)\nevent: now", client.received)[1])
    assert told > stream.RETRY_MS + stream.RETRY_SPREAD_MS


def test_a_token_opens_its_own_topic_for_a_day(monkeypatch):
    token = stream_token("event-1")
    assert stream_url("event-1") == f"/stream/{token}/"
    assert topic_of_token(token) == "event-1"
    assert topic_of_token(token.replace("event-1", "event-2")) is None
    assert topic_of_token(signing.TimestampSigner(salt="other").sign("event-1")) is None
    before = stream._topic_in_minute.cache_info().currsize
    # As long as a request, it is not even looked at.
    assert topic_of_token(stream_token("event-" + "1" * 10_000)) is None
    assert stream._topic_in_minute.cache_info().currsize == before
    day_after = time.time() + stream.TOKEN_MAX_AGE_S + 2
    monkeypatch.setattr(time, "time", lambda: day_after)
    assert topic_of_token(token) is None


def test_a_client_that_never_reads_is_cut_off_and_costs_nobody_else(streams, fresh_hub):
    slow = streams.open(buffer=4096)
    quick = streams.open()
    version = 0
    until = time.monotonic() + 60
    while fresh_hub.stream_count == 2 and time.monotonic() < until:
        for _ in range(20):
            version += 1
            publish("event-1", b"x" * 20_000, id=version)
        quick.read_until(b"id: %d\n" % version)
        quick.received = b""
    streams.wait_until(lambda: fresh_hub.stream_count == 1)
    assert quick.socket.fileno() > 0
    assert slow.read_to_end()


def test_a_stream_a_whole_ring_behind_is_told_so_and_goes_on(streams, fresh_hub):
    client = streams.open()
    newest = BACKLOG + 2
    # The loop is kept busy, so that all that is published arrives in one turn.
    go = threading.Event()
    fresh_hub._loop.call_soon_threadsafe(go.wait, 60)
    for version in range(1, newest + 1):
        tell(version)
    go.set()
    client.read_until(b'id: %d\nevent: lost\ndata: {"version":%d}\n\n' % (newest, newest))
    assert b"id: 1\n" not in client.received
    tell(newest + 1)
    client.read_until(frame(newest + 1))
    assert fresh_hub.stream_count == 1


def test_many_streams_are_woken_in_turns(streams, fresh_hub, monkeypatch):
    monkeypatch.setattr(realtime, "WOKEN_A_TURN", 3)
    clients = [streams.open() for _ in range(10)]
    tell(1)
    for client in clients:
        client.read_until(b"id: 1")


def test_closing_the_hub_ends_all_streams_and_a_later_one_is_served(streams, fresh_hub):
    client = streams.open()
    fresh_hub.close()
    fresh_hub.close()
    assert client.read_to_end().endswith(b"0\r\n\r\n")
    tell(1)
    assert b"id: 1" in streams.open(version=0).received


def test_what_is_published_before_anybody_listens_is_known(fresh_hub):
    tell(3)
    assert fresh_hub.last_version("event-1") == 3
    assert fresh_hub.last_version("event-2") is None
    with serving(fresh_hub) as streams:
        assert b"id: 3" in streams.open(version=2).received


# ---- several topics over one connection ------------------------------------------------------

OF_FIRST, OF_SECOND = b"event: of\ndata: 0\n\n", b"event: of\ndata: 1\n\n"


def open_both(streams, query="", headers="", tokens=()):
    tokens = tokens or (stream_token("event-1"), stream_token("screen-4"))
    client = streams.get(f"/stream/{','.join(tokens)}/{query}", headers)
    client.read_until(b"\n\nid: ")
    client.read_until(b"\n\n")
    return client


def test_of_several_topics_it_is_said_what_belongs_to_which(streams):
    client = open_both(streams)
    assert client.received.index(OF_FIRST) < client.received.index(OF_SECOND)
    assert client.received.count(b"event: hello") == 2
    client.received = b""
    tell(7, topic="screen-4")
    client.read_until(OF_SECOND + frame(7) + b"id: ,7\n\n")
    tell(9, "tables")
    client.read_until(OF_FIRST + frame(9, "tables") + b"id: 9,7\n\n")


def test_of_several_topics_each_is_resumed_where_it_was(streams):
    for version in (4, 5):
        tell(version)
        tell(version, topic="screen-4")
    asked = open_both(streams, "?v=4,5").received
    resumed = open_both(streams, "?v=5,5", "Last-Event-ID: 5,4\r\n").received
    assert asked.count(b"id: 5\n") == resumed.count(b"id: 5\n") == 1
    assert asked.index(b"id: 5\n") < asked.index(OF_SECOND)
    assert resumed.index(OF_SECOND) < resumed.index(b"id: 5\n")
    # An id of one topic says nothing about several.
    assert b"id: 5\n" not in open_both(streams, "?v=5,5", "Last-Event-ID: 3\r\n").received


def test_of_several_tokens_one_that_is_not_good_is_refused_and_the_others_are_served(streams):
    client = open_both(streams, tokens=(stream_token("event-1") + "x", stream_token("screen-4")))
    assert OF_FIRST + b"event: refused" in client.received
    tell(7, topic="screen-4")
    client.read_until(OF_SECOND + frame(7))


def test_of_more_topics_than_any_browser_has_the_rest_is_not_heard(streams, fresh_hub):
    tokens = [stream_token(f"event-{number}") for number in range(stream.MOST_TOPICS + 5)]
    open_both(streams, tokens=tokens)
    assert fresh_hub.stream_count == stream.MOST_TOPICS


def test_several_topics_are_told_the_time_once_and_forgotten_together(monkeypatch, fresh_hub):
    monkeypatch.setattr(realtime, "KEEP_ALIVE_S", 0.3)
    with serving(fresh_hub) as streams:
        client = open_both(streams)
        client.received = b""
        client.read_until(b"event: now\ndata: 1")
        assert client.received.count(b"event: now") == 1
        client.close()
        streams.wait_until(lambda: fresh_hub.stream_count == 0)


# --- The three signals, as they are heard: length, loudness, no click at either end


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_loud_whole_without_clicks_and_does_not_drown_the_voice(name):
    made = signal_wav(name)
    with wave.open(io.BytesIO(made)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, RATE)
        samples = array.array("h", sound.readframes(sound.getnframes()))
    assert len(samples) == round(SIGNALS[name].length_s * RATE)
    assert max(map(abs, samples)) == PEAK
    assert samples[0] == 0
    assert abs(samples[-1]) < 30
    rest = samples[SIGNALS[name].voice_after_ms * RATE // 1000 :]
    assert max(map(abs, rest), default=0) < PEAK / 2
    signal_wav.cache_clear()
    assert signal_wav(name) == made, "it is the same on every run"


def test_they_differ_from_each_other():
    assert len({signal_version(name) for name in SIGNALS}) == 3
