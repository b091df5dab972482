"""The hub that fans changes out to open streams, and `publish`, which feeds it.

One hub a process. A change is made into bytes once and put into a ring that all streams of its
topic read at their own pace: no queue per stream, no database, no Django. A stream that falls a
whole ring behind is cut off and resumes by version. Embedded, `publish` hands over to the hub of
its own process; with REDIS_URL it goes to Redis, and every process's hub listens there.

It does not read the time, check tokens or speak http: that is `clock.stream`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import deque
from collections.abc import Sequence
from functools import cache
from itertools import takewhile
from typing import Any

import redis
import redis.asyncio
from django.conf import settings

logger = logging.getLogger(__name__)

CHANNEL = "krru:stream"
BACKLOG = 64
KEEP_ALIVE_S = 15
# Waking 10,000 streams in one turn of the loop would keep every other request waiting for 130 ms.
WOKEN_A_TURN = 250
# A dead Redis must not hold up the request that publishes.
REDIS_TIMEOUT_S = 1
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 2.0

LOST = b"event: lost\ndata: {}\n\n"
"""Tells a stream that changes may have passed it by: fetch everything again."""


def frame_of(payload: bytes | dict[str, Any], version: int) -> bytes:
    """Return the bytes of one server-sent event.

    >>> frame_of({"version": 3}, 3)
    b'id: 3\\ndata: {"version":3}\\n\\n'
    """
    if isinstance(payload, dict):
        payload = json.dumps(payload, separators=(",", ":")).encode()
    return b"id: %d\ndata: %s\n\n" % (version, payload)


class Topic:
    """What streams of one topic share: the ring of recent frames, and how many there ever were."""

    __slots__ = ("count", "frames", "last_version", "streams")

    def __init__(self) -> None:
        self.frames: deque[tuple[int, bytes]] = deque(maxlen=BACKLOG)
        self.count = 0
        self.last_version: int | None = None
        self.streams: set[Stream] = set()

    def add(self, version: int | None, frame: bytes) -> None:
        if version is not None:
            self.last_version = max(version, self.last_version or 0)
        self.frames.append((version or 0, frame))
        self.count += 1

    def missed_since(self, known: int) -> int:
        """Return how many of the latest frames are newer than a version somebody has."""
        return sum(1 for _ in takewhile(lambda item: item[0] > known, reversed(self.frames)))


class Stream:
    """One open connection: where it stands in its topic's ring, and how to wake it."""

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
        """Return all frames it has not had, in one piece; end it if the ring holds them no more."""
        lag, self.position = self.lag, self.topic.count
        if lag > BACKLOG:
            self.is_closed = True
        if not 0 < lag <= BACKLOG:
            return b""
        frames = self.topic.frames
        return b"".join(frames[index][1] for index in range(len(frames) - lag, len(frames)))

    async def wait(self) -> None:
        """Wait until there is something to send, or it is to end."""
        if self.is_closed or self.is_tick_due or self.lag:
            return
        self.waiter = asyncio.get_running_loop().create_future()
        try:
            await self.waiter
        finally:
            self.waiter = None

    def wake(self) -> None:
        """Let it send. One that is stuck in sending and a ring behind is cut off."""
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
    """All open streams of this process, by topic. Bound to the loop its first stream runs in."""

    def __init__(self) -> None:
        self._topics: dict[str, Topic] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._tick: asyncio.TimerHandle | None = None
        self._listener: asyncio.Task[None] | None = None
        self.is_bus_up = settings.REDIS_URL is None

    @property
    def stream_count(self) -> int:
        return sum(len(topic.streams) for topic in self._topics.values())

    def last_version(self, topic: str) -> int | None:
        """Return the newest version published since this process began, None if it knows none."""
        known = self._topics.get(topic)
        return known.last_version if known else None

    def join(self, name: str, known: int | None) -> Stream:
        """Add the running task as a stream that has seen the topic up to version `known`."""
        self._bind(asyncio.get_running_loop())
        task = asyncio.current_task()
        assert task is not None
        topic = self._topics.setdefault(name, Topic())
        stream = Stream(topic, known, task)
        topic.streams.add(stream)
        return stream

    def leave(self, stream: Stream) -> None:
        stream.topic.streams.discard(stream)

    def deliver(self, name: str, version: int, frame: bytes) -> None:
        """Hand a frame to the topic's streams. From any thread; returns at once."""
        with self._lock:
            loop = self._loop
            if loop is None or loop.is_closed():
                self._topics.setdefault(name, Topic()).add(version, frame)
                return
        loop.call_soon_threadsafe(self._deliver, name, version, frame)

    def close(self) -> None:
        """End all streams, so that the server can stop. From any thread, more than once."""
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
            topic.streams.clear()
        self._tick = loop.call_later(KEEP_ALIVE_S, self._keep_alive)
        if settings.REDIS_URL is not None:
            self._listener = loop.create_task(self._listen(settings.REDIS_URL))

    def _end(self) -> None:
        for stream in self._streams():
            stream.close()
        if self._tick is not None:
            self._tick.cancel()
        if self._listener is not None:
            self._listener.cancel()
        self._tick = self._listener = None

    def _streams(self) -> list[Stream]:
        return [stream for topic in self._topics.values() for stream in topic.streams]

    def _deliver(self, name: str, version: int, frame: bytes) -> None:
        topic = self._topics.setdefault(name, Topic())
        topic.add(version, frame)
        self._wake(list(topic.streams))

    def _wake(self, streams: Sequence[Stream], done: int = 0) -> None:
        """Wake the streams a few in each turn of the loop."""
        for stream in streams[done : done + WOKEN_A_TURN]:
            stream.wake()
        done += WOKEN_A_TURN
        if done < len(streams):
            asyncio.get_running_loop().call_soon(self._wake, streams, done)

    def _keep_alive(self) -> None:
        self._tick = asyncio.get_running_loop().call_later(KEEP_ALIVE_S, self._keep_alive)
        streams = self._streams()
        for stream in streams:
            stream.is_tick_due = True
        self._wake(streams)

    async def _listen(self, url: str) -> None:
        """Take what any process publishes through Redis; when it is away, try again and again."""
        retry_s = FIRST_RETRY_S
        while True:
            client = redis.asyncio.Redis.from_url(url, socket_connect_timeout=REDIS_TIMEOUT_S)
            try:
                async with client, client.pubsub(ignore_subscribe_messages=True) as bus:
                    await bus.subscribe(CHANNEL)
                    self.is_bus_up, retry_s = True, FIRST_RETRY_S
                    self._tell_lost()
                    async for message in bus.listen():
                        name, version, frame = message["data"].split(b" ", 2)
                        self._deliver(name.decode(), int(version), frame)
            except (redis.RedisError, OSError) as error:
                if self.is_bus_up:
                    logger.warning("Redis ist nicht erreichbar: %s", error)
            self.is_bus_up = False
            await asyncio.sleep(retry_s)
            retry_s = min(retry_s * 2, LONGEST_RETRY_S)

    def _tell_lost(self) -> None:
        """Let every stream know that something may have passed while nobody listened."""
        for topic in self._topics.values():
            if topic.streams:
                topic.add(None, LOST)
        self._wake(self._streams())


hub = Hub()


def publish(topic: str, payload: bytes | dict[str, Any], *, id: int) -> None:  # noqa: A002
    """Tell all streams of the topic. `id` is the version the change led to.

    Never raises for a bus that is away: the change it tells of has been made. The streams of this
    process still hear of it then, others when Redis is back.
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


@cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_connect_timeout=REDIS_TIMEOUT_S, socket_timeout=REDIS_TIMEOUT_S
    )
