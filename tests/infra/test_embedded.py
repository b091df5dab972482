"""Tasks without a broker: threads of this process, and the schedule kept by one of them."""

import threading
import time

import pytest
from celery import Celery

from krru.background.embedded import Runner
from tests.waits import wait_for


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

    runner.submit(make_task(fail), (), {}).result(60)
    runner.submit(make_task(note), ("a",), {}).result(60)

    ((value, thread),) = seen
    assert value == "a"
    assert thread != threading.get_ident()
    assert "as planned" in caplog.text


def test_countdown_waits_and_keeps_the_order_of_due_times(runner, make_task) -> None:
    seen: list[str] = []
    done = threading.Event()

    def note(name: str) -> None:
        seen.append(name)
        if name == "late":
            done.set()

    task = make_task(note)
    began = time.monotonic()
    runner.submit(task, ("late",), {}, countdown=0.4)
    runner.submit(task, ("early",), {}, countdown=0.1)

    assert done.wait(60)
    assert seen == ["early", "late"]
    assert time.monotonic() - began >= 0.4


def test_schedule_repeats_and_never_doubles_a_slow_task(runner, app, make_task) -> None:
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

    task = make_task(slow)
    app.conf.beat_schedule = {"slow": {"task": task.name, "schedule": 0.05}}
    runner.start(app)
    assert wait_for(lambda: len(runs) >= 3)
    runner.stop()
    assert wait_for(lambda: not at_work.locked())
    count = len(runs)
    time.sleep(0.2)

    assert not doubled
    assert len(runs) == count


def test_stop_drops_what_is_not_due_and_does_not_wait_for_ever(runner, make_task) -> None:
    seen: list[str] = []
    may_end = threading.Event()

    def later() -> None:
        seen.append("later")

    def slow() -> None:
        may_end.wait(60)
        seen.append("slow")

    runner.submit(make_task(later), (), {}, countdown=0.3)
    runner.submit(make_task(slow), (), {})

    runner.stop(timeout=0.2)

    assert not seen
    may_end.set()
    time.sleep(0.4)
    assert "later" not in seen
