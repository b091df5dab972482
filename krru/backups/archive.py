"""The backup file: a zip of the database and a manifest with checksums.

Written under another name, synchronised, then renamed: a file with its final name is complete.
"""

import hashlib
import json
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from krru.data.folder import Trouble, appearing

FORMAT = 1
MANIFEST = "manifest.json"
CHUNK_BYTES = 1024 * 1024
BLOCK_BYTES, NUMBER_BYTES = 4096, 8
# Changes of the database, in a backup.
CHANGES = ".changes"


class Broken(Trouble):
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
        return json.dumps({**asdict(self), "made_at": self.made_at.isoformat()}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Manifest":
        """Read a manifest, ignoring fields of later formats."""
        data: dict[str, Any] = json.loads(text)
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{**known, "made_at": datetime.fromisoformat(data["made_at"])})


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(target: Path, manifest: Manifest, files: Mapping[str, Path]) -> None:
    """Write a backup to `target`, which appears only when complete."""
    with (
        appearing(target) as draft,
        zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for name, path in files.items():
            archive.write(path, name)
        archive.writestr(MANIFEST, manifest.as_json())


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


# --- The blocks of a file that differ from an earlier copy: what a minute adds to a long past


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            yield block


def _digest(block: bytes) -> bytes:
    return hashlib.blake2b(block, digest_size=16).digest()


def digests_of(path: Path) -> list[bytes]:
    return [*map(_digest, _blocks(path))]


def write_changes(path: Path, before: Sequence[bytes], target: Path) -> None:
    """Write the length of a file and those of its blocks that were not so before."""
    with target.open("wb") as file:
        file.write(path.stat().st_size.to_bytes(NUMBER_BYTES))
        for number, block in enumerate(_blocks(path)):
            if number >= len(before) or before[number] != _digest(block):
                file.write(number.to_bytes(NUMBER_BYTES) + block)


def apply_changes(path: Path, changes: Path) -> None:
    """Change a copy of the earlier file into the later one."""
    with path.open("r+b") as file, changes.open("rb") as source:
        size = int.from_bytes(source.read(NUMBER_BYTES))
        while head := source.read(NUMBER_BYTES):
            file.seek(int.from_bytes(head) * BLOCK_BYTES)
            file.write(source.read(BLOCK_BYTES))
        file.truncate(size)
