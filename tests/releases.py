"""Data folders that earlier programs left, as `fixtures/releases` keeps them."""

import lzma
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from krru.data.folder import BASE_DIR, DATABASE_FILE, SECRET_FILE
from tests.warm import Laptop

FOLDER = BASE_DIR / "fixtures" / "releases"


def folder_of(release: str, folder: Path) -> Laptop:
    """Make the data folder of an earlier program, for the present one to start on."""
    folder.mkdir(mode=0o700)
    shutil.copy(FOLDER / "secret.txt", folder / SECRET_FILE)
    with closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        database.executescript(lzma.decompress(stored(release).read_bytes()).decode())
    return Laptop(folder)


def stored(release: str) -> Path:
    return FOLDER / f"{release}.sql.xz"


def asked(server: Laptop, statement: str) -> list[tuple[object, ...]]:
    """Return what a question to the database of a folder finds."""
    with closing(sqlite3.connect(server.folder / DATABASE_FILE)) as database:
        return database.execute(statement).fetchall()
