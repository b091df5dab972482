"""The database that the settings name: SQLite in the data folder, or a server."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from krru.data.folder import DATABASE_FILE

# synchronous=FULL: an acknowledged action survives the power cut too. IMMEDIATE: two writers queue
# up instead of failing with "database is locked" half way. What is erased is written over.
SQLITE_OPTIONS: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 10,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
}


# A server that is away or frozen costs seconds, not minutes; what waits for a lock ends before the
# visitor does. Migrations and backups take the time they need (`krru.starting.prepare`). Statements
# are kept prepared from the third time on: measured, a change takes a third less.
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
    """Return what a process is called among the connections of a server."""
    command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
    return f"krru {command} {os.getpid()}".replace("  ", " ")


def database_of(url: str | None, folder: Path) -> dict[str, Any]:
    """Return Django's settings for the database that an address names, else for SQLite.

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
        # Not the address itself: it holds the password.
        raise ImproperlyConfigured(
            "DATABASE_URL ist keine Adresse wie postgres://name:passwort@rechner:5432/datenbank."
        )
    if "postgresql" in found["ENGINE"]:
        own = {**SERVER_OPTIONS, "application_name": name_of_process()}
        return {**found, "OPTIONS": {**own, **found.get("OPTIONS", {})}}
    return dict(found)
