"""Backups: one whole file each, made while the evening goes on, and brought up again anywhere.

`archive` is the file, `sealed` its form that a passphrase opens, `database` the copy inside it,
`naming` how files are called and how long they stay, `keeping` where they go, `status` how that
went, `roots` where the web may put them, `restore` the way back.
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
