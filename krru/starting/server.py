"""The web server process from start to end. The import builds the whole application."""

import asyncio
import contextlib
import gc
import signal
import socket
from collections.abc import Iterator
from types import FrameType

import uvicorn

from clock.realtime import hub
from krru import asgi
from krru.starting.watchdog import tell_service_manager, watched
from krru.web import connections
from krru.web.certificates import Certificate
from krru.web.served import BACKLOG

SHUTDOWN_SECONDS = 2


class Server(uvicorn.Server):
    """uvicorn that reports to a service manager, and closes streams first on shutdown.

    Otherwise it would wait for the open streams until the time-out.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tell_service_manager("READY=1")
            self.watch = asyncio.create_task(watched())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        hub.close()
        await super().shutdown(sockets)


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """End on SIGTERM as on Ctrl-C."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def configured(own: Certificate | None = None) -> uvicorn.Config:
    """Return the server's options."""
    return uvicorn.Config(
        asgi.application,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        timeout_keep_alive=30,
        backlog=BACKLOG,
        ssl_certfile=own.certificate if own else None,
        ssl_keyfile=own.key if own else None,
        http=connections.BoundedProtocol,
        forwarded_allow_ips=connections.proxies(),
        limit_concurrency=int(connections.open_files() * connections.OF_ALL),
    )


def run(sock: socket.socket, own: Certificate | None = None) -> None:
    """Serve until stopped; on https with a certificate."""
    # Loaded objects stay. Measured: each search for garbage among them stops all threads 0.15 s.
    gc.freeze()
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        Server(configured(own)).run(sockets=[sock])
