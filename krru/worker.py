"""The task worker beside a server in full mode: ends with it, restarted if it dies.

`python -m krru.worker` leads the group of the worker's processes. It holds a pipe to the server and
ends the group when the server is gone, even after a crash or during the start. The worker itself is
its child, `python -m krru.worker tasks`.
"""

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from typing import NoReturn

from krru.data.folder import BASE_DIR

logger = logging.getLogger(__name__)

COMMAND = [sys.executable, "-m", "krru.worker"]
TASKS = "tasks"
OPTIONS = ["--loglevel", "WARNING", "--concurrency", "2"]
OPTIONS += ["--without-mingle", "--without-gossip"]
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
# After this time a restart begins with a short pause again.
LIVED_SECONDS = 60.0
PATIENCE_SECONDS = 5.0
# Celery reads options from these variables, which other programs use differently.
NOT_CELERYS = ("APP", "BROKER_URL", "RESULT_BACKEND", "LOADER", "CONFIG_MODULE", "WORKDIR")
STDIN = 0


class Worker:
    """Keep one Celery worker alive while the `with` block runs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_alive, name="worker", daemon=True)

    def __enter__(self) -> "Worker":
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        with self._lock:
            self._stopping.set()
        process = self._process
        if process is not None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_SECONDS)
            _end_group(process)
        self._thread.join(PATIENCE_SECONDS)

    def _keep_alive(self) -> None:
        pause = PAUSE_SECONDS
        while True:
            with self._lock:
                if self._stopping.is_set():
                    return
                # A group of its own: Ctrl-C reaches the server only, which then ends this.
                self._process = process = subprocess.Popen(
                    COMMAND, stdin=subprocess.PIPE, cwd=BASE_DIR, start_new_session=True
                )
            began = time.monotonic()
            code = process.wait()
            _end_group(process)
            if time.monotonic() - began > LIVED_SECONDS:
                pause = PAUSE_SECONDS
            if self._stopping.is_set():
                return
            logger.warning("Der Hintergrunddienst endete (%s) und wird neu gestartet.", code)
            self._stopping.wait(pause)
            pause = min(pause * 2, LONGEST_PAUSE_SECONDS)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the group: a killed worker's children would go on."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.stdin is not None:
        process.stdin.close()


def _lead() -> int:
    """Run the worker as a child until it or the server ends. Return its exit code."""
    child = subprocess.Popen([*COMMAND, TASKS], stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    threading.Thread(target=_end_with_server, args=(child,), daemon=True).start()
    return child.wait()


def _end_with_server(child: subprocess.Popen[bytes]) -> None:
    """Wait for the server to close the pipe, then end the child, if possible in good order."""
    while os.read(STDIN, 1):
        pass
    child.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(PATIENCE_SECONDS)
    os.killpg(os.getpgrp(), signal.SIGKILL)


def work() -> NoReturn:
    """Run the worker until stopped."""
    for name in NOT_CELERYS:
        os.environ.pop(name, None)
    from krru.celery import app  # noqa: PLC0415 - reads the settings

    app.worker_main(["--quiet", "worker", *OPTIONS])
    sys.exit(0)


def main(arguments: list[str]) -> int:
    """Lead the group, or with `tasks` run the worker."""
    return work() if arguments == [TASKS] else _lead()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    sys.exit(main(sys.argv[1:]))
