"""The backup file: a zip of the database and a manifest with checksums.

Written under another name, synchronised, then renamed: a file with its final name is complete.
"""

import contextlib
import hashlib
import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK_BYTES = 1024 * 1024


class Broken(Exception):
    """The file is no backup or is damaged. Shows its text to people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """Version, time, reason and checksums of a backup."""

    version: str
    made_at: datetime
    reason: str
    database: str
    migrations: list[str]
    files: dict[str, str]
    format: int = FORMAT
    # Of a backup of changes: the file that they belong to, and the sums of what comes of both.
    base: str = ""
    whole: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> str:
        """Return the manifest as JSON."""
        return json.dumps({**asdict(self), "made_at": self.made_at.isoformat()}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read a manifest, ignoring fields of later formats."""
        data: dict[str, Any] = json.loads(text)
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{**known, "made_at": datetime.fromisoformat(data["made_at"])})


def sha256_of(path: Path) -> str:
    """Return the hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def appearing(target: Path) -> Iterator[Path]:
    """Yield a temporary file, renamed to `target` only when complete."""
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
    _sync_folder(target.parent)


def write(target: Path, manifest: Manifest, files: Mapping[str, Path]) -> None:
    """Write a backup to `target`, which appears only when complete."""
    with (
        appearing(target) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for name, path in files.items():
            archive.write(path, name)
        archive.writestr(MANIFEST, manifest.as_json())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError:
        # Some sticks cannot synchronise a folder. The file itself is safe.
        pass
    finally:
        os.close(descriptor)


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a backup.

    :raises Broken: it is none, or damaged.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return Manifest.from_json(archive.read(MANIFEST).decode())
    except FileNotFoundError:
        raise Broken(f"Die Datei {path} gibt es nicht.") from None
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, OSError, EOFError) as error:
        raise Broken(f"{path.name} ist keine ganze Sicherung ({error}).") from None


def unpack(path: Path, folder: Path) -> Manifest:
    """Unpack a backup into an empty folder and check every sum.

    :raises Broken: a file is missing or differs from its sum.
    """
    manifest = read_manifest(path)
    for name, wanted in manifest.files.items():
        target = folder / Path(name).name
        try:
            with (
                zipfile.ZipFile(path) as archive,
                archive.open(name) as source,
                target.open("wb") as file,
            ):
                shutil.copyfileobj(source, file, CHUNK_BYTES)
        except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, OSError, ValueError) as error:
            raise Broken(f"{path.name} ist beschädigt: {name} ({error}).") from None
        if sha256_of(target) != wanted:
            raise Broken(f"{path.name} ist beschädigt: {name} hat eine andere Prüfsumme.")
    return manifest
