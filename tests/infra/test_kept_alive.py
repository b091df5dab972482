"""What keeps the background of the full mode alive: pauses of a worker, and what a start sweeps."""

import os
import subprocess
import sys
import threading

import pytest

from krru import worker
from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only
# The fifth of these lives long enough to count as begun well.
DIES = """
echo x >> "{log}"
[ $(wc -l < "{log}") -eq 5 ] && exec sleep 1.3
exit 7
"""


class Pauses(threading.Event):
    """What tells a worker's keeper to stop, and remembers how long it was waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds: list[float] = []
        self.are_enough = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.seconds.append(timeout)
        if len(self.seconds) == 8:
            self.are_enough.set()
        return super().wait(timeout)


@pytest.mark.skipif(os.name != "posix", reason="the full mode is not for Windows")
def test_pauses_grow_and_begin_anew_after_a_worker_that_lived(tmp_path, monkeypatch) -> None:
    script = DIES.format(log=tmp_path / "starts")
    monkeypatch.setattr(worker, "COMMAND", ["/bin/sh", "-c", script])
    monkeypatch.setattr(worker, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(worker, "LONGEST_PAUSE_SECONDS", 0.04)
    monkeypatch.setattr(worker, "LIVED_SECONDS", 1.0)
    kept = worker.Worker()
    kept._stopping = pauses = Pauses()

    with kept:
        assert pauses.are_enough.wait(60)

    assert pauses.seconds[:8] == [0.01, 0.02, 0.04, 0.04, 0.01, 0.02, 0.04, 0.04]


def test_the_schedule_by_itself_sweeps_what_a_killed_backup_left(laptop, redis_url) -> None:
    left = laptop.folder / "backup-left"
    left.mkdir()
    (left / "krru.sqlite3").write_bytes(b"a copy of everybody's data")
    served = ServerProcess(laptop.folder, {"REDIS_URL": redis_url})
    with (laptop.folder / "console.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, str(BASE_DIR / "manage.py"), "schedule"],
            env=served.env, cwd=BASE_DIR, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        assert wait_for(lambda: not left.exists() or process.poll() is not None), served.log
        assert not left.exists(), served.log
    finally:
        process.terminate()
        assert process.wait(30) == 0, served.log
