"""How large the program is, how many places one thing is written in, how far a tap walks.

Counts files git tracks, and plays one out of the sample evening through Django's test client, in a
data folder of its own. Not a measure of time.
"""

import ast
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

from bench._report import Report

BASE = Path(__file__).parent.parent
OURS = ("clock", "krru", "tournaments")
NO_PROGRAM = ("tests/", "docs/", "locale/", "fixtures/")
TOOLS = ("bench/", "krru/devtools/")
# Files that name one of those there are: one who adds another may have to visit the same.
KIND = "seats.swapped"
ROLES = ("director", "desk", "arbiter")
# What plays whole evenings acts as each role; that is no list of roles.
PLAYED = ("tournaments/devtools/", "tournaments/practice/simulation/")


def main() -> int:
    """Count, and show the figures."""
    report = Report("counts")
    program = dict(_tracked())
    sources = {path: text for path, text in program.items() if path.endswith(".py")}
    lines = sum(text.count("\n") for text in sources.values())
    report.add("python_lines", lines, "lines", goal=40_000)
    named = {
        "kind": (rf"[\"']{re.escape(KIND)}[\"']|\b{KIND.replace('.', '_').upper()}\b", 1),
        "role": (_role_pattern(), 2),
    }
    for name, heading in (("setting", "of an event"), ("rule", "of the house")):
        touched = _program_files_of_the_difference(f"### A new {name} {heading}")
        _add_files(report, name, touched, goal=3)
    for name, (pattern, goal) in named.items():
        files = [
            path
            for path, text in program.items()
            if re.search(pattern, text, re.MULTILINE) and not path.startswith((*TOOLS, *PLAYED))
        ]
        _add_files(report, name, files, goal=goal)
    modules = _walk_of_an_out()
    print("walk", *modules, sep="\n  ", file=sys.stderr)
    report.add("modules_of_an_out", len(modules), "modules", goal=14)
    files = {path: text.count("\n") for path, text in sources.items()}
    functions = dict(
        found for path, text in sources.items() for found in function_lengths(path, text)
    )
    for name, lengths, goal in (("file", files, 300), ("function", functions, 40)):
        longest = max(lengths, key=lambda one: lengths[one])
        print(f"longest {name}", longest, sep="\n  ", file=sys.stderr)
        report.add(f"longest_{name}", lengths[longest], "lines", goal=goal)
    return report.show()


def _add_files(report: Report, name: str, files: list[str], *, goal: int) -> None:
    print(name, *files, sep="\n  ", file=sys.stderr)
    report.add(f"files_of_a_{name}", len(files), "files", goal=goal)


def _role_pattern() -> str:
    """Match where a role of the staff is declared, named, or compared as a text."""
    names, values = "|".join(ROLES).upper(), "|".join(ROLES)
    return rf"^class Role\(|\bRole\.({names})\b|\brole\b.{{1,6}}[\"']({values})[\"']"


def _program_files_of_the_difference(heading: str) -> list[str]:
    """Return the files of the program in a difference that CONTRIBUTING shows below a heading."""
    _before, _heading, rest = (BASE / "CONTRIBUTING.md").read_text("utf-8").partition(heading)
    shown = rest.partition("```diff\n")[2].partition("```")[0]
    files = re.findall(r"^\+\+\+ b/(\S+)$", shown, re.MULTILINE)
    return [path for path in files if not path.startswith(NO_PROGRAM) and "migrations" not in path]


def _tracked() -> Iterator[tuple[str, str]]:
    """Yield path and text of the program: no tests, migrations, translations, documents."""
    listed = subprocess.run(["git", "ls-files"], cwd=BASE, check=True, capture_output=True)
    for path in listed.stdout.decode().splitlines():
        if path.startswith(NO_PROGRAM) or "/migrations/" in path:
            continue
        if path.endswith((".py", ".html", ".js", ".txt")) and not path.startswith("requirements/"):
            yield path, (BASE / path).read_text("utf-8")


def function_lengths(path: str, text: str) -> Iterator[tuple[str, int]]:
    """Yield each function, and how many lines it has without its docstring."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            told = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            docstring = (first.end_lineno or 0) - first.lineno + 1 if told else 0
            length = (node.end_lineno or 0) - node.lineno + 1 - docstring
            yield f"{path}:{node.lineno} {node.name}", length


def _walk_of_an_out() -> list[str]:
    """Return the modules entered between the tap of an out and its answer."""
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        os.environ.update(KRRU_DATA=folder, KRRU_DEBUG="1")
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", interactive=False, verbosity=0)
        call_command("loadhouse", verbosity=0)
        client, path = _arbiter()
        _tap(client, path(0))  # what is made once is not part of the walk
        entered = _entered_by(lambda: _tap(client, path(1)))
        connection.close()
    return sorted(entered)


def _arbiter() -> Any:
    """Return a signed-in client, and a function that names the address of the n-th player's out."""
    from django.core.management import call_command
    from django.test import Client
    from django.urls import reverse

    from tournaments.models import Elimination, Entry, Event

    link = io.StringIO()
    call_command("directorlink", base="", stdout=link)
    client = Client(HTTP_HOST="localhost")
    client.post(link.getvalue().strip(), {"name": "Dora"})
    event = Event.objects.get()
    out = Elimination.objects.live().values("entry")
    playing = Entry.objects.live().filter(event=event).exclude(pk__in=out).order_by("pk")[:2]
    return client, lambda number: reverse("floor-out", args=[event.slug, playing[number].pk])


def _tap(client: Any, path: str) -> None:
    answer = client.post(path, {"idempotency_key": str(uuid4())}, headers={"HX-Request": "true"})
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.content.decode()[:500]}")


def _entered_by(run: Any) -> set[str]:
    """Return the modules of the program in which a function was called while this ran."""
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if event == "call" and module.partition(".")[0] in OURS:
            entered.add(module)

    sys.setprofile(note)
    with contextlib.ExitStack() as stack:
        stack.callback(sys.setprofile, None)
        run()
    return entered


if __name__ == "__main__":
    sys.exit(main())
