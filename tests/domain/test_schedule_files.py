"""A blind schedule as a file: what is written is read again, and nothing else is taken for one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import validate_levels
from tests.domain.cases import fixture
from tournaments.event.domain.schedule_files import (
    NotASchedule,
    ScheduleFile,
    levels_of,
    schedule_as_text,
    schedule_read,
)

GOOD = {
    "format": "krru-schedule",
    "version": 1,
    "name": "Kurz",
    "starting_stack": 100,
    "level_minutes": 20,
    "levels": [{"small_blind": 1, "big_blind": 2}, {"kind": "break", "minutes": 10}],
}


def refused(data):
    with pytest.raises(NotASchedule) as problem:
        schedule_read(json.dumps(data))
    return problem.value.code, problem.value.row


@pytest.mark.parametrize("row", fixture("schedules.json")["schedules"], ids=lambda row: row["name"])
def test_the_schedules_of_the_source_go_there_and_back(row):
    known = {name: row[name] for name in ("name", "starting_stack", "level_minutes", "levels")}
    read = schedule_read(schedule_as_text(ScheduleFile(**known)))
    assert (read.name, read.starting_stack, len(read.levels)) == (
        row["name"], row["starting_stack"], len(row["levels"]),
    )  # fmt: skip
    assert validate_levels(levels_of(read)) == []
    assert schedule_read(schedule_as_text(read)) == read


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"format": "pokerstove"}, "other_format"),
        ({"version": 2}, "newer"),
        ({"name": ""}, "bad_head"),
        ({"name": "x" * 81}, "bad_head"),
        ({"starting_stack": "100"}, "bad_head"),
        ({"starting_stack": True}, "bad_head"),
        ({"level_minutes": 0}, "bad_head"),
        ({"levels": []}, "no_rows"),
        ({"levels": {}}, "no_rows"),
        ({"levels": [{}] * 101}, "too_many_rows"),
    ],
)
def test_what_is_wrong_with_the_whole_file(own, code):
    assert refused(GOOD | own) == (code, 0)


@pytest.mark.parametrize(
    "row",
    [
        "Pause",
        {"kind": "nap"},
        {"minutes": -5},
        {"minutes": 1.5},
        {"hands": 0},
        {"big_blind": -2},
        {"big_blind": "2"},
        {"small_blind": None},
        {"ante_kind": "all"},
        {"limit": "none"},
        {"game": 7},
        {"game": "x" * 41},
        {"colour_up": 5},
        {"colour_up": ["1"]},
    ],
)
def test_what_is_wrong_with_a_row_names_it(row):
    assert refused(GOOD | {"levels": [GOOD["levels"][0], row]}) == ("bad_row", 2)


def test_what_is_no_json_is_refused():
    with pytest.raises(NotASchedule, match="no_json"):
        schedule_read("{")
    with pytest.raises(NotASchedule, match="no_json"):
        schedule_read("[" * 100_000)
    assert refused([GOOD])[0] == "other_format"


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([*GOOD, "kind", "minutes", "ante"]), inner, max_size=5),
))  # fmt: skip
def test_whatever_json_says_it_is_read_or_refused(data):
    whole = GOOD | data if isinstance(data, dict) else data
    try:
        read = schedule_read(json.dumps(whole))
    except NotASchedule:
        return
    assert levels_of(read)
