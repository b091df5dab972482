"""Periodic work of the program itself."""

from krru import backups
from krru.celery import app


@app.task
def backup() -> None:
    """Back up to the chosen folders if anything changed since the last backup."""
    backups.backup_all(reason="minute")
