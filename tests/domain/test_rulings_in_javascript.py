"""The desk on a phone, in JavaScript, against the same cases as Python's."""

import json
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tests.domain.cases import FIXTURES, case
from tests.domain.make_rulings import answered, random_cases
from tests.domain.test_clock_vectors import node
from tournaments.rulings.domain.desk import Topic

RUNNER = Path(__file__).parent / "run_rulings.js"
CASES = case("rulings")


def run(*args, told=""):
    done = subprocess.run(
        [node(), RUNNER, *args], input=told, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def compare(cases, found):
    for one, got in zip(cases, found, strict=True):
        assert got == one["expect"], one["question"]


def test_the_cases_are_about_everything_and_many_are_refused():
    topics = Counter(one["topic"] for one in CASES)
    assert set(topics) == {topic.value for topic in Topic if topic is not Topic.OTHER}
    assert min(topics.values()) >= 100
    codes = {one["expect"].get("code") for one in CASES}
    assert {"twice", "above_stack", "no_blinds", "cannot_win", "odd_for_nobody", "few_cards",
            "too_little", "no_check", "above_own"} <= codes  # fmt: skip


def test_python_answers_every_case():
    for one in CASES:
        assert answered(Topic(one["topic"]), one["question"]) == one["expect"], one["question"]


def test_the_phones_javascript_answers_every_case():
    compare(CASES, run(FIXTURES / "cases" / "rulings.json"))


@pytest.mark.long
def test_twenty_thousand_random_questions_are_answered_alike_on_phone_and_server():
    cases = random_cases(Random(2026), 5_000)
    compare(cases, run(told=json.dumps(cases)))
