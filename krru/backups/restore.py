"""Restore a backup: on this laptop, or on a second one with an empty folder.

The former data are set aside, never deleted.
"""

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.commands.migrate import Command as CoreMigrate
from django.db import connection

from krru import __version__
from krru.backups import archive, database, sealed
from krru.backups.archive import Manifest
from krru.backups.naming import backups_in
from krru.data import locks
from krru.data.folder import SECRET_FILE, Trouble, secret_path
from krru.data.releases import Standing, numbers, standing


def restore(path: Path, passphrase: str = "") -> tuple[Manifest, Path]:
    """Restore a backup. Return its manifest and the folder of the former data.

    :raises NeedsPassphrase: it is sealed, and the passphrase is wrong or needed.
    :raises Broken: it is damaged.
    :raises Trouble: it is of a newer version or older than 0.2.0, or a server is running.
    """
    folder = Path(settings.KRRU_DATA)
    if locks.is_served(folder):
        raise Trouble("KRRU läuft noch mit diesem Datenordner. Zuerst dort mit Strg+C beenden.")
    if company := database.company():
        raise Trouble(
            "KRRU läuft noch, oder jemand ist mit der Datenbank verbunden: "
            f"{', '.join(company)}. Zuerst dort beenden."
        )
    with (
        locks.only_server(folder),
        tempfile.TemporaryDirectory(prefix="restore-", dir=folder) as name,
    ):
        # Unpack and check first: a bad file or a full disk changes nothing.
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
    """Return the backups of the installation with the newest one, the newest first, and the number
    of other installations in the folder.

    :raises Trouble: there is none.
    :raises OSError: the folder cannot be read.
    """
    found = backups_in(folder)
    if not found:
        raise Trouble(f"In {folder} liegt keine Sicherung krru-….zip.")
    heads = {one.home: one for one in reversed(found)}
    newest = max(heads.values(), key=lambda one: one.made_at)
    return [one.path for one in found if one.home == newest.home], len(heads) - 1


def _take_secret(brought: Path, own: Path, former: Path) -> bool:
    """Restore the installation's secret, if there is one. Return True if it differs."""
    shutil.copy2(own, former / own.name)
    if not brought.exists() or own.read_bytes() == brought.read_bytes():
        return False
    brought.chmod(0o600)
    shutil.move(brought, own)
    settings.SECRET_KEY = own.read_text(encoding="ascii").strip()
    return True


def _check_age(manifest: Manifest) -> None:
    applied = [(app, name) for app, _, name in (one.partition(".") for one in manifest.migrations)]
    found = standing(applied)
    is_newer = (
        found is Standing.NEWER
        or manifest.format > archive.FORMAT
        or numbers(manifest.version) > numbers(__version__)
    )
    if is_newer:
        raise Trouble(
            f"Die Sicherung ist von der neueren Version {manifest.version}, hier läuft "
            f"{__version__}. Zuerst KRRU auf diesen Stand bringen."
        )
    if found is Standing.OF_0_1_0:
        raise Trouble(
            "Die Sicherung ist von Version 0.1.0, die diese nicht umstellt. Mit Version 0.2.0 "
            "zurückholen, sie stellt um; dann mit dieser starten."
        )
    if found is Standing.BETWEEN:
        raise Trouble(
            "Die Sicherung ist von einem Entwicklungsstand zwischen zwei Versionen, von dem keine "
            "weiterführt. Eine von 0.2.0 oder einer späteren Version nehmen."
        )
