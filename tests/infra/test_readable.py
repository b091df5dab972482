"""Files can be read: no line is wider than a window, comments say whom and what they are about."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest
from django.template.loader import get_template

from tests.program import python_sources

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


# Who that is has to be guessed: "the player" or "the director" says it.
GUESSED = re.compile(r"\b(he|she|his|hers?|him|himself|herself|whoever)\b", re.IGNORECASE)
COMMENTS = {
    ".html": re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}", re.DOTALL),
    # An address in a text has its two strokes behind a colon.
    ".js": re.compile(r"/\*.*?\*/|(?:^|\s)//.*?$", re.DOTALL | re.MULTILINE),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
}


def python_comments(text):
    """Yield the line and the text of each comment, and of each text that stands by itself."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.lineno, value.value


def other_comments(kind, text):
    for found in COMMENTS[kind].finditer(text):
        yield text.count("\n", 0, found.start()) + 1, found[0]


def guessed_in(comments):
    return [(line, found[0]) for line, text in comments for found in GUESSED.finditer(text)]


def test_comments_name_the_person_they_are_about():
    found = {
        path: guessed_in(python_comments(text))
        for path, text in python_sources()
        if GUESSED.search(text)
    }
    for path in FILES:
        name = path.relative_to(ROOT)
        if "tests" not in name.parts:
            comments = other_comments(path.suffix, path.read_text("utf-8"))
            found[name.as_posix()] = guessed_in(comments)
    assert {path: words for path, words in found.items() if words} == {}


def test_a_word_that_has_to_be_guessed_is_found_in_comments_alone():
    python = '"""He\n\nis."""\nhis = "him"  # whoever, where, the\nher(\n    """she""",\n)\n'
    assert guessed_in(python_comments(python)) == [(4, "whoever"), (1, "He")]
    samples = {
        ".html": "<p>his</p>\n{% comment %}a\nhis{% endcomment %}{# hers #}",
        ".js": "const his = 'http://her.example'; // to her\n/* she */",
        ".css": ".his { --her: 1 } /* him */",
    }
    assert {kind: guessed_in(other_comments(kind, text)) for kind, text in samples.items()} == {
        ".html": [(2, "his"), (3, "hers")],
        ".js": [(1, "her"), (2, "she")],
        ".css": [(1, "him")],
    }


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
