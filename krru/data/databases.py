"""What the settings name: SQLite in the data folder or a database server, and Redis."""

import json
import os
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from krru.data.folder import DATABASE_FILE

# synchronous=FULL: an acknowledged action survives a power cut. IMMEDIATE: two writers queue up
# instead of failing with "database is locked". Deleted data are overwritten.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
}


# A server that is away or frozen costs seconds, not minutes. Waiting for a lock ends before the
# visitor gives up. Migrations and backups have no limit (`krru.starting.prepare`). Statements are
# prepared from the third use on: measured, a change takes a third less.
SERVER_OPTIONS: dict[str, Any] = {
    "connect_timeout": 5,
    "server_side_binding": True,
    "prepare_threshold": 3,
    "tcp_user_timeout": 10_000,
    "keepalives_idle": 10,
    "keepalives_interval": 3,
    "keepalives_count": 3,
    "options": "-c statement_timeout=15s -c lock_timeout=10s "
    "-c idle_in_transaction_session_timeout=60s",
}


def name_of_process() -> str:
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return f"krru {command} {os.getpid()}".replace("  ", " ")


def database_of(url: str | None, folder: Path) -> dict[str, Any]:
    """Return Django's settings for the database of a URL, else for SQLite.

    :raises ImproperlyConfigured: It names none.
    """
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": folder / DATABASE_FILE,
            "CONN_MAX_AGE": None,
            "OPTIONS": SQLITE_OPTIONS,
        }
    try:
        found = dj_database_url.parse(url, conn_max_age=None, conn_health_checks=True)
    except ValueError:
        found = {}
    is_known = found.get("ENGINE", "").endswith(("postgresql", "sqlite3"))
    if not found.get("NAME") or not is_known:
        # Not the URL itself: it holds the password.
        raise ImproperlyConfigured(
            "DATABASE_URL ist keine Adresse wie postgres://name:passwort@rechner:5432/datenbank."
        )
    if "postgresql" in found["ENGINE"]:
        own = {**SERVER_OPTIONS, "application_name": name_of_process()}
        return {**found, "OPTIONS": {**own, **found.get("OPTIONS", {})}}
    return dict(found)


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
