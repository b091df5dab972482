"""The data folder: where it is, and the secret in it.

Read by the settings, so nothing here may import Django; standard library only.
"""

import contextlib
import os
import secrets
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_FILE = "secret.key"  # noqa: S105 - a name, not a secret
LOCK_FILE = "server.lock"
DATABASE_FILE = "krru.sqlite3"


def data_folder() -> Path:
    """Return the data folder (``KRRU_DATA``, else ``var`` beside the program), made if missing."""
    chosen = os.environ.get("KRRU_DATA")
    folder = Path(chosen).expanduser().resolve() if chosen else BASE_DIR / "var"
    # People's data: not for other users of this machine, also where the folder was there before.
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        with contextlib.suppress(PermissionError):
            folder.chmod(0o700)
    return folder


def secret_key(folder: Path) -> str:
    """Return the installation's secret, made on first use and readable by its owner alone.

    Two processes may start on an empty folder at once: the file appears whole or not at all,
    and whoever comes second reads the winner's.
    """
    path = folder / SECRET_FILE
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
    return path.read_text(encoding="ascii").strip()
