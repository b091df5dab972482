"""Requests to other computers: bounded in time and size, and none into a network of one's own.

The name is looked up once, and the connection goes to the address that was checked. Redirections
are not followed.
"""

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

CONNECT_SECONDS = 5.0
MOST_BYTES = 256 * 1024
# Addresses of IPv6 that lead to one of IPv4, and all others of the internet.
_NAT64, _UNICAST = map(ipaddress.ip_network, ("64:ff9b::/96", "2000::/3"))
# Of a provider's own services. Older versions of Python take some for addresses of the internet.
_OF_PROVIDERS = ipaddress.ip_network("192.0.0.0/24")


class Unreachable(Exception):
    """There is no answer; the text says why."""


class Forbidden(Unreachable):
    """The address lies in a network of one's own, or is none of the web."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    body: bytes
    retry_after: int = 0


def is_public(address: str) -> bool:
    """Tell whether an IP address is on the internet.

    >>> inside = ("127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "fe80::1", "fec0::1",
    ...     "::10.0.0.1", "64:ff9b:1::a00:1", "192.0.0.192")
    >>> is_public("93.184.216.34"), [one for one in inside if is_public(one)]
    (True, [])
    """
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
        return found.is_global and found in _UNICAST
    return found.is_global and not found.is_multicast and found not in _OF_PROVIDERS


def is_allowed(host: str) -> bool:
    """Tell whether the operator allows a host in a network of one's own, also without TLS."""
    return host.lower() in settings.OUTGOING_HOSTS


def parts_of(url: str, *, is_trusted: bool = False) -> SplitResult:
    """Return the parts of an address of the web.

    :raises Forbidden: It is none, or one without TLS.
    """
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        host = ""
    if not host or parts.username or " " in url or not url.isprintable():
        raise Forbidden("no address")
    if parts.scheme != "https" and not (
        parts.scheme == "http" and (is_trusted or is_allowed(host))
    ):
        raise Forbidden("no https")
    return parts


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


class _Connection(http.client.HTTPConnection):
    """A connection to the checked address of a name."""

    def __init__(self, parts: SplitResult, *, is_trusted: bool) -> None:
        self.is_tls = parts.scheme == "https"
        port = parts.port or (443 if self.is_tls else 80)
        super().__init__(parts.hostname or "", port, timeout=CONNECT_SECONDS)
        self.is_trusted = is_trusted or is_allowed(self.host)

    def connect(self) -> None:
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        addresses = [str(one[4][0]) for one in found]
        if not self.is_trusted and not all(map(is_public, addresses)):
            raise Forbidden("private address")
        self.sock = socket.create_connection((addresses[0], self.port), CONNECT_SECONDS)
        # Head and body are sent apart: the second would wait for the answer to the first.
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.is_tls:
            self.sock = _tls().wrap_socket(self.sock, server_hostname=self.host)


# Open connections that wait for the next request, by origin.
_idle: dict[tuple[str, str, bool], list[_Connection]] = {}
_lock = threading.Lock()


def close_idle() -> None:
    """Close the connections that were kept for further requests."""
    with _lock:
        lines = [line for lines in _idle.values() for line in lines]
        _idle.clear()
    for line in lines:
        line.close()


def ask(
    method: str,
    url: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    seconds: float = 10.0,
    is_trusted: bool = False,
    keeps: bool = False,
) -> Answer:
    """Send one request and return the answer, whatever its status.

    :param is_trusted: The operator chose the address.
    :param keeps: Whether the connection stays open for further requests, until `close_idle`.
    :raises Unreachable: Without an answer in `seconds`.
    """
    parts = parts_of(url, is_trusted=is_trusted)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    origin = (parts.scheme, parts.netloc, is_trusted)
    with _lock:
        idle = _idle.get(origin)
        known = idle.pop() if idle else None
    fresh = _Connection(parts, is_trusted=is_trusted)
    problem: Exception | None = None
    for line in [fresh] if known is None else [known, fresh]:
        try:
            found = _once(line, seconds, method, target, body, headers or {})
        except (ConnectionError, http.client.BadStatusLine) as error:
            # The other side may have closed a kept connection meanwhile.
            problem = error
            line.close()
        except (OSError, ValueError, http.client.HTTPException) as error:
            line.close()
            raise Unreachable(str(error) or type(error).__name__) from error
        else:
            if not keeps:
                line.close()
                return found
            with _lock:
                _idle.setdefault(origin, []).append(line)
            return found
    raise Unreachable(str(problem) or type(problem).__name__) from problem


def _once(line: _Connection, seconds: float, *request: Any) -> Answer:
    """Send a request on a connection. A timer ends one that is fed drop by drop."""
    if line.sock is None:
        line.connect()
    sock = line.sock
    assert sock is not None
    sock.settimeout(seconds)

    def end() -> None:
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        line.request(*request)
        response = line.getresponse()
        found = response.read(MOST_BYTES)
        if not response.isclosed():
            line.close()
        after = response.getheader("Retry-After", "")
    finally:
        timer.cancel()
    return Answer(response.status, found, int(after) if after.isdecimal() else 0)
