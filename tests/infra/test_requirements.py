"""The lock files install the same everywhere: every package has hashes, none has an address."""

import re

import pytest

from krru.datafolder import BASE_DIR

LOCKS = sorted((BASE_DIR / "requirements").glob("*.txt"))


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.name)
def test_lock_has_hashes_and_no_addresses(path) -> None:
    text = path.read_text()
    entries = re.split(r"\n(?=\S)", text.strip())

    assert "://" not in text
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9\-]+(\[[a-z,]+\])?==\S+", entry)
        assert "--hash=sha256:" in entry


def test_both_locks_agree() -> None:
    base, dev = (
        dict(re.findall(r"^([a-z0-9\-]+)(?:\[[a-z,]+\])?==(\S+)", path.read_text(), re.MULTILINE))
        for path in LOCKS
    )

    assert base.items() <= dev.items()
