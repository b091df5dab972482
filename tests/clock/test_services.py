"""Schedules copied into clocks, and actions appended to them."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings

from clock.domain import ActionKind, LevelKind, validate_levels
from clock.models import Clock, ScheduleTemplate
from clock.selectors import (
    anchor_payload,
    clock_levels,
    clock_payload,
    clock_state,
)
from clock.services import (
    action_append,
    action_undo,
    clock_create,
    clock_from_levels,
    schedules_load,
    template_save,
)
from clock.snapshot import is_snapshot, read_once, snapshot

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 19, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def after(minutes):
    return EVENING + minutes * MINUTE


@pytest.fixture
def template():
    return template_save(
        name="Probe",
        starting_stack=100,
        level_minutes=20,
        levels=[
            {"small_blind": 1, "big_blind": 2, "big_bet": 4},
            {"small_blind": 2, "big_blind": 4, "minutes": 15},
            {"small_blind": 4, "big_blind": 8, "hands": 3},
        ],
    )


@pytest.fixture
def clock(template):
    return clock_create(template=template)


def act(clock, kind, at, **own):
    return action_append(clock=clock, kind=kind, at=after(at), **own)


def start(clock, at=0):
    return act(clock, ActionKind.STARTED, at)


def plain(clock):
    return [(row.kind, row.duration, row.hands, row.big_blind) for row in clock_levels(clock)]


def test_a_clock_has_its_own_copy_of_the_levels(template, clock):
    template.levels.all().delete()
    found = [(row.number, row.duration, row.hands, row.big_blind) for row in clock_levels(clock)]
    assert found == [(1, 20 * MINUTE, None, 2), (2, 15 * MINUTE, None, 4), (3, None, 3, 8)]
    assert clock.schedule_name == "Probe"


def test_the_length_of_levels_and_the_breaks_can_be_chosen_and_a_clock_made_like_another(template):
    clock = clock_create(template=template, level_minutes=30, breaks={2: 10})
    assert plain(clock)[:3] == [
        (LevelKind.PLAY, 30 * MINUTE, None, 2),
        (LevelKind.PLAY, 15 * MINUTE, None, 4),
        (LevelKind.BREAK, 10 * MINUTE, None, 0),
    ]
    assert [level.number for level in clock_levels(clock)] == [1, 2, None, 3]
    copy = clock_from_levels(schedule_name="Probe", levels=clock_levels(clock))
    assert plain(copy) == plain(clock)
    assert copy.schedule_name == "Probe"


def test_an_action_is_kept_to_the_millisecond_and_never_before_the_last(clock):
    exact = after(5).replace(microsecond=123_456)
    first = action_append(clock=clock, kind=ActionKind.STARTED, at=exact)
    assert first.at == after(5).replace(microsecond=123_000)
    assert first.recorded_at == exact
    early = act(clock, ActionKind.PAUSED, 3)
    assert (early.sequence, early.at) == (2, first.at)
    undone = action_undo(clock=clock, at=after(1), action=early)
    assert undone.at == first.at


def test_a_screen_gets_everything_at_once(clock, django_assert_num_queries):
    start(clock)
    with django_assert_num_queries(2):
        payload = clock_payload(clock, after(1))
    assert payload["now"] - payload["anchor"]["since"] == 60_000
    assert payload["anchor"] == anchor_payload(clock)
    assert [level["number"] for level in payload["levels"]] == [1, 2, 3]


def test_undo_restores_and_can_be_undone_itself(clock):
    """The state of a past instant leaves out what came later."""
    began = start(clock)
    paused = act(clock, ActionKind.PAUSED, 5)
    with pytest.raises(ValueError, match="latest"):
        action_undo(clock=clock, at=after(6), action=began)
    undone = action_undo(clock=clock, at=after(7), action=paused)
    assert (undone.undoes, undone.kind) == (paused, ActionKind.RESTORED)
    redone = action_undo(clock=clock, at=after(9), action=undone)
    again = action_undo(clock=clock, at=after(11), action=redone)
    assert again.undoes == redone
    states = [clock_state(clock, after(minute)) for minute in (-1, 4, 6, 8, 10, 12)]
    assert [state.has_started for state in states] == [False, *[True] * 5]
    assert [state.is_running for state in states[1:]] == [True, False, True, False, True]
    assert [state.elapsed // MINUTE for state in states[1:]] == [4, 5, 8, 5, 12]


def test_a_template_is_replaced_by_its_name(template):
    template_save(name="Probe", starting_stack=7, levels=[{"big_blind": 2}])
    row = ScheduleTemplate.objects.get()
    assert (row.starting_stack, row.levels.count()) == (7, 1)


# --- The blind schedules as STEFFEN prints them: all 45 levels, written out here a second time


FILE = settings.FIXTURES / "schedules.json"
# Small blind/big blind/big bet of each level.
PRINTED = {
    "T100": (
        "1/1/2 1/2/4 2/3/6 3/5/10 5/10/20 10/15/30 15/25/50 25/50/100 50/75/150 50/100/200 "
        "75/150/300 100/200/400 125/250/500 150/300/600 200/400/800"
    ),
    "T200": (
        "1/1/2 1/2/4 2/4/8 4/8/15 8/15/30 12/25/50 20/40/80 30/60/120 50/100/200 75/150/300 "
        "100/200/400 150/300/600 200/400/800 250/500/1000 300/600/1200"
    ),
    "T300": (
        "1/2/4 2/4/8 3/6/12 5/10/20 10/20/40 15/30/60 25/50/100 50/100/200 75/150/300 100/200/400 "
        "150/300/600 200/400/800 250/500/1000 325/650/1300 400/800/1600"
    ),
}


@pytest.mark.parametrize("name", PRINTED)
def test_steffen_all_levels_as_printed(name):
    data = json.loads(FILE.read_text(encoding="utf-8"))
    (schedule,) = [row for row in data["schedules"] if row["name"] == name]
    written = [
        f"{row['small_blind']}/{row['big_blind']}/{row['big_bet']}" for row in schedule["levels"]
    ]
    assert written == PRINTED[name].split()
    assert len(written) == 15
    assert schedule["starting_stack"] == int(name[1:])
    assert schedule["level_minutes"] == 20


@pytest.mark.django_db
def test_they_load_into_sound_clocks_and_one_changed_by_hand_survives_loading_again():
    for template in schedules_load(FILE):
        levels = clock_levels(clock_create(template=template))
        assert len(levels) == template.levels.count()
        assert validate_levels(levels) == []
    changed = ScheduleTemplate.objects.get(name="T100")
    changed.levels.filter(position__gt=4).delete()
    assert schedules_load(FILE) == []
    assert changed.levels.count() == 5


# --- What is read once of a row that is only shown, and anew of one that a service holds


asked = []


@read_once
def told(row, *further, **named):
    asked.append((row, further, named))
    return len(asked)


def test_the_same_row_fetched_anew_knows_nothing():
    row, again = Clock(pk=1), Clock(pk=1)
    snapshot(row)
    snapshot(again)
    known = told(row)
    assert told(again) != known
    snapshot(row)
    assert told(row) == known


def test_a_snapshot_is_read_once_for_each_question_and_a_row_of_a_service_each_time():
    row = Clock(pk=1)
    assert not is_snapshot(row)
    assert told(row) != told(row)
    snapshot(row)
    assert is_snapshot(row)
    assert told(row) == told(row)
    assert told(row, 1) == told(row, 1) != told(row)
    assert told(row, number=1) == told(row, number=1) != told(row, 1)
    assert told(row, [1]) != told(row, [1]), "a list in a question is not kept"
