"""Tables of a test database, made from the models instead of by every migration there was.

Migrations take ten seconds and more for each database and each worker. That they come to the same
tables is shown once, by `tests/infra/test_releases.py`.
"""

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

MIGRATE = migrate.Command


def note_as_migrated() -> None:
    """Note in the new database that every migration is done, and let migrations be found again.

    pytest-django has hidden them while it made the tables.
    """
    settings.MIGRATION_MODULES = {}
    migrate.Command = MIGRATE
    recorder = MigrationRecorder(connection)
    recorder.ensure_schema()
    known = MigrationLoader(connection).disk_migrations
    for app, name in {*known, *(key for one in known.values() for key in one.replaces)}:
        recorder.record_applied(app, name)
