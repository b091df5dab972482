"""The program in processes that do not load it anew.

Loading the program takes a second and a half, most commands a tenth of that. So Python's own fork
server loads it (`tests.loaded`) once for all tests of a worker, and copies itself for each command
or server. A copy takes on the environment it is given, reads the settings anew, and goes on as
`manage.py` does. On five files of `tests/infra` that is 30 s of processor instead of 99.

Only the loading is not seen that way. Tests of that start the program itself: `ServerProcess`.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from krru.devtools.serving import ServerProcess

# What is read while the program is loaded, and not again.
READ_WHEN_LOADED = {"DATABASE_URL", "REDIS_URL", "KRRU_SENTRY_DSN"}
CAN_COPY = "forkserver" in multiprocessing.get_all_start_methods()


class Laptop(ServerProcess):
    """A server as any other, made of copies of a process that is there already."""

    @property
    def _is_copied(self) -> bool:
        return CAN_COPY and not READ_WHEN_LOADED & self.env.keys()

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command on the same data."""
        if not self._is_copied:
            return super().manage(*arguments, check=check)
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("output", "errors")]
            code = Copy(arguments, self.env, *files).wait()
            told = [path.read_text("utf-8") for path in files]
        done = subprocess.CompletedProcess(["manage.py", *arguments], code, *told)
        if check:
            done.check_returncode()
        return done

    def launch(self) -> None:
        """Start without waiting."""
        if not self._is_copied:
            super().launch()
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = self._log_path
        self._process = Copy(self.serve_arguments, self.env, log, log)


class Copy:
    """A copy that runs, with what the tests need of a `subprocess.Popen`."""

    def __init__(
        self, arguments: tuple[str, ...], env: Mapping[str, str], output: Path, errors: Path
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["tests.loaded"])
        told = (list(arguments), dict(env), str(output), str(errors))
        self._process = context.Process(target=run, args=told, daemon=True)
        self._process.start()
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, None while it runs."""
        return self._process.exitcode

    poll = returncode.fget

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code.

        :raises subprocess.TimeoutExpired: it took longer.
        """
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("manage.py", timeout or 0)
        return self.returncode

    def send_signal(self, which: int) -> None:
        """Send a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, which)

    def kill(self) -> None:
        """Take it away without a word."""
        self.send_signal(signal.SIGKILL)


def run(arguments: list[str], env: Mapping[str, str], output: str, errors: str) -> None:
    """Become a command in the copy: take on an environment and an output, and run it."""
    from tests.loaded import forget_settings

    os.environ.clear()
    os.environ.update(env)
    for descriptor, name in enumerate((os.devnull, output, errors)):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if descriptor else os.O_RDONLY
        opened = os.open(name, flags, 0o666)
        os.dup2(opened, descriptor)
        os.close(opened)
    # The fork server's own standard input is none.
    sys.stdin = open(0)  # noqa: SIM115 - as long as the process
    forget_settings()
    _begin_now()
    from krru.starting.commandline import main as command_line

    sys.argv = ["manage.py", *arguments]
    try:
        command_line(sys.argv)
    finally:
        # Such a process ends without what was put off to its end.
        threading._shutdown()
        atexit._run_exitfuncs()


def _begin_now() -> None:
    """Have the copy know that it began now, and not when the program was loaded."""
    from krru.background import schedule
    from krru.backups import keeping

    schedule._began = keeping._began = time.monotonic()
