"""Locks of the servers on a data folder. The operating system drops them when a process dies."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from krru.data.folder import LOCK_FILE, Trouble

SERVERS = "servers"
LOOK_SECONDS = 2.0
# A server about to lock the file may have made a younger one.
YOUNG_SECONDS = 60.0


class AlreadyServed(Trouble):
    """Another process serves from this data folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"KRRU läuft mit dem Datenordner {folder} schon. "
            "Das andere Fenster beenden oder mit KRRU_DATA einen anderen Ordner wählen."
        )


@contextmanager
def only_server(folder: Path) -> Iterator[None]:
    """Lock the folder for the one server of the embedded mode.

    :raises AlreadyServed: another process holds it.
    """
    try:
        held = FileLock(folder / LOCK_FILE).acquire(timeout=0)
    except Timeout:
        raise AlreadyServed(folder) from None
    with held:
        yield


@contextmanager
def one_of_many(folder: Path) -> Iterator[None]:
    """Register as one of several servers and workers, so that a restore sees running ones.

    :raises AlreadyServed: another process holds the folder alone.
    """
    try:
        # Held by a restore or an embedded server; by others only for an instant.
        FileLock(folder / LOCK_FILE).acquire(timeout=LOOK_SECONDS).lock.release()
    except Timeout:
        raise AlreadyServed(folder) from None
    (folder / SERVERS).mkdir(exist_ok=True)
    _sweep(folder / SERVERS)
    # Not the process's id: in containers with a shared folder each server has id 1.
    path = folder / SERVERS / f"{secrets.token_hex(6)}.lock"
    try:
        with FileLock(path, timeout=0):
            yield
    finally:
        path.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    for path in folder.glob("*.lock"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > YOUNG_SECONDS and not _is_held(path):
                path.unlink()


def is_served(folder: Path) -> bool:
    return any(map(_is_held, [folder / LOCK_FILE, *(folder / SERVERS).glob("*.lock")]))


def _is_held(path: Path) -> bool:
    try:
        FileLock(path).acquire(timeout=0).lock.release()
    except Timeout:
        return True
    return False
