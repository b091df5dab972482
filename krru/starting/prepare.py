"""Prepare tables and static files before serving, only when needed."""

import contextlib
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.commands.migrate import Command as CoreMigrate
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model
from filelock import FileLock

from krru import __version__, backups
from krru.backups.status import STATUS_FILE
from krru.data.folder import Trouble
from krru.data.releases import Standing, standing
from krru.observing.alive import ALIVE_FILE
from krru.starting import troubles
from krru.web import bundles

PREPARE_LOCK = "prepare.lock"
ADVISORY_LOCK = 0x6B727275  # "krru" in ASCII, as a lock of a PostgreSQL server
STATIC_STAMP = ".stamp"


def migrations_due() -> list[Any]:
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def check_database() -> None:
    """Check that this program may serve the database.

    :raises Trouble: it is damaged, gone where one was, of a newer program, or older than 0.2.0.
    """
    if connection.vendor == "sqlite":
        _check_file(Path(connection.settings_dict["NAME"]))
    match standing(MigrationRecorder(connection).applied_migrations()):
        case Standing.NEWER:
            raise Trouble(troubles.too_new(__version__))
        case Standing.OF_0_1_0:
            raise Trouble(troubles.of_0_1_0())
        case Standing.BETWEEN:
            raise Trouble(troubles.between_releases())


def _check_file(path: Path) -> None:
    """Check SQLite's file before Django does: Django would create a missing one."""
    is_empty = not path.exists() or path.stat().st_size == 0
    # A server ran or a backup was made in this folder.
    was_used = any((path.parent / name).exists() for name in (ALIVE_FILE, STATUS_FILE))
    if is_empty and (path.exists() or was_used):
        raise Trouble(troubles.emptied(path))
    if is_empty:
        return
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as database:
            found = database.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.DatabaseError as error:
        found = str(error)
        if not any(part in found for part in troubles.DAMAGED):
            raise DatabaseError(found) from error
    if found != "ok":
        raise Trouble(troubles.damaged(path))


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Let only one process make the tables and load the presets; others wait."""
    with FileLock(Path(settings.KRRU_DATA) / PREPARE_LOCK, is_singleton=True):
        if connection.vendor != "postgresql":
            yield
            return
        # Several machines may share the database. The lock ends with its connection.
        connection.ensure_connection()
        with connection.cursor() as cursor:
            # No time-outs while waiting for another process or changing tables.
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s)", [ADVISORY_LOCK])
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [ADVISORY_LOCK])
                cursor.execute("RESET statement_timeout")
                cursor.execute("RESET lock_timeout")


def prepare_database(tell: Callable[[str], object]) -> bool:
    """Migrate the tables, after a backup if they hold data. Return True if it was needed.

    :param tell: What takes the sentence that is due before tables with data change.
    :raises Trouble: the database is damaged, of a newer program, or cannot be backed up.
    """
    with one_at_a_time():
        check_database()
        due = len(migrations_due())
        if not due:
            return False
        if connection.introspection.table_names():
            tell(_upgrade_of(due, backups.backup_before_upgrade()))
            call_command(CoreMigrate(), interactive=False, verbosity=0)
        else:
            make_tables()
    return True


def make_tables() -> None:
    """Create the tables of an empty database from the models, and mark all migrations applied.

    The migrations lead to the same tables, far more slowly (`tests/infra/test_releases.py`).
    """
    recorder = MigrationRecorder(connection)
    known = MigrationExecutor(connection).loader.disk_migrations
    done = set(known).union(*(migration.replaces for migration in known.values()))
    models: list[type[Model]] = [*apps.get_models(include_auto_created=True), recorder.Migration]
    # One transaction: after a power cut the database is empty again.
    with connection.schema_editor() as editor:
        for model in models:
            editor.create_model(model)
        recorder.Migration.objects.using(connection.alias).bulk_create(
            recorder.Migration(app=app, name=name) for app, name in sorted(done)
        )


def _upgrade_of(steps: int, kept: Path | None) -> str:
    """Return the message before an upgrade, which must not be interrupted."""
    return (
        f"Die Tabellen werden umgestellt ({steps} {'Schritt' if steps == 1 else 'Schritte'}), "
        + (f"gesichert ist unter {kept}. " if kept else "ohne Sicherung (KRRU_OWN_BACKUP). ")
        + "Das dauert Sekunden, bei vielen Abenden Minuten: dieses Fenster offen lassen."
    )


def prepare_static() -> bool:
    """Collect the static files under hashed names if any changed. Return True if so."""
    if settings.DEBUG:
        return False
    root = Path(settings.STATIC_ROOT)
    wanted, stamp = _static_state(), root / STATIC_STAMP
    # Check without the lock first: the program's folder may be read-only and collected before.
    if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
        return False
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(root / ".lock"):
        if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
            return False
        stamp.unlink(missing_ok=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(wanted, encoding="ascii")
    return True


def _static_state() -> str:
    # The bundling code also affects the result.
    digest = hashlib.sha256(Path(bundles.__file__).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            file = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{file.st_size}\0{file.st_mtime_ns}\0".encode())
    return digest.hexdigest()
