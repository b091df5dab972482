"""The data folder: its place and its secret.

Imported by the settings: import no Django here.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import platformdirs

BASE_DIR = Path(__file__).resolve().parents[2]
# A package has no folder of its own.
IS_PACKAGE = not (BASE_DIR / "manage.py").exists()
RESOURCES = BASE_DIR / "krru" / "resources" if IS_PACKAGE else BASE_DIR
"""The folder of templates, translations and fixtures."""
COMMAND = "krru" if IS_PACKAGE else "python3 start.py"
"""The program's name on a command line."""

SECRET_FILE = "secret.key"  # noqa: S105 - a name, not a secret
LOCK_FILE = "server.lock"
DATABASE_FILE = "krru.sqlite3"


class Trouble(Exception):
    """A command cannot go on. Its text tells the cause and the next step."""


def chosen_folder() -> Path:
    """Return the data folder: ``KRRU_DATA``, else ``var`` of a checkout, else the user's own."""
    if chosen := os.environ.get("KRRU_DATA"):
        return Path(chosen).expanduser().resolve()
    if IS_PACKAGE:
        return platformdirs.user_data_path("krru", appauthor=False)
    return BASE_DIR / "var"


def static_folder() -> Path:
    """Return the folder of collected static files: ``KRRU_STATIC``, else beside the program.

    A package has it in the data folder.
    """
    own = chosen_folder() / "static" if IS_PACKAGE else BASE_DIR / "static-collected"
    return Path(os.environ.get("KRRU_STATIC") or own)


def data_folder() -> Path:
    """Return the data folder, created if missing."""
    folder = chosen_folder()
    # People's data: closed to other users of this machine, even if the folder existed.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        with contextlib.suppress(PermissionError):
            folder.chmod(0o700)
    return folder


def secret_path(folder: Path) -> Path:
    """Return the path of the installation's secret: ``KRRU_SECRET_FILE``, else the data folder."""
    named = os.environ.get("KRRU_SECRET_FILE")
    return Path(named).expanduser() if named else folder / SECRET_FILE


def secret_key(folder: Path) -> str:
    """Return the installation's secret, made on first use and readable by its owner only.

    Two processes may start on an empty folder at once: the file appears only when complete, and the
    second process reads it.

    :raises Trouble: it is empty, as a power cut may leave it, or damaged.
    """
    path = secret_path(folder)
    if path != folder / SECRET_FILE and not path.exists():
        raise Trouble(
            f"Die Datei {path} aus KRRU_SECRET_FILE gibt es nicht. Alle Rechner brauchen dieselbe: "
            "die des ersten dorthin kopieren, oder eine mit 64 zufälligen Zeichen anlegen."
        )
    if not path.exists():
        draft = folder / f".{SECRET_FILE}.{secrets.token_hex(4)}"
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            draft.unlink()
        else:
            draft.replace(path)
    secret = path.read_bytes().strip()
    if not secret or not secret.isascii():
        raise Trouble(
            f"Die Datei {path} ist leer oder beschädigt. Sie umbenennen und noch einmal starten: "
            "Es entsteht ein neuer, und alle Geräte melden sich neu an. Eine mit Kennwort "
            "versiegelte Sicherung bringt den alten mit."
        )
    return secret.decode("ascii")


@contextlib.contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yield a file for its owner alone, renamed to `target` only when complete."""
    draft = target.with_name(f".{target.name}.part")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield draft
        with draft.open("r+b") as file:
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    if os.name != "posix":
        return
    folder = os.open(target.parent, os.O_RDONLY)
    # Some sticks cannot synchronise a folder. The file itself is safe.
    with contextlib.suppress(OSError):
        os.fsync(folder)
    os.close(folder)
