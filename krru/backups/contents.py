"""Read the database of a backup without restoring it."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from krru.backups import database, sealed
from krru.backups.archive import Broken


@contextlib.contextmanager
def database_of(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a backup read-only. Unseal it with the key of this machine.

    :raises Broken: The backup is damaged, or of a kind that cannot be read so.
    """
    with tempfile.TemporaryDirectory(prefix="backup-", dir=settings.KRRU_DATA) as name:
        manifest = sealed.unpack(path, Path(name))
        if manifest.database != "sqlite":
            raise Broken(f"{path.name} ist aus {manifest.database} und lässt sich so nicht lesen.")
        copy = Path(name) / database.FILE_NAMES["sqlite"]
        with contextlib.closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as opened:
            yield opened
