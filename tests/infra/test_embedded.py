"""Tasks without a broker: threads of this process, and the schedule kept by one of them."""

import threading
import time

import pytest
from celery import Celery

from krru.background.embedded import WORKERS, Runner
from tests.laptops import laptop_with_tables
from tests.waits import wait_for
from tests.warm import Laptop


@pytest.fixture
def runner():
    runner = Runner()
    yield runner
    runner.stop()


@pytest.fixture
def app():
    return Celery("embedded-tests", broker="memory://", set_as_current=False)


@pytest.fixture
def make_task(app):
    """Return a maker of tasks from plain functions."""
    own = {"lazy": False, "shared": False, "ignore_result": True}
    return lambda function: app.task(function, name=function.__name__, **own)


def test_tasks_run_in_another_thread_and_a_failing_one_harms_nobody(
    runner, make_task, caplog
) -> None:
    seen = []

    def fail() -> None:
        raise ValueError("as planned")

    def note(value: str) -> None:
        seen.append((value, threading.get_ident()))

    runner.submit(make_task(fail)).result(60)
    runner.submit(make_task(note), ("a",)).result(60)

    ((value, thread),) = seen
    assert value == "a"
    assert thread != threading.get_ident()
    assert "as planned" in caplog.text


def test_schedule_repeats_and_never_doubles_a_slow_task(runner, make_task) -> None:
    at_work = threading.Lock()
    doubled: list[int] = []
    runs: list[int] = []

    def slow() -> None:
        if not at_work.acquire(blocking=False):
            doubled.append(1)
            return
        runs.append(1)
        time.sleep(0.12)
        at_work.release()

    runner.start({make_task(slow): 0.05})
    assert wait_for(lambda: len(runs) >= 3)
    runner.stop()
    assert wait_for(lambda: not at_work.locked())
    count = len(runs)
    time.sleep(0.2)

    assert not doubled
    assert len(runs) == count


def test_a_schedule_that_meets_an_error_goes_on(runner, make_task, monkeypatch) -> None:
    submit, asked, has_run = runner.submit, [], threading.Event()

    def fails_once(task):
        asked.append(task)
        if len(asked) == 1:
            raise RuntimeError("can't start new thread")
        return submit(task)

    monkeypatch.setattr(runner, "submit", fails_once)
    runner.start({make_task(has_run.set): 0.05})
    assert has_run.wait(60)


def test_stop_drops_what_waits_and_does_not_wait_for_ever(runner, make_task) -> None:
    seen: list[str] = []
    may_end = threading.Event()

    def later() -> None:
        seen.append("later")

    def slow() -> None:
        may_end.wait(60)
        seen.append("slow")

    running = [runner.submit(make_task(slow)) for _ in range(WORKERS)]
    waiting = runner.submit(make_task(later))
    runner.stop()

    assert not seen
    may_end.set()
    for one in running:
        one.result(60)
    assert waiting.cancelled()
    assert seen == ["slow"] * WORKERS


def test_a_task_that_is_called_runs_in_the_calling_process(tmp_path) -> None:
    folder, stick = laptop_with_tables(tmp_path / "data").folder, tmp_path / "stick"
    stick.mkdir()
    call = "from krru.tasks import backup; backup.delay()"

    Laptop(folder, {"KRRU_BACKUP": str(stick)}).manage("shell", "--no-imports", "-c", call)

    assert len(list(stick.glob("*.zip"))) == 1
