"""Django's pages (WSGI) under an ASGI server, in pools of threads.

Measured: pages through WSGI are about ten times faster than through Django's own ASGI handler, and
many threads fighting for SQLite's one write lock make answers slow, so requests that may write get
one thread there. A large form is parsed by threads that write nothing, and only staff may send a
very large one; a form with a file has threads of its own: a stranger's form holds up nobody. In
each pool staff come first, and strangers by turns (`krru.web.turns`). A thread never waits for the
network: the request is read whole before, the answer sent after, so a phone with bad reception
holds up nobody. Nothing is streamed from here.
"""

import asyncio
import contextvars
import io
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from a2wsgi.wsgi import build_environ

from krru.data.outages import RETRY_SECONDS
from krru.web.turns import Overrun, Sender, Staff, Turns

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
# Strangers never have all of them, and one address or device has so many at most.
READERS, GUEST_READERS = 8, 4
EACH = 2
# Tells a page in its environment how many waited when it came: it may then be written less often.
WAITING = "krru.waiting"
# Said before anybody's language is known.
TOO_LARGE = "Die Anfrage ist zu groß. The request is too large."
INCOMPLETE = "Die Anfrage kam nicht vollständig an. The request did not arrive in full."
OVERRUN = "Zu viele Anfragen auf einmal. Too many requests at once."
STUCK = (
    "Die Datenbank antwortet nicht, oder zu viele fragen auf einmal. Diese Seite versucht es "
    "gleich noch einmal. The database does not answer, or too many ask. "
    "This page tries again in a moment."
)
UNREADABLE = "Die Anfrage ist nicht zu lesen. The request cannot be read."
# Room for the form around an uploaded file.
BODY_SLACK_BYTES = 256 * 1024
BODY_PATIENCE_SECONDS = 30.0
# A page that has not come by then waits for a frozen database server, or for its turn. A press is
# never cut off: nobody could say whether it was carried out.
PAGE_PATIENCE_SECONDS = 30.0
# No form of a visitor is larger.
STRANGERS_BODY_BYTES = 64 * 1024
# A larger form is parsed before its turn to write. A press of a button is far smaller.
PARSED_FIRST_BYTES = 4 * 1024
PARSERS = 2
# Only a form with a file is sent so. To read one may take seconds, and writes little or nothing.
MULTIPART = b"multipart/form-data"
FILE_READERS = 2


class TooLarge(Exception):
    """The request's body is over the limit."""


class Unreadable(Exception):
    """The request's body is no form, or one of too many fields."""


class Gone(Exception):
    """The client went away before its request was complete."""


async def read_body(receive: Receive, limit: int, is_known: Callable[[], Awaitable[bool]]) -> bytes:
    """Return the whole body. Ask whether the sender is known once it is larger than a stranger's.

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
                raise TooLarge
            is_bounded = False
        if not message.get("more_body", False):
            return bytes(body)


def call_wsgi(app: Wsgi, environ: dict[str, Any]) -> Answer:
    """Run one request and return status, headers and the whole body."""
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
    # Django writes a blank before a cookie, which servers refuse.
    encoded = [
        (name.lower().encode("latin1"), value.strip().encode("latin1")) for name, value in headers
    ]
    return int(status.split(" ", 1)[0]), encoded, body


class Pool:
    """Threads for one kind of work, and whose turn it is to have one."""

    def __init__(
        self, name: str, places: int, staff: Staff, *, guests: int, each: int = EACH
    ) -> None:
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=name)
        self._turns = Turns(places, guests=guests, each=each, staff=staff)

    async def run(self, sender: Sender, work: Callable[..., Any], *arguments: Any) -> Any:
        """Do it in a thread when it is this sender's turn.

        :raises Overrun: too much of this sender waits.
        """
        async with self._turns.turn(sender):
            loop, context = asyncio.get_running_loop(), contextvars.copy_context()
            return await loop.run_in_executor(self._threads, context.run, work, *arguments)

    @property
    def waiting(self) -> int:
        """Return how many requests wait for their turn."""
        return self._turns.waiting

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


async def by_address(scope: Scope) -> Sender:
    """Return who asks, as far as the address tells."""
    return Sender((scope.get("client") or ("",))[0])


class Pages:
    """An ASGI application that runs a WSGI one."""

    def __init__(
        self,
        app: Wsgi,
        *,
        writers: int,
        body_limit: int,
        is_known: Callable[[Scope], bool] = lambda scope: False,
        parse: Callable[[dict[str, Any]], None] = lambda environ: None,
        sender_of: Callable[[Scope], Awaitable[Sender]] = by_address,
    ) -> None:
        self._app = app
        self._is_known, self._parse, self._sender_of = is_known, parse, sender_of
        self._body_limit = body_limit + BODY_SLACK_BYTES
        staff = Staff()
        self._parsers = Pool("parse", PARSERS, staff, guests=1, each=1)
        self._readers = Pool("read", READERS, staff, guests=GUEST_READERS)
        self._writers = Pool("write", writers, staff, guests=max(1, writers - EACH))
        self._files = Pool("file", FILE_READERS, staff, guests=1, each=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = PAGE_PATIENCE_SECONDS if scope["method"] in SAFE_METHODS else None
        try:
            async with asyncio.timeout(patience):
                answer = await self._answer(scope, receive)
        except Gone:
            return
        except TimeoutError:
            again = b"%d" % RETRY_SECONDS
            answer = plain(503, STUCK, (b"retry-after", again), (b"refresh", again))
        except TooLarge:
            answer = plain(413, TOO_LARGE)
        except Unreadable:
            answer = plain(400, UNREADABLE)
        except Overrun:
            answer = plain(503, OVERRUN)
        await _send(send, answer)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        sender = await self._sender_of(scope)

        async def is_known() -> bool:
            return bool(await self._parsers.run(sender, self._is_known, scope))

        try:
            async with asyncio.timeout(BODY_PATIENCE_SECONDS):
                body = await read_body(receive, self._body_limit, is_known)
        except TimeoutError:
            return plain(408, INCOMPLETE)
        environ = {
            **build_environ(cast(Any, scope), cast(Any, None)),
            "wsgi.input": io.BytesIO(body),
        }
        if len(body) > PARSED_FIRST_BYTES and scope["method"] not in SAFE_METHODS:
            await self._parsers.run(sender, self._parse, environ)
        environ[WAITING] = self._readers.waiting + self._writers.waiting
        return cast(Answer, await self._pool_of(scope).run(sender, call_wsgi, self._app, environ))

    def _pool_of(self, scope: Scope) -> Pool:
        if scope["method"] in SAFE_METHODS:
            return self._readers
        types = (value for name, value in scope["headers"] if name == b"content-type")
        is_file = any(value.lower().startswith(MULTIPART) for value in types)
        return self._files if is_file else self._writers

    def close(self) -> None:
        """Take no more requests; those under way are finished."""
        for pool in (self._parsers, self._readers, self._writers, self._files):
            pool.close()


def plain(status: int, text: str, *more: tuple[bytes, bytes]) -> Answer:
    """Return a short answer in words, for what never reaches Django."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        *more,
    ]
    return status, headers, body


async def _send(send: Send, answer: Answer) -> None:
    status, headers, body = answer
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
