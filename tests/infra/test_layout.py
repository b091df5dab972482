"""Files and functions are taken in at a glance, folders are packages, and English is complete."""

import ast
import re

from krru.data.folder import BASE_DIR
from krru.devtools.messages import catalogue, key, texts_in_use, untranslated

FOLDERS = ("krru", "clock", "tournaments", "bench", "tests")
LONGEST_FILE, LONGEST_FUNCTION = 450, 40
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w+\}|%%")


def sources(*folders: str):
    """Yield the path and the text of each Python file, but for migrations."""
    for path in [path for one in folders for path in sorted((BASE_DIR / one).rglob("*.py"))]:
        if "migrations" not in path.parts:
            yield path.relative_to(BASE_DIR), path.read_text("utf-8")


def test_no_file_is_too_long():
    counts = {str(path): text.count("\n") for path, text in sources(*FOLDERS)}
    assert {path: lines for path, lines in counts.items() if lines > LONGEST_FILE} == {}


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many lines a function has without its docstring."""
    told = ast.get_docstring(function, clean=False) or ""
    return function.end_lineno - function.lineno + 1 - bool(told) - told.count("\n")


def test_no_function_is_too_long():
    found = [
        f"{path}:{node.lineno} {node.name}"
        for path, text in sources(*FOLDERS[:-1])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and lines_of(node) > LONGEST_FUNCTION
    ]
    assert found == []


def test_every_folder_of_modules_is_a_package():
    """Without `__init__.py` the services in it would not be loaded, and their kinds be unknown."""
    folders = {path.parent for path, _text in sources(*FOLDERS[:-2])}
    assert [one for one in folders if not (BASE_DIR / one / "__init__.py").exists()] == []


def test_the_catalogue_holds_every_text_translated_and_no_other() -> None:
    held = {key(entry) for entry in catalogue()}
    used = set(texts_in_use())
    assert sorted(used - held) == []
    assert sorted(held - used) == []
    assert untranslated() == []


def test_placeholders_are_the_same_in_both_languages() -> None:
    for entry in catalogue():
        wanted = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for said in [entry.msgstr, *entry.msgstr_plural.values()]:
            if said:
                assert set(PLACEHOLDER.findall(said)) <= wanted, entry.msgid
        whole = entry.msgstr + "".join(entry.msgstr_plural.values())
        assert set(PLACEHOLDER.findall(whole)) == wanted, entry.msgid
