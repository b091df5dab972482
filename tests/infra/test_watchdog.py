"""Each process of a server reports to systemd, and is silent while it hangs."""

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only
SECONDS = 60


class Manager:
    """What systemd hears of a service."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self.env = {"NOTIFY_SOCKET": str(path), "WATCHDOG_USEC": "500000"}

    def hear(self, seconds: float = SECONDS) -> str:
        self._socket.settimeout(seconds)
        try:
            return self._socket.recv(100).decode()
        except TimeoutError:
            return ""

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path):
    with contextlib.closing(Manager(tmp_path / "notify")) as manager:
        yield manager


@pytest.mark.parametrize("command", [("serve", "--quiet", "--port", "0"), ("work",), ("schedule",)])
def test_a_process_is_ready_then_alive_and_silent_while_it_hangs(
    laptop, manager, request, command
) -> None:
    env = {**laptop.env, **manager.env}
    if command[0] != "serve":
        env["REDIS_URL"] = request.getfixturevalue("redis_url")
    process = subprocess.Popen(
        [sys.executable, "manage.py", *command],
        cwd=BASE_DIR,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert manager.hear() == "READY=1"
        assert [manager.hear() for _each in range(3)] == ["WATCHDOG=1"] * 3
        process.send_signal(signal.SIGSTOP)
        assert wait_for(lambda: manager.hear(2) == "")
        process.send_signal(signal.SIGCONT)
        assert manager.hear() == "WATCHDOG=1"
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


def test_a_container_is_told_whether_its_process_hangs(laptop, redis_url, tmp_path) -> None:
    compose = (BASE_DIR / "deploy" / "compose.yml").read_text("utf-8")
    (asks,) = re.findall(r'test: \[CMD, python, -c, "(.*)"\]', compose)
    file = tmp_path / "alive"
    asks = asks.replace("/tmp/alive", str(file))

    def is_healthy() -> bool:
        asked = subprocess.run([sys.executable, "-c", asks], capture_output=True, check=False)
        return asked.returncode == 0

    env = {**laptop.env, "REDIS_URL": redis_url, "KRRU_ALIVE": str(file)}
    for command in ("work", "schedule"):
        assert not is_healthy()
        process = subprocess.Popen(
            [sys.executable, "manage.py", command], cwd=BASE_DIR, env=env, stderr=subprocess.DEVNULL
        )
        try:
            assert wait_for(is_healthy, SECONDS)
            os.utime(file, (0, 0))  # as after a long silence
            assert not is_healthy()
            assert wait_for(is_healthy, SECONDS)
        finally:
            process.terminate()
            process.wait(SECONDS)
        file.unlink()


def test_the_units_end_a_process_that_hangs() -> None:
    wanted = {"Type=notify", "WatchdogSec=20s", "WatchdogSignal=SIGKILL", "Restart=always"}
    for name in ("krru-web@", "krru-worker", "krru-schedule", "krru@"):
        unit = (BASE_DIR / "deploy" / "systemd" / f"{name}.service").read_text("utf-8")
        assert wanted <= set(unit.splitlines())
