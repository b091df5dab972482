"""The lock files install the same everywhere: every package has hashes, none has an address."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from krru.data.folder import BASE_DIR

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


def locked() -> list[dict[str, str]]:
    """Return the version of each package in `base.txt`, and in `dev.txt`."""
    return [
        dict(re.findall(r"^([a-z0-9\-]+)(?:\[[a-z,]+\])?==(\S+)", path.read_text(), re.MULTILINE))
        for path in LOCKS
    ]


def test_both_locks_agree() -> None:
    base, dev = locked()

    assert base.items() <= dev.items()


def test_the_locks_hold_what_the_project_asks_for() -> None:
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text("utf-8"))
    groups = (project["project"]["dependencies"], project["dependency-groups"]["dev"])
    for wanted, lock in zip(groups, locked(), strict=True):
        for row in map(Requirement, wanted):
            assert row.specifier.contains(lock[canonicalize_name(row.name)])
