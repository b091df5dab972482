"""JavaScript held to cases: the screen's cues, and what a head of the log means to a page."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clock.vectors import CASES
from tests.domain.test_clock_state import node

HERE = Path(__file__).parent
KEPT = [[1, "aa"], [84, "bb"]]
LIVE, OPENED = True, False


def ran(runner, asked):
    command = [node(), HERE / runner, asked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize(("name", "least"), [("cues_by_hand", 24), ("cues", 150)])
def test_the_screens_cues_answer_every_case(name, least):
    """Those worked out by hand, and what Python's clock shows."""
    result = ran("run_cues.js", CASES / f"{name}.json")
    assert result["wrong"] == []
    assert result["count"] >= least


def test_a_page_knows_or_asks_or_shouts():
    cases = [
        ("judged", [], [84, "bb"], OPENED, "next"),
        ("judged", KEPT, [84, "bb"], OPENED, "known"),
        ("judged", KEPT, [85, "cc", "bb"], LIVE, "next"),
        ("judged", KEPT, [85, "cc", "xx"], LIVE, "ask"),
        ("judged", KEPT, [85, "cc"], OPENED, "ask"),
        ("judged", KEPT, [86, "cc", "bb"], LIVE, "ask"),
        ("judged", KEPT, [84, "xx", "aa"], LIVE, "ask"),
        # Another page was told first; a page that opens there may tell of a log that went back.
        ("judged", KEPT, [1, "aa", ""], LIVE, "known"),
        ("judged", KEPT, [1, "aa"], OPENED, "ask"),
        ("answered", KEPT, [90, "cc"], {"84": "bb", "90": "cc"}, LIVE, "next"),
        ("answered", KEPT, [60, "dd"], {"84": "bb", "60": "dd"}, OPENED, "known"),
        ("answered", KEPT, [90, "cc"], {"84": "xx", "90": "cc"}, LIVE, "broken"),
        ("answered", KEPT, [60, "dd"], {"84": None, "60": "dd"}, OPENED, "broken"),
        # What the stream tells must be shown; a page may come out of the browser's memory.
        ("answered", KEPT, [90, "cc"], {"84": "bb", "90": None}, LIVE, "broken"),
        ("answered", KEPT, [90, "cc"], {"84": "bb", "90": None}, OPENED, "known"),
    ]
    asked = json.dumps([case[:-1] for case in cases])
    assert ran("run_heads.js", asked) == [case[-1] for case in cases]


def test_what_is_kept_is_bounded():
    kept = [[number, "aa"] for number in range(1, 1001)]
    asked = json.dumps([("extended", kept, [1001, "bb"])])
    (found,) = ran("run_heads.js", asked)
    numbers = [number for number, _head in found]
    assert numbers[:4] == [1, 50, 100, 150]
    assert numbers[-200:] == list(range(802, 1002))
    assert len(found) == 200 + 1 + 16
