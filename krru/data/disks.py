"""The disk under a folder: its free space, whether it is another disk, its errors in words."""

import errno
import shutil
from pathlib import Path

from django.utils.translation import gettext as _

FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}


def words_of(error: OSError) -> str | None:
    """Return an error of the file system in words, without the path; None if unusual."""
    if error.errno in FULL:
        return "Der Datenträger ist voll"
    return {
        errno.EROFS: "Der Datenträger ist nur lesbar",
        errno.EACCES: "Die Berechtigung fehlt",
        errno.EPERM: "Die Berechtigung fehlt",
        errno.EEXIST: "Dort liegt eine Datei",
        errno.ENOTDIR: "Dort liegt eine Datei",
        errno.EISDIR: "Dort liegt ein Ordner",
        errno.EIO: "Der Datenträger liefert Fehler",
    }.get(error.errno or 0)


MEGABYTE = 1024 * 1024
# The first figure leaves time to make room. Below the second a write may fail any minute.
SHORT_BYTES = 500 * MEGABYTE
CRITICAL_BYTES = 50 * MEGABYTE
# Usual mount points. A folder there on the system's own disk is a mount point without a stick.
MOUNT_ROOTS = tuple(map(Path, ("/media", "/run/media", "/mnt", "/Volumes")))


def free_bytes(folder: Path) -> int | None:
    """Return the free bytes under a folder; None if unknown."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def shortage(folder: Path) -> str:
    """Return the warning of little free space; empty while there is enough."""
    free = free_bytes(folder)
    if free is None or free >= SHORT_BYTES:
        return ""
    said = {"folder": folder, "free": free // MEGABYTE}
    return _("Der Speicherplatz wird knapp: In %(folder)s sind nur noch %(free)s MB frei.") % said


def is_same_disk(one: Path, other: Path) -> bool:
    """Tell whether two folders share a disk and would be lost together."""
    try:
        return one.stat().st_dev == other.stat().st_dev
    except OSError:
        return False


def is_empty_mount_point(folder: Path) -> bool:
    """Tell whether a folder is a mount point without its stick."""
    try:
        found = folder.resolve()
    except OSError:
        return False
    return any(root in found.parents for root in MOUNT_ROOTS) and is_same_disk(found, Path("/"))


def where_sentence(folder: Path, data: Path) -> str:
    """Return the warning about a backup on no disk of its own; empty if there is none."""
    said = {"folder": folder}
    if is_empty_mount_point(folder):
        return _("%(folder)s ist kein Stick: Der Ordner liegt auf dem Rechner selbst.") % said
    if is_same_disk(folder, data):
        return (
            _(
                "%(folder)s liegt auf demselben Datenträger wie die Daten. "
                "Geht er kaputt, fehlt beides."
            )
            % said
        )
    return ""
