"""Django's pages (WSGI) under an ASGI server, in pools of threads.

Measured: pages through WSGI are about ten times faster than through Django's own ASGI handler, and
many threads fighting for SQLite's one write lock make answers slow, so requests that may write get
one thread there. A large form is parsed by threads that write nothing, and only staff may send a
very large one; a form with a file has threads of its own: a stranger's form holds up nobody. A
thread never waits for the network: the request is read whole before, the answer sent after, so a
phone with bad reception holds up nobody. Nothing is streamed from here.
"""

import asyncio
import contextvars
import io
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from a2wsgi.wsgi import build_environ

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
READERS = 6
# Said before anybody's language is known.
TOO_LARGE = "Die Anfrage ist zu groß. The request is too large."
INCOMPLETE = "Die Anfrage kam nicht vollständig an. The request did not arrive in full."
UNREADABLE = "Die Anfrage ist nicht zu lesen. The request cannot be read."
# Room for the form around an uploaded file.
BODY_SLACK_BYTES = 256 * 1024
BODY_PATIENCE_SECONDS = 30.0
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
    ) -> None:
        self._app = app
        self._is_known, self._parse = is_known, parse
        self._parsers = ThreadPoolExecutor(PARSERS, thread_name_prefix="parse")
        self._body_limit = body_limit + BODY_SLACK_BYTES
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="read")
        self._writers = ThreadPoolExecutor(writers, thread_name_prefix="write")
        self._files = ThreadPoolExecutor(FILE_READERS, thread_name_prefix="file")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        loop = asyncio.get_running_loop()

        async def is_known() -> bool:
            return await loop.run_in_executor(self._parsers, self._is_known, scope)

        try:
            async with asyncio.timeout(BODY_PATIENCE_SECONDS):
                body = await read_body(receive, self._body_limit, is_known)
        except Gone:
            return
        except TooLarge:
            await _send(send, plain(413, TOO_LARGE))
            return
        except TimeoutError:
            await _send(send, plain(408, INCOMPLETE))
            return
        pool = self._pool_of(scope)
        environ = {
            **build_environ(cast(Any, scope), cast(Any, None)),
            "wsgi.input": io.BytesIO(body),
        }
        if len(body) > PARSED_FIRST_BYTES and scope["method"] not in SAFE_METHODS:
            try:
                await loop.run_in_executor(self._parsers, self._parse, environ)
            except Unreadable:
                await _send(send, plain(400, UNREADABLE))
                return
        context = contextvars.copy_context()
        answer = await loop.run_in_executor(pool, context.run, call_wsgi, self._app, environ)
        await _send(send, answer)

    def _pool_of(self, scope: Scope) -> ThreadPoolExecutor:
        if scope["method"] in SAFE_METHODS:
            return self._readers
        types = (value for name, value in scope["headers"] if name == b"content-type")
        is_file = any(value.lower().startswith(MULTIPART) for value in types)
        return self._files if is_file else self._writers

    def close(self) -> None:
        """Take no more requests; those under way are finished."""
        self._parsers.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._writers.shutdown(wait=False, cancel_futures=True)
        self._files.shutdown(wait=False, cancel_futures=True)


def plain(status: int, text: str) -> Answer:
    """Return a short answer in words, for what never reaches Django."""
    body = text.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    return status, headers, body


async def _send(send: Send, answer: Answer) -> None:
    status, headers, body = answer
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
