"""Changes: the chain that the log is, refusals, and two moments side by side."""

import hashlib
import json
import pickle
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import case
from tests.domain.test_clock_state import node
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.logchain import GENESIS, LogRow, entry_hash, verify
from tournaments.changes.domain.taps import (
    LARGEST_OFFSET,
    SLACK,
    Doubt,
    Tap,
    doubt_about,
    instant_clamped,
)
from tournaments.undo.domain.preview_diff import Lot, Turn, differences

ROWS = tuple(LogRow(**row) for row in case("logchain")["rows"])

WORDS = st.text("abcXYZ019_.:@/+=-", max_size=12)
PAYLOADS = st.dictionaries(
    WORDS,
    st.recursive(
        st.none() | st.booleans() | st.integers() | WORDS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
        max_leaves=6,
    ),
    max_size=4,
)


def chain(payloads):
    rows, previous = [], GENESIS
    for sequence, payload in enumerate(payloads, start=1):
        facts = (sequence, "entry.eliminated", sequence * 10, sequence * 10 + 3, payload)
        previous = entry_hash(previous, *facts)
        names = ("sequence", "kind", "at_ms", "recorded_at_ms", "payload")
        rows.append(LogRow(**dict(zip(names, facts, strict=True)), hash=previous))
    return rows


def test_hashes_are_as_sha256sum_has_them():
    assert verify(ROWS) is None
    assert verify([]) is None
    # A rewritten end still needs its newest hash kept apart.
    assert verify(ROWS[:1]) is None


@given(PAYLOADS)
def test_anyone_can_recompute_a_hash_whatever_the_order_of_keys(payload):
    text = json.dumps(["ab", 2, "x.done", 3, 4, payload], sort_keys=True).replace(" ", "")
    expected = hashlib.sha256(text.encode()).hexdigest()
    for same in (payload, dict(reversed(payload.items()))):
        assert entry_hash("ab", 2, "x.done", 3, 4, same) == expected


CHANGES = [
    *({"kind": "entry.moved"}, {"at_ms": 7}, {"recorded_at_ms": 7}, {"sequence": 9}),
    *({"payload": {"left": 9}}, {"payload": {"name": "Petra Huber"}}, {"payload": {"left": 3.5}}),
    {"hash": "0" * 64},
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("at", range(4))
def test_any_change_is_found_where_it_was_made(at, change):
    rows = chain([{"left": left, "entries": [left * 3]} for left in (40, 30, 20, 10)])
    assert verify(rows) is None
    rows[at] = replace(rows[at], **change)
    assert verify(rows) == at + 1


@pytest.mark.parametrize("at", range(4))
def test_a_missing_or_moved_row_is_found(at):
    rows = chain([{"left": 1}] * 5)
    assert verify(rows[:at] + rows[at + 1 :]) == at + 1
    rows[at], rows[at + 1] = rows[at + 1], rows[at]
    assert verify(rows) == at + 1


class Kind(StrEnum):
    BUST = "bust"


@pytest.mark.parametrize(
    ("one", "other"), [({"way": Kind.BUST}, {"way": "bust"}), ({"ids": (1, 2)}, {"ids": [1, 2]})]
)
def test_kinds_are_words_and_tuples_lists(one, other):
    assert entry_hash("", 1, "a", 0, 0, one) == entry_hash("", 1, "a", 0, 0, other)


@pytest.mark.parametrize(
    "payload",
    [
        *({"left": 1.0}, {"left": [1, {"a": 0.5}]}, {"raw": b"x"}, {"ids": {1, 2}}),
        *({"name": "Petra Huber"}, {"name": "Jörg"}, {"text": "x" * 129}, {"line": "a\n"}),
        *({"Petra Huber": 1}, {3: 1}),
    ],
)
def test_free_text_and_floats_are_kept_out_of_the_chain(payload):
    with pytest.raises(ValueError, match=r"No (key|word) of the log|Neither id, kind nor number"):
        entry_hash("", 1, "a", 0, 0, payload)


# --- Refusals


class Lazy:
    """A text that is chosen when it is read, as a translatable one is."""

    language = "de"

    def __str__(self):
        return {"de": "Der Platz ist besetzt.", "en": "The seat is taken."}[self.language]


def test_the_reason_is_rendered_when_it_is_read():
    reason = Lazy()
    refusal = Refused(reason)
    reason.language = "en"
    assert str(refusal) == "The seat is taken."
    # It survives pickling.
    copy = pickle.loads(pickle.dumps(Refused("Nein.", code="no")))
    assert (copy.reason, copy.code) == ("Nein.", "no")
    assert Refused("Nein.").code == "refused"


# --- Two moments of an event


SEATS = st.tuples(st.integers(1, 3), st.integers(1, 3))
LOTS = st.one_of(
    st.builds(Lot, is_in=st.just(True), seat=st.none() | SEATS, is_drawn=st.just(False)),
    st.builds(Lot, is_in=st.just(True), is_drawn=st.just(True)),
    st.builds(Lot, is_in=st.just(False), place=st.integers(1, 6)),
)
ROOMS = st.dictionaries(st.integers(1, 8), LOTS)
SEATED, ELSEWHERE = Lot(is_in=True, seat=(1, 1)), Lot(is_in=True, seat=(2, 1))
OUT, WORSE = Lot(is_in=False, place=4), Lot(is_in=False, place=5)


def test_who_comes_back_is_named_first_and_places_last_from_the_best():
    before = {1: WORSE, 2: OUT, 3: SEATED, 4: OUT, 5: SEATED, 6: SEATED}
    after = {1: OUT, 2: SEATED, 3: ELSEWHERE, 4: WORSE, 5: OUT, 7: SEATED}
    found = differences(before, after)
    turns = {2: Turn.BACK, 5: Turn.OUT, 7: Turn.NEW, 6: Turn.GONE, 3: Turn.MOVES}
    turns |= {1: Turn.PLACE, 4: Turn.PLACE}
    assert [(row.entry, row.turn) for row in found] == list(turns.items())


@given(ROOMS, ROOMS)
def test_exactly_those_are_named_for_whom_something_differs(before, after):
    found = differences(before, after)
    assert {row.entry for row in found} == {
        entry for entry in {*before, *after} if before.get(entry) != after.get(entry)
    }
    assert [(row.before, row.after) for row in found] == [
        (before.get(row.entry), after.get(row.entry)) for row in found
    ]


# --- When a tap that waited happened: the phone's arithmetic and the server's judgement


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
