"""Redis: check its address, and serialise values for its cache.

Imported by the settings: import no part of Django here that needs them.
"""

from __future__ import annotations

import json
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

SCHEMES = ("redis", "rediss", "unix")


class JsonSerializer:
    """Store JSON in Redis. With Django's pickle, a writer to Redis could run code here."""

    def dumps(self, value: Any) -> Any:
        # Redis counts whole numbers only.
        is_number = isinstance(value, int) and not isinstance(value, bool)
        return value if is_number else json.dumps(value)

    def loads(self, data: bytes) -> Any:
        return json.loads(data)


def redis_url(url: str | None) -> str | None:
    """Return the address of Redis, or None without one.

    >>> redis_url("redis://127.0.0.1:6379/1"), redis_url("")
    ('redis://127.0.0.1:6379/1', None)
    >>> redis_url("redis://:secret@10.0.0.7:6379")
    'redis://:secret@10.0.0.7:6379'

    :raises ImproperlyConfigured: When it is none, or on another machine without a password.
    """
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES:
        raise ImproperlyConfigured("REDIS_URL ist keine Adresse wie redis://127.0.0.1:6379/0.")
    if parts.scheme == "unix" or parts.password or _is_here(parts.hostname or ""):
        return url
    # Not the address itself: it may hold a name.
    raise ImproperlyConfigured(
        "REDIS_URL nennt einen anderen Rechner ohne Passwort. Wer dort schreiben darf, sagt den "
        "Leinwänden, was sie zeigen: bitte redis://:passwort@rechner:6379 und requirepass setzen."
    )


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
