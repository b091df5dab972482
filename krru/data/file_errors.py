"""What a file system's no means, in words."""

from __future__ import annotations

import errno

FULL = {errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC}


def words_of(error: OSError) -> str | None:
    """Return a file system's no in words, without the place; None if it is none of the usual."""
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
