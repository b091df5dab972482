"""Full mode: a real Valkey server, a real Celery worker, the same tasks, several servers."""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from krru.data import locks
from krru.devtools.postgres import free_port
from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_with_tables
from tests.waits import wait_for
from tests.warm import Laptop

CALL = "from krru.tasks import backup; print(backup.delay())"


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    stick = tmp_path / "stick"
    stick.mkdir()
    return stick


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


def last_run(server: ServerProcess) -> str:
    """Return when the schedule last ran something."""
    with closing(sqlite3.connect(server.folder / "krru.sqlite3", timeout=10)) as database:
        return database.execute("SELECT max(ran_at) FROM krru_schedulerun").fetchone()[0] or ""


def backs_up(server: ServerProcess, stick: Path) -> bool:
    """Give the worker a task; tell whether it is done."""
    for file in stick.glob("*.zip"):
        file.unlink()
    server.manage("shell", "--no-imports", "-c", CALL)
    return wait_for(lambda: len(list(stick.glob("*.zip"))) == 1)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_two_servers_share_a_folder_and_what_is_killed_is_made_good(
    make_server, redis_url: str, stick: Path
) -> None:
    # A database of its own in the broker: other tests' workers must not take these tasks.
    url = redis_url.rsplit("/", 1)[0] + f"/{1 + os.getpid() % 14}"
    # Celery would take its application from APP, which means something else to whoever set it.
    env = {"REDIS_URL": url, "KRRU_BACKUP": str(stick), "APP": "no.such.application"}
    full = make_server(env=env)
    assert backs_up(full, stick), full.log

    # A worker that is killed is started anew.
    before = workers_of(full)
    (leader,) = {os.getpgid(pid) for pid in before}
    os.kill(leader, signal.SIGKILL)
    assert wait_for(lambda: workers_of(full) and not workers_of(full) & before), full.log
    assert backs_up(full, stick), full.log

    # A server that is killed takes its worker with it, and leaves the schedule to the other.
    other = make_server("--no-worker", folder=full.folder, env={"REDIS_URL": url})
    assert "Für mehrere Prozesse ist PostgreSQL gedacht" in other.log
    assert wait_for(lambda: last_run(full)), full.log
    full.kill()
    last = last_run(full)
    assert wait_for(lambda: not workers_of(full))
    assert wait_for(lambda: last_run(full) > last), other.log

    # One that is stopped ends its worker. Both hold off a restore.
    full.start()
    assert wait_for(lambda: len(workers_of(full)) > 1), full.log
    file = full.manage("backup").stdout.strip()
    refused = full.manage("restore", file, check=False)
    assert refused.returncode == 1
    assert "läuft noch" in refused.stderr
    assert full.stop() == 0
    assert not workers_of(full)
    assert full.manage("restore", file, check=False).returncode == 1
    other.stop()
    assert full.manage("restore", file, check=False).returncode == 0


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


def test_broker_that_is_away_does_not_disturb_the_caller(tmp_path) -> None:
    server = ServerProcess(tmp_path / "data", {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"})
    server.folder.mkdir()

    done = server.manage("shell", "--no-imports", "-c", CALL)

    assert done.stdout.split() == ["None"]
    assert "Broker nicht erreichbar" in done.stderr


def test_embedded_task_runs_in_the_calling_process(tmp_path, stick) -> None:
    folder = laptop_with_tables(tmp_path / "data").folder

    Laptop(folder, {"KRRU_BACKUP": str(stick)}).manage("shell", "--no-imports", "-c", CALL)

    assert len(list(stick.glob("*.zip"))) == 1
