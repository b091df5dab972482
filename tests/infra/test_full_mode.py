"""Full mode: a real Valkey server, a real Celery worker, the same tasks."""

import os
import signal
from pathlib import Path

import pytest

from krru.data import locks
from krru.devtools.postgres import free_port
from krru.devtools.serving import ServerProcess
from tests.waits import wait_for
from tests.warm import Laptop

CALL = "from krru.tasks import backup; print(backup.delay())"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    stick = tmp_path / "stick"
    stick.mkdir()
    return stick


@pytest.fixture
def full(make_server, redis_url: str, stick: Path) -> ServerProcess:
    """A server in full mode, with its worker."""
    # A database of its own in the broker: other tests' workers must not take these tasks.
    url = redis_url.rsplit("/", 1)[0] + f"/{1 + os.getpid() % 14}"
    # Celery would take its application from APP, which means something else to whoever set it.
    env = {"REDIS_URL": url, "KRRU_BACKUP": str(stick), "APP": "no.such.application"}
    server = make_server(env=env)
    yield server
    server.stop()


def workers_of(server: ServerProcess) -> set[int]:
    """The processes of workers on this server's data, with their children."""
    found = set()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            command = (entry / "cmdline").read_text()
            environment = (entry / "environ").read_text()
        except OSError:
            continue
        if "krru.worker" in command and f"KRRU_DATA={server.folder}\0" in environment:
            found.add(int(entry.name))
    return found


def main_of(workers: set[int]) -> int:
    """The one that leads the others' group."""
    (leader,) = {os.getpgid(pid) for pid in workers}
    return leader


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_worker_runs_tasks_is_restarted_and_ends_with_the_server(full, stick) -> None:
    full.manage("shell", "--no-imports", "-c", CALL)
    assert wait_for(lambda: len(list(stick.glob("*.zip"))) == 1), full.log

    before = workers_of(full)
    os.kill(main_of(before), signal.SIGKILL)
    assert wait_for(lambda: workers_of(full) and not workers_of(full) & before), full.log
    next(stick.glob("*.zip")).unlink()
    full.manage("shell", "--no-imports", "-c", CALL)
    assert wait_for(lambda: len(list(stick.glob("*.zip"))) == 1), full.log

    assert full.stop() == 0
    assert not workers_of(full)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_worker_ends_when_the_server_is_killed(full) -> None:
    assert wait_for(lambda: len(workers_of(full)) > 1), full.log

    full.kill()

    assert wait_for(lambda: not workers_of(full), 45)


def test_servers_of_containers_share_a_folder_though_each_is_process_one(tmp_path) -> None:
    left = tmp_path / locks.SERVERS / "0123456789ab.lock"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (0, 0))

    with locks.one_of_many(tmp_path), locks.one_of_many(tmp_path):
        assert locks.is_served(tmp_path)
        assert not left.exists()
        assert len(list((tmp_path / locks.SERVERS).iterdir())) == 2

    assert not locks.is_served(tmp_path)
    assert not list((tmp_path / locks.SERVERS).iterdir())


def test_broker_that_is_away_does_not_disturb_the_caller(tmp_path, stick) -> None:
    server = ServerProcess(tmp_path / "data", {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"})
    server.folder.mkdir()
    code = f"import time; began = time.monotonic(); {CALL}; print(time.monotonic() - began < 3)"

    done = server.manage("shell", "--no-imports", "-c", code)

    assert done.stdout.split() == ["None", "True"]
    assert "Broker nicht erreichbar" in done.stderr


def test_embedded_task_runs_in_the_calling_process(tmp_path, stick) -> None:
    server = Laptop(tmp_path / "data", {"KRRU_BACKUP": str(stick)})
    server.folder.mkdir()
    server.manage("migrate", "--verbosity", "0")

    server.manage("shell", "--no-imports", "-c", "from krru.tasks import backup; backup.delay()")

    assert len(list(stick.glob("*.zip"))) == 1


def test_several_servers_share_a_folder_and_hold_off_a_restore(
    full, make_server, redis_url
) -> None:
    other = make_server("--no-worker", folder=full.folder, env={"REDIS_URL": redis_url})
    assert "Für mehrere Prozesse ist PostgreSQL gedacht" in other.log
    file = full.manage("backup").stdout.strip()

    refused = full.manage("restore", file, check=False)

    assert refused.returncode == 1
    assert "läuft noch" in refused.stderr
    full.stop()
    assert full.manage("restore", file, check=False).returncode == 1
    other.stop()
    assert full.manage("restore", file, check=False).returncode == 0
