"""Tasks without a broker: threads of this process, and the schedule kept by one of them."""

import threading
import time

import pytest
from celery import Celery

from krru.background.embedded import Runner


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

    def make(function):
        return app.task(
            function, name=function.__name__, lazy=False, shared=False, ignore_result=True
        )

    return make


def test_task_runs_in_another_thread(runner, make_task) -> None:
    seen = []

    def note(value: str) -> None:
        seen.append((value, threading.get_ident()))

    runner.submit(make_task(note), ("a",), {}).result(5)

    assert seen[0][0] == "a"
    assert seen[0][1] != threading.get_ident()


def test_failing_task_is_logged_and_harms_nobody(runner, make_task, caplog) -> None:
    def fail() -> None:
        raise ValueError("as planned")

    seen = threading.Event()

    def succeed() -> None:
        seen.set()

    runner.submit(make_task(fail), (), {}).result(5)
    runner.submit(make_task(succeed), (), {}).result(5)

    assert seen.is_set()
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

    assert done.wait(5)
    assert seen == ["early", "late"]
    assert time.monotonic() - began >= 0.4


def test_schedule_repeats_and_never_doubles_a_slow_task(runner, app, make_task) -> None:
    running = threading.Semaphore(1)
    doubled: list[int] = []
    runs: list[float] = []

    def slow() -> None:
        if not running.acquire(blocking=False):
            doubled.append(1)
            return
        runs.append(time.monotonic())
        time.sleep(0.12)
        running.release()

    task = make_task(slow)
    app.conf.beat_schedule = {"slow": {"task": task.name, "schedule": 0.05}}
    runner.start(app)
    time.sleep(0.9)
    runner.stop()
    count = len(runs)
    time.sleep(0.2)

    assert 3 <= count <= 9
    assert not doubled
    assert len(runs) == count


def test_stop_drops_what_is_not_due_and_does_not_wait_for_ever(runner, make_task) -> None:
    seen: list[int] = []

    def later() -> None:
        seen.append(1)

    def slow() -> None:
        time.sleep(1.5)

    runner.submit(make_task(later), (), {}, countdown=0.3)
    runner.submit(make_task(slow), (), {})

    began = time.monotonic()
    runner.stop(timeout=0.2)

    assert time.monotonic() - began < 1
    time.sleep(0.4)
    assert not seen
