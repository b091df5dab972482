"""When a tap that waited happened: the phone's arithmetic and the server's judgement."""

import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.test_clock_state import node
from tournaments.changes.domain.taps import (
    LARGEST_OFFSET,
    SLACK,
    Doubt,
    Tap,
    doubt_about,
    instant_clamped,
)

RUNNER = Path(__file__).with_name("run_queue.js")
NOW = datetime(2026, 11, 20, 21, tzinfo=UTC)
AGREED = timedelta(seconds=-2)
instants = st.datetimes(timezones=st.just(UTC))


def tap(minutes=0.0, **own):
    return Tap(at=NOW + timedelta(minutes=minutes), **{"offset": AGREED, **own})


def asked(*questions):
    run = subprocess.run(
        [node(), RUNNER, json.dumps(questions)], capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


@pytest.mark.parametrize(
    ("said", "earliest", "doubt"),
    [
        (tap(-10), None, None),
        (tap(-10), NOW - timedelta(minutes=20), None),
        (tap(-10, offset=None), None, Doubt.NEVER_COMPARED),
        (tap(-10, offset=LARGEST_OFFSET), None, None),
        (tap(-10, offset=-LARGEST_OFFSET - timedelta(seconds=1)), None, Doubt.HOURS_OFF),
        (tap(-10, was_set=True), None, Doubt.CLOCK_WAS_SET),
        (tap(2), None, None),
        (tap(2.1), None, Doubt.IMPOSSIBLE),
        (tap(-10), NOW - timedelta(minutes=8), None),
        (tap(-10), NOW - timedelta(minutes=7.9), Doubt.HEARD_SINCE),
    ],
)
def test_what_makes_the_time_of_a_tap_doubtful(said, earliest, doubt):
    assert doubt_about(said, earliest=earliest, now=NOW) == doubt


@given(at=instants, earliest=st.none() | instants, now=instants)
def test_a_tap_is_held_between_the_last_known_action_and_now(at, earliest, now):
    held = instant_clamped(at, earliest=earliest, now=now)
    assert held <= now
    assert earliest is None or held >= min(earliest, now)
    if (earliest is None or earliest <= at) and at <= now:
        assert held == at
    if doubt_about(Tap(at=at, offset=AGREED), earliest=None, now=now) is None:
        assert abs(instant_clamped(at, earliest=None, now=now) - at) <= SLACK


def measured(server, wall, mono):
    return {"server": server, "wall": wall, "mono": mono}


def test_the_phones_arithmetic_finds_when_it_was():
    """A phone 7 s slow, tapped two minutes after it last compared its clock."""
    before = measured(1_000_000, 993_000, 50_000)
    fresh = measured(1_600_000, 1_593_000, 650_000)
    said = {"wall": 1_113_000, "mono": 170_000, "measured": before}
    right = {"at": 1_120_000, "offset": 7000, "set": False}
    slept = {**said, "mono": 90_000}
    set_and_kept = measured(1_600_000, 1_653_000, 650_000)
    jumped = {**said, "wall": 1_053_000}
    never = {**said, "measured": None}
    answers = asked(
        ["timeOf", said, fresh],
        ["timeOf", said, None],
        # While a phone sleeps performance.now() may stand still; the wall goes on.
        ["timeOf", slept, fresh],
        ["timeOf", slept, None],
        ["timeOf", said, set_and_kept],
        # Set back before the tap and right again on return.
        ["timeOf", jumped, fresh],
        ["timeOf", never, fresh],
        ["timeOf", never, None],
    )
    assert answers[:3] == [right, right, right]
    assert [answer["set"] for answer in answers[3:6]] == [True, True, True]
    assert answers[6:] == [
        {"at": 1_120_000, "offset": None, "set": False},
        {"at": 1_113_000, "offset": None, "set": False},
    ]


def test_of_what_the_stream_says_only_the_quickest_counts():
    known = measured(100_000, 0, 10_000)
    prompt, dawdling = measured(160_100, 0, 70_000), measured(160_000, 0, 75_000)
    after_sleep = measured(400_000, 0, 71_000)
    questions = [["better", None, known], ["better", known, prompt], ["better", known, dawdling]]
    assert asked(*questions, ["better", known, after_sleep]) == [known, prompt, known, after_sleep]


def test_the_queue_keeps_its_order_and_waits_for_an_answer_under_way():
    def made(number, state, wall=0):
        return {"id": number, "state": state, "wall": wall}

    first, second = made(1, "waiting"), made(2, "waiting")
    question, flying = made(1, "question"), made(1, "flying", wall=1_000)
    answers = asked(
        ["next", [], 0],
        ["next", [first, second], 0],
        ["next", [question, second], 0],
        ["next", [made(1, "withdrawn"), second], 0],
        ["next", [flying, second], 2_000],
        # Left behind by a page that was closed.
        ["next", [flying, second], 60_000],
    )
    assert answers == [None, first, second, made(1, "withdrawn"), None, flying]
