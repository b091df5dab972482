"""A real server process with its own data folder, for tests and benchmarks."""

import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from krru.data.folder import BASE_DIR
from krru.devtools.postgres import end, free_port

# The host name for browsers under test: not an address of this machine.
HALL_NAME = "krru.test"
START_SECONDS = 180.0
# Environment of the test run that its servers must not inherit.
NOT_INHERITED = {
    "DATABASE_URL", "REDIS_URL", "KRRU_DATA", "KRRU_DEBUG", "KRRU_BACKUP", "KRRU_HOSTS",
    "KRRU_LOG", "KRRU_SECRET_FILE", "KRRU_METRICS_TOKEN", "KRRU_SENTRY_DSN", "KRRU_OWN_BACKUP",
    "DJANGO_SETTINGS_MODULE",
}  # fmt: skip


def trusting() -> ssl.SSLContext:
    """Return a context that accepts any certificate: the port identifies the server under test."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class ServerProcess:
    """`manage.py serve` as a child process to start, stop, kill and restart."""

    # The program of the child; a benchmark may wrap it to measure time.
    program: tuple[str, ...] = (str(BASE_DIR / "manage.py"),)

    # The address to listen at.
    host = "127.0.0.1"

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None, *arguments: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.is_https = "--https" in arguments
        self.url = f"http{'s' * self.is_https}://127.0.0.1:{self.port}"
        self._extra = dict(env or {})
        self._arguments = arguments
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def env(self) -> dict[str, str]:
        """The environment of the server and of commands on the same data."""
        inherited = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}
        own = {"KRRU_DATA": str(self.folder), "KRRU_HOSTS": HALL_NAME, "PYTHONUTF8": "1"}
        return {**inherited, **own, **self._extra}

    @property
    def serve_arguments(self) -> tuple[str, ...]:
        """The command that serves, and its arguments."""
        return ("serve", "--host", self.host, "--port", str(self.port), *self._arguments)

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        path = self._log_path
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    @property
    def _log_path(self) -> Path:
        return self.folder / "console.log"

    def start(self) -> "ServerProcess":
        """Start and wait for connections. Raise with the console's text on failure."""
        self.launch()
        return self.wait()

    def launch(self) -> None:
        """Start without waiting."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._log_path.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, *self.program, *self.serve_arguments],
                stdout=output,
                stderr=output,
                env=self.env,
                cwd=BASE_DIR,
            )

    def wait(self) -> "ServerProcess":
        """Wait until the server accepts connections."""
        assert self._process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if self._answers():
                return self
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"The server did not start:\n{self.log}")

    def _answers(self) -> bool:
        # The socket listens before the application is ready, so wait for an answer.
        try:
            with socket.create_connection((self.host, self.port), timeout=1) as plain:
                plain.settimeout(10)
                with trusting().wrap_socket(plain) if self.is_https else plain as client:
                    client.sendall(
                        b"GET /static/ready HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"
                    )
                    return client.recv(4) == b"HTTP"
        except OSError:
            return False

    def stop(self) -> int:
        """Stop the server as Ctrl-C does and return its exit code."""
        return end(self._process) if self._process else 0

    def kill(self) -> int:
        how = signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM
        return end(self._process, how) if self._process else 0

    def manage(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a management command on the same data."""
        return subprocess.run(
            [sys.executable, str(BASE_DIR / "manage.py"), *arguments],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=check,
            env=self.env,
            cwd=BASE_DIR,
        )

    def shell(self, code: str) -> Any:
        """Run code in `manage.py shell` and return the JSON of its last line."""
        told = self.manage("shell", "--verbosity", "0", "--command", code).stdout
        return json.loads(told.strip().splitlines()[-1])

    def ask(self, module: str, *words: object) -> Any:
        """Run one of our modules on the same data and return its JSON."""
        done = subprocess.run(
            [sys.executable, "-m", module, *map(str, words)],
            env=self.env,
            stdout=subprocess.PIPE,
            check=True,
            text=True,
            cwd=BASE_DIR,
        )
        return json.loads(done.stdout)

    def __enter__(self) -> "ServerProcess":
        return self.start()

    def __exit__(self, *details: object) -> None:
        self.stop()
