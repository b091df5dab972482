"""Who is serving from a data folder. The operating system drops these locks when a process dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from krru.datafolder import LOCK_FILE

SERVERS = "servers"
LOOK_SECONDS = 2.0


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
    path = folder / SERVERS / f"{os.getpid()}.lock"
    lock = FileLock(path)
    lock.acquire(timeout=0)
    try:
        yield
    finally:
        lock.release()
        path.unlink(missing_ok=True)


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
