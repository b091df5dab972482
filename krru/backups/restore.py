"""Bring a backup up: on this laptop, or on a second one with an empty folder.

What was there before is set aside, never deleted.
"""

import re
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.migrate import Command as CoreMigrate
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from krru import __version__
from krru.backups import archive, database, sealed
from krru.backups.archive import Manifest
from krru.backups.naming import backups_in
from krru.data import locks
from krru.data.folder import SECRET_FILE, secret_path


class Refused(Exception):
    """The backup is sound, but must not be brought up here and now."""


def restore(path: Path, passphrase: str = "") -> tuple[Manifest, Path]:
    """Make a backup the present data; return its manifest and where the former data lie.

    :raises NeedsPassphrase: it is sealed, and the passphrase is wrong or needed.
    :raises Broken: it is damaged.
    :raises Refused: it is of a newer version, or a server is running.
    """
    folder = Path(settings.KRRU_DATA)
    if locks.is_served(folder):
        raise Refused("KRRU läuft noch mit diesem Datenordner. Zuerst dort mit Strg+C beenden.")
    if company := database.company():
        raise Refused(
            "KRRU läuft noch, oder jemand ist mit der Datenbank verbunden: "
            f"{', '.join(company)}. Zuerst dort beenden."
        )
    with (
        locks.only_server(folder),
        tempfile.TemporaryDirectory(prefix="restore-", dir=folder) as name,
    ):
        # Unpacked and checked first: a bad file or a full disk changes nothing.
        new = Path(name)
        manifest = sealed.unpack(path, new, passphrase)
        _check_age(manifest)
        copy = new / database.FILE_NAMES[connection.vendor]
        database.check_copy(copy, manifest.database)
        if copy.name not in manifest.files:
            raise archive.Broken(f"{path.name} enthält keine Datenbank.")
        former = folder / f"before-restore-{datetime.now(UTC):%Y%m%d-%H%M%S}"
        former.mkdir()
        database.set_aside(former)
        database.put_in(copy)
        is_elsewhere = _take_secret(new / SECRET_FILE, secret_path(folder), former)
        call_command(CoreMigrate(), interactive=False, verbosity=0)
        call_command("settlein", elsewhere=is_elsewhere)
        connection.close()
    return manifest, former


def newest_in(folder: Path) -> tuple[list[Path], int]:
    """Return a folder's backups, the newest state first, and of how many other installations
    there are some. Only those of the installation that made the newest one are named.

    :raises Refused: there is none.
    :raises OSError: the folder cannot be read.
    """
    found = backups_in(folder)
    if not found:
        raise Refused(f"In {folder} liegt keine Sicherung krru-….zip.")
    heads = {one.home: one for one in reversed(found)}
    newest = max(heads.values(), key=lambda one: one.made_at)
    return [one.path for one in found if one.home == newest.home], len(heads) - 1


def _take_secret(brought: Path, own: Path, former: Path) -> bool:
    """Put the installation's secret in its place, if one was brought; tell if it is another."""
    shutil.copy2(own, former / own.name)
    if not brought.exists() or own.read_bytes() == brought.read_bytes():
        return False
    brought.chmod(0o600)
    shutil.move(brought, own)
    settings.SECRET_KEY = own.read_text(encoding="ascii").strip()
    return True


def _check_age(manifest: Manifest) -> None:
    disk = MigrationLoader(None).disk_migrations
    # A backup may be older than a squash: it names what was replaced.
    replaced = {key for migration in disk.values() for key in migration.replaces}
    known = {f"{app}.{name}" for app, name in replaced | disk.keys()}
    is_newer = (
        manifest.format > archive.FORMAT
        or not known.issuperset(manifest.migrations)
        or _numbers(manifest.version) > _numbers(__version__)
    )
    if is_newer:
        raise Refused(
            f"Die Sicherung ist von der neueren Version {manifest.version}, hier läuft "
            f"{__version__}. Zuerst KRRU auf diesen Stand bringen."
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
