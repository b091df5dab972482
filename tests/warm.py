"""The program in processes that do not load it anew.

Loading the program takes a second and a half, most commands a tenth of that. So one process loads
it for all tests of a worker. For each command or server it makes a copy of itself, which takes on
the environment it is given, reads the settings anew, and goes on as `manage.py` does. A copy has
its own folder, database, output and exit code; it can be stopped and killed as any process.

Only the loading is not seen that way. Tests of that start the program itself: `ServerProcess`.
"""

import atexit
import functools
import gc
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

# What is read while the program is loaded, and not again.
READ_WHEN_LOADED = {"DATABASE_URL", "REDIS_URL", "KRRU_SENTRY_DSN"}
CAN_COPY = hasattr(os, "fork") and hasattr(os, "pidfd_open")


class Laptop(ServerProcess):
    """A server as any other, made of copies of a process that is there already."""

    @property
    def _is_copied(self) -> bool:
        return CAN_COPY and not READ_WHEN_LOADED & self.env.keys()

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command on the same data."""
        if not self._is_copied:
            return super().manage(*arguments, check=check)
        done = _warm().run(arguments, self.env)
        if check:
            done.check_returncode()
        return done

    def launch(self) -> None:
        """Start without waiting."""
        if not self._is_copied:
            super().launch()
            return
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._process = _warm().start(self.serve_arguments, self.env, self._log_path)


class Copy:
    """A copy that runs, with what the tests need of a `subprocess.Popen`."""

    def __init__(self, warm: "Warm", pid: int) -> None:
        self.pid, self.returncode = pid, None
        self._warm = warm
        self._ends = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, None while it runs."""
        return self._ended_within(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit code.

        :raises subprocess.TimeoutExpired: it took longer.
        """
        code = self._ended_within(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("manage.py", timeout or 0)
        return code

    def _ended_within(self, seconds: float | None) -> int | None:
        if self.returncode is None and select.select([self._ends], [], [], seconds)[0]:
            os.close(self._ends)
            self.returncode = self._warm.ask({"ended": self.pid})
        return self.returncode

    def send_signal(self, which: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, which)

    def kill(self) -> None:
        """Take it away without a word."""
        self.send_signal(signal.SIGKILL)


class Warm:
    """The loaded process, seen from the tests."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._one_at_a_time = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.warm"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=ServerProcess(folder / "data").env,
            cwd=BASE_DIR,
        )

    def ask(self, question: Mapping[str, Any]) -> int:
        """Ask for a copy or for the end of one, and return the number that is answered."""
        assert self._process.stdin
        assert self._process.stdout
        with self._one_at_a_time:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            return int(self._process.stdout.readline())

    def start(
        self,
        arguments: tuple[str, ...],
        env: Mapping[str, str],
        log: Path,
        errors: Path | None = None,
    ) -> Copy:
        """Start a command whose output goes to a file."""
        told = {"output": str(log), "errors": str(errors or log)}
        return Copy(self, self.ask({"arguments": arguments, "env": dict(env), **told}))

    def run(
        self, arguments: tuple[str, ...], env: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """Run a command and wait for its end."""
        with tempfile.TemporaryDirectory(dir=self._folder) as folder:
            files = [Path(folder) / name for name in ("output", "errors")]
            code = self.start(arguments, env, *files).wait()
            told = [path.read_text("utf-8") for path in files]
        return subprocess.CompletedProcess(["manage.py", *arguments], code, *told)

    def end(self) -> None:
        """End it, by having nothing more to ask."""
        self._process.communicate()


@functools.cache
def _warm() -> Warm:
    folder = Path(tempfile.mkdtemp(prefix="krru-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    warm = Warm(folder)
    atexit.register(warm.end)
    return warm


# --- In the loaded process


def _load() -> None:
    """Load what any command or page would."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "krru.settings"
    import django

    django.setup()
    import krru.urls  # noqa: F401 - loads every page

    # Looking for garbage would write into every page of memory, and copy it.
    gc.collect()
    gc.freeze()


def _forget_settings() -> None:
    """Have the settings read anew, and connections made by them."""
    from asgiref.local import Local
    from django.conf import settings
    from django.core.cache import caches
    from django.db import connections
    from django.utils.functional import empty

    del sys.modules["krru.settings"]
    settings._wrapped = empty
    for handler in (connections, caches):
        vars(handler).pop("settings", None)
        handler._settings = None
        handler._connections = Local(handler.thread_critical)


def _become(asked: Mapping[str, Any]) -> None:
    """Take on an environment and an output."""
    os.environ.clear()
    os.environ.update(asked["env"])
    for descriptor, name in enumerate((os.devnull, asked["output"], asked["errors"])):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if descriptor else os.O_RDONLY
        opened = os.open(name, flags, 0o666)
        os.dup2(opened, descriptor)
        os.close(opened)
    _forget_settings()
    _begin_now()


def _begin_now() -> None:
    """Have the copy know that it began now, and not when the program was loaded."""
    from krru.background import schedule
    from krru.backups import keeping

    schedule._began = keeping._began = time.monotonic()


def _run(arguments: list[str]) -> NoReturn:
    """Run a command line, and end as Python does, but for taking apart what was loaded."""
    from krru.starting.commandline import main as command_line

    sys.argv, code = ["manage.py", *arguments], 0
    try:
        command_line(sys.argv)
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Make a copy for each command that is asked for, and tell how it ended when asked."""
    _load()
    # Not by `for`: it reads ahead, and a copy must not find what is for the next.
    while line := sys.stdin.readline():
        asked = json.loads(line)
        if "ended" in asked:
            _pid, status = os.waitpid(asked["ended"], 0)
            print(os.waitstatus_to_exitcode(status), flush=True)
        elif copy := os.fork():
            print(copy, flush=True)
        else:
            _become(asked)
            _run(asked["arguments"])


if __name__ == "__main__":
    main()
