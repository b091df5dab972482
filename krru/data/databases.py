"""The database that the settings name: SQLite in the data folder, or a server."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

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
    """Return the name of this process for the database server's connections."""
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
