"""The open streams, as a plain ASGI application beside Django: server-sent events.

`GET /stream/<token>/` streams one topic, `GET /stream/<token>,<token>/` several for a browser whose
pages share a connection. `GET /stream/now/` returns the server's time, to measure a browser's
clock; `?as=<token>` notes a contact of a device. No database and no Django per connection: a token
gives the right to a topic.

A browser hides comments of a stream from its page, so the server's time is an event of its own,
`now`, every 15 seconds. Missed changes come first on a resume, then `hello` with the newest version
known here: the page then knows whether to fetch again.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

from django.core import signing

from clock.contacts import OF_DEVICES, note_contact
from clock.domain import instant_ms
from clock.realtime import hub
from clock.servertime import server_time

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PREFIX = "/stream/"
TOKEN_MAX_AGE_S = 24 * 3600
# Delay of a browser's reconnect: a moment, and longer with many reconnecting at once.
RETRY_MS, RETRY_SPREAD_MS = 300, 200
COME_BACK_A_SECOND = 4000
LONGEST_VERSION = 18  # digits
# Ours have about 60 characters; a stranger's may fill a request.
LONGEST_TOKEN = 200
# A browser shows pages of a few tournaments, and an address has a limited length.
MOST_TOPICS = 32
REFUSED = b"event: refused\ndata: {}\n\n"

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
]


def stream_token(topic: str) -> str:
    """Return a token for the stream of a topic, valid for a day."""
    return _signer().sign(topic)


def stream_url(topic: str) -> str:
    """Return the address of a topic's stream, for `data-stream` on a page."""
    return f"{PREFIX}{stream_token(topic)}/"


def topic_of_token(token: str) -> str | None:
    """Return the topic of a token; None if it is forged or too old."""
    if len(token) > LONGEST_TOKEN:
        return None
    return _topic_in_minute(token, int(time.time()) // 60)


# All phones of an evening use the same token, after an outage all at once.
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
        await _note(scope)
        await _answer(send, 200, b"%d" % _now_ms())
        return
    topics = [topic_of_token(token) for token in name.split(",", MOST_TOPICS)[:MOST_TOPICS]]
    if not any(topics):
        await _answer(send, 403, b"")
        return
    await _stream(topics, _known_versions(scope, len(topics)), receive, send)


async def _note(scope: MutableMapping[str, Any]) -> None:
    """Note a contact of the device that asks, if it says by a token which one it is."""
    told = parse_qs(scope["query_string"].decode("latin-1")).get("as", [""])[0]
    name = topic_of_token(told)
    if name is not None and name.startswith(OF_DEVICES):
        await asyncio.to_thread(note_contact, name, _now_ms())


class Connection:
    """The streams of all topics on one connection, in the order of the address.

    With several topics, the event `of` with the position comes before each topic's events. An id
    with all versions comes last, for the browser's resume. A position with a bad token gets the
    event `refused`.
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
        """Return missed changes, and the greeting of each topic."""
        streams = iter(self._streams)
        pieces = [
            REFUSED if topic is None else next(streams).take() + _hello(topic)
            for topic in self._topics
        ]
        return _retry() + b"\n" + self._marked(pieces)

    def take(self) -> bytes:
        """Return all unsent frames, with the time when due."""
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
        """Wait until there is something to send, or until the end."""
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
        """End the streams at the next turn of the loop."""
        for stream in self._streams:
            stream.close()

    def leave(self) -> None:
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
    """Return the delay before a reconnect, sent with every keep-alive.

    When a process ends, all its streams come back to another at once.
    """
    spread_ms = max(RETRY_SPREAD_MS, 1000 * hub.stream_count // COME_BACK_A_SECOND)
    # Not a secret. The system's random source is slower than the rest of a stream's work.
    return b"retry: %d\n" % (RETRY_MS + random.randrange(spread_ms))  # noqa: S311


def _known_versions(scope: MutableMapping[str, Any], count: int) -> list[int | None]:
    """Return the versions the pages know: from a resuming browser, else from the query."""
    values = [value for name, value in scope["headers"] if name == b"last-event-id"]
    # A stranger may send any byte; latin-1 decodes them all.
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
