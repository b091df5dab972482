"""The server's connections, with bounds: bytes and time for a request's head, how many an address.

uvicorn has none of them: one connection could send 200 MB of headers, and a thousand that never
say a word used up every descriptor, the backup's too.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from ipaddress import ip_address
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LARGEST_HEAD_BYTES = 32 * 1024
HEAD_SECONDS = 15.0
# A phone has a stream and six more; behind a router a whole hall may share an address.
MOST_OF_AN_ADDRESS = 512
TOO_LARGE_HEAD = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


def proxies() -> list[str]:
    """Return the addresses of proxies that KRRU_PROXIES names; this machine is one anyway."""
    named = (part.strip() for part in os.environ.get("KRRU_PROXIES", "").split(","))
    return ["127.0.0.1", "::1", *(part for part in named if part)]


def is_counted(address: str) -> bool:
    """Tell whether an address may hold so many connections only.

    >>> is_counted("192.168.0.17"), is_counted("127.0.0.1"), is_counted("")
    (True, False, False)
    """
    try:
        return not ip_address(address).is_loopback and address not in proxies()
    except ValueError:
        return False


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's, with these bounds."""

    open: ClassVar[Counter[str]] = Counter()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head_bytes, self._patience = 0, self._begin_patience()
        self._address = self.client[0] if self.client else ""
        self._is_counted = is_counted(self._address)
        if self._is_counted:
            self.open[self._address] += 1
            if self.open[self._address] > MOST_OF_AN_ADDRESS:
                transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_patience()
        if self._is_counted:
            self.open[self._address] -= 1
            if not self.open[self._address]:
                del self.open[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._patience is None:
            return
        self._head_bytes += len(data)
        if self._head_bytes > LARGEST_HEAD_BYTES and not self.transport.is_closing():
            self.transport.write(TOO_LARGE_HEAD)
            self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0
        if self._patience is None:
            self._patience = self._begin_patience()

    def on_headers_complete(self) -> None:
        self._end_patience()
        super().on_headers_complete()

    def _begin_patience(self) -> asyncio.TimerHandle | None:
        return self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _end_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if not self.transport.is_closing():
            self.transport.abort()


def options() -> dict[str, Any]:
    """Return what the server is told of connections."""
    return {"http": BoundedProtocol, "forwarded_allow_ips": proxies()}
