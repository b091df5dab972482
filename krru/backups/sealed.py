"""Backups sealed with a passphrase: AES-256-GCM over the whole file, key by scrypt.

The passphrase is kept nowhere. The key and the salt stay in the data folder, so that a backup can
be made each minute. A backup holds the salt only.

A sealed file is MAGIC, a line of JSON (salt, cost of scrypt, nonce), the encrypted zip, and an
authentication tag of 16 bytes. The tag also covers the two lines.
"""

import contextlib
import json
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from django.conf import settings

from krru.backups import archive, database
from krru.backups.archive import CHUNK_BYTES, Broken, Manifest
from krru.data.folder import appearing

MAGIC = b"KRRU sealed backup 1\n"
SUFFIX = ".sealed"
KEY_FILE = "backup.key"
COST = 2**16  # 64 MB and a fifth of a second for each guess
COSTS = (COST, COST * 2)  # what a file may ask for: the cost is read before it is proven
SALT_BYTES = 16
TAG_BYTES = 16
LONGEST_HEADER = 1000
SHORTEST_PASSPHRASE = 12


class NeedsPassphrase(Broken):
    """The file is sealed and the passphrase does not open it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """A key and the salt it was made with, both in hexadecimal."""

    salt: str
    key: str


@lru_cache(maxsize=4)
def _lock(passphrase: str, salt: str, cost: int = COST) -> Lock:
    derived = Scrypt(salt=bytes.fromhex(salt), length=32, n=cost, r=8, p=1)
    return Lock(salt=salt, key=derived.derive(passphrase.encode()).hex())


def _key_path() -> Path:
    return Path(settings.KRRU_DATA) / KEY_FILE


def _kept() -> Lock | None:
    try:
        return Lock(**json.loads(_key_path().read_text(encoding="ascii")))
    except FileNotFoundError:
        return None


def lock_of_here() -> Lock | None:
    """Return the lock for backups of this machine; None if they are not sealed."""
    kept, named = _kept(), settings.KRRU_BACKUP_PASSPHRASE
    if not named:
        return kept
    lock = _lock(named, kept.salt if kept else secrets.token_hex(SALT_BYTES))
    if lock != kept:
        _keep(lock)
    return lock


def is_sealing() -> bool:
    return bool(settings.KRRU_BACKUP_PASSPHRASE) or _key_path().exists()


def set_passphrase(passphrase: str) -> None:
    """Seal backups from now on. An empty passphrase ends it."""
    if passphrase:
        _keep(_lock(passphrase, secrets.token_hex(SALT_BYTES)))
    else:
        _key_path().unlink(missing_ok=True)


def _keep(lock: Lock) -> None:
    with appearing(_key_path()) as draft:
        draft.write_text(json.dumps(asdict(lock)), encoding="ascii")


def seal_file(plain: Path, target: Path, lock: Lock) -> None:
    """Encrypt a file."""
    nonce = secrets.token_bytes(12)
    fields = {"salt": lock.salt, "cost": COST, "nonce": nonce.hex()}
    header = MAGIC + json.dumps(fields).encode() + b"\n"
    cipher = Cipher(algorithms.AES(bytes.fromhex(lock.key)), modes.GCM(nonce)).encryptor()
    cipher.authenticate_additional_data(header)
    with target.open("wb") as out, plain.open("rb") as source:
        out.write(header)
        while chunk := source.read(CHUNK_BYTES):
            out.write(cipher.update(chunk))
        out.write(cipher.finalize() + cipher.tag)


def is_sealed(path: Path) -> bool:
    """Tell whether a file is a sealed backup."""
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def unpack(path: Path, folder: Path, passphrase: str = "") -> Manifest:
    """Unpack a backup, sealed or not, into an empty folder and check every sum.

    One of changes is joined with its base, which lies beside it.

    :raises NeedsPassphrase: it is sealed, and the passphrase is wrong or needed.
    :raises Broken: it is damaged, or its base is.
    """
    manifest = _unpack_one(path, folder, passphrase)
    if not manifest.base:
        return manifest
    base, beside = path.parent / Path(manifest.base).name, folder / "base"
    if not base.is_file():
        raise Broken(f"{path.name} braucht {base.name} aus demselben Ordner, die Datei fehlt.")
    beside.mkdir()
    earlier = _unpack_one(base, beside, passphrase)
    for name, wanted in manifest.whole.items():
        if name not in earlier.files or name + archive.CHANGES not in manifest.files:
            raise Broken(f"{path.name} passt nicht zu {base.name}.")
        try:
            archive.apply_changes(beside / name, folder / (name + archive.CHANGES))
        except (OSError, OverflowError) as error:
            raise Broken(f"{path.name} ist beschädigt ({error}).") from None
        if archive.sha256_of(beside / name) != wanted:
            raise Broken(
                f"{path.name} passt nicht zu {base.name}: {name} hat eine andere Prüfsumme."
            )
        (beside / name).rename(folder / name)
    shutil.rmtree(beside)
    return replace(manifest, files={**manifest.files, **manifest.whole})


@contextlib.contextmanager
def database_of(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database of a backup read-only, unsealed with the key of this machine.

    :raises Broken: The backup is damaged, or of a kind that cannot be read so.
    """
    with tempfile.TemporaryDirectory(prefix="backup-", dir=settings.KRRU_DATA) as name:
        manifest = unpack(path, Path(name))
        if manifest.database != "sqlite":
            raise Broken(f"{path.name} ist aus {manifest.database} und lässt sich so nicht lesen.")
        copy = Path(name) / database.FILE_NAMES["sqlite"]
        with contextlib.closing(sqlite3.connect(f"{copy.as_uri()}?mode=ro", uri=True)) as opened:
            yield opened


def _unpack_one(path: Path, folder: Path, passphrase: str) -> Manifest:
    if not is_sealed(path):
        return archive.unpack(path, folder)
    plain = folder / path.name.removesuffix(SUFFIX)
    try:
        unseal_file(path, plain, passphrase)
        return archive.unpack(plain, folder)
    finally:
        plain.unlink(missing_ok=True)


def unseal_file(path: Path, target: Path, passphrase: str = "") -> None:
    """Decrypt a sealed file, with the passphrase or else the key of this machine.

    :raises NeedsPassphrase: the passphrase is wrong, or needed.
    :raises Broken: the file is damaged.
    """
    with path.open("rb") as file:
        header = file.readline() + file.readline(LONGEST_HEADER)
        start = file.tell()
        lock, nonce = _opening(path, header, passphrase)
        end = path.stat().st_size - TAG_BYTES
        if end < start:
            raise Broken(f"{path.name} ist keine ganze Sicherung.")
        file.seek(end)
        mode = modes.GCM(nonce, file.read(TAG_BYTES))
        cipher = Cipher(algorithms.AES(bytes.fromhex(lock.key)), mode).decryptor()
        cipher.authenticate_additional_data(header)
        file.seek(start)
        with target.open("wb") as out:
            left = end - start
            while left and (chunk := file.read(min(CHUNK_BYTES, left))):
                out.write(cipher.update(chunk))
                left -= len(chunk)
            try:
                out.write(cipher.finalize())
            except InvalidTag:
                raise NeedsPassphrase(
                    f"{path.name} geht so nicht auf: Das Kennwort ist ein anderes, "
                    "oder die Datei ist beschädigt."
                ) from None


def _opening(path: Path, header: bytes, passphrase: str) -> tuple[Lock, bytes]:
    try:
        fields = json.loads(header.removeprefix(MAGIC))
        salt, cost, nonce = fields["salt"], fields["cost"], bytes.fromhex(fields["nonce"])
        if cost not in COSTS or len(bytes.fromhex(salt)) != SALT_BYTES or len(nonce) != 12:
            raise ValueError("cost")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise Broken(f"{path.name} ist keine ganze Sicherung ({error}).") from None
    kept = _kept()
    if passphrase:
        return _lock(passphrase, salt, cost), nonce
    if kept is not None and kept.salt == salt:
        return kept, nonce
    raise NeedsPassphrase(f"{path.name} ist mit einem Kennwort versiegelt.")
