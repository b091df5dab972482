"""Files made by others: listed with version, hash and licence; nothing else slips in."""

import hashlib
import json
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "tournaments" / "static" / "tournaments"
FILES = json.loads((STATIC / "vendor.json").read_text())["files"]
FONTS_AT_MOST = 55 * 1024


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_vendored_file_is_the_one_that_was_taken(entry):
    assert entry.keys() == {"name", "version", "file", "sha256", "licence", "licence_file"}
    assert hashlib.sha256((STATIC / entry["file"]).read_bytes()).hexdigest() == entry["sha256"]


@pytest.mark.parametrize("entry", FILES, ids=lambda entry: entry["file"])
def test_vendored_file_has_its_licence_beside_it(entry):
    text = (STATIC / entry["licence_file"]).read_text()
    title = {
        "OFL-1.1": "SIL Open Font License",
        "ISC": "ISC License",
        "Apache-2.0": "Apache License",
    }[entry["licence"]]
    assert title in text
    assert "Copyright" in text


def test_every_font_is_listed():
    listed = {entry["file"] for entry in FILES}
    assert {f"fonts/{font.name}" for font in (STATIC / "fonts").iterdir()} <= listed


def test_fonts_are_light_enough_for_a_phone():
    assert sum(font.stat().st_size for font in (STATIC / "fonts").iterdir()) <= FONTS_AT_MOST


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
