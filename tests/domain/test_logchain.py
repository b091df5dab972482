import hashlib
import json
from dataclasses import replace
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import case
from tournaments.changes.domain.logchain import GENESIS, LogRow, entry_hash, verify

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


@given(PAYLOADS)
def test_anyone_can_recompute_a_hash(payload):
    text = json.dumps(["ab", 2, "x.done", 3, 4, payload], sort_keys=True).replace(" ", "")
    assert entry_hash("ab", 2, "x.done", 3, 4, payload) == hashlib.sha256(text.encode()).hexdigest()


@given(PAYLOADS)
def test_the_order_of_keys_does_not_matter(payload):
    turned = dict(reversed(payload.items()))
    assert entry_hash("", 1, "a", 0, 0, turned) == entry_hash("", 1, "a", 0, 0, payload)


CHANGES = [
    {"kind": "entry.moved"},
    {"at_ms": 7},
    {"recorded_at_ms": 7},
    {"payload": {"left": 9}},
    {"payload": {"name": "Petra Huber"}},
    {"payload": {"left": 3.5}},
    {"sequence": 9},
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


def test_a_rewritten_end_still_needs_its_newest_hash_kept_apart():
    rows = chain([{"left": 3}, {"left": 2}])
    assert verify(rows[:1]) is None


class Kind(StrEnum):
    BUST = "bust"


def test_kinds_are_words():
    assert entry_hash("", 1, "a", 0, 0, {"way": Kind.BUST}) == entry_hash(
        "", 1, "a", 0, 0, {"way": "bust"}
    )
    assert entry_hash("", 1, "a", 0, 0, {"ids": (1, 2)}) == entry_hash(
        "", 1, "a", 0, 0, {"ids": [1, 2]}
    )


@pytest.mark.parametrize(
    "payload",
    [
        {"left": 1.0},
        {"left": [1, {"a": 0.5}]},
        {"name": "Petra Huber"},
        {"name": "Jörg"},
        {"text": "x" * 129},
        {"line": "a\n"},
        {"Petra Huber": 1},
        {3: 1},
        {"raw": b"x"},
        {"ids": {1, 2}},
    ],
)
def test_free_text_and_floats_are_kept_out_of_the_chain(payload):
    with pytest.raises(ValueError, match=r"No (key|word) of the log|Neither id, kind nor number"):
        entry_hash("", 1, "a", 0, 0, payload)
