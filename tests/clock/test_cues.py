"""The screen's cues, held to cases: those worked out by hand, and what Python's clock shows."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clock.vectors import CASES
from tests.domain.test_clock_vectors import node

RUNNER = Path(__file__).with_name("run_cues.js")


@pytest.mark.parametrize(("name", "least"), [("cues_by_hand", 24), ("cues", 150)])
def test_the_screens_javascript_answers_every_case(name, least):
    run = subprocess.run(
        [node(), RUNNER, CASES / f"{name}.json"], capture_output=True, text=True, check=True
    )
    result = json.loads(run.stdout)
    assert result["wrong"] == []
    assert result["count"] >= least


def test_the_cases_say_every_kind_of_thing():
    cases = json.loads((CASES / "cues.json").read_text("utf-8"))["cases"]
    said = [kind for case in cases for kind, _at, _level in case["expect"]]
    kinds = ("soon", "start", "level", "last_minute", "break", "break_ends")
    assert min(said.count(kind) for kind in kinds) >= 5
