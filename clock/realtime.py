"""The hub that fans changes out to open streams, and `publish`, which feeds it.

One hub per process. A change is encoded once and put into its topic's ring, which all streams read
at their own pace: no queue per stream, no database, no Django. A stream a whole ring behind is told
that it missed changes; if it is also stuck, it is closed. Embedded, `publish` calls the hub of its
own process; with REDIS_URL it goes to Redis and to every process's hub (`clock.bus`).

The time, tokens and http are in `clock.stream`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Mapping
from functools import cache
from itertools import takewhile
from typing import Any

import redis
from django.conf import settings

from clock import bus
from clock.bus import VersionsOf, ask_beside, ask_while_away, heard_anywhere, listen, tell_heard

logger = logging.getLogger(__name__)

CHANNEL = "krru:stream"
BACKLOG = 64
KEEP_ALIVE_S = 15
# Waking 10,000 streams in one turn of the loop would delay every page by 130 ms.
WOKEN_A_TURN = 200
# A closed stream comes back within seconds. After this its listener is gone.
GONE_AFTER_S = 20


class Topic:
    """The shared state of a topic's streams: the ring of recent frames, and their total count.

    Changes during a round of waking are sent in the next round.
    """

    __slots__ = ("count", "frames", "is_due", "is_waking", "last_version", "left_at", "streams")

    def __init__(self) -> None:
        self.frames: deque[tuple[int, bytes]] = deque(maxlen=BACKLOG)
        self.count = 0
        self.last_version: int | None = None
        self.left_at = time.monotonic()
        self.streams: set[Stream] = set()
        self.is_waking = self.is_due = False

    def wake(self) -> None:
        """Wake all streams, a few in each turn of the running loop."""
        self.is_due = True
        if not self.is_waking:
            self.is_due, self.is_waking = False, True
            self._turn(list(self.streams))

    def _turn(self, streams: list[Stream]) -> None:
        for stream in streams[:WOKEN_A_TURN]:
            stream.wake()
        loop = asyncio.get_running_loop()
        if rest := streams[WOKEN_A_TURN:]:
            loop.call_soon(self._turn, rest)
            return
        self.is_waking = False
        if self.is_due:
            loop.call_soon(self.wake)

    def forget(self) -> None:
        """Drop the streams of an ended loop."""
        self.streams.clear()
        self.is_waking = self.is_due = False

    def add(self, version: int | None, frame: bytes) -> None:
        if version is not None:
            self.last_version = max(version, self.last_version or 0)
        self.frames.append((version or 0, frame))
        self.count += 1

    def missed_since(self, known: int) -> int:
        """Return the number of frames newer than a known version."""
        return sum(1 for _ in takewhile(lambda item: item[0] > known, reversed(self.frames)))


class Stream:
    """One open connection: its position in its topic's ring, and how to wake it."""

    __slots__ = ("is_closed", "is_dropped", "is_tick_due", "position", "task", "topic", "waiter")

    def __init__(self, topic: Topic, known: int | None, task: asyncio.Task[Any]) -> None:
        self.topic = topic
        self.position = topic.count - (0 if known is None else topic.missed_since(known))
        self.task = task
        self.waiter: asyncio.Future[None] | None = None
        self.is_closed = self.is_dropped = self.is_tick_due = False

    @property
    def lag(self) -> int:
        return self.topic.count - self.position

    def take(self) -> bytes:
        """Return all new frames in one piece.

        If the ring no longer holds some, return the notice of lost changes instead. Closing the
        stream would make all come back at once after a burst, as after a hanging Redis.
        """
        frames = self.topic.frames
        lag, self.position = self.lag, self.topic.count
        if lag == 1:
            return frames[-1][1]
        if lag > BACKLOG:
            version = self.topic.last_version
            return LOST if version is None else lost_frame(version)
        if lag <= 0:
            return b""
        return b"".join(frames[index][1] for index in range(len(frames) - lag, len(frames)))

    @property
    def is_due(self) -> bool:
        """Tell whether to send something or to end."""
        return self.is_closed or self.is_tick_due or self.lag > 0

    def wake(self) -> None:
        """Wake the stream. Close it if it is stuck in sending and a ring behind."""
        if self.waiter is not None:
            if not self.waiter.done():
                self.waiter.set_result(None)
        elif self.lag > BACKLOG and not self.is_dropped:
            self.is_closed = self.is_dropped = True
            self.task.cancel()

    def close(self) -> None:
        self.is_closed = True
        self.wake()


class Hub:
    """All open streams of this process, by topic. Bound to the loop of its first stream."""

    def __init__(self) -> None:
        self._topics: dict[str, Topic] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._tick: asyncio.TimerHandle | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self.stream_count = 0
        self._began_at = time.monotonic()
        self.is_bus_up = settings.REDIS_URL is None
        self.versions_of: VersionsOf | None = None

    def last_version(self, topic: str) -> int | None:
        """Return the newest version published since the start of this process; None without one."""
        known = self._topics.get(topic)
        return known.last_version if known else None

    def begin(self) -> None:
        """Start listening in the running loop. The first stream does it too."""
        self._bind(asyncio.get_running_loop())

    def join(self, name: str, known: int | None) -> Stream:
        """Register the running task as a stream; it knows the topic up to version `known`."""
        self.begin()
        task = asyncio.current_task()
        assert task is not None
        topic = self._topics.setdefault(name, Topic())
        stream = Stream(topic, known, task)
        topic.streams.add(stream)
        self.stream_count += 1
        return stream

    def leave(self, stream: Stream) -> None:
        if stream in stream.topic.streams:
            stream.topic.streams.remove(stream)
            self.stream_count -= 1
        stream.topic.left_at = time.monotonic()

    def is_heard(self, name: str) -> bool:
        topic = self._topics.get(name)
        if topic is not None and topic.streams:
            return True
        left_at = topic.left_at if topic is not None else self._began_at
        return time.monotonic() - left_at < GONE_AFTER_S

    def deliver(self, name: str, version: int, frame: bytes) -> None:
        """Add a frame to a topic and wake its streams. From any thread; returns at once."""
        with self._lock:
            loop = self._loop
            if loop is None or loop.is_closed():
                self._topics.setdefault(name, Topic()).add(version, frame)
                return
        loop.call_soon_threadsafe(self.hear, name, version, frame)

    def tell_time(self) -> None:
        """Send the server's time to every stream after a step. From any thread."""
        self._soon(self._tick_all)

    def ask_all(self) -> None:
        """Let every page ask anew for what it shows. From any thread."""
        self._soon(self.tell_lost)

    def _soon(self, tell: Callable[[], None]) -> None:
        with self._lock:
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(tell)

    def close(self) -> None:
        """End all streams, so that the server can stop. From any thread, also twice."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._end)

    def _bind(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            if self._loop is loop:
                return
            self._loop = loop
        for topic in self._topics.values():
            topic.forget()
        self.stream_count = 0
        self._tick = loop.call_later(KEEP_ALIVE_S, self._keep_alive)
        work: list[Coroutine[Any, Any, None]]
        if settings.REDIS_URL is None:
            work = [ask_beside(self)]
        else:
            url, lasts_s = settings.REDIS_URL, KEEP_ALIVE_S + GONE_AFTER_S
            told = tell_heard(url, self.names_open, every_s=KEEP_ALIVE_S, lasts_s=lasts_s)
            work = [listen(url, CHANNEL, self), ask_while_away(self), told]
        self._tasks = [loop.create_task(one) for one in work]

    def _end(self) -> None:
        for stream in self._streams():
            stream.close()
        if self._tick is not None:
            self._tick.cancel()
        for task in self._tasks:
            task.cancel()
        self._tick, self._tasks = None, []

    def names_open(self) -> list[str]:
        return [name for name, topic in self._topics.items() if topic.streams]

    def _streams(self) -> list[Stream]:
        return [stream for topic in self._topics.values() for stream in topic.streams]

    def hear(self, name: str, version: int, frame: bytes) -> None:
        """Deliver a frame in the hub's own loop."""
        topic = self._topics.setdefault(name, Topic())
        topic.add(version, frame)
        topic.wake()

    def _keep_alive(self) -> None:
        self._tick = asyncio.get_running_loop().call_later(KEEP_ALIVE_S, self._keep_alive)
        self._tick_all()

    def _tick_all(self) -> None:
        for stream in self._streams():
            stream.is_tick_due = True
        self._wake_all()

    def _wake_all(self) -> None:
        for topic in self._topics.values():
            topic.wake()

    def tell_lost(self) -> None:
        """Tell every stream that it may have missed changes."""
        for topic in self._topics.values():
            if topic.streams:
                topic.add(None, LOST)
        self._wake_all()

    def tell_versions(self, versions: Mapping[str, int]) -> None:
        """Tell streams of newer versions, as lost changes."""
        for name, version in versions.items():
            if version > (self.last_version(name) or 0):
                self.hear(name, version, lost_frame(version))


hub = Hub()


def publish(topic: str, payload: bytes | dict[str, Any], *, id: int) -> None:  # noqa: A002
    """Send a change to all streams of the topic. `id` is its version.

    Never raises if the bus is away, as the change is already made. The streams of this process get
    it at once, others when Redis is back.
    """
    frame = frame_of(payload, id)
    if settings.REDIS_URL is not None:
        try:
            _redis(settings.REDIS_URL).publish(CHANNEL, b"%s %d %s" % (topic.encode(), id, frame))
        except redis.RedisError as error:
            logger.warning("Redis ist nicht erreichbar: %s", error)
        else:
            return
    hub.deliver(topic, id, frame)


def topics_heard(names: Collection[str]) -> set[str] | None:
    """Return the topics with an open or just closed stream; None if unknown."""
    if settings.REDIS_URL is not None:
        return heard_anywhere(_redis(settings.REDIS_URL), names)
    return {name for name in names if hub.is_heard(name)}


@cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, **bus.options(url))


LOST = b"event: lost\ndata: {}\n\n"
"""Tells a stream that it may have missed changes and must fetch everything again."""


def frame_of(payload: bytes | dict[str, Any], version: int) -> bytes:
    """Return the bytes of one server-sent event.

    >>> frame_of({"version": 3}, 3)
    b'id: 3\\ndata: {"version":3}\\n\\n'
    """
    if isinstance(payload, dict):
        payload = json.dumps(payload, separators=(",", ":")).encode()
    return b"id: %d\ndata: %s\n\n" % (version, payload)


def lost_frame(version: int) -> bytes:
    """Return the event for a stream that missed changes up to this version.

    >>> lost_frame(3)
    b'id: 3\\nevent: lost\\ndata: {"version":3}\\n\\n'
    """
    return b'id: %d\nevent: lost\ndata: {"version":%d}\n\n' % (version, version)
