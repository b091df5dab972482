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
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a step."""

    name: str
    verdict: str
    seconds: float
    ran: bool = True

    @property
    def is_bad(self) -> bool:
        """Whether this fails the whole run."""
        return self.verdict == "failed"


@dataclass(frozen=True, slots=True)
class Beside:
    """A step in the background."""

    name: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    began: float


class Run:
    """The steps of one run and their environment."""

    def __init__(self, arguments: list[str]) -> None:
        self.is_quick = QUICK in arguments
        self.arguments = [argument for argument in arguments if argument != QUICK]
        self.chosen = [argument for argument in self.arguments if argument != LONG]
        self.outcomes: list[Outcome] = []
        self.beside: list[Beside] = []
        self.env = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}

    def step(self, name: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run one program and record its result."""
        print(f"\n=== {name}", flush=True)
        began = time.monotonic()
        code = self._started(command, env or {}).wait()
        nothing_ran = code == NOTHING_RAN and command[0] == "pytest"
        # With -k a step may run no test. If all steps ran none, the run fails.
        tolerated = nothing_ran and bool(self.chosen)
        verdict = "ok" if code == 0 else "nothing ran" if tolerated else "failed"
        seconds = time.monotonic() - began
        self.outcomes.append(
            Outcome(name=name, verdict=verdict, seconds=seconds, ran=not nothing_ran)
        )

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
        self.beside.append(Beside(name, process, output, time.monotonic()))

    def pytest(self, name: str, *options: str, env: dict[str, str] | None = None) -> None:
        """Run pytest with the caller's arguments."""
        self.step(name, "pytest", "-q", *options, *self.arguments, env=env)

    def _join(self, one: Beside) -> None:
        code = one.process.wait()
        print(f"\n=== {one.name}", flush=True)
        with one.output as output:
            output.seek(0)
            print(output.read().decode(errors="replace"), flush=True)
        seconds = time.monotonic() - one.began
        verdict = "failed" if code else "ok"
        self.outcomes.append(Outcome(name=one.name, verdict=verdict, seconds=seconds))

    def end(self) -> None:
        """End steps in the background."""
        for one in self.beside:
            if one.process.poll() is None:
                one.process.terminate()
                one.process.wait()

    def skip(self, name: str, why: str, *, fails: bool) -> None:
        """Record a step that could not run."""
        print(f"\n=== {name}\n{why}", flush=True)
        verdict = "failed" if fails else "SKIPPED"
        self.outcomes.append(Outcome(name=name, verdict=verdict, seconds=0, ran=False))

    def finish(self) -> int:
        """Wait for background steps, print a line for each step, and return the exit code."""
        for one in self.beside:
            self._join(one)
        print("\n=== summary")
        for outcome in self.outcomes:
            print(f"{outcome.verdict:>12}  {outcome.seconds:6.1f} s  {outcome.name}")
        nothing_ran = not any(outcome.ran for outcome in self.outcomes)
        if nothing_ran:
            print("Nothing ran.")
        return int(nothing_ran or any(outcome.is_bad for outcome in self.outcomes))


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


def at_work(run: Run) -> None:
    """Run the domain and the services on SQLite, without whole evenings."""
    folders = [str(path) for one in AT_WORK for path in sorted(BASE_DIR.glob(one))]
    run.pytest("domain and services", *WORKERS, "-m", "not evening", *folders)


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
            at_work(run)
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
