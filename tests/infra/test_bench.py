"""Every benchmark can be started, in a process without Django set up, as `start.py bench` does."""

import json
import os
import sys

import pytest

from bench._harness import Report
from krru.data.folder import BASE_DIR
from tests.infra.laptops import ran

pytestmark = pytest.mark.sqlite_only
CHECK = "import sys; from bench.__main__ import main; sys.exit(main(['--check']))"


def test_every_benchmark_and_all_its_tasks_are_loaded():
    env = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}

    done = ran(sys.executable, "-c", CHECK, cwd=BASE_DIR, env=env)

    assert done.returncode == 0, done.stderr


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
