"""Periodic work of the program itself."""

from clock.servertime import server_time
from krru import backups
from krru.background import updates
from krru.celery import app


@app.task
def backup() -> None:
    """Back up to the chosen folders if anything changed since the last backup."""
    backups.backup_all(reason="minute")


@app.task
def updates_due() -> None:
    """Look for a newer release, if that is wanted and due."""
    updates.check(server_time.now())
