"""Backups: one complete file each, made during play, restored on any machine.

`archive` is the file, `sealed` its encrypted form, `database` the copy in it, `naming` the file
names and how long to keep each, `keeping` the folders, `status` the result for each folder, `roots`
the folders allowed from the web, `restore` the way back.
"""

from krru.backups.archive import Broken, Manifest
from krru.backups.keeping import (
    backup_all,
    backup_before_upgrade,
    backup_folders,
    backup_now,
    backup_status,
    own_status,
    sweep,
)
from krru.backups.restore import restore
from krru.backups.roots import is_allowed
from krru.backups.sealed import (
    SHORTEST_PASSPHRASE,
    NeedsPassphrase,
    is_sealing,
    set_passphrase,
    unpack,
)
from krru.backups.status import BackupStatus, hints

__all__ = [
    "SHORTEST_PASSPHRASE",
    "BackupStatus",
    "Broken",
    "Manifest",
    "NeedsPassphrase",
    "backup_all",
    "backup_before_upgrade",
    "backup_folders",
    "backup_now",
    "backup_status",
    "hints",
    "is_allowed",
    "is_sealing",
    "own_status",
    "restore",
    "set_passphrase",
    "sweep",
    "unpack",
]
