"""Find the release of a database by its applied migrations."""

import re
from collections.abc import Collection
from enum import Enum, auto

from django.db.migrations.loader import MigrationLoader

Key = tuple[str, str]

# The migrations of 0.1.0. No migration of this program follows them; release 0.2.0 has one.
OF_0_1_0: frozenset[Key] = frozenset({
    ("clock", "0001_initial"),
    ("clock", "0002_edits"),
    ("clock", "0003_time"),
    ("tournaments", "0001_initial"),
    ("tournaments", "0002_screen"),
    ("tournaments", "0003_hands"),
    ("tournaments", "0004_floor"),
    ("tournaments", "0005_places"),
    ("tournaments", "0006_late_break"),
    ("tournaments", "0007_hall"),
})  # fmt: skip


class Standing(Enum):
    """Whether this program can go on from a database, or why not."""

    GOES_ON = auto()
    NEWER = auto()
    OF_0_1_0 = auto()
    BETWEEN = auto()  # from a checkout between two releases


def standing(applied: Collection[Key]) -> Standing:
    """Return the standing of a database with these applied migrations."""
    disk = MigrationLoader(None).disk_migrations
    done = set(applied)
    replaced = [set(migration.replaces) for migration in disk.values()]
    if done - disk.keys() - set().union(*replaced):
        return Standing.NEWER
    # Django would look for the missing migrations of a squashed one.
    if all(keys <= done or keys.isdisjoint(done) for keys in replaced):
        return Standing.GOES_ON
    return Standing.OF_0_1_0 if done <= OF_0_1_0 else Standing.BETWEEN


def numbers(version: str) -> tuple[int, ...]:
    """Return the sort key of a version.

    >>> numbers("0.10.0") > numbers("0.9.1")
    True
    """
    return tuple(int(part) for part in re.findall(r"\d+", version))
