"""The cases of fixtures/cases/clock*.json, in Python and in the screen's JavaScript."""

import json
import shutil
import subprocess
from pathlib import Path

import playwright

from clock.domain import anchor_of, state_from
from tests.clock import vectors

RUNNER = Path(__file__).parents[1] / "clock" / "run_vectors.js"


def node():
    """Return a JavaScript interpreter: the system's, or the one Playwright brings along."""
    driver = Path(playwright.__file__).parent / "driver" / "node"
    return shutil.which("node") or str(driver)


def test_python_answers_every_case():
    names = [name for name, _, _ in vectors.cases()]
    assert len(names) == len(set(names)) >= 300
    for name, levels, case in vectors.cases():
        anchor = vectors.anchor_of_case(case["anchor"])
        state = state_from(anchor, levels, vectors.instant(case["now"]))
        assert vectors.answer_of(state) == vectors.in_utc(case["expect"]), name
        if "actions" in case:
            actions = [vectors.action_of(row) for row in case["actions"]]
            assert anchor_of(actions, levels) == anchor, name


def test_the_screens_javascript_answers_every_case():
    run = subprocess.run(
        [node(), RUNNER, *vectors.FILES], capture_output=True, text=True, check=True
    )
    result = json.loads(run.stdout)
    assert result == {"count": len(list(vectors.cases())), "wrong": []}
