"""Errors of the file system in words."""

from __future__ import annotations

import errno

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
