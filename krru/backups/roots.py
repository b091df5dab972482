"""Folders allowed for backups from the web: below mounted sticks and disks.

With any folder allowed, a web server could hand out the database.
"""

import os
import string
import sys
from pathlib import Path

from django.conf import settings

from krru.data.disks import MOUNT_ROOTS
from krru.data.folder import BASE_DIR


def allowed_roots() -> tuple[Path, ...]:
    """Return the folders of KRRU_BACKUP_ROOTS, else where sticks are, and the data folder.

    In full mode the environment alone names them.
    """
    named: str = settings.KRRU_BACKUP_ROOTS
    if named or not settings.EMBEDDED:
        return tuple(Path(root) for root in named.split(os.pathsep) if root)
    found = MOUNT_ROOTS
    if sys.platform == "win32":
        own = Path.home().drive.upper()
        drives = (f"{letter}:" for letter in string.ascii_uppercase)
        found = tuple(Path(f"{drive}\\") for drive in drives if drive != own)
    return (*found, Path(settings.KRRU_DATA))


def is_allowed(folder: Path) -> bool:
    """Tell whether the web may choose a folder. Resolves links first."""
    try:
        meant = folder.resolve()
        roots = [root.resolve() for root in allowed_roots()]
    except (OSError, ValueError):
        return False
    forbidden = [Path(settings.STATIC_ROOT).resolve(), BASE_DIR.resolve()]
    data = Path(settings.KRRU_DATA).resolve()
    is_served = any(meant.is_relative_to(each) for each in forbidden)
    return any(meant.is_relative_to(root) for root in roots) and (
        not is_served or (meant.is_relative_to(data) and data in roots)
    )
