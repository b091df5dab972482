"""Choose the folders of backups, decide when one is due, and delete old ones.

A missing, full or unplugged folder never disturbs the evening: it is logged and shown by
`backup_status`. Uses server time, as the computer's clock may be set back.
"""

import contextlib
import hashlib
import logging
import os
import shutil
import string
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from filelock import BaseFileLock, FileLock, Timeout

from clock.servertime import server_time
from krru import __version__
from krru.backups import archive, database, sealed
from krru.backups.archive import Manifest
from krru.backups.naming import CHANGE, MINUTE, backups_in, kept_within, name_of, named
from krru.backups.status import STALE_AFTER, BackupStatus, missing, remember, statuses
from krru.data.disks import MOUNT_ROOTS, words_of
from krru.data.folder import BASE_DIR, SECRET_FILE, Trouble, appearing, secret_path

logger = logging.getLogger(__name__)

OWN_FOLDER = "backups"
# Folders used while copying or restoring. A killed process leaves them behind.
TEMPORARY = ("backup-*", "restore-*")
BUSY_SECONDS = 60.0
# A whole copy below this size is small enough for each minute.
SMALL_BYTES = 4 * 1024 * 1024
# After so many minutes of changes a whole copy: a damaged one loses no more.
MOST_CHANGES = 15
# A process that just began has no backup yet, so none is stale.
_began = time.monotonic()
# The first time each folder was seen, for folders without a backup.
_known_since: dict[Path, datetime] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The last whole backup of a folder: its file, its number, the digests of the database."""

    name: str
    number: int
    salt: str
    digests: list[bytes]


# Known to the process that made them: the first backup after a start is whole.
_bases: dict[Path, Base] = {}


def backup_folders() -> list[Path]:
    """Return the folders of the backup of each minute: KRRU_BACKUP and the clubs'."""
    chosen = [settings.KRRU_BACKUP] if settings.KRRU_BACKUP else []
    try:
        clubs = apps.get_model("tournaments", "Club").objects.order_by("pk")
        chosen += clubs.exclude(backup_folder="").values_list("backup_folder", flat=True)
    except (LookupError, DatabaseError):
        logger.warning("Die Sicherungsordner der Vereine sind nicht lesbar.")
    return list(dict.fromkeys(Path(folder).expanduser() for folder in chosen))


def own_folder() -> Path:
    """Return the backup folder in the data folder, used if no other is chosen."""
    folder = Path(settings.KRRU_DATA) / OWN_FOLDER
    folder.mkdir(exist_ok=True)
    return folder


def backup_all(*, reason: str) -> list[BackupStatus]:
    """Back up to each chosen folder without the present state. A bad folder raises nothing."""
    folders = backup_folders()
    for folder in folders:
        _since(folder)
    try:
        with _busy(0):
            return [_backup_quietly(folder, reason) for folder in folders]
    except Timeout:
        # Another backup is running, perhaps to a slow stick.
        return []


def backup_now(folder: Path | None = None, *, reason: str = "demand") -> list[Path]:
    """Back up now: to `folder`, else to the chosen ones, else into the data folder.

    :raises OSError: a folder is missing, full or not writable.
    :raises CannotCopy: the database could not be copied.
    """
    with _busy(BUSY_SECONDS):
        folders = [folder] if folder else backup_folders() or [own_folder()]
        return [folder / _backup_and_remember(folder, reason).last_file for folder in folders]


def backup_before_upgrade() -> Path | None:
    """Back up into the data folder before a migration.

    None if the club has its own backups (KRRU_OWN_BACKUP) and the tool for the database is missing.

    :raises Trouble: the database could not be copied.
    """
    try:
        return backup_now(own_folder(), reason="upgrade")[0]
    except database.CannotCopy as error:
        if not settings.KRRU_OWN_BACKUP:
            raise Trouble(
                f"Vor der Umstellung auf die neue Version geht keine Sicherung: {error} "
                "Wer selbst sichert, setzt KRRU_OWN_BACKUP=1; dann wird ohne umgestellt."
            ) from None
        logger.warning("Ohne eigene Sicherung wird umgestellt (KRRU_OWN_BACKUP): %s", error)
        return None


def backup_status() -> list[BackupStatus]:
    return [_status_of(folder) for folder in backup_folders()]


def own_status() -> BackupStatus:
    """Return the status of the backup folder in the data folder."""
    folder = own_folder()
    return statuses().get(folder, BackupStatus(folder=folder))


def backups_kept() -> tuple[list[Path], int]:
    """Return this installation's backups in all folders, and the number of other ones."""
    home, own, others = _home(), [], 0
    for folder in {*backup_folders(), own_folder()}:
        found = backups_in(folder) if folder.is_dir() else []
        own += [one.path for one in reversed(found) if one.home == home]
        others += sum(one.home != home for one in found)
    return own, others


def sweep() -> None:
    """Delete what a killed backup or an earlier version left, unless a backup is running."""
    folder = Path(settings.KRRU_DATA)
    with contextlib.suppress(Timeout), _busy(0):
        for left in [one for pattern in TEMPORARY for one in folder.glob(pattern)]:
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
        # Counters of limits, which are in memory now.
        for left in folder.glob("limits.sqlite3*"):
            left.unlink()


def _busy(seconds: float) -> BaseFileLock:
    return FileLock(Path(settings.KRRU_DATA) / "backup.lock", timeout=seconds)


def _status_of(folder: Path) -> BackupStatus:
    """Return the status of a folder now: stale if the data changed and its backup is old."""
    known = statuses().get(folder, BackupStatus(folder=folder))
    since = known.good_at or _since(folder)
    if time.monotonic() - _began < STALE_AFTER.total_seconds():
        return known
    is_old = server_time.now() - since > STALE_AFTER
    return replace(known, is_stale=is_old and database.signature() != known.signature)


def _since(folder: Path) -> datetime:
    return _known_since.setdefault(folder, server_time.now())


def _backup_quietly(folder: Path, reason: str) -> BackupStatus:
    before = statuses().get(folder, BackupStatus(folder=folder))
    try:
        if database.signature() == before.signature and before.is_there:
            after = replace(before, good_at=server_time.now(), error="")
            remember(after)
            return after
        after = _backup_and_remember(folder, reason)
    except (OSError, DatabaseError, database.CannotCopy) as error:
        known = words_of(error) if isinstance(error, OSError) else None
        after = replace(before, error=known or str(error), signature="")
        if after.error != before.error:
            logger.warning(after.sentence)
        remember(after)
    return after


def _backup_and_remember(folder: Path, reason: str) -> BackupStatus:
    state = database.signature()
    number = 1 + max((status.number for status in statuses().values()), default=0)
    path = _backup(folder, reason, number)
    made_at, found = server_time.now(), named(path)
    if reason == MINUTE:
        _prune(folder)
    if found is None or not path.is_file():
        raise FileNotFoundError(missing(folder))
    after = BackupStatus(
        folder=folder,
        last_ok_at=made_at,
        good_at=made_at,
        last_file=path.name,
        signature=state,
        number=found.number,
    )
    remember(after)
    return after


def _backup(folder: Path, reason: str, least: int) -> Path:
    # Do not create it: without its stick the path would be a folder of this laptop.
    if not folder.is_dir():
        raise FileNotFoundError(missing(folder))
    # Above all numbers in the folder, even if the status file is lost.
    home = _home()
    number = max([least, *(one.number + 1 for one in backups_in(folder) if one.home == home)])
    lock = sealed.lock_of_here()
    salt = lock.salt if lock else ""
    with tempfile.TemporaryDirectory(prefix="backup-", dir=settings.KRRU_DATA) as temporary:
        copy = database.copy_to(Path(temporary))
        base = _base_of(folder, number, salt, copy) if reason == MINUTE else None
        said = f"{CHANGE}{base.number:06d}" if base else reason
        name = name_of(home, number, server_time.now(), said)
        target = folder / f"{name}.zip{sealed.SUFFIX if lock else ''}"
        _write(target, reason, copy, base, lock)
        if reason == MINUTE and base is None and _is_large(copy):
            digests = archive.digests_of(copy)
            _bases[folder] = Base(name=target.name, number=number, salt=salt, digests=digests)
    return target


def _is_large(copy: Path) -> bool:
    return connection.vendor == "sqlite" and copy.stat().st_size >= SMALL_BYTES


def _base_of(folder: Path, number: int, salt: str, copy: Path) -> Base | None:
    """Return the backup to which only changes are added; None where a whole one is due."""
    base = _bases.get(folder)
    if base is None or base.salt != salt or not (folder / base.name).is_file():
        return None
    return base if _is_large(copy) and number - base.number <= MOST_CHANGES else None


def _write(
    target: Path, reason: str, copy: Path, base: Base | None, lock: sealed.Lock | None
) -> None:
    files, whole = {copy.name: copy}, {}
    if base:
        changes = copy.with_name(copy.name + archive.CHANGES)
        archive.write_changes(copy, base.digests, changes)
        files, whole = {changes.name: changes}, {copy.name: archive.sha256_of(copy)}
    if lock:
        # Include the secret only in a sealed backup.
        files[SECRET_FILE] = secret_path(Path(settings.KRRU_DATA))
    manifest = Manifest(
        version=__version__,
        made_at=server_time.now(),
        reason=reason,
        database=connection.vendor,
        migrations=applied_migrations(),
        files={name: archive.sha256_of(path) for name, path in files.items()},
        base=base.name if base else "",
        whole=whole,
    )
    if lock is None:
        archive.write(target, manifest, files)
        return
    # The plain file never touches the stick.
    plain = copy.with_name("plain.zip")
    archive.write(plain, manifest, files)
    with appearing(target) as draft:
        sealed.seal_file(plain, draft, lock)


def applied_migrations() -> list[str]:
    """Return the applied migrations of the database, as app.name."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _home() -> str:
    """Return a short id of this installation: two laptops may share a stick."""
    secret = secret_path(Path(settings.KRRU_DATA)).read_bytes()
    return hashlib.sha256(b"home" + secret).hexdigest()[:6]


def _prune(folder: Path) -> None:
    home = _home()
    for draft in folder.glob(f".krru-{home}-*.part"):
        draft.unlink(missing_ok=True)
    reasons = (MINUTE, CHANGE)
    own = [one for one in backups_in(folder) if one.home == home and one.reason in reasons]
    sizes = {one.path: one.path.stat().st_size for one in own}
    keep = kept_within(own, server_time.now(), sizes)
    for one in own:
        if one.path not in keep:
            one.path.unlink(missing_ok=True)


# --- Folders allowed for backups from the web. With any folder a server could hand out the database


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
