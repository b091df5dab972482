"""Seeds faults of the kind people make, one at a time, and tells whether the suite finds them.

    .venv/bin/python -m tests.seeded_faults [--only NAME ...] [--near] [--list]

Each fault is an exact replacement of text in a copy of the tree. The text is looked for in all
files of the program, so that a fault outlives a move of its file; when it is not there exactly
once, the run fails before it begins. The tests nearest to a fault run first, up to the first
failure. When they find nothing, the whole suite runs; with `--near` it does not. Prints a JSON
object a fault: {"fault", "found", "by", "seconds"}. The exit code says whether all were found.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from krru.devtools import chromium
from krru.devtools.postgres import Postgres
from tests.faults import FAULTS, Fault

BASE = Path(__file__).resolve().parent.parent
PROGRAM = ("tournaments", "clock", "krru", "templates")
KINDS = {".py", ".js", ".html"}
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
SUITE = ("-n", "2", "--dist", "worksteal", "-m", "not browser", "--ignore=tests/browser")
IN_BROWSER = ("-n", "2", "--dist", "worksteal", "-m", "browser", "tests/browser", "tests/clock")


def sources(tree: Path) -> Iterator[Path]:
    for folder in PROGRAM:
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in KINDS and "vendor" not in path.parts and path.is_file():
                yield path


def place_of(one: Fault, tree: Path) -> Path:
    """Return the file that holds the text. It must be there once, or the fault says nothing."""
    found = {path: path.read_text("utf-8").count(one.right) for path in sources(tree)}
    holding = {path: times for path, times in found.items() if times}
    if list(holding.values()) != [1]:
        where = {str(path.relative_to(tree)): times for path, times in holding.items()}
        raise SystemExit(f"„{one.name}“: its text must stand once in the program, not {where}.")
    return next(iter(holding))


def copy_of_tree(folder: Path) -> Path:
    """Copy what git knows, and what is new; the environment is shared."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=BASE, capture_output=True, text=True, check=True)
    tree = folder / "tree"
    for name in listed.stdout.splitlines():
        if (BASE / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(BASE / name, tree / name)
    return tree


class Suite:
    """Runs tests in a copy of the tree."""

    def __init__(self, tree: Path, stack: ExitStack) -> None:
        self.tree, self.stack = tree, stack
        self.database = ""
        self.env = {**os.environ, "PYTHONPATH": str(tree), "KRRU_CHROMIUM": chromium.ensure() or ""}

    def find(self, one: Fault, *, near_alone: bool) -> str | None:
        """Return the first test that fails, None if none does."""
        near = [str(path) for name in one.near for path in self.tree.rglob(f"{name}.py")]
        tests = [path for path in near if Path(path).name.startswith("test_") or "domain" in path]
        if not tests:
            raise SystemExit(f"„{one.name}“: there are no tests {one.near}.")
        runs = [(tests, one.on)]
        if not near_alone:
            runs += [(SUITE, "sqlite"), (SUITE, "postgres"), (IN_BROWSER, "browser")]
        for arguments, on in runs:
            if (found := self._run(arguments, on)) is not None:
                return f"{found} ({on})"
        return None

    def _run(self, arguments: list[str] | tuple[str, ...], on: str) -> str | None:
        env = dict(self.env)
        if on == "postgres":
            self.database = self.database or self.stack.enter_context(Postgres()).url
            env["KRRU_TEST_DATABASE_URL"] = self.database
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
        own = {"cwd": self.tree, "env": env, "capture_output": True, "text": True}
        done = subprocess.run(command, check=False, **own)
        if done.returncode in (0, 5):
            return None
        found = FAILED.search(done.stdout)
        # What cannot even be collected is found, too; anything else is a fault of the run.
        if found is None:
            raise SystemExit(done.stdout[-4000:] + done.stderr[-4000:])
        return found[1]


def main() -> int:
    parser = argparse.ArgumentParser(description="Seeds faults, and tells which tests find them.")
    parser.add_argument("--only", nargs="+", default=[], help="these faults, by name")
    parser.add_argument("--near", action="store_true", help="run the nearest tests alone")
    parser.add_argument("--list", action="store_true", help="name the faults and their files")
    asked = parser.parse_args()
    chosen = [one for one in FAULTS if not asked.only or one.name in asked.only]
    with ExitStack() as stack:
        tree = copy_of_tree(Path(stack.enter_context(tempfile.TemporaryDirectory())))
        places = {one: place_of(one, tree) for one in chosen}
        if asked.list:
            for one, path in places.items():
                print(f"{path.relative_to(tree)}: {one.name}")
            return 0
        suite, found = Suite(tree, stack), 0
        for one, path in places.items():
            right, began = path.read_text("utf-8"), time.monotonic()
            path.write_text(right.replace(one.right, one.wrong), "utf-8")
            by = suite.find(one, near_alone=asked.near)
            path.write_text(right, "utf-8")
            found += by is not None
            seconds = round(time.monotonic() - began)
            told = {"fault": one.name, "found": by is not None, "by": by, "seconds": seconds}
            print(json.dumps(told, ensure_ascii=False), flush=True)
    print(json.dumps({"faults": len(chosen), "found": found}))
    return int(found < len(chosen))


if __name__ == "__main__":
    sys.exit(main())
