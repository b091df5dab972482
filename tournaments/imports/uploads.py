"""Uploads kept in the data folder from preview to confirmation."""

import re
import secrets
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

KEPT_FOR = timedelta(days=1)
FOLDER = "uploads"
_NAME = re.compile(r"[0-9a-f]{32}")


def upload_keep(parts: Iterable[bytes]) -> str:
    """Keep a file and return its new name."""
    name = secrets.token_hex(16)
    path = _folder() / name
    try:
        with path.open("xb") as file:
            for part in parts:
                file.write(part)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return name


def upload_path(name: str) -> Path | None:
    """Return the path of a kept file, None if missing."""
    path = _folder() / name
    return path if _NAME.fullmatch(name) and path.is_file() else None


def uploads_clear(now: datetime) -> None:
    """Delete files older than a day."""
    limit = (now - KEPT_FOR).timestamp()
    for path in _folder().iterdir():
        # Another process may delete it too.
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < limit:
                path.unlink()


def _folder() -> Path:
    folder = Path(settings.KRRU_DATA) / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
