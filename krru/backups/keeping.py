"""Where backups go, when a new one is due, how long old ones stay, and how it last went.

A folder that is missing, full or unplugged never disturbs the evening: it is logged, and shown by
`backup_status`.
"""

import hashlib
import json
import logging
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _
from filelock import FileLock, Timeout

from krru import __version__
from krru.backups import archive, database, sealed
from krru.backups.archive import Manifest
from krru.datafolder import SECRET_FILE

logger = logging.getLogger(__name__)

STATUS_FILE = "backup-status.json"
OWN_FOLDER = "backups"
NAME = re.compile(r"krru-(?P<home>\w{6})-(?P<stamp>\d{8}-\d{6})-(?P<reason>[a-z]+)\.zip(\.sealed)?")
STAMP = "%Y%m%d-%H%M%S"

KEEP_LATEST = 60
KEEP_HOURLY = timedelta(hours=48)
KEEP_DAILY = timedelta(days=14)
BUSY_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupStatus:
    """How one folder fares. `error` is what went wrong in the system's words, empty if nothing."""

    folder: Path
    last_ok_at: datetime | None = None
    last_file: str = ""
    error: str = ""
    signature: str = ""

    @property
    def sentence(self) -> str:
        """What is wrong, for people, in their language; empty if nothing is."""
        if not self.error:
            return ""
        if not self.folder.is_dir():
            return _missing(self.folder)
        said = {"folder": self.folder, "problem": self.error}
        return _("Sicherung nach %(folder)s nicht möglich: %(problem)s") % said


def backup_folders() -> list[Path]:
    """Return the folders chosen for the backup of each minute: KRRU_BACKUP and the clubs'."""
    chosen = [settings.KRRU_BACKUP] if settings.KRRU_BACKUP else []
    try:
        clubs = apps.get_model("tournaments", "Club").objects.order_by("pk")
        chosen += clubs.exclude(backup_folder="").values_list("backup_folder", flat=True)
    except (LookupError, DatabaseError):
        logger.warning("Die Sicherungsordner der Vereine sind nicht lesbar.")
    return list(dict.fromkeys(Path(folder).expanduser() for folder in chosen))


def own_folder() -> Path:
    """Return the folder inside the data folder, for backups when no other is chosen."""
    folder = Path(settings.KRRU_DATA) / OWN_FOLDER
    folder.mkdir(exist_ok=True)
    return folder


def backup_all(*, reason: str) -> list[BackupStatus]:
    """Back up to every chosen folder that lacks the present state; a bad folder raises nothing."""
    try:
        with FileLock(Path(settings.KRRU_DATA) / "backup.lock").acquire(timeout=0):
            return [_backup_quietly(folder, reason) for folder in backup_folders()]
    except Timeout:
        # One is under way, perhaps to a slow stick.
        return []


def backup_now(folder: Path | None = None, *, reason: str = "demand") -> list[Path]:
    """Back up at once, to `folder`, else to the chosen ones, else into the data folder.

    :raises OSError: a folder is missing, full or not writable.
    :raises CannotCopy: the database could not be copied.
    """
    with FileLock(Path(settings.KRRU_DATA) / "backup.lock").acquire(timeout=BUSY_SECONDS):
        folders = [folder] if folder else backup_folders() or [own_folder()]
        return [folder / _backup_and_remember(folder, reason).last_file for folder in folders]


def backup_before_upgrade() -> Path:
    """Keep the state before the tables change, inside the data folder."""
    return backup_now(own_folder(), reason="upgrade")[0]


def backup_status() -> list[BackupStatus]:
    """Return how each chosen folder fares; empty when none is chosen."""
    known = _statuses()
    return [known.get(folder, BackupStatus(folder=folder)) for folder in backup_folders()]


def own_status() -> BackupStatus:
    """Return how the folder inside the data folder fares, where backups go when none is chosen."""
    folder = own_folder()
    return _statuses().get(folder, BackupStatus(folder=folder))


def backups_kept() -> tuple[list[Path], int]:
    """Return this installation's backups in all its folders, and how many there are of others."""
    home, own, others = _home(), [], 0
    for folder in {*backup_folders(), own_folder()}:
        for path in sorted(folder.glob("krru-*.zip*")):
            found = NAME.fullmatch(path.name)
            if found and found["home"] == home:
                own.append(path)
            others += bool(found and found["home"] != home)
    return own, others


def _backup_quietly(folder: Path, reason: str) -> BackupStatus:
    before = _statuses().get(folder, BackupStatus(folder=folder))
    try:
        if database.signature() == before.signature and (folder / before.last_file).is_file():
            return before
        after = _backup_and_remember(folder, reason)
        _prune(folder)
    except (OSError, DatabaseError, database.CannotCopy) as error:
        after = BackupStatus(
            folder=folder,
            last_ok_at=before.last_ok_at,
            last_file=before.last_file,
            error=str(error),
        )
        if after.error != before.error:
            logger.warning(after.sentence)
        _remember(after)
    return after


def _backup_and_remember(folder: Path, reason: str) -> BackupStatus:
    state = database.signature()
    path = _backup(folder, reason)
    after = BackupStatus(
        folder=folder, last_ok_at=datetime.now(UTC), last_file=path.name, signature=state
    )
    _remember(after)
    return after


def _missing(folder: Path) -> str:
    said = {"folder": folder}
    return _("Der Ordner %(folder)s ist nicht da. Ist der Stick eingesteckt?") % said


def _backup(folder: Path, reason: str) -> Path:
    # Never made here: on the place of an unplugged stick it would be a folder of this laptop.
    if not folder.is_dir():
        raise FileNotFoundError(_missing(folder))
    made_at = datetime.now(UTC)
    lock = sealed.lock_of_here()
    suffix = sealed.SUFFIX if lock else ""
    target = folder / f"krru-{_home()}-{made_at.strftime(STAMP)}-{reason}.zip{suffix}"
    with tempfile.TemporaryDirectory(prefix="backup-", dir=settings.KRRU_DATA) as name:
        copy = database.copy_to(Path(name))
        files = {copy.name: copy}
        if lock:
            # Whoever finds another one is not to open what this installation has sealed.
            files[SECRET_FILE] = Path(settings.KRRU_DATA) / SECRET_FILE
        manifest = Manifest(
            version=__version__,
            made_at=made_at,
            reason=reason,
            database=connection.vendor,
            migrations=applied_migrations(),
            files={name: archive.sha256_of(path) for name, path in files.items()},
        )
        if lock is None:
            archive.write(target, manifest, files)
        else:
            # What is not sealed never touches the stick.
            plain = Path(name) / "plain.zip"
            archive.write(plain, manifest, files)
            with archive.appearing(target) as draft:
                sealed.seal_file(plain, draft, lock)
    return target


def applied_migrations() -> list[str]:
    """Return the migrations the database stands at, as app.name."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _home() -> str:
    """Return a short name of this installation: two laptops may share a stick."""
    secret = (Path(settings.KRRU_DATA) / SECRET_FILE).read_bytes()
    return hashlib.sha256(b"home" + secret).hexdigest()[:6]


def _prune(folder: Path) -> None:
    """Delete this installation's old backups of the minute, and what a crash left half written."""
    home = _home()
    files = {}
    for path in folder.iterdir():
        found = NAME.fullmatch(path.name)
        if found and found["home"] == home and found["reason"] == "minute":
            files[path] = datetime.strptime(found["stamp"], STAMP).replace(tzinfo=UTC)
        elif path.name.startswith(f".krru-{home}-") and path.name.endswith(".part"):
            path.unlink(missing_ok=True)
    keep = kept(files.values(), datetime.now(UTC))
    for path, made_at in files.items():
        if made_at not in keep:
            path.unlink(missing_ok=True)


def kept(made: Iterable[datetime], now: datetime) -> set[datetime]:
    """Return what stays: the latest 60, the last of each hour for 48 h, of each day for 14 days."""
    newest_first = sorted(made, reverse=True)
    keep = set(newest_first[:KEEP_LATEST])
    hours: set[str] = set()
    days: set[str] = set()
    for at in newest_first:
        hour, day = at.strftime("%Y%m%d%H"), at.strftime("%Y%m%d")
        if now - at <= KEEP_HOURLY and hour not in hours:
            keep.add(at)
        if now - at <= KEEP_DAILY and day not in days:
            keep.add(at)
        hours.add(hour)
        days.add(day)
    return keep


def _status_path() -> Path:
    return Path(settings.KRRU_DATA) / STATUS_FILE


def _statuses() -> dict[Path, BackupStatus]:
    try:
        rows: list[dict[str, Any]] = json.loads(_status_path().read_text(encoding="utf-8"))
        statuses = [
            BackupStatus(
                folder=Path(row["folder"]),
                last_ok_at=datetime.fromisoformat(row["last_ok_at"]) if row["last_ok_at"] else None,
                last_file=row["last_file"],
                error=row["error"],
                signature=row["signature"],
            )
            for row in rows
        ]
    except (OSError, ValueError, KeyError, TypeError):
        # Only a memory aid; the next backup writes it anew.
        return {}
    return {status.folder: status for status in statuses}


def _remember(status: BackupStatus) -> None:
    rows = [
        {
            "folder": str(one.folder),
            "last_ok_at": one.last_ok_at.isoformat() if one.last_ok_at else None,
            "last_file": one.last_file,
            "error": one.error,
            "signature": one.signature,
        }
        for one in {**_statuses(), status.folder: status}.values()
    ]
    draft = _status_path().with_suffix(".part")
    draft.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    draft.replace(_status_path())
