"""Blind schedules as clubs and other clocks write them."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain import validate_levels
from tournaments.event.domain.schedule_files import NotASchedule, levels_of
from tournaments.event.domain.schedule_reading import schedule_from
from tournaments.event.domain.tdt import NotATournament, tdt_read

CASES = Path(__file__).parents[1] / "cases" / "people"


def read(text):
    """Return each row: kind, minutes, blinds and ante."""
    found = schedule_from(text)
    assert not [one for one in validate_levels(levels_of(found.schedule)) if not one.is_warning]
    return [
        (row["kind"][0], row["minutes"], row["small_blind"], row["big_blind"], row["ante"])
        for row in found.schedule.levels
    ]


def case(name):
    return (CASES / name).read_text("utf-8")


def test_a_table_is_a_schedule():
    assert read(case("07-blindplan.csv")) == [
        *[("p", 20, 25, 50, 0), ("p", 20, 50, 100, 0), ("b", 10, 0, 0, 0), ("p", 20, 100, 200, 25)]
    ]


def test_lines_of_minutes_blinds_and_ante_are_a_schedule_with_what_the_breaks_say():
    assert read(case("08-blindplan-zeilen.txt")) == [
        *[("p", 30, 3, 6, 0), ("b", 5, 0, 0, 0), ("p", 30, 5, 10, 0), ("b", 10, 0, 0, 0)],
        ("p", 30, 10, 20, 0),
    ]
    found = schedule_from(case("08-blindplan-zeilen.txt"))
    assert found.schedule.levels[1]["colour_up"] == [1]
    assert found.notes == ("10 Pause mit Add-on",)


def test_an_evening_of_the_tournament_director_has_its_schedule():
    found = schedule_from(case("09-abend.tdt"))
    assert (found.schedule.name, found.schedule.starting_stack) == ("Abend 1", 10_000)
    assert read(case("09-abend.tdt")) == [
        *[("p", 20, 25, 50, 0), ("b", 5, 0, 0, 0), ("p", 20, 50, 100, 0)]
    ]


PLAY = [("p", 20, 25, 50, 0), ("b", 10, 0, 0, 0), ("p", 20, 50, 100, 0)]
SAME = [
    "Level 1: 25/50, 20 min\nBreak 10 min\nLevel 2: 50/100, 20 min",
    "1\t25\t50\t0\t20:00\nPause\t\t\t\t10:00\n2\t50\t100\t0\t20:00",
    "Level;Blinds;Dauer\n1;25/50;20 min\nPause;;10 min\n2;50/100;20 min",
    "Stufe|SB|BB|Minuten\n1|25|50|20\n|||\n Pause||| 10\n2|50|100|20",
    "25 50 20\nPause 10\n50 100 20",
    "Runde 1 25 50 20\nDinner Break 10\nRunde 2 50 100 20",
    json.dumps({"levels": [
        {"smallBlind": 25, "bigBlind": 50, "duration": 1200}, {"isBreak": True, "duration": 600},
        {"smallBlind": 50, "bigBlind": 100, "duration": 1200},
    ]}),
    json.dumps([
        {"level": 1, "sb": 25, "bb": 50, "minutes": 20}, {"type": "break", "minutes": 10},
        {"level": 2, "sb": 50, "bb": 100, "minutes": 20},
    ]),
    json.dumps({"structure": {"rounds": [
        {"blinds": "25/50", "durationSeconds": 1200}, {"break": 10},
        {"blinds": "50/100", "durationSeconds": 1200},
    ]}}),
]  # fmt: skip


WITH_ANTE = [("p", 20, 100, 200, 200), ("b", 15, 0, 0, 0), ("p", 20, 200, 400, 400)]
ANTES = [
    json.dumps({"levels": [
        {"small": 100, "big": 200, "ante": "bb", "minutes": 20}, {"break": True, "minutes": 15},
        {"small": 200, "big": 400, "ante": "BB", "minutes": 20},
    ]}),
    json.dumps([
        {"sb": "100", "bb": "200", "bbAnte": True, "duration": "20 min"},
        {"type": "break", "duration": "15:00"},
        {"sb": "0.2k", "bb": "0.4k", "bbAnte": True, "duration": "20 min"},
    ]),
    "Level,Small Blind,Big Blind,Ante,Duration\n1,100,200,BB,20\nBreak,,,,15\n2,200,400,BBA,20",
    "Stufe;Blinds;Ante;Dauer\n1;100 / 200;bb;20 min\nPause;eine Viertelstunde;;\n2;200 / 400;bb;20",
    "SB;BB;Ante;Dauer;Anmerkung\n100;200;200;0:20;danach 15 Minuten Pause\n200;400;400;0:20;",
    "100/200 (200) 20 min, danach 15 min Pause\n200/400 (400) 20 min",
]  # fmt: skip


@pytest.mark.parametrize("text", ANTES)
def test_an_ante_by_a_word_and_a_break_in_words_are_read(text):
    assert read(text) == WITH_ANTE
    rows = schedule_from(text).schedule.levels
    assert {row["ante_kind"] for row in rows if row["ante"]} == {"big_blind"}


@pytest.mark.parametrize("text", SAME)
def test_the_same_schedule_is_read_from_each_form(text):
    assert read(text) == PLAY


def test_antes_as_large_as_the_big_blind_are_the_big_blinds():
    rows = schedule_from("100/200/200 20 min\n200/400/400 20 min").schedule.levels
    assert {row["ante_kind"] for row in rows} == {"big_blind"}
    rows = schedule_from("1k/2k ante 200 20 min\n2k/4k ante 400 20 min").schedule.levels
    assert [(row["big_blind"], row["ante_kind"]) for row in rows] == [
        (2000, "each"), (4000, "each"),
    ]  # fmt: skip


def test_a_name_and_a_stack_that_are_told_count():
    found = schedule_from('{"name": "X", "startingStack": 700, "blinds": [[1, 2], [2, 4]]}')
    assert (found.schedule.name, found.schedule.starting_stack) == ("X", 700)
    found = schedule_from("25/50\n50/100", name="Meiner", stack=3000)
    assert (found.schedule.name, found.schedule.starting_stack) == ("Meiner", 3000)


@pytest.mark.parametrize(
    "text", ["", "hallo\nwelt", "[]", "{}", "Pause 10 min", "{T: new Tournament("]
)
def test_what_is_no_schedule_is_refused(text):
    with pytest.raises(NotASchedule):
        schedule_from(text)


@given(st.text(max_size=80), st.text(alphabet='0123456789/ ;,\n.kPauseant:min{}[]"', max_size=80))
def test_any_text_is_a_schedule_or_refused(one, other):
    for text in (one, other, json.dumps([{"sb": one, "bb": other}])):
        with suppress(NotASchedule):
            schedule_from(text)


@given(st.text(alphabet="{}[]():,\"' newMap.from1a\\", max_size=60))
def test_any_text_is_a_file_of_the_director_or_refused(text):
    with suppress(NotATournament):
        tdt_read(text)
