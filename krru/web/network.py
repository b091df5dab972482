"""The socket to listen on, and this machine's address in the hall."""

import contextlib
import errno
import socket
import sys

# The most Linux takes: when one of two processes ends, its thousands of phones come to the other.
BACKLOG = 4096
# An unplugged screen does not close its stream. Unanswered keep-alives close it after this.
UNANSWERED_MS = 25_000


HIGHEST_PORT = 65535
# Lower ports belong to the system.
FIRST_FREE_PORT = 1024


class PortTaken(Exception):
    """Another program listens on the port."""


class NotOurs(Exception):
    """The address does not belong to this machine."""


def listening_socket(host: str, port: int, *, at_once: bool = True) -> socket.socket:
    """Return a bound socket. Without `at_once` it refuses connections until the server listens.

    :raises NotOurs: this machine does not have the address.
    :raises PortTaken: the port is in use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With this protocol asyncio sends small answers at once (TCP_NODELAY). Otherwise each waits
    # about 40 ms for an acknowledgement.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        # On Windows this option would share a port already in use.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform == "linux":
        # Inherited by connections. Elsewhere the system decides, in minutes.
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
    """Return this machine's address in the local network; None without one. Sends no packet."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Only choose a route: this documentation address is never reached.
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        if not address.startswith("127."):
            return address
    with contextlib.suppress(OSError):
        address = socket.gethostbyname(socket.gethostname())
        if not address.startswith("127."):
            return address
    return None
