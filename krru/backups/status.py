"""The status of the backup in each folder, kept in the data folder."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from krru.data import disks

STATUS_FILE = "backup-status.json"
# A backup is due each minute. To a slow stick it may take several.
STALE_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupStatus:
    """The status of one folder. `error` is in the system's words, empty if there is none.

    `good_at`: the last time the last file held the present state. `is_stale`: something changed
    since and `good_at` is too long ago.
    """

    folder: Path
    last_ok_at: datetime | None = None
    last_file: str = ""
    error: str = ""
    signature: str = ""
    number: int = 0
    good_at: datetime | None = None
    is_stale: bool = False

    @property
    def is_there(self) -> bool:
        return bool(self.last_file) and (self.folder / self.last_file).is_file()

    @property
    def sentence(self) -> str:
        """The problem as a sentence for people; empty if there is none."""
        if self.error:
            if not self.folder.is_dir():
                return missing(self.folder)
            said = {"folder": self.folder, "problem": self.error}
            return _("Sicherung nach %(folder)s nicht möglich: %(problem)s") % said
        if self.is_stale and not self.last_file:
            return _("Nach %(folder)s kam noch keine Sicherung.") % {"folder": self.folder}
        if self.is_stale:
            said = {"folder": self.folder, "at": _clock(self.good_at or self.last_ok_at)}
            return (
                _("Seit %(at)s kommt nichts mehr nach %(folder)s, obwohl sich etwas geändert hat.")
                % said
            )
        if self.last_file and not self.is_there:
            return _("Die letzte Sicherung liegt nicht mehr in %(folder)s.") % {
                "folder": self.folder
            }
        return ""


def missing(folder: Path) -> str:
    said = {"folder": folder}
    return _("Der Ordner %(folder)s ist nicht da. Ist der Stick eingesteckt?") % said


def hints(found: Iterable[BackupStatus]) -> tuple[str, ...]:
    """Return warnings about folders on no disk of their own."""
    said = (disks.where_sentence(one.folder, Path(settings.KRRU_DATA)) for one in found)
    return tuple(filter(None, said))


def _clock(at: datetime | None) -> str:
    return "" if at is None else time_format(localtime(at), "H:i")


def _path() -> Path:
    return Path(settings.KRRU_DATA) / STATUS_FILE


def statuses() -> dict[Path, BackupStatus]:
    """Return the saved status of each folder."""
    try:
        rows: list[dict[str, Any]] = json.loads(_path().read_text(encoding="utf-8"))
        found = [_read(row) for row in rows]
    except (OSError, ValueError, KeyError, TypeError):
        # A cache only: the next backup writes it again.
        return {}
    return {status.folder: status for status in found}


def _read(row: dict[str, Any]) -> BackupStatus:
    known = {name: row[name] for name in BackupStatus.__dataclass_fields__ if name in row}
    for name in ("last_ok_at", "good_at"):
        known[name] = datetime.fromisoformat(row[name]) if row.get(name) else None
    return BackupStatus(**{**known, "folder": Path(row["folder"])})


def remember(status: BackupStatus) -> None:
    rows = [asdict(one) for one in {**statuses(), status.folder: status}.values()]
    draft = _path().with_suffix(".part")
    draft.write_text(json.dumps(rows, default=str, indent=1), encoding="utf-8")
    draft.replace(_path())
