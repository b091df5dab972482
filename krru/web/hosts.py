"""Names of this program, and the consequences of a public address.

A page on the internet can point its own name at a laptop in the hall (DNS rebinding); a browser
there would then act for that page. So only this machine's own names and those in the settings are
answered. IP addresses always are: no page can borrow them.
"""

import logging
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from krru.web.connections import address_in, proxies

logger = logging.getLogger(__name__)

# Suffixes that routers and machines append to a machine's name.
LOCAL_SUFFIXES = (
    "local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box", "speedport.ip",
)  # fmt: skip
SECONDS_OF_HSTS = 180 * 24 * 3600
MISDIRECTED = (
    "Unter diesem Namen antwortet KRRU nicht. Am Rechner erlaubt ihn KRRU_HOSTS.\n"
    "KRRU does not answer to this name. KRRU_HOSTS allows it."
)

Asgi = Callable[[Any, Any, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSite:
    """The public address without a path."""

    scheme: str
    host: str
    origin: str

    @property
    def is_https(self) -> bool:
        return self.scheme == "https"


def public_site(text: str | None) -> PublicSite | None:
    """Parse KRRU_PUBLIC_URL; None without one.

    >>> public_site("https://poker.example.org:8443/")
    PublicSite(scheme='https', host='poker.example.org', origin='https://poker.example.org:8443')

    :raises ImproperlyConfigured: It is no such address.
    """
    if not text:
        return None
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path not in {"", "/"}:
        raise ImproperlyConfigured(
            "KRRU_PUBLIC_URL ist keine Adresse wie https://poker.example.org, ohne Pfad dahinter."
        )
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return PublicSite(
        scheme=parts.scheme,
        host=parts.hostname,
        origin=f"{parts.scheme}://{host}{f':{port}' if port else ''}",
    )


@lru_cache(maxsize=1)
def own_names() -> frozenset[str]:
    """Return the names of this machine in a local network."""
    full = socket.gethostname().lower().rstrip(".")
    name = full.split(".")[0]
    return frozenset({"localhost", full, name, *(f"{name}.{end}" for end in LOCAL_SUFFIXES)})


def host_of(header: str) -> str:
    """Return the host of a Host header.

    >>> host_of("Laptop.local.:8000"), host_of("[::1]:8000"), host_of("192.168.1.5")
    ('laptop.local', '::1', '192.168.1.5')
    """
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".")


def is_answered(header: str, named: Iterable[str]) -> bool:
    """Tell whether the program answers to this Host header; `named` are names in the settings.

    >>> is_answered("192.168.1.5:8000", ()), is_answered("evil.example", ())
    (True, False)
    >>> is_answered("poker.example.org", ["poker.example.org"])
    True
    """
    host = host_of(header)
    if not host or host in named or host in own_names():
        return True
    return address_in(host) is not None


class OwnNames:
    """An ASGI application that answers to its own names only."""

    def __init__(self, app: Asgi, named: Sequence[str], exempt: Iterable[str] = ()) -> None:
        self._app, self._named = app, frozenset(name.lower() for name in named)
        self._exempt = frozenset(exempt)
        self._has_warned = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin1") for name, value in scope["headers"]}
        self._look_for_proxy(scope, headers)
        # A health check knows only the address, and its answer is not secret.
        if (
            scope["path"] in self._exempt
            or "*" in self._named
            or is_answered(headers.get(b"host", ""), self._named)
        ):
            await self._app(scope, receive, send)
            return
        body = MISDIRECTED.encode()
        start = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"content-length", str(len(body)).encode()),
        ]
        await send({"type": "http.response.start", "status": 421, "headers": start})
        await send({"type": "http.response.body", "body": body})

    def _look_for_proxy(self, scope: Any, headers: dict[bytes, str]) -> None:
        """Warn once of a proxy missing from the settings: its headers are ignored."""
        said = headers.get(b"x-forwarded-for")
        if said is None or self._has_warned or not scope.get("client"):
            return
        address = scope["client"][0]
        if address in proxies() or address in {part.strip() for part in said.split(",")}:
            return
        found = address_in(address)
        if found is not None and found.is_private:
            self._has_warned = True
            logger.warning(
                "Anfragen kommen über einen Proxy mit der Adresse %s, den KRRU_PROXIES nicht "
                "nennt. Alle Besucher gelten als einer.",
                address,
            )
