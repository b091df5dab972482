"""The guide is compared with the interface: its words and addresses must be those of the pages."""

import re
from pathlib import Path

import pytest
from django.urls import Resolver404, resolve

from krru.data.folder import BASE_DIR
from krru.devtools.messages import texts_in_use
from tests.guide import GUIDE, KEPT, marks, sentences

CHAPTERS = sorted(GUIDE.glob("*.md"))
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
ADDRESS = re.compile(r"`(/[^`]*)`")
QUOTED_FILE = re.compile(r"^/(?:media|var|opt|etc)/")


@pytest.fixture(scope="module")
def words() -> set[str]:
    """Every text of the interface, with single blanks."""
    found = {text for _context, text, plural in texts_in_use() for text in (text, plural) if text}
    return {" ".join(text.split()) for text in found}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_bold_words_stand_on_the_screen(chapter: Path, words: set[str]):
    bold = {" ".join(word.split()) for word in BOLD.findall(chapter.read_text("utf-8"))}
    assert bold - words - {"fetter Schrift"} == set()


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_addresses_are_those_of_pages(chapter: Path):
    for address in ADDRESS.findall(chapter.read_text("utf-8")):
        if QUOTED_FILE.match(address):
            continue
        try:
            resolve(address.replace("…", "abend"))
        except Resolver404:
            pytest.fail(f"{address} is no page")


def test_the_guide_has_the_chapters_of_an_evening():
    names = {path.stem for path in CHAPTERS}
    assert {"einrichten", "saal", "vorher", "waehrend", "nachher", "sichern"} <= names


def test_sentences_quoted_from_the_program_are_in_it():
    """In the last chapter people look up what the console says; the guide quotes its beginning."""
    chapter = (GUIDE / "schiefgegangen.md").read_text("utf-8")
    quoted = re.findall(r"^\| „(.+?)“", chapter, re.MULTILINE)
    files = [BASE_DIR / "start.py", *(BASE_DIR / "krru").rglob("*.py")]
    program = " ".join(" ".join(path.read_text("utf-8") for path in files).split())
    assert quoted
    for sentence in quoted:
        for part in sentence.split(" … "):
            assert part.replace("8000", "{port}") in program or part in program, sentence


def kept() -> list[str]:
    return [one for name, heads in KEPT.items() for head in heads for one in sentences(name, head)]


def test_each_sentence_on_what_the_program_decides_has_a_test():
    words = [words for words, _test in marks()]
    assert [one for one in kept() if not any(part in one for part in words)] == []


def test_each_mark_names_the_words_of_one_sentence():
    found = kept()
    wrong = [
        f"{words!r} at {test}" for words, test in marks() if sum(words in one for one in found) != 1
    ]
    assert wrong == []


def test_a_sentence_is_told_from_the_next_and_a_row_is_one():
    assert sentences("einlass.md", "Ohne Anmeldung gekommen")[1:3] == [
        "Sind alle Plätze vergeben, setzt Nur anmelden auf die Warteliste.",
        "Wer wartet und schon hier ist: Ist da.",
    ]
    assert "Er ist nicht mehr festzustellen | Nicht bekannt" in sentences(
        "waehrend.md", "Wo der Button ist"
    )
