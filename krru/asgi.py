"""The ASGI application: streams as plain ASGI, all other pages as Django in threads.

A Django view would cost a thread for each open stream.
"""

import logging
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.db import connection
from django.http import parse_cookie

from clock.realtime import hub
from clock.stream import PREFIX
from clock.stream import application as streams
from krru.background import embedded
from krru.background.timewatch import inbox, network, watch
from krru.data.metrics import STREAMS
from krru.observing import health
from krru.observing.requests import Observed
from krru.web.connections import OpenOf
from krru.web.hosts import OwnNames
from krru.web.pages import OVERRUN, Pages, Receive, Scope, Send, answer, plain
from krru.web.served import Moves
from krru.wsgi import application as django_pages  # sets Django up, for what follows
from tournaments.changes import access
from tournaments.public.services import publishing

logger = logging.getLogger(__name__)

# Writers of one event wait for its lock: a second one gets ready meanwhile. Measured: six accept a
# third fewer forms.
WRITERS_ON_POSTGRESQL = 2


def is_known(scope: Scope) -> bool:
    """Tell whether staff sent a request. Asked for large requests only."""
    try:
        return any(access.device_signed_in(token) for token in _tokens(scope))
    finally:
        connection.close()


def _tokens(scope: Scope) -> list[str]:
    found = []
    for name, value in scope["headers"]:
        text = value.decode("latin1")
        if name == b"cookie":
            found.append(parse_cookie(text).get(access.COOKIE, ""))
        elif name == b"authorization":
            found.append(text.removeprefix("Bearer "))
    return found


pages = Pages(
    django_pages,
    writers=1 if connection.vendor == "sqlite" else WRITERS_ON_POSTGRESQL,
    body_limit=settings.UPLOAD_LIMIT_BYTES,
    is_known=is_known,
)


open_streams = OpenOf()


async def parts(scope: Scope, receive: Receive, send: Send) -> None:
    """Route a connection to the lifespan, the streams or the pages."""
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1000})
    elif scope["path"].startswith(PREFIX):
        await stream(scope, receive, send)
    else:
        await pages(scope, receive, send)


application = Observed(OwnNames(parts, settings.NAMED_HOSTS, health.PATHS))


async def stream(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one open stream; of an address only so many, also behind a proxy."""
    with open_streams.one_more((scope.get("client") or ("",))[0]) as is_within:
        if is_within:
            with STREAMS.track_inprogress():
                await streams(scope, receive, send)
        else:
            await answer(send, plain(429, OVERRUN))


async def lifespan(receive: Receive, send: Send) -> None:
    """Answer the server's start and shutdown messages."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            begin()
            await send({"type": "lifespan.startup.complete"})
        else:
            end()
            await send({"type": "lifespan.shutdown.complete"})
            return


def begin() -> None:
    """Start the hub, which asks the database while Redis is away, and embedded the schedule."""
    hub.versions_of = versions_of
    hub.begin()
    watch.start()
    if settings.EMBEDDED:
        from krru.celery import periodic_tasks  # noqa: PLC0415 - imported late to start faster

        embedded.start(periodic_tasks())
        inbox.start()
        network.look = Moves(tell_address).look
        network.start()


def end() -> None:
    """Close the streams, stop the schedule, take no more requests."""
    hub.close()
    watch.stop()
    inbox.stop()
    network.stop()
    embedded.stop()
    pages.close()


def tell_address(hall: str) -> None:
    """Say on the console where the program is now; walls and panels ask anew."""
    logger.warning("Adresse neu: %s", hall)
    hub.ask_all()


def versions_of(topics: Iterable[str]) -> Mapping[str, int]:
    """Return the topics' versions from the database, and close the connection."""
    try:
        return publishing.versions_of(topics)
    finally:
        connection.close()
