"""Templates, scripts and styles can be read: no line is wider than a window."""

from pathlib import Path

import pytest
from django.template.loader import get_template

ROOT = Path(__file__).parents[2]
WIDEST = 120
# A paragraph of a mail is one line, and what others made stays as it was taken.
KINDS = ("*.html", "*.js", "*.css")
FILES = [
    path
    for folder in ("templates", "tournaments/static", "clock/static", "tests")
    for kind in KINDS
    for path in (ROOT / folder).rglob(kind)
    if "vendor" not in path.parts
]


def test_indentation_is_not_sent():
    page = get_template("base.html").template
    assert not [line for line in page.source.splitlines() if line.startswith(" ")]
    assert len(page.source.splitlines()) == len(Path(page.origin.name).read_text().splitlines())


def test_files_are_found():
    assert {path.suffix for path in FILES} == {".html", ".js", ".css"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_line_is_too_wide(path):
    wide = [n for n, line in enumerate(path.read_text().splitlines(), 1) if len(line) > WIDEST]
    assert wide == []


# Pages of people who are signed in, which nobody looks for.
WITHOUT_A_DESCRIPTION = {
    "seasons": {"edit", "evenings", "final", "leagues", "own_profile", "statistics"},
    "privacy": {"erase", "own_data", "settings"},
}


def test_public_pages_say_what_they_are_about():
    """Where somebody looks for a page, this is what is shown of it."""
    found = {}
    for area in ("public", "rulings", "seasons", "privacy"):
        for path in sorted((ROOT / "templates" / area).glob("*.html")):
            text = path.read_text("utf-8")
            is_page = text.startswith('{% extends "base.html" %}')
            is_said = 'name="description"' in text or "public/preview.html" in text
            if is_page and not is_said:
                found.setdefault(area, set()).add(path.stem)
    assert found == WITHOUT_A_DESCRIPTION
