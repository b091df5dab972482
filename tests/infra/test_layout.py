"""Folders and functions are taken in at a glance: where one grows, a part gets its own name."""

import ast
from collections import Counter

from bench.counts import function_lengths
from krru.data.folder import BASE_DIR
from tests.program import PACKAGES, python_sources

MOST = 20
MOST_LINES = 40
# Few processes need them: imported where they are used.
LOADED_LATE = {"openpyxl", "icalendar", "PIL"}


def modules_by_folder():
    paths = (path for name in PACKAGES for path in (BASE_DIR / name).rglob("*.py"))
    modules = (path.relative_to(BASE_DIR) for path in paths if path.name != "__init__.py")
    return Counter(path.parent.as_posix() for path in modules)


def test_no_folder_holds_more_modules_than_one_can_take_in():
    found = modules_by_folder()
    assert all(found[folder] > 5 for folder in ("tournaments/event/selectors", "clock", "krru/web"))
    assert {folder: count for folder, count in found.items() if count > MOST} == {}


def test_every_folder_of_modules_is_a_package():
    """Without `__init__.py` the services in it would not be loaded, and their kinds be unknown."""
    missing = [one for one in modules_by_folder() if not (BASE_DIR / one / "__init__.py").exists()]
    assert missing == []


def test_no_function_is_longer_than_one_can_take_in():
    found = dict(one for path, text in python_sources() for one in function_lengths(path, text))
    assert len(found) > 5000
    assert {name: lines for name, lines in found.items() if lines > MOST_LINES} == {}


def test_lines_of_a_function_are_counted_without_its_docstring():
    text = 'async def one():\n    """Say.\n\n    More.\n    """\n    two = 1\n    return two\n'
    assert dict(function_lengths("a.py", text)) == {"a.py:1 one": 3}


def test_what_few_processes_need_is_not_loaded_when_the_program_starts():
    found = {
        f"{path}: {name}"
        for path, text in python_sources()
        if path.startswith(PACKAGES)
        for node in ast.parse(text).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else names_of(node))
        if name.partition(".")[0] in LOADED_LATE
    }
    assert found == set()


def names_of(node: ast.Import) -> list[str]:
    return [one.name for one in node.names]
