"""Where the server listens, and its address in the hall, for its processes and other commands.

Its own processes read the address from the environment, others from a file in the data folder.
"""

import contextlib
import errno
import os
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from krru.data.folder import Trouble

FILE = "server.address"
ANYWHERE = "0.0.0.0"  # noqa: S104 - phones in the hall are the point
DEFAULT_PORT = 8000
HIGHEST_PORT = 65535
# Lower ports belong to the system.
FIRST_FREE_PORT = 1024
# The most Linux takes: when one of two processes ends, its thousands of phones come to the other.
BACKLOG = 4096
# An unplugged screen does not close its stream. Unanswered keep-alives close it after this.
UNANSWERED_MS = 25_000


def listening_socket(host: str, port: int, *, at_once: bool = True) -> socket.socket:
    """Return a bound socket. Without `at_once` it refuses connections until the server listens.

    :raises Trouble: The port is none or in use, or this machine does not have the address.
    """
    if not 0 <= port <= HIGHEST_PORT:
        raise Trouble(
            f"Einen Port {port} gibt es nicht. Mit --port einen von 1024 bis "
            f"{HIGHEST_PORT} wählen, zum Beispiel --port {DEFAULT_PORT}."
        )
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
        raise _not_listening(host, port, error) from None
    return sock


def _not_listening(host: str, port: int, error: OSError) -> Trouble:
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return Trouble(
            f"Die Adresse {host} hat dieser Rechner nicht. Mit --host eine eigene wählen; "
            "ohne --host gelten alle, die er hat."
        )
    free = port + 1 if port >= FIRST_FREE_PORT else DEFAULT_PORT
    return Trouble(
        f"Port {port} auf {host} ist nicht frei ({error}). "
        f"Mit --port einen anderen wählen, zum Beispiel --port {free}."
    )


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


def is_only_here(host: str) -> bool:
    return host.startswith("127.") or host in {"localhost", "::1"}


@dataclass(frozen=True, slots=True)
class Served:
    """How a server listens: http or https, one address or all."""

    scheme: str = "http"
    host: str = ANYWHERE
    port: int = DEFAULT_PORT

    @property
    def here(self) -> str:
        """Return the base of its links on this machine.

        >>> Served(port=8001).here, Served("https", "::1").here
        ('http://127.0.0.1:8001', 'https://[::1]:8000')
        """
        own = {ANYWHERE: "127.0.0.1", "::": "::1"}
        return self._at(own.get(self.host, self.host))

    @property
    def hall_host(self) -> str | None:
        """Return its address for other devices; None if they cannot reach it."""
        if self.host in {ANYWHERE, "::"}:
            return lan_address()
        return None if is_only_here(self.host) else self.host

    @property
    def hall(self) -> str | None:
        """Return the base of its links on other devices; None if they cannot reach it."""
        host = self.hall_host
        return self._at(host) if host else None

    def _at(self, host: str) -> str:
        return f"{self.scheme}://{in_address(host)}:{self.port}"


def in_address(host: str) -> str:
    """Return a host as written in a URL.

    >>> in_address("10.9.9.9"), in_address("fd00::7")
    ('10.9.9.9', '[fd00::7]')
    """
    return f"[{host}]" if ":" in host else host


def served() -> Served:
    """Return how this process's own server listens."""
    return Served(
        os.environ.get("KRRU_SCHEME") or "http",
        os.environ.get("KRRU_HOST") or ANYWHERE,
        int(os.environ.get("KRRU_PORT") or DEFAULT_PORT),
    )


class Moves:
    """Notice that this machine has another address in the hall: it came into another network."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._hall, self._tell = served().hall, tell

    def look(self) -> None:
        """Tell the new address, if there is a network."""
        hall = served().hall
        if hall not in {None, self._hall}:
            self._hall = hall
            self._tell(hall)


@contextlib.contextmanager
def telling(address: Served) -> Iterator[None]:
    """Publish the address to the server's processes and other commands while it runs."""
    os.environ |= {
        "KRRU_SCHEME": address.scheme,
        "KRRU_HOST": address.host,
        "KRRU_PORT": str(address.port),
    }
    path: Path = settings.KRRU_DATA / FILE
    text = f"{address.scheme} {address.host} {address.port}\n"
    path.write_text(text, encoding="ascii")
    try:
        yield
    finally:
        # With Redis another server may have written the file.
        with contextlib.suppress(OSError):
            if path.read_text(encoding="ascii") == text:
                path.unlink()


def running() -> Served:
    """Return how the server on this data folder listens, else the default address."""
    try:
        scheme, host, port = (settings.KRRU_DATA / FILE).read_text(encoding="ascii").split()
        return Served(scheme, host, int(port))
    except (OSError, ValueError):
        return Served()
