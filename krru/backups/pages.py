"""The blocks of a file that differ from an earlier copy: what a minute adds to a long past."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

BLOCK_BYTES = 4096
NUMBER_BYTES = 8
# Changes of the database, in a backup.
SUFFIX = ".changes"


def _blocks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            yield block


def _digest(block: bytes) -> bytes:
    return hashlib.blake2b(block, digest_size=16).digest()


def digests_of(path: Path) -> list[bytes]:
    """Return the digest of each block of a file."""
    return [_digest(block) for block in _blocks(path)]


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
