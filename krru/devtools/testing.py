"""The whole test run: lint, types, contracts, the suite on both databases, the browser.

`python3 start.py test` with arguments runs pytest with them, without the lint steps. What is
started here is ended here, also on Ctrl-C.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from krru import texts
from krru.datafolder import BASE_DIR
from krru.devtools import chromium
from krru.devtools.postgres import Postgres
from krru.devtools.valkey import valkey

NOTHING_RAN = 5
WITHOUT_A_DATABASE = (
    "tests/domain", "tests/infra/test_start.py", "tests/infra/test_devtools.py",
    "tests/test_docs.py", "tests/test_guide.py",
)  # fmt: skip
# Own settings of the machine must not steer the run.
NOT_INHERITED = {"DATABASE_URL", "REDIS_URL", "KRRU_DEBUG", "KRRU_BACKUP", "KRRU_HOSTS"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a step ended."""

    name: str
    verdict: str
    seconds: float
    ran: bool = True

    @property
    def is_bad(self) -> bool:
        """Whether the whole run fails by it."""
        return self.verdict == "failed"


class Run:
    """The steps of one run and their common environment."""

    def __init__(self, arguments: list[str]) -> None:
        self.arguments = arguments
        self.outcomes: list[Outcome] = []
        self.env = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}

    def step(self, name: str, *command: str, env: dict[str, str] | None = None) -> None:
        """Run one program of this environment and note how it ended."""
        print(f"\n=== {name}", flush=True)
        began = time.monotonic()
        code = subprocess.run(
            [Path(sys.executable).with_name(command[0]), *command[1:]],
            cwd=BASE_DIR,
            env={**self.env, **(env or {})},
            check=False,
        ).returncode
        nothing_ran = code == NOTHING_RAN and command[0] == "pytest"
        # With -k a step may well have nothing to do; that every step had nothing is a failure.
        tolerated = nothing_ran and bool(self.arguments)
        verdict = "ok" if code == 0 else "nothing ran" if tolerated else "failed"
        seconds = time.monotonic() - began
        self.outcomes.append(
            Outcome(name=name, verdict=verdict, seconds=seconds, ran=not nothing_ran)
        )

    def pytest(self, name: str, *options: str, env: dict[str, str] | None = None) -> None:
        """Run pytest with the caller's arguments added."""
        self.step(name, "pytest", "-q", *options, *self.arguments, env=env)

    def pytest_twice(self, name: str, *options: str, env: dict[str, str] | None = None) -> None:
        """Run pytest; what failed runs once more, alone. Only what fails twice fails the run.

        For tests that watch the time of several programs at once, on a machine that may be busy.
        The second step names them.
        """
        self.pytest(name, *options, env=env)
        first = self.outcomes[-1]
        if not first.is_bad or not first.ran:
            return
        again = ("-v", "-n", "0", "--last-failed", "--last-failed-no-failures", "none")
        self.pytest(f"{name}, what failed, once more", *options, *again, env=env)
        if not self.outcomes[-1].is_bad:
            self.outcomes[-2] = replace(first, verdict="not at once")

    def skip(self, name: str, why: str, *, fails: bool) -> None:
        """Note a step that could not run."""
        print(f"\n=== {name}\n{why}", flush=True)
        verdict = "failed" if fails else "SKIPPED"
        self.outcomes.append(Outcome(name=name, verdict=verdict, seconds=0, ran=False))

    def finish(self) -> int:
        """Print a line for each step and return the exit code."""
        print("\n=== summary")
        for outcome in self.outcomes:
            print(f"{outcome.verdict:>12}  {outcome.seconds:6.1f} s  {outcome.name}")
        nothing_ran = not any(outcome.ran for outcome in self.outcomes)
        if nothing_ran:
            print("Nothing ran.")
        return int(nothing_ran or any(outcome.is_bad for outcome in self.outcomes))


def lint(run: Run, folder: str) -> None:
    """Everything that reads the code without running it."""
    env = {"KRRU_DATA": folder}
    run.step("ruff", "ruff", "check", ".")
    run.step("format", "ruff", "format", "--check", ".")
    run.step("types", "mypy", env=env)
    run.step("import contracts", "lint-imports", env=env)
    run.step("migrations", "django-admin", "makemigrations", "--check", "--dry-run", env=env)


def suites(run: Run, postgres_url: str) -> None:
    """Both databases, then the browser, whose driver keeps a loop in its process for itself."""
    run.pytest("suite on SQLite", "-n", "2", "-m", "not postgres_only and not browser")
    run.pytest(
        "suite on PostgreSQL",
        *("-n", "2", "-m", "not sqlite_only and not browser"),
        *(f"--ignore={part}" for part in WITHOUT_A_DATABASE),
        env={"KRRU_TEST_DATABASE_URL": postgres_url},
    )
    program = chromium.ensure()
    if program is None:
        run.skip("browser", chromium.HOW_TO, fails=bool(os.environ.get("CI")))
    else:
        # Two, though much of it is waiting: what opens a dozen pages fills two cores by itself.
        two = ("-n", "2", "--dist", "worksteal")
        run.pytest_twice("browser", *two, "-m", "browser", env={"KRRU_CHROMIUM": program})


def main(arguments: list[str]) -> int:
    """Run everything, or pytest with `arguments`, and return the exit code."""
    run = Run(arguments)
    # As Ctrl-C, so that the servers started here are ended.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-run-"))
        run.env |= {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(BASE_DIR)}
        texts.compile_texts()
        if not arguments:
            lint(run, folder)
        postgres = stack.enter_context(Postgres())
        run.env["KRRU_TEST_REDIS_URL"] = stack.enter_context(valkey())
        suites(run, postgres.url)
    return run.finish()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
