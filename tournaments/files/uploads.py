"""Files that wait in the data folder from a preview until it is confirmed.

A list of ten thousand people is too much to travel in a form. So the file stays here, and beside
it, once somebody has looked at it, who was shown as accepted: just they are taken over. Both hold
personal data; they are gone after a day.
"""

from __future__ import annotations

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
    """Keep a file, and return the name by which it is found again."""
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
    """Return where a file is kept, None when it is no longer, or never was."""
    path = _path(name) if _NAME.fullmatch(name) else None
    return path if path is not None and path.is_file() else None


def people_keep(people: Iterable[dict[str, Any]]) -> str:
    """Keep who was accepted, one a line, and return the name of the list."""
    return upload_keep(json.dumps(person).encode() + b"\n" for person in people)


def people_kept(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as file:
        for line in file:
            yield json.loads(line)


def uploads_clear(now: datetime) -> None:
    """Remove what has waited for longer than a day."""
    limit = (now - KEPT_FOR).timestamp()
    for path in _folder().iterdir():
        # Another process may be at it too.
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < limit:
                path.unlink()


def _folder() -> Path:
    folder = Path(settings.KRRU_DATA) / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _path(name: str) -> Path:
    return _folder() / name
