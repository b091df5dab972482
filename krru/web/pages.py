"""Django's pages (WSGI) under an ASGI server, in two pools of threads.

Measured: pages through WSGI are about ten times faster than through Django's own ASGI handler. Many
threads competing for SQLite's one write lock slow down answers, so requests that may write get one
thread there. The readers handle a form with a file, as it writes little. A thread never waits for
the network: the request is read before and the answer sent after. The requests of one address are
limited, running and waiting; one of its forms waits for a writer. No answer here is a stream.
"""

import asyncio
import contextvars
import io
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, cast

from a2wsgi.wsgi import build_environ

from krru.data.metrics import PAGES_WAITING
from krru.data.outages import RETRY_SECONDS
from krru.web.connections import is_counted, subscriber

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
READERS = 8
# Limits for one address: running and waiting requests. The threads share one processor: beside two
# pages another one takes at most three times as long. Four answer no more pages in a second.
AT_ONCE, MOST_WAITING = 2, 300
# Number of waiting requests in a page's environment: with many a page may write less often.
WAITING = "krru.waiting"
# In both languages, as the visitor's is not yet known.
TOO_LARGE = "Die Anfrage ist zu groß. The request is too large."
INCOMPLETE = "Die Anfrage kam nicht vollständig an. The request did not arrive in full."
OVERRUN = "Zu viele Anfragen auf einmal. Too many requests at once."
STUCK = (
    "Die Datenbank antwortet nicht, oder zu viele fragen auf einmal. Diese Seite versucht es "
    "gleich noch einmal. The database does not answer, or too many ask. "
    "This page tries again in a moment."
)
UNREADABLE = "Die Anfrage ist nicht zu lesen. The request cannot be read."
# Space for the rest of a form with a file.
BODY_SLACK_BYTES = 256 * 1024
BODY_PATIENCE_SECONDS = 30.0
# Time-out of a page that waits for a frozen database server or for its turn. A POST is never cut
# off: its result would be unknown.
PAGE_PATIENCE_SECONDS = 30.0
# No visitor's form is larger.
STRANGERS_BODY_BYTES = 64 * 1024
# Only forms with a file use this.
MULTIPART = b"multipart/form-data"


class TooLarge(Exception):
    """The request's body is over the limit."""


class Overrun(Exception):
    """Too many requests of one address are waiting."""


class Gone(Exception):
    """The client left before its request was complete."""


async def read_body(receive: Receive, limit: int, is_known: Callable[[], Awaitable[bool]]) -> bytes:
    """Return the whole body. Check the sender once it is larger than a stranger's limit.

    :raises TooLarge: over `limit` bytes, or over a stranger's from somebody unknown.
    :raises Gone: the client hung up.
    """
    body = bytearray()
    is_bounded = True
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        body += message.get("body", b"")
        if len(body) > limit:
            raise TooLarge
        if is_bounded and len(body) > STRANGERS_BODY_BYTES:
            if not await is_known():
                await _drain(receive, limit, message)
                raise TooLarge
            is_bounded = False
        if not message.get("more_body", False):
            return bytes(body)


async def _drain(receive: Receive, left: int, message: Message) -> None:
    """Read on and keep nothing: a proxy that is cut off in sending hears no answer.

    :raises Gone: the client hung up.
    """
    while message.get("more_body", False) and left > 0:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        left -= len(message.get("body", b""))


def call_wsgi(app: Wsgi, environ: dict[str, Any]) -> Answer:
    """Run one request. Return status, headers and the whole body."""
    head: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        head[:] = [(status, headers)]

    chunks = app(environ, start_response)
    try:
        body = b"".join(chunks)
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            close()
    status, headers = head[0]
    # Django puts a space before a cookie, which servers refuse.
    encoded = [
        (name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers
    ]
    return int(status.split(" ", 1)[0]), encoded, body


class Pool:
    """Threads for one kind of work. `waiting` counts work without a thread."""

    def __init__(self, name: str, places: int) -> None:
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=name)
        self._places, self._given = places, 0

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run it in a thread, first come first served."""
        loop, context = asyncio.get_running_loop(), contextvars.copy_context()
        self._given += 1
        try:
            return await loop.run_in_executor(self._threads, context.run, work, *arguments)
        finally:
            self._given -= 1

    @property
    def waiting(self) -> int:
        return max(0, self._given - self._places)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class Gates:
    """Limit the running and waiting requests of one address. `waiting` counts those of all."""

    def __init__(self, at_once: int) -> None:
        self._at_once, self.waiting = at_once, 0
        self._open: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def passing(self, address: str) -> AsyncIterator[None]:
        """Wait for a free place of this address.

        :raises Overrun: too many of it wait already.
        """
        if not is_counted(address):
            yield
            return
        name = subscriber(address)
        gate, inside = self._open.get(name, (asyncio.Semaphore(self._at_once), 0))
        if inside >= self._at_once + MOST_WAITING:
            raise Overrun
        self._open[name] = gate, inside + 1
        try:
            await self._entered(gate)
            try:
                yield
            finally:
                gate.release()
        finally:
            _, inside = self._open.pop(name)
            if inside > 1:
                self._open[name] = gate, inside - 1

    async def _entered(self, gate: asyncio.Semaphore) -> None:
        self.waiting += 1
        try:
            await gate.acquire()
        finally:
            self.waiting -= 1


class Pages:
    """An ASGI application that runs a WSGI application."""

    def __init__(
        self,
        app: Wsgi,
        *,
        writers: int,
        body_limit: int,
        is_known: Callable[[Scope], bool] = lambda scope: False,
    ) -> None:
        self._app, self._is_known = app, is_known
        self._body_limit = body_limit + BODY_SLACK_BYTES
        self._readers, self._writers = Pool("read", READERS), Pool("write", writers)
        self._gates = Gates(AT_ONCE)
        # A form of another address waits behind one of a flood, not behind all that may run.
        self._turns = Gates(writers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = PAGE_PATIENCE_SECONDS if scope["method"] in SAFE_METHODS else None
        try:
            async with asyncio.timeout(patience), self._gates.passing(_address_of(scope)):
                found = await self._answer(scope, receive)
        except Gone:
            return
        except TimeoutError:
            again = b"%d" % RETRY_SECONDS
            found = plain(503, STUCK, (b"retry-after", again), (b"refresh", again))
        except TooLarge:
            found = plain(413, TOO_LARGE)
        except Overrun:
            found = plain(503, OVERRUN)
        await answer(send, found)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        async def is_known() -> bool:
            return bool(await self._readers.run(self._is_known, scope))

        try:
            async with asyncio.timeout(BODY_PATIENCE_SECONDS):
                body = await read_body(receive, self._body_limit, is_known)
        except TimeoutError:
            return plain(408, INCOMPLETE)
        before = (self._gates, self._turns, self._readers, self._writers)
        waiting = sum(one.waiting for one in before)
        PAGES_WAITING.set(waiting)
        environ = {
            **build_environ(cast(Any, scope), cast(Any, None)),
            "wsgi.input": io.BytesIO(body),
            WAITING: waiting,
        }
        if _is_read(scope):
            return cast(Answer, await self._readers.run(call_wsgi, self._app, environ))
        async with self._turns.passing(_address_of(scope)):
            return cast(Answer, await self._writers.run(call_wsgi, self._app, environ))

    def close(self) -> None:
        """Take no more requests; finish running ones."""
        for pool in (self._readers, self._writers):
            pool.close()


def _address_of(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


def _is_read(scope: Scope) -> bool:
    types = (value for name, value in scope["headers"] if name == b"content-type")
    is_file = any(value.lower().startswith(MULTIPART) for value in types)
    return is_file or scope["method"] in SAFE_METHODS


def plain(status: int, text: str, *more: tuple[bytes, bytes]) -> Answer:
    """Return a short plain-text answer for requests that do not reach Django."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *more,
    ]
    return status, headers, body


async def answer(send: Send, found: Answer) -> None:
    status, headers, body = found
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
