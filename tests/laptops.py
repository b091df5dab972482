"""Data folders as a laptop has them before an evening, made once for all tests of a process."""

import atexit
import functools
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from clock.speech import FOLDER
from krru.data.folder import SECRET_FILE
from krru.devtools.serving import ServerProcess
from tests.warm import Laptop


def laptop_with_tables(folder: Path, env: Mapping[str, str] | None = None) -> ServerProcess:
    """Return a laptop whose database has its tables, and nothing in them."""
    return _with(_migrated(), folder, env)


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
    return Laptop(folder, env, *arguments)


def director_link(server: ServerProcess, base: str) -> str:
    """Return the link on the console of a started server, which signs one device in."""
    found = re.findall(r"dieser Link gilt ein Mal.*\n +https?://[^/]+(/\S+)", server.log)
    return base + found[-1]


def has_spoken(server: ServerProcess) -> ServerProcess:
    """Give a laptop what others have spoken: a schedule has seventy texts, a process for each."""
    (server.folder / FOLDER).symlink_to(_spoken())
    return server


@functools.cache
def _spoken() -> Path:
    return _own_folder()


@functools.cache
def _migrated() -> Path:
    folder = _own_folder()
    Laptop(folder).manage("migrate", "--verbosity", "0")
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
