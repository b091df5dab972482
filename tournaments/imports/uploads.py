"""Uploads kept in the data folder from preview to confirmation.

A list of ten thousand people is too large for a form. So the file stays here, and after the preview
the list of accepted people: exactly these are imported. Both hold personal data and are deleted
after a day.
"""

import json
import re
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings

KEPT_FOR = timedelta(days=1)
FOLDER = "uploads"
_NAME = re.compile(r"[0-9a-f]{32}")


def upload_keep(parts: Iterable[bytes]) -> str:
    """Keep a file and return its new name."""
    name = secrets.token_hex(16)
    path = _path(name)
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
    path = _path(name) if _NAME.fullmatch(name) else None
    return path if path is not None and path.is_file() else None


def people_keep(people: Iterable[dict[str, Any]]) -> str:
    """Keep the accepted people, one a line, and return the list's name."""
    return upload_keep(json.dumps(person).encode() + b"\n" for person in people)


def people_kept(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in file:
            yield json.loads(line)


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


def _path(name: str) -> Path:
    return _folder() / name
