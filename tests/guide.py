"""The sentences of the guide that say how the program decides, and the tests that say they hold.

A test keeps a sentence of the guide by `@pytest.mark.guide("words of it", …)`: enough of its words,
without marks of emphasis, that no other sentence has them. A row of a table counts as a sentence.
"""

import ast
import re
from collections.abc import Iterator

from krru.data.folder import BASE_DIR

GUIDE = BASE_DIR / "docs" / "guide"
TESTS = BASE_DIR / "tests"
# By chapter, the headings under which every sentence has a test.
KEPT = {
    "vorher.md": ("Die Regeln des Hauses",),
    "einlass.md": (
        "Wie viele Tische sich öffnen",
        "Plätze mit Karten ziehen",
        "Ohne Anmeldung gekommen",
        "Etwas sagen",
    ),
    "kassa.md": (
        "Ohne Kassa zu öffnen",
        "Eine Kassa öffnen",
        "Übergeben und abschließen",
        "Belege",
    ),
    "waehrend.md": (
        "Was an einem Tisch gilt",
        "Jemand scheidet aus",
        "Wo der Button ist",
        "Tische ausgleichen",
        "Einen Tisch auflösen",
        "Disqualifizieren",
        "Nachmelden",
        "Bis zum Geld",
        "Hand für Hand",
        "Spieler zählen",
        "Der Finaltisch",
        "Das Ende",
    ),
}
ENDS = re.compile(r"(?<=[.?!])(?<!z\. B\.)\s+(?=[A-ZÄÖÜ„])")
MARKUP = re.compile(r"\*\*|`|\[([^\]]*)\]\([^)]*\)")


def sentences(chapter: str, heading: str) -> list[str]:
    """Return the sentences under a heading, in plain words, down to the next heading."""
    text = (GUIDE / chapter).read_text("utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{chapter} has no heading {heading!r}"
    parts = [part for part in re.split(r"\n\s*\n", found[1]) if part.strip()]
    return [one for part in parts for one in _sentences_of(part)]


def _sentences_of(part: str) -> Iterator[str]:
    """Split a paragraph, or give the rows of a table but for its head; a picture says nothing."""
    if part.lstrip().startswith("|"):
        yield from (_plain(row.strip("| ")) for row in part.strip().splitlines()[2:])
    elif not part.lstrip().startswith("!["):
        yield from ENDS.split(_plain(part))


def _plain(text: str) -> str:
    return " ".join(MARKUP.sub(lambda mark: mark[1] or "", text).split())


def marks() -> list[tuple[str, str]]:
    """Return the words that tests are marked with, each with the test; without running any."""
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        source = path.read_text("utf-8")
        if "mark.guide(" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(BASE_DIR)}::{node.name}"
                found += [(words, name) for words in _words_of(node)]
    return found


def _words_of(node: ast.FunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.guide":
            yield from (ast.literal_eval(words) for words in mark.args)
