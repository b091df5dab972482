"""The documentation is compared with the program: what is missing, or points nowhere, fails.

Commands, settings, permissions, kinds, tables of the reference, links. No prose is judged.
"""

import argparse
import re
import unicodedata
from pathlib import Path

import pytest
from django.core.management import call_command, get_commands, load_command_class
from django.urls import Resolver404, resolve
from django.utils.translation import override

import start
from bench import __main__ as bench
from krru.data.folder import BASE_DIR
from krru.devtools.messages import texts_in_use
from tests.docs_tables import code_blocks, headings, rows, table_after
from tests.domain.cases import fixture
from tournaments.changes import access, audit
from tournaments.event.domain.rules import rule_set_from
from tournaments.event.selectors.settings.declared import SETTINGS
from tournaments.rules.selectors.rule import RuleGroup
from tournaments.rules.selectors.rules import RULES

DOCS = BASE_DIR / "docs"
GUIDE, REFERENCE = DOCS / "guide", DOCS / "reference"
PAGES = sorted([*BASE_DIR.glob("*.md"), *DOCS.rglob("*.md")])
FOLDERS = ("krru", "clock", "tournaments", "bench", "tests")

ENVIRONMENT = re.compile(r"""os\.environ(?:\.get\(|\[)\s*["']([A-Z_]+)["']""")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
NAMED_FILE = re.compile(
    r"`((?:krru|clock|tournaments|templates|tests|docs|bench|fixtures|requirements|locale)/(?!NAME)[^`…]*)`"
)
START = re.compile(r"python3 start\.py ?([^`|…\n]*)")
MACHINE_PATH = re.compile(r"(?<![\w.~/])/(?:work|tmp|home|root|Users)/|[A-Z]:\\Users\\")
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
ADDRESS = re.compile(r"`(/(?!media|var|opt|etc)[^`]*)`")


def text_of(name: str) -> str:
    return (REFERENCE / name).read_text("utf-8")


def in_every_page(pattern, pages=PAGES):
    """Yield each page with each text of it that the pattern finds."""
    for page in pages:
        yield from ((page, found) for found in pattern.findall(page.read_text("utf-8")))


# --- Settings and commands


def test_environment_variables_are_documented_and_the_documented_are_read():
    files = [BASE_DIR / "start.py", *(p for f in FOLDERS for p in (BASE_DIR / f).rglob("*.py"))]
    read = {name for file in files for name in ENVIRONMENT.findall(file.read_text("utf-8"))}
    cells = {row[0].strip("`") for row in rows(text_of("settings.md"))}
    documented = {name for name in cells if re.fullmatch(r"[A-Z_]+", name)}
    assert {"KRRU_DATA", "KRRU_WHEELS"} <= read
    assert documented == read - {"DJANGO_SETTINGS_MODULE"}


def own_commands() -> list[str]:
    apps = {"krru", "clock", "tournaments"}
    return sorted(name for name, app in get_commands().items() if app in apps)


def options_of(name: str) -> list[str]:
    parser = argparse.ArgumentParser()
    load_command_class(get_commands()[name], name).add_arguments(parser)
    actions = [action for action in parser._actions if action.dest != "help"]
    return [(action.option_strings or [action.dest])[-1] for action in actions]


def start_commands() -> set[str]:
    return set(re.findall(r"^    python3 start\.py \[?(\w+)", start.HELP, re.MULTILINE))


def test_commands_are_documented_with_their_options():
    page = text_of("commands.md")
    sections = headings(page)
    for name in own_commands():
        assert name in sections
        assert [one for one in options_of(name) if f"`{one}`" not in sections[name]] == [], name
    documented = table_after(page, "## start.py")
    assert start_commands() == {START.findall(row[0])[0].split(" ")[0] for row in documented} - {""}


def test_commands_named_in_a_page_exist():
    for page, line in in_every_page(START):
        words = line.split()
        if not words or words[0].startswith("-"):
            words = ["serve", *words]
        assert words[0] in start_commands(), (page, line)
        if words[0] == "manage" and words[1] not in {"COMMAND", "NAME"}:
            words = words[1:]
            assert words[0] in get_commands(), (page, line)
        if words[0] in own_commands():
            options = {word for word in words[1:] if word.startswith("--")}
            assert options <= set(options_of(words[0])), (page, line)


def test_the_readme_shows_what_ci_runs():
    readme = (BASE_DIR / "README.md").read_text("utf-8")
    commands = [line for block in code_blocks(readme) for line in block.splitlines()]
    assert commands[:2] == ["python3 start.py", "python3 start.py test"]
    script = (BASE_DIR / ".ci" / "run").read_text("utf-8").splitlines()
    assert script == ["#!/bin/sh", f"exec {commands[1]}"]


def test_every_benchmark_has_its_latest_figures_and_no_other_has():
    firsts = {row[0].strip("`") for row in rows(text_of("performance.md"))}
    assert firsts - {"bench", ""} == set(bench.names())


def test_the_table_of_permissions_is_the_programs():
    page = text_of("permissions.md")
    head = next(row for row in page.splitlines() if "| director |" in row)
    assert [cell.strip() for cell in head.strip("|").split("|")][1:] == list(access.Role)
    found = {
        cells[0].split("`")[1]: dict(zip(access.Role, cells[1:], strict=True))
        for cells in table_after(page, "## Who may do what")
    }
    assert found == {
        permission.value: {role: "yes" if permission in role.may else "no" for role in access.Role}
        for permission in access.Permission
    }


def test_what_may_change_after_the_start_is_the_programs():
    cells = table_after(text_of("permissions.md"), "## What may still change after the start")
    assert {row[0].strip("`"): row[1] for row in cells} == {
        setting.name: "no" if setting.fixed_after_start else "yes"
        for setting in SETTINGS
        if setting.is_changeable
    }


def test_every_kind_of_log_entry_is_listed_with_its_permission_and_meaning(capsys):
    call_command("logkinds")
    listed = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    services = audit.services()
    assert {name: may for name, may, _, _ in listed} == {
        name: known.permission.value for name, known in services.items()
    }
    assert {name for name, _, undo, _ in listed if undo == "own"} == {
        name for name in services if audit.undo_of(name)
    }
    assert [name for name, *_, meaning in listed if not meaning] == []


def test_the_table_of_rules_is_the_programs():
    presets = [rule_set_from(row) for row in fixture("rules.json")["presets"]]

    def row_of(rule):
        choices = [str(choice.label) for choice in (rule.choices or {}).values()]
        bounds = rule.number and f"{rule.number.least} to {rule.number.most}"
        name = f"`{rule.name}`" + ("" if rule.is_obeyed else "; told only")
        they_have = [rule.words(getattr(preset, rule.name)) for preset in presets]
        values = [bounds or "; ".join(choices), *they_have, rule.binds.until, rule.source]
        return [name, str(rule.label), *map(str, values)]

    with override("en"):
        for group in RuleGroup:
            wanted = [row_of(rule) for rule in RULES if rule.heading.group is group]
            assert table_after(text_of("rules.md"), f"## {group.label}") == wanted


# --- The pages themselves


def slug(title: str) -> str:
    """Return the anchor a heading gets on the usual code hosts."""
    kept = (c for c in unicodedata.normalize("NFC", title.lower()) if c.isalnum() or c in " -_")
    return "".join(kept).strip().replace(" ", "-")


def test_links_and_pictures_are_there():
    for page, target in in_every_page(LINK):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        found = (page.parent / name).resolve() if name else page
        assert found.exists(), f"{page}: {target} leads nowhere"
        assert found.is_relative_to(BASE_DIR), f"{page}: {target} leads out of the project"
        titles = re.findall(r"^#+ (.+)$", found.read_text("utf-8"), re.MULTILINE) if anchor else []
        assert not anchor or anchor in map(slug, titles), f"{page}: {target}: no such heading"


def test_files_named_in_a_page_are_there_and_none_of_somebodys_machine():
    files = in_every_page(NAMED_FILE)
    assert [one for one in files if not list(BASE_DIR.glob(one[1].rstrip("/")))] == []
    assert list(in_every_page(MACHINE_PATH)) == []


def test_every_page_and_picture_is_linked():
    for folder in ("guide", "internals", "reference", "decisions"):
        contents = DOCS / folder / "README.md"
        linked = {target.partition("#")[0] for target in LINK.findall(contents.read_text("utf-8"))}
        assert {path.name for path in contents.parent.glob("*.md")} - {contents.name} <= linked
    shown = {Path(target).name for _page, target in in_every_page(LINK)}
    assert {path.name for path in (DOCS / "pictures").glob("*.png")} <= shown


def test_words_and_addresses_of_the_guide_are_those_of_the_pages():
    pages = sorted(GUIDE.glob("*.md"))
    words = {text for _context, *texts in texts_in_use() for text in texts if text}
    bold = {" ".join(word.split()) for _page, word in in_every_page(BOLD, pages)}
    assert bold - {" ".join(text.split()) for text in words} - {"fetter Schrift"} == set()
    for page, address in in_every_page(ADDRESS, pages):
        try:
            resolve(address.replace("…", "abend"))
        except Resolver404:
            pytest.fail(f"{page}: {address} is no page")
