"""What must be ready before serving: tables and static files. Works only when needed."""

import hashlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command, get_commands
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from filelock import FileLock

from krru import backups, statics

STATIC_STAMP = ".stamp"


def migrations_due() -> list[Any]:
    """Return the migrations not yet applied."""
    executor = MigrationExecutor(connection)
    return executor.migration_plan(executor.loader.graph.leaf_nodes())


def prepare_database() -> bool:
    """Bring the tables up to date, after a backup if there is anything to lose; tell if needed."""
    if not migrations_due():
        return False
    if connection.introspection.table_names():
        backups.backup_before_upgrade()
    call_command("migrate", interactive=False, verbosity=0)
    return True


def load_house() -> None:
    """Load the presets, and on an empty data folder the sample evening."""
    if "loadhouse" in get_commands():
        call_command("loadhouse", verbosity=0)


def settle_in() -> None:
    """Make anew what does not open on this machine, after the data came from another one."""
    if "settlein" in get_commands():
        # One of several servers with another secret must not undo what the others have.
        call_command("settlein", look=not settings.EMBEDDED)


def prepare_static() -> bool:
    """Collect the static files under names that carry their content, if any changed; tell if so."""
    if settings.DEBUG:
        return False
    root = Path(settings.STATIC_ROOT)
    root.mkdir(parents=True, exist_ok=True)
    with FileLock(root / ".lock"):
        wanted = _static_state()
        stamp = root / STATIC_STAMP
        if stamp.exists() and stamp.read_text(encoding="ascii") == wanted:
            return False
        stamp.unlink(missing_ok=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(wanted, encoding="ascii")
    return True


def _static_state() -> str:
    # How files are slimmed is part of what comes out.
    digest = hashlib.sha256(Path(statics.__file__).read_bytes())
    for finder in get_finders():
        for name, storage in finder.list([]):
            file = Path(storage.path(name)).stat()
            digest.update(f"{name}\0{file.st_size}\0{file.st_mtime_ns}\0".encode())
    return digest.hexdigest()
