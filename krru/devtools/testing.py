"""The whole test run: lint, types, contracts, the suite on both databases, the browser.

`--quick` is for daily work: lint, types, the domain, and services without whole evenings. `--long`
adds the exhaustive tests and large fields, which take hours. Other arguments go to pytest, without
the lint steps. All processes end with the run, also on Ctrl-C.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from krru.data.folder import BASE_DIR
from krru.devtools import chromium
from krru.devtools.cluster import ensure_proxy
from krru.devtools.postgres import FAST, Postgres, valkey
from krru.starting import texts

NOTHING_RAN = 5
HOLES = "api.osv.dev"
LONG, QUICK = "--long", "--quick"
# Tests that a change of a rule or a service breaks first.
AT_WORK = ("tests/domain", "clock/domain", "tournaments/*/domain", "tests/services")
WORKERS = ("-n", "2", "--dist", "worksteal")
NO_BROWSER = ("-m", "not browser", "--ignore=tests/browser")
# Statistics of an empty table make queries slow in a large field made in one transaction.
NO_STATISTICS = "autovacuum=off"
# The run ignores settings of the machine. The last one would make every process of hundreds compile
# all its imports again.
NOT_INHERITED = {
    "DATABASE_URL", "REDIS_URL", "KRRU_DEBUG", "KRRU_BACKUP", "KRRU_HOSTS",
    "PYTHONDONTWRITEBYTECODE",
}  # fmt: skip


class Run:
    """The steps of one run, their environment, and a line for each."""

    def __init__(self, arguments: list[str]) -> None:
        self.is_quick = QUICK in arguments
        self.arguments = [argument for argument in arguments if argument != QUICK]
        self.chosen = [argument for argument in self.arguments if argument != LONG]
        self.lines: list[str] = []
        self.has_run = self.has_failed = False
        self.beside: list[tuple[str, subprocess.Popen[bytes], IO[bytes], float]] = []
        self.env = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}

    def note(self, name: str, verdict: str, seconds: float = 0.0) -> None:
        self.lines.append(f"{verdict:>12}  {seconds:6.1f} s  {name}")
        self.has_run |= verdict in {"ok", "failed"}
        self.has_failed |= verdict == "failed"

    def step(self, name: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run one program and record its result."""
        print(f"\n=== {name}", flush=True)
        began = time.monotonic()
        code = self._started(command, env or {}).wait()
        # With -k a step may run no test. If all steps ran none, the run fails.
        ran_nothing = self.chosen and command[0] == "pytest" and code == NOTHING_RAN
        verdict = "nothing ran" if ran_nothing else "failed" if code else "ok"
        self.note(name, verdict, time.monotonic() - began)

    def _started(
        self, command: tuple[str, ...], env: dict[str, str], output: IO[bytes] | None = None
    ) -> subprocess.Popen[bytes]:
        program = Path(sys.executable).with_name(command[0])
        environment = {**self.env, **env}
        errors = subprocess.STDOUT if output else None
        return subprocess.Popen(
            [program, *command[1:]], cwd=BASE_DIR, env=environment, stdout=output, stderr=errors
        )

    def step_beside(self, name: str, *command: str, env: dict[str, str]) -> None:
        """Start a step in the background; `finish` waits for it and prints it."""
        output = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `finish`
        process = self._started(command, env, output)
        self.beside.append((name, process, output, time.monotonic()))

    def pytest(self, name: str, *options: str, env: dict[str, str] | None = None) -> None:
        """Run pytest with the caller's arguments."""
        self.step(name, "pytest", "-q", *options, *self.arguments, env=env)

    def end(self) -> None:
        for _name, process, *_rest in self.beside:
            if process.poll() is None:
                process.terminate()
                process.wait()

    def skip(self, name: str, why: str, *, fails: bool) -> None:
        print(f"\n=== {name}\n{why}", flush=True)
        self.note(name, "failed" if fails else "SKIPPED")

    def finish(self) -> int:
        """Wait for background steps, print a line for each step, and return the exit code."""
        for name, process, output, began in self.beside:
            code = process.wait()
            with output:
                output.seek(0)
                print(f"\n=== {name}\n{output.read().decode(errors='replace')}", flush=True)
            self.note(name, "failed" if code else "ok", time.monotonic() - began)
        print("\n=== summary", *self.lines, sep="\n")
        if not self.has_run:
            print("Nothing ran.")
        return int(self.has_failed or not self.has_run)


def lint(run: Run, folder: str) -> None:
    """Run the checks of the code that do not execute it."""
    env = {"KRRU_DATA": folder}
    run.step("ruff", "ruff", "check", ".")
    run.step("format", "ruff", "format", "--check", ".")
    # Without a cache it is the slowest step.
    run.step_beside("types", "mypy", env=env)
    run.step("import contracts", "lint-imports", env=env)
    run.step("migrations", "django-admin", "makemigrations", "--check", "--dry-run", env=env)
    audit(run)


def audit(run: Run) -> None:
    """Ask for known holes of the locked packages, where that can be asked."""
    try:
        socket.create_connection((HOLES, 443), 5).close()
        program = Path(sys.executable).with_name("pip-audit").exists()
    except OSError:
        program = False
    if not program:
        run.skip("known holes", f"pip-audit or {HOLES} is missing: not asked.", fails=False)
        return
    lock = ("-r", "requirements/base.txt", "--require-hashes", "--disable-pip")
    run.step("known holes", "pip-audit", "-s", "osv", *lock)


def suites(run: Run, postgres_url: str) -> None:
    """Run the suite on both databases, then the browser in a process of its own."""
    if not run.chosen:
        ensure_proxy()
    run.pytest("suite on SQLite", *WORKERS, *NO_BROWSER)
    on_postgres = {"KRRU_TEST_DATABASE_URL": postgres_url}
    run.pytest("suite on PostgreSQL", *WORKERS, *NO_BROWSER, env=on_postgres)
    program = chromium.ensure()
    if program is None:
        run.skip("browser", chromium.HOW_TO, fails=bool(os.environ.get("CI")))
        return
    # Half of it is waiting: for a clock, a page, or a phone to notice a lost network.
    workers = ("-n", "4", "--dist", "worksteal")
    folders = () if run.chosen else ("tests/browser", "tests/clock")
    run.pytest("browser", *folders, *workers, "-m", "browser", env={"KRRU_CHROMIUM": program})


def main(arguments: list[str]) -> int:
    """Run everything, or pytest with `arguments`, and return the exit code."""
    run = Run(arguments)
    # Handle SIGTERM like Ctrl-C, so that servers started here are ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-run-"))
        run.env |= {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(BASE_DIR)}
        texts.compile_texts()
        stack.callback(run.end)
        if run.is_quick or not run.chosen:
            lint(run, folder)
        if run.is_quick:
            folders = [str(path) for one in AT_WORK for path in sorted(BASE_DIR.glob(one))]
            run.pytest("domain and services", *WORKERS, "-m", "not evening", *folders)
            return run.finish()
        postgres = stack.enter_context(Postgres([*FAST, NO_STATISTICS]))
        run.env["KRRU_TEST_REDIS_URL"] = stack.enter_context(valkey())
        suites(run, postgres.url)
    return run.finish()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
