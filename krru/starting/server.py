"""The web server process and its end. Importing this builds the whole application."""

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from types import FrameType

import uvicorn

from krru import asgi
from krru.web import connections
from krru.web.certificates import Certificate
from krru.web.network import BACKLOG

SHUTDOWN_SECONDS = 2


class Server(uvicorn.Server):
    """uvicorn that tells a service manager when it answers, and in the end closes streams first.

    Waiting for open streams would take all the time allowed.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tell_service_manager("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        asgi.close_streams()
        await super().shutdown(sockets)


def tell_service_manager(state: str) -> None:
    """Tell systemd a state (`man sd_notify`); where there is none nobody is told."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # A name that begins with @ is one of Linux's abstract names, whose first byte is zero.
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(state.encode(), address)


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Turn SIGTERM into the same orderly end as Ctrl-C."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run(sock: socket.socket, own: Certificate | None = None) -> None:
    """Serve until told to stop, with a certificate on https."""
    config = uvicorn.Config(
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
        **connections.options(),
    )
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        Server(config).run(sockets=[sock])
