"""The open streams, as a plain ASGI application beside Django: server-sent events.

`GET /stream/<token>/` streams one topic; `GET /stream/now/` answers the server's time, for browsers
that measure how far their own clock is off. No database, and no Django per connection: a token
says what may be heard.

A browser hides comments of a stream from its page, so the server's time is no comment but an event
of its own, `now`, every 15 seconds. What a stream missed comes first on a resume, then `hello` with
the newest version this process knows: from both the page tells whether it must fetch again.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qs

from django.core import signing

from clock.domain import instant_ms
from clock.realtime import Stream, hub
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
    topic = topic_of_token(name)
    if topic is None:
        await _answer(send, 403, b"")
        return
    await _stream(topic, _known_version(scope), receive, send)


async def _stream(topic: str, known: int | None, receive: Receive, send: Send) -> None:
    stream = hub.join(topic, known)
    watcher = asyncio.create_task(_close_when_left(stream, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": STREAM_HEADERS})
        first = _retry() + b"\n" + stream.take()
        await send(_part(first + _hello(topic)))
        while not stream.is_closed:
            body = stream.take() + _tick(stream)
            if body:
                await send(_part(body))
            await stream.wait()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    except asyncio.CancelledError:
        if not stream.is_dropped:
            raise
    finally:
        hub.leave(stream)
        watcher.cancel()


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}


async def _close_when_left(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


def _hello(topic: str) -> bytes:
    version = hub.last_version(topic)
    told = b"null" if version is None else b"%d" % version
    return b'event: hello\ndata: {"now": %d, "version": %s}\n\n' % (_now_ms(), told)


def _tick(stream: Stream) -> bytes:
    if not stream.is_tick_due:
        return b""
    stream.is_tick_due = False
    return b"%sevent: now\ndata: %d\n\n" % (_retry(), _now_ms())


def _retry() -> bytes:
    """Tell how long to wait before coming back: told again with every keep-alive.

    When a process ends, all of its streams come back at once to another.
    """
    spread_ms = max(RETRY_SPREAD_MS, 1000 * hub.stream_count // COME_BACK_A_SECOND)
    # Not a secret; the system's own chance takes longer than all else that is done for a stream.
    return b"retry: %d\n" % (RETRY_MS + random.randrange(spread_ms))  # noqa: S311


def _known_version(scope: MutableMapping[str, Any]) -> int | None:
    """Return the version the page has: from a resuming browser, else from the page itself."""
    values = [value for name, value in scope["headers"] if name == b"last-event-id"]
    # A stranger may send any byte; in latin-1 each is a character.
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("v", [])
    values += [value.encode() for value in asked]
    known = (value for value in values if value.isdigit() and len(value) <= LONGEST_VERSION)
    return next(map(int, known), None)


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
