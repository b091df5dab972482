"""Files made by others, and packages: listed with version, hash and licence; none slips in."""

import hashlib
import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from krru.data.folder import BASE_DIR

STATIC = Path(__file__).parents[2] / "tournaments" / "static" / "tournaments"
FILES = json.loads((STATIC / "vendor.json").read_text())["files"]
FONTS_AT_MOST = 55 * 1024


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_vendored_file_is_the_one_that_was_taken_and_has_its_licence_beside_it(entry):
    assert entry.keys() == {"name", "version", "file", "sha256", "licence", "licence_file"}
    assert hashlib.sha256((STATIC / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]
    text = (STATIC / entry["licence_file"]).read_text()
    title = {
        "OFL-1.1": "SIL Open Font License",
        "ISC": "ISC License",
        "Apache-2.0": "Apache License",
    }[entry["licence"]]
    assert title in text
    assert "Copyright" in text


def test_every_font_is_listed_and_they_are_light_enough_for_a_phone():
    listed = {entry["file"] for entry in FILES}
    fonts = list((STATIC / "fonts").iterdir())
    assert {f"fonts/{font.name}" for font in fonts} <= listed
    assert sum(font.stat().st_size for font in fonts) <= FONTS_AT_MOST


def test_every_icon_used_in_a_template_exists():
    sprite = (STATIC / "icons.svg").read_text()
    templates = STATIC.parents[2] / "templates"
    used = {
        name
        for page in templates.rglob("*.html")
        for name in re.findall(r'\bicon[ =]"([^"]+)"', page.read_text())
    }
    assert used
    assert {name for name in used if f'id="{name}"' not in sprite} == set()


def test_nothing_is_fetched_from_elsewhere():
    for sheet in STATIC.rglob("*.css"):
        assert "//" not in sheet.read_text().replace("/*", "").replace("*/", ""), sheet.name


# --- The lock files install the same everywhere: every package has hashes, none has an address


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


def test_the_locks_agree_and_hold_what_the_project_asks_for() -> None:
    pinned = re.compile(r"^([a-z0-9\-]+)(?:\[[a-z,]+\])?==(\S+)", re.MULTILINE)
    base, dev = (dict(pinned.findall(path.read_text())) for path in LOCKS)
    assert base.items() <= dev.items()
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text("utf-8"))
    for lock, wanted in (
        (base, project["project"]["dependencies"]),
        (dev, project["dependency-groups"]["dev"]),
    ):
        for row in map(Requirement, wanted):
            assert row.specifier.contains(lock[canonicalize_name(row.name)])
