"""Backups: one complete file each, made during play, restored on any machine."""

from krru.backups.keeping import (
    backup_all,
    backup_before_upgrade,
    backup_now,
    backup_status,
    is_allowed,
    own_status,
    sweep,
)
from krru.backups.sealed import SHORTEST_PASSPHRASE, is_sealing, set_passphrase
from krru.backups.status import hints

__all__ = [
    "SHORTEST_PASSPHRASE",
    "backup_all",
    "backup_before_upgrade",
    "backup_now",
    "backup_status",
    "hints",
    "is_allowed",
    "is_sealing",
    "own_status",
    "set_passphrase",
    "sweep",
]
