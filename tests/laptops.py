"""Data folders as a laptop has them before an evening, made once for all tests of a process."""

import atexit
import functools
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from krru.datafolder import SECRET_FILE
from krru.devtools.serving import ServerProcess


def laptop_with_tables(folder: Path) -> ServerProcess:
    """Return a laptop whose database has its tables, and nothing in them."""
    return _with(_migrated(), folder)


def laptop_served_once(
    folder: Path, env: Mapping[str, str] | None = None, *arguments: str
) -> ServerProcess:
    """Return a laptop that served before: the presets are there, and the sample evening."""
    return _with(_served(), folder, env, *arguments)


def _with(
    database: Path, folder: Path, env: Mapping[str, str] | None = None, *arguments: str
) -> ServerProcess:
    folder.mkdir(mode=0o700)
    for name in (database.name, SECRET_FILE):
        shutil.copy(database.parent / name, folder)
    return ServerProcess(folder, env, *arguments)


@functools.cache
def _migrated() -> Path:
    folder = _own_folder()
    ServerProcess(folder).manage("migrate", "--verbosity", "0")
    return folder / "krru.sqlite3"


@functools.cache
def _served() -> Path:
    folder = _own_folder()
    with ServerProcess(folder):
        pass
    return folder / "krru.sqlite3"


def _own_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="krru-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
