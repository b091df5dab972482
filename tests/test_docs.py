"""The documentation is compared with the program: what is missing, or points nowhere, fails."""

import argparse
import re
import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

import start
from krru.data.folder import BASE_DIR
from krru.devtools import bench
from tests.docs_tables import code_blocks, headings, rows, table_after
from tournaments.changes import access, audit
from tournaments.devtools import pictures
from tournaments.event.domain.promise import commitment
from tournaments.event.selectors.settings.declared import SETTINGS
from tournaments.seating.domain import draws

DOCS = BASE_DIR / "docs"
REFERENCE = DOCS / "reference"
PAGES = sorted([*BASE_DIR.glob("*.md"), *DOCS.rglob("*.md")])
PICTURES = DOCS / "pictures"
LONGEST_DECISION = 70
# The guide shows every step of an evening; each picture for itself stays small.
ALL_PICTURES_BYTES = 4 * 1024 * 1024

ENVIRONMENT = re.compile(r"""os\.environ(?:\.get\(|\[)\s*["']([A-Z_]+)["']""")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(
    r"`((?:krru|clock|tournaments|templates|tests|docs|bench|fixtures|requirements|locale)/(?!NAME)[^`…]*)`"
)
START = re.compile(r"python3 start\.py ?([^`|…\n]*)")
MACHINE_PATH = re.compile(r"(?<![\w.~/])/(?:work|tmp|home|root|Users)/|[A-Z]:\\Users\\")


def text_of(name: str) -> str:
    return (REFERENCE / name).read_text("utf-8")


def page_id(path: Path) -> str:
    return str(path.relative_to(BASE_DIR))


# --- Settings and commands


def variables_read() -> set[str]:
    folders = ("krru", "clock", "tournaments", "bench", "tests")
    files = [BASE_DIR / "start.py", *(p for f in folders for p in (BASE_DIR / f).rglob("*.py"))]
    return {name for file in files for name in ENVIRONMENT.findall(file.read_text("utf-8"))}


def test_every_environment_variable_is_documented():
    documented = {row[0].strip("`") for row in rows(text_of("settings.md"))}
    missing = variables_read() - documented - {"DJANGO_SETTINGS_MODULE"}
    assert {"KRRU_DATA", "KRRU_WHEELS"} <= variables_read()
    assert not missing


def test_every_variable_in_the_settings_page_is_read_by_the_program():
    documented = {row[0].strip("`") for row in rows(text_of("settings.md"))}
    named = {name for name in documented if re.fullmatch(r"[A-Z_]+", name)}
    assert named <= variables_read()


def own_commands() -> list[str]:
    apps = {"krru", "clock", "tournaments"}
    return sorted(name for name, app in get_commands().items() if app in apps)


@pytest.mark.parametrize("name", own_commands())
def test_a_management_command_is_documented_with_its_options(name):
    section = headings(text_of("commands.md")).get(name)
    assert section is not None, f"commands.md has no section {name}"
    for option in options_of(name):
        assert f"`{option}`" in section


def options_of(name: str) -> list[str]:
    command = load_command_class(get_commands()[name], name)
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return [
        (action.option_strings or [action.dest])[-1]
        for action in parser._actions
        if action.dest != "help"
    ]


def start_commands() -> set[str]:
    named = re.findall(r"^    python3 start\.py \[?(\w+)", start.__doc__, re.MULTILINE)
    return set(named)


def test_start_commands_are_documented():
    rows_of_table = table_after(text_of("commands.md"), "## start.py")
    documented = {START.findall(row[0])[0].split(" ")[0] for row in rows_of_table}
    assert start_commands() == documented - {""}


def test_the_commands_of_the_readme_are_the_ones_ci_runs():
    readme = (BASE_DIR / "README.md").read_text("utf-8")
    commands = [line for block in code_blocks(readme) for line in block.splitlines()]
    assert commands == ["python3 start.py", "python3 start.py test"]
    script = (BASE_DIR / ".ci" / "run").read_text("utf-8").splitlines()
    assert script == ["#!/bin/sh", f"exec {commands[1]}"]


def test_every_benchmark_has_its_latest_figures():
    page = text_of("performance.md")
    assert bench.names()
    for name in bench.names():
        assert f"`python3 start.py bench {name}`" in page


# --- Permissions and the log


def test_the_table_of_permissions_is_the_programs():
    found = {}
    for cells in table_after(text_of("permissions.md"), "## Who may do what"):
        name = cells[0].split("`")[1]
        found[name] = dict(zip(access.Role, cells[1:], strict=True))
    wanted = {
        permission.value: {role: "yes" if permission in role.may else "no" for role in access.Role}
        for permission in access.Permission
    }
    assert found == wanted


def test_the_columns_of_the_table_of_permissions_are_the_roles():
    line = next(row for row in text_of("permissions.md").splitlines() if "| director |" in row)
    assert [cell.strip() for cell in line.strip("|").split("|")][1:] == list(access.Role)


def test_what_may_change_after_the_start_is_the_programs():
    cells = table_after(text_of("permissions.md"), "## What may still change after the start")
    found = {row[0].strip("`"): row[1] for row in cells}
    wanted = {
        setting.name: "no" if setting.fixed_after_start else "yes"
        for setting in SETTINGS
        if setting.is_changeable
    }
    assert found == wanted


def test_every_kind_of_log_entry_is_documented_with_its_permission():
    page = text_of("log-kinds.md")
    tables = [*table_after(page, "## Of an event"), *table_after(page, "## Of the club")]
    found = {row[0].strip("`"): row[2].strip("`") for row in tables}
    assert found == {name: known.permission.value for name, known in audit.services().items()}
    own = {row[0].strip("`") for row in tables if row[3] == "own"}
    assert own == {name for name in found if audit.undo_of(name)}


# --- The pages themselves


@pytest.mark.parametrize("path", PAGES, ids=page_id)
@pytest.mark.guide("Wie genau, mit Bild", "Wie der Vorschlag zustande kommt")
def test_links_and_pictures_are_there(path):
    for target in LINK.findall(path.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        found = (path.parent / name).resolve() if name else path
        assert found.exists(), f"{target} leads nowhere"
        assert found.is_relative_to(BASE_DIR), f"{target} leads out of the project"
        if anchor:
            assert anchor in anchors(found), f"{target}: there is no such heading"


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {slug(title) for title in titles}


def slug(title: str) -> str:
    """Return the anchor a heading gets on the usual code hosts."""
    kept = (c for c in unicodedata.normalize("NFC", title.lower()) if c.isalnum() or c in " -_")
    return "".join(kept).strip().replace(" ", "-")


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_no_page_names_a_path_of_somebodys_machine(path):
    assert not MACHINE_PATH.findall(path.read_text("utf-8"))


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_files_named_in_a_page_are_there(path):
    for name in NAMED_FILE.findall(path.read_text("utf-8")):
        assert list(BASE_DIR.glob(name.rstrip("/"))), f"{name} is not there"


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_commands_named_in_a_page_exist(path):
    known = start_commands()
    for line in START.findall(path.read_text("utf-8")):
        words = line.split()
        if not words or words[0].startswith("-"):
            words = ["serve", *words]
        assert words[0] in known, line
        if words[0] == "manage" and words[1] not in {"COMMAND", "NAME"}:
            words = words[1:]
            assert words[0] in get_commands(), line
        if words[0] in own_commands():
            options = {word for word in words[1:] if word.startswith("--")}
            assert options <= set(options_of(words[0])), line


@pytest.mark.parametrize("folder", ["guide", "internals", "reference", "decisions"])
def test_every_page_can_be_reached_from_its_contents(folder):
    contents = (DOCS / folder / "README.md").read_text("utf-8")
    linked = {target.partition("#")[0] for target in LINK.findall(contents)}
    pages = {path.name for path in (DOCS / folder).glob("*.md")} - {"README.md"}
    assert pages <= linked


@pytest.mark.parametrize(
    "record", sorted((DOCS / "decisions").glob("0*.md")), ids=lambda path: path.stem
)
def test_a_decision_fits_on_a_page(record):
    text = record.read_text("utf-8")
    assert len(text.splitlines()) <= LONGEST_DECISION
    assert re.match(rf"# {record.stem[:4]} ", text)


def test_decisions_are_numbered_without_gaps():
    numbers = [int(path.name[:4]) for path in sorted((DOCS / "decisions").glob("0*.md"))]
    assert numbers == list(range(1, len(numbers) + 1))


def test_pictures_are_small_and_used():
    found = sorted(PICTURES.glob("*.png"))
    everything = "".join(page.read_text("utf-8") for page in PAGES)
    assert found
    for picture in found:
        assert picture.stat().st_size <= pictures.LARGEST_BYTES, picture.name
        assert f"pictures/{picture.name}" in everything, f"{picture.name} is shown nowhere"
    assert sum(picture.stat().st_size for picture in found) <= ALL_PICTURES_BYTES


# --- The draw recomputed by hand


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="this system has no sha256sum")
@pytest.mark.parametrize(("name", "count"), [("draws.md", 5), ("log-and-undo.md", 1)])
def test_worked_examples_give_what_the_page_says(name, count):
    blocks = code_blocks((DOCS / "internals" / name).read_text("utf-8"), "console")
    assert len(blocks) == count
    for block in blocks:
        command, said = re.fullmatch(r"\$ ((?:.*\\\n)*.*)\n([^$]*)", block).groups()
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout.split() == said.split()


def test_the_worked_draw_is_what_the_program_draws():
    secret, free = "6b727275", {2: [1, 5, 9]}
    said = {"secret": secret, "hall_number": "4711", "draw_number": 12}
    page = (DOCS / "internals" / "draws.md").read_text("utf-8")
    assert commitment(secret) in page
    assert draws.seat_draw("entry:31", free, {2: 7}, **said) == (2, 9)
    assert "**table 2, seat 9**" in page
    cards = draws.dealer_draw([1, 2, 4], secret=secret, hall_number="4711", draw_number=13)
    assert "**" + ", ".join(f"seat {seat} {card}" for seat, card in cards.items()) + "**" in page
