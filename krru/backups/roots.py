"""Folders allowed for backups from the web: below mounted sticks and disks.

With any folder allowed, a web server could hand out the database.
"""

import os
import string
import sys
from pathlib import Path

from django.conf import settings

from krru.data.folder import BASE_DIR

UNIX_ROOTS = ("/media", "/run/media", "/mnt", "/Volumes")


def usual_roots() -> tuple[Path, ...]:
    """Return the mount points of sticks on this system, and the data folder."""
    if sys.platform == "win32":
        own = Path.home().drive.upper()
        drives = (f"{letter}:" for letter in string.ascii_uppercase)
        found = tuple(Path(f"{drive}\\") for drive in drives if drive != own)
    else:
        found = tuple(Path(root) for root in UNIX_ROOTS)
    return (*found, Path(settings.KRRU_DATA))


def allowed_roots() -> tuple[Path, ...]:
    """Return the folders of KRRU_BACKUP_ROOTS, else the usual ones; none in full mode."""
    named: str = settings.KRRU_BACKUP_ROOTS
    if named:
        return tuple(Path(root) for root in named.split(os.pathsep) if root)
    return usual_roots() if settings.EMBEDDED else ()


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
