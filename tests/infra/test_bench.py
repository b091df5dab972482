"""Every benchmark can be started, in a process without Django set up, as `start.py bench` does."""

import json
import os
import subprocess
import sys

import pytest

from bench._harness import Report, percentile
from krru.data.folder import BASE_DIR

pytestmark = pytest.mark.sqlite_only


def checked(code: str = "pass") -> subprocess.CompletedProcess[str]:
    start = f"import sys; from bench.__main__ import main; {code}; sys.exit(main(['--check']))"
    env = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    command = [sys.executable, "-c", start]
    return subprocess.run(
        command, cwd=BASE_DIR, env=env, capture_output=True, text=True, check=False
    )


def test_every_benchmark_and_all_its_tasks_are_loaded():
    done = checked()

    assert done.returncode == 0, done.stderr


def test_models_before_django_are_noticed_and_a_task_that_is_not_there():
    early = checked("from tournaments.changes import commands")
    missing = checked("from bench._harness import Task; Task('bench._inside:no_such')")

    assert "settings are not configured" in early.stderr
    assert "no_such" in missing.stderr
    assert early.returncode == missing.returncode == 1


def test_the_last_line_is_the_object_and_a_missed_goal_fails(capsys):
    report = Report("one")
    report.add("taken", 1.5, "ms", 2)
    report.add("seen", 3, "screens")
    assert report.show() == 0
    report.add("kept", 9, "a second", 10, "higher")

    assert report.show() == 1
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert told["bench"] == "one"
    assert [one["met"] for one in told["figures"]] == [True, True, False]
    assert told["figures"][0] == {
        "name": "taken", "value": 1.5, "unit": "ms", "goal": 2, "better": "lower", "met": True,
    }  # fmt: skip


def test_percentiles_are_of_the_nearest_rank():
    assert [percentile([4, 1, 3, 2], percent) for percent in (1, 50, 99)] == [1, 2, 4]
