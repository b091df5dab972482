"""Who is serving from a data folder. The operating system drops these locks when a process dies."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from krru.data.folder import LOCK_FILE

SERVERS = "servers"
LOOK_SECONDS = 2.0
# A file younger than this may be of a server that is just about to hold it.
YOUNG_SECONDS = 60.0


class AlreadyServed(Exception):
    """Another process serves from this data folder."""


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Hold the folder alone, as the embedded mode must.

    :raises AlreadyServed: another process holds it.
    """
    lock = FileLock(folder / LOCK_FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise AlreadyServed from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def one_of_many(folder: Path) -> Iterator[None]:
    """Be known as one of several servers, so that a restore can see that somebody is at work.

    :raises AlreadyServed: another process holds the folder alone.
    """
    try:
        # A restore or a server of the embedded mode holds it; others that look, for an instant.
        FileLock(folder / LOCK_FILE).acquire(timeout=LOOK_SECONDS).lock.release()
    except Timeout:
        raise AlreadyServed from None
    (folder / SERVERS).mkdir(exist_ok=True)
    _sweep(folder / SERVERS)
    # Not the process's number: in containers that share the folder each server is number one.
    path = folder / SERVERS / f"{secrets.token_hex(6)}.lock"
    lock = FileLock(path)
    lock.acquire(timeout=0)
    try:
        yield
    finally:
        lock.release()
        path.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove what killed servers left."""
    for path in folder.glob("*.lock"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > YOUNG_SECONDS and not _is_held(path):
                path.unlink()


def is_served(folder: Path) -> bool:
    """Tell whether any server works on this folder."""
    return any(map(_is_held, [folder / LOCK_FILE, *(folder / SERVERS).glob("*.lock")]))


def _is_held(path: Path) -> bool:
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False
