"""The socket to listen on, and the address people in the hall reach this machine under."""

import contextlib
import errno
import socket
import sys

# As many as Linux takes: when one of two processes ends, its thousands of phones come to the other.
BACKLOG = 4096
# A screen whose plug was pulled says no goodbye. Unanswered keep-alives end its stream after this.
UNANSWERED_MS = 25_000


HIGHEST_PORT = 65535
# The ports below belong to the system.
FIRST_FREE_PORT = 1024


class PortTaken(Exception):
    """Something else listens on the wanted port."""


class NotOurs(Exception):
    """The wanted address is none of this machine."""


def listening_socket(host: str, port: int, *, at_once: bool = True) -> socket.socket:
    """Return a bound socket. One that does not listen at once refuses until the server runs.

    :raises NotOurs: this machine does not have the address.
    :raises PortTaken: the port is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol is named because asyncio sends small answers at once (TCP_NODELAY) only then;
    # else each would wait some 40 ms for the other side's acknowledgement.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        # There the option means something else: to share a port with somebody who uses it.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        # The connections inherit it. Elsewhere the system decides, in minutes.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)
    try:
        sock.bind((host, port))
        if at_once:
            sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        is_strange = error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror)
        raise NotOurs(host) if is_strange else PortTaken(str(error)) from None
    return sock


def lan_address() -> str | None:
    """Return this machine's address in the local network, or None without one. Sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Choosing a route is enough; an address of the documentation range is never reached.
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not address.startswith("127."):
            return address
    with contextlib.suppress(OSError):
        address = socket.gethostbyname(socket.gethostname())
        if not address.startswith("127."):
            return address
    return None
