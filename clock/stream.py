"""The open streams, as a plain ASGI application beside Django: server-sent events.

`GET /stream/<token>/` streams one topic, `GET /stream/<token>,<token>/` several for a browser
whose pages share a connection; `GET /stream/now/` answers the server's time, for browsers that
measure how far their own clock is off. No database, and no Django per connection: a token says what
may be heard.

A browser hides comments of a stream from its page, so the server's time is no comment but an event
of its own, `now`, every 15 seconds. What a stream missed comes first on a resume, then `hello` with
the newest version this process knows: from both the page tells whether it must fetch again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

from django.core import signing

from clock.domain import instant_ms
from clock.realtime import hub
from clock.servertime import server_time

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PREFIX = "/stream/"
TOKEN_MAX_AGE_S = 24 * 3600
# How long a browser waits until it comes back: a moment, and longer the more come back with it.
RETRY_MS, RETRY_SPREAD_MS = 300, 200
COME_BACK_A_SECOND = 4000
LONGEST_VERSION = 18  # digits
# Ours have some 60 characters; a stranger's may have as many as a request.
LONGEST_TOKEN = 200
# A browser has pages of a few tournaments open, and an address has its bounds.
MOST_TOPICS = 32
REFUSED = b"event: refused\ndata: {}\n\n"

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]


def stream_token(topic: str) -> str:
    """Return what opens the stream of a topic for a day."""
    return _signer().sign(topic)


def stream_url(topic: str) -> str:
    """Return the address of a topic's stream, for `data-stream` on a page."""
    return f"{PREFIX}{stream_token(topic)}/"


def topic_of_token(token: str) -> str | None:
    """Return what the token opens, None if it is forged or too old."""
    if len(token) > LONGEST_TOKEN:
        return None
    return _topic_in_minute(token, int(time.time()) // 60)


# All phones of an evening come with the same token, after an outage all of them at once.
@lru_cache(maxsize=1024)
def _topic_in_minute(token: str, _minute: int) -> str | None:
    try:
        return _signer().unsign(token, max_age=TOKEN_MAX_AGE_S)
    except signing.BadSignature:
        return None


def _signer() -> signing.TimestampSigner:
    return signing.TimestampSigner(salt="stream")


async def application(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    """Serve one request below /stream/."""
    if scope["method"] != "GET":
        await _answer(send, 405, b"")
        return
    name = scope["path"].removeprefix(PREFIX).strip("/")
    if name == "now":
        await _answer(send, 200, b"%d" % _now_ms())
        return
    topics = [topic_of_token(token) for token in name.split(",", MOST_TOPICS)[:MOST_TOPICS]]
    if not any(topics):
        await _answer(send, 403, b"")
        return
    await _stream(topics, _known_versions(scope, len(topics)), receive, send)


class Connection:
    """The streams of all topics that are heard over one connection, by place in the address.

    Where there are several, `of` with the place comes before what belongs to a topic. An id with
    the versions of all comes last, for the browser to resume with. Where a token is not good, its
    place is told that it is refused.
    """

    __slots__ = ("_is_shared", "_streams", "_topics")

    def __init__(self, topics: Sequence[str | None], known: Sequence[int | None]) -> None:
        self._topics = topics
        self._is_shared = len(topics) > 1
        self._streams = [
            hub.join(topic, version)
            for topic, version in zip(topics, known, strict=True)
            if topic is not None
        ]

    @property
    def is_closed(self) -> bool:
        return any(stream.is_closed for stream in self._streams)

    @property
    def is_dropped(self) -> bool:
        return any(stream.is_dropped for stream in self._streams)

    def first(self) -> bytes:
        """Return what was missed, and the greeting of each topic."""
        streams = iter(self._streams)
        pieces = [
            REFUSED if topic is None else next(streams).take() + _hello(topic)
            for topic in self._topics
        ]
        return _retry() + b"\n" + self._marked(pieces)

    def take(self) -> bytes:
        """Return all that has not been sent, the time when it is due."""
        streams = iter(self._streams)
        pieces = [b"" if topic is None else next(streams).take() for topic in self._topics]
        body = self._marked(pieces)
        if not any(stream.is_tick_due for stream in self._streams):
            return body
        for stream in self._streams:
            stream.is_tick_due = False
        return b"%s%sevent: now\ndata: %d\n\n" % (body, _retry(), _now_ms())

    def _marked(self, pieces: Sequence[bytes]) -> bytes:
        if not self._is_shared:
            return pieces[0]
        marked = [
            b"event: of\ndata: %d\n\n%s" % (place, piece)
            for place, piece in enumerate(pieces)
            if piece
        ]
        return b"".join([*marked, self._id()]) if marked else b""

    def _id(self) -> bytes:
        newest = (topic and hub.last_version(topic) for topic in self._topics)
        return b"id: %s\n\n" % ",".join(str(version or "") for version in newest).encode()

    async def wait(self) -> None:
        """Wait until there is something to send, or it is to end."""
        if any(stream.is_due for stream in self._streams):
            return
        waiter = asyncio.get_running_loop().create_future()
        self._await(waiter)
        try:
            await waiter
        finally:
            self._await(None)

    def _await(self, waiter: asyncio.Future[None] | None) -> None:
        for stream in self._streams:
            stream.waiter = waiter

    def close(self) -> None:
        """End it, at the next turn of the loop."""
        for stream in self._streams:
            stream.close()

    def leave(self) -> None:
        """Take it out of the hub."""
        for stream in self._streams:
            hub.leave(stream)


async def _stream(
    topics: Sequence[str | None], known: Sequence[int | None], receive: Receive, send: Send
) -> None:
    connection = Connection(topics, known)
    watcher = asyncio.create_task(_close_when_left(connection, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        await send(_part(connection.first()))
        while not connection.is_closed:
            body = connection.take()
            if body:
                await send(_part(body))
            await connection.wait()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except asyncio.CancelledError:
        if not connection.is_dropped:
            raise
    finally:
        connection.leave()
        watcher.cancel()


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


async def _close_when_left(connection: Connection, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    connection.close()


def _hello(topic: str) -> bytes:
    version = hub.last_version(topic)
    told = b"null" if version is None else b"%d" % version
    return b'event: hello\ndata: {"now": %d, "version": %s}\n\n' % (_now_ms(), told)


def _retry() -> bytes:
    """Tell how long to wait before coming back: told again with every keep-alive.

    When a process ends, all of its streams come back at once to another.
    """
    spread_ms = max(RETRY_SPREAD_MS, 1000 * hub.stream_count // COME_BACK_A_SECOND)
    # Not a secret; the system's own chance takes longer than all else that is done for a stream.
    return b"retry: %d\n" % (RETRY_MS + random.randrange(spread_ms))  # noqa: S311


def _known_versions(scope: MutableMapping[str, Any], count: int) -> list[int | None]:
    """Return the versions the pages have: from a resuming browser, else from what they ask."""
    values = [value for name, value in scope["headers"] if name == b"last-event-id"]
    # A stranger may send any byte; in latin-1 each is a character.
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("v", [])
    values += [value.encode() for value in asked]
    told = (value.split(b",", count) for value in values)
    known = next((each for each in told if _are_versions(each, count)), [b""] * count)
    return [int(version) if version else None for version in known]


def _are_versions(values: Sequence[bytes], count: int) -> bool:
    are_numbers = all(not one or one.isdigit() for one in values)
    return are_numbers and len(values) == count and max(map(len, values)) <= LONGEST_VERSION


def _now_ms() -> int:
    return instant_ms(server_time.now())


async def _answer(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain"),
        (b"cache-control", b"no-store"),
        (b"content-length", b"%d" % len(body)),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
