"""Limits of connections: bytes and time of a request's head, and how many for each address.

uvicorn has none: one connection could send 200 MB of headers, and a thousand silent ones used up
every descriptor, the backup's too.
"""

import asyncio
import logging
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

logger = logging.getLogger(__name__)

OPEN_FILES_WANTED = 65_536
LARGEST_HEAD_BYTES = 32 * 1024
HEAD_SECONDS = 15.0
# A phone has a stream and six more. Behind a router a whole hall may share an address.
MOST_OF_AN_ADDRESS = 512
# Share of the process's open files. The database and backups use the rest.
OF_ALL = 7 / 8
LONGEST_ADDRESS = 64  # characters, with the interface's name
ONE_SUBSCRIBER = 64  # bits of an IPv6 address shared by one connection to the internet
# Bits of an IPv6 network that one sender may have, and how many limits it has then.
WIDER = ((56, 4), (48, 16))
TOO_LARGE_HEAD = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


def proxies() -> list[str]:
    """Return the proxies of KRRU_PROXIES and this machine's addresses."""
    named = os.environ.get("KRRU_PROXIES", "")
    return ["127.0.0.1", "::1", *(part.strip() for part in named.split(",") if part.strip())]


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an IP address; None if it is none."""
    return _address_in(text) if len(text) <= LONGEST_ADDRESS else None


# A few addresses repeat: behind a proxy it is always the same.
@lru_cache(maxsize=1024)
def _address_in(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_counted(address: str) -> bool:
    """Tell whether an address has a limit of connections. This machine and proxies have none.

    >>> is_counted("192.168.0.17"), is_counted("127.0.0.1"), is_counted("")
    (True, False, False)
    """
    return (
        address_in(address.partition("%")[0]) is not None and subscriber(address) not in proxies()
    )


def open_files() -> int:
    """Raise the limit of open files, one for each connection, and return it."""
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return 8192
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return 1 << 20
    wanted = OPEN_FILES_WANTED if hard == resource.RLIM_INFINITY else min(OPEN_FILES_WANTED, hard)
    if soft < wanted:
        soft = wanted
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft < 4096:
        logger.warning(
            "Das System erlaubt nur %d offene Dateien, also etwa so viele Bildschirme.", soft
        )
    return soft


def subscriber(address: str) -> str:
    """Return the key of one sender: its address, or the network of its IPv6 connection.

    >>> subscriber("192.168.0.17"), subscriber("2a02:8388:1:2:3:4:5:6"), subscriber("fe80::1%eth0")
    ('192.168.0.17', '2a02:8388:1:2::/64', 'fe80::1')
    """
    found = address_in(address.partition("%")[0])
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return str(found.ipv4_mapped)
    if isinstance(found, IPv6Address) and found.is_global:
        return str(ip_network((found, ONE_SUBSCRIBER), strict=False))
    return str(found or address)


def networks(address: str) -> list[tuple[str, int]]:
    """Return a sender's address, and of IPv6 its networks, with how many limits each has.

    >>> networks("192.168.0.17")
    [('192.168.0.17', 1)]
    >>> networks("2a02:8388:1:2:3:4:5:6")
    [('2a02:8388:1:2::/64', 1), ('2a02:8388:1::/56', 4), ('2a02:8388:1::/48', 16)]
    """
    name = subscriber(address)
    wider = WIDER if name.endswith(f"/{ONE_SUBSCRIBER}") else ()
    return [(name, 1), *((str(ip_network(name).supernet(new_prefix=n)), m) for n, m in wider)]


class OpenOf:
    """Count the open streams or connections of each address."""

    def __init__(self) -> None:
        self.most, self.open = MOST_OF_AN_ADDRESS, Counter[str]()

    @contextmanager
    def one_more(self, address: str) -> Iterator[bool]:
        """Count one more while it lasts; tell whether it is within the limit."""
        name = subscriber(address) if is_counted(address) else ""
        self.open[name] += 1
        try:
            yield not name or self.open[name] <= self.most
        finally:
            self.open[name] -= 1
            if not self.open[name]:
                del self.open[name]


open_connections = OpenOf()


class BoundedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with these limits."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._head_bytes, self._patience = 0, self._begin_patience()
        self._counted = ExitStack()
        address = self.client[0] if self.client else ""
        if not self._counted.enter_context(open_connections.one_more(address)):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_patience()
        self._counted.close()
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
