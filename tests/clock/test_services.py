"""Schedules copied into clocks, and actions appended to them."""

from datetime import UTC, datetime, timedelta

import pytest

from clock import domain
from clock.domain import ActionKind, LevelKind
from clock.models import ClockAction, ScheduleTemplate
from clock.selectors import (
    anchor_payload,
    clock_actions,
    clock_anchor,
    clock_levels,
    clock_payload,
    clock_state,
)
from clock.services import (
    action_append,
    action_undo,
    clock_create,
    schedules_load,
    template_save,
)

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 19, tzinfo=UTC)


def after(minutes):
    return EVENING + timedelta(minutes=minutes)


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


def start(clock, at=0):
    return action_append(clock=clock, kind=ActionKind.STARTED, at=after(at))


def test_a_clock_has_its_own_copy_of_the_levels(template, clock):
    template.levels.all().delete()
    levels = clock_levels(clock)
    assert [level.duration for level in levels] == [
        timedelta(minutes=20),
        timedelta(minutes=15),
        None,
    ]
    assert [(level.number, level.big_blind, level.hands) for level in levels] == [
        (1, 2, None),
        (2, 4, None),
        (3, 8, 3),
    ]
    assert clock.schedule_name == "Probe"


def test_the_length_of_levels_and_the_breaks_can_be_chosen(template):
    clock = clock_create(template=template, level_minutes=30, breaks={2: 10})
    levels = clock_levels(clock)
    assert levels[0].duration == timedelta(minutes=30)
    assert levels[1].duration == timedelta(minutes=15)
    assert (levels[2].kind, levels[2].duration) == (LevelKind.BREAK, timedelta(minutes=10))
    assert [level.number for level in levels] == [1, 2, None, 3]


def test_a_clock_can_be_made_like_another(template):
    first = clock_create(template=template, level_minutes=7, breaks={1: 5})
    copy = clock_create(like=first)
    plain = lambda clock: [
        (level.kind, level.duration, level.hands, level.big_blind) for level in clock_levels(clock)
    ]
    assert plain(copy) == plain(first)
    assert copy.schedule_name == "Probe"
    assert clock_create(template=template, like=first).schedule_name == "Probe"


def test_a_clock_of_nothing_is_a_bug():
    with pytest.raises(ValueError, match="template"):
        clock_create()


def test_an_action_is_kept_to_the_millisecond_and_never_before_the_last(clock):
    exact = after(5).replace(microsecond=123_456)
    first = action_append(clock=clock, kind=ActionKind.STARTED, at=exact)
    assert first.at == after(5).replace(microsecond=123_000)
    assert first.recorded_at == exact
    early = action_append(clock=clock, kind=ActionKind.PAUSED, at=after(3))
    assert (early.sequence, early.at) == (2, first.at)


def test_what_is_written_is_what_the_domain_gets(clock):
    levels = clock_levels(clock)
    action_append(clock=clock, kind=ActionKind.ADJUSTED, at=EVENING, shift=-timedelta(minutes=1))
    action_append(
        clock=clock,
        kind=ActionKind.JUMPED,
        at=EVENING,
        level_id=levels[1].id,
        elapsed=timedelta(seconds=30),
    )
    adjusted, jumped = clock_actions(clock)
    assert adjusted.shift == -timedelta(minutes=1)
    assert (jumped.level_id, jumped.elapsed) == (levels[1].id, timedelta(seconds=30))
    assert clock_anchor(clock).level_id == levels[1].id


def test_the_state_of_a_past_instant_leaves_out_what_came_later(clock):
    start(clock)
    action_append(clock=clock, kind=ActionKind.PAUSED, at=after(5))
    assert clock_state(clock, after(4)).is_running
    assert not clock_state(clock, after(6)).is_running
    assert not clock_state(clock, after(-1)).has_started


def test_a_screen_gets_everything_at_once(clock, django_assert_num_queries):
    start(clock)
    with django_assert_num_queries(2):
        payload = clock_payload(clock, after(1))
    assert payload["now"] - payload["anchor"]["since"] == 60_000
    assert payload["anchor"] == anchor_payload(clock)
    assert [level["number"] for level in payload["levels"]] == [1, 2, 3]


def test_undo_restores_and_names_what_it_undid(clock):
    start(clock)
    wrong = action_append(clock=clock, kind=ActionKind.PAUSED, at=after(5))
    undone = action_undo(clock=clock, at=after(7), action=wrong)
    state = clock_state(clock, after(8))
    assert (state.is_running, state.elapsed) == (True, timedelta(minutes=8))
    assert (undone.undoes, undone.kind) == (wrong, ActionKind.RESTORED)
    assert not clock_state(clock, after(6)).is_running


def test_an_undone_start_is_before_the_start(clock):
    action_undo(clock=clock, at=after(1), action=start(clock))
    assert not clock_state(clock, after(2)).has_started


def test_the_undo_of_an_undo_puts_the_action_back(clock):
    start(clock)
    paused = action_append(clock=clock, kind=ActionKind.PAUSED, at=after(5))
    undone = action_undo(clock=clock, at=after(6), action=paused)
    redone = action_undo(clock=clock, at=after(7), action=undone)
    state = clock_state(clock, after(9))
    assert (state.is_running, state.elapsed) == (False, timedelta(minutes=5))
    again = action_undo(clock=clock, at=after(10), action=redone)
    assert clock_state(clock, after(11)).elapsed == timedelta(minutes=11)
    assert again.undoes == redone


def test_only_the_latest_action_can_be_undone(clock):
    first = start(clock)
    action_append(clock=clock, kind=ActionKind.PAUSED, at=after(5))
    with pytest.raises(ValueError, match="latest"):
        action_undo(clock=clock, at=after(6), action=first)


def test_an_undo_at_a_time_before_its_action_is_held(clock):
    undone = action_undo(clock=clock, at=after(1), action=start(clock, at=5))
    assert undone.at == ClockAction.objects.get(sequence=1).at


def test_a_restored_clock_keeps_its_hands(clock):
    levels = clock_levels(clock)
    start(clock)
    action_append(clock=clock, kind=ActionKind.JUMPED, at=after(1), level_id=levels[2].id)
    action_append(clock=clock, kind=ActionKind.HAND_COUNTED, at=after(2))
    wrong = action_append(clock=clock, kind=ActionKind.JUMPED, at=after(3), level_id=levels[0].id)
    action_undo(clock=clock, at=after(4), action=wrong)
    assert clock_state(clock, after(5)).hands == 1


def test_a_template_is_replaced_by_its_name(template):
    template_save(name="Probe", starting_stack=7, levels=[{"big_blind": 2}])
    row = ScheduleTemplate.objects.get()
    assert (row.starting_stack, row.levels.count()) == (7, 1)


def test_the_clock_goes_with_all_its_rows(clock):
    action_undo(clock=clock, at=after(1), action=start(clock))
    clock.delete()
    assert not ClockAction.objects.exists()


def test_a_schedule_changed_by_hand_survives_loading_again(settings):
    file = settings.FIXTURES / "schedules.json"
    assert [row.name for row in schedules_load(file)] == ["T100", "T200", "T300"]
    changed = ScheduleTemplate.objects.get(name="T100")
    changed.levels.filter(position__gt=4).delete()
    assert schedules_load(file) == []
    assert changed.levels.count() == 5


def test_what_it_says_of_itself(template, clock):
    action = start(clock)
    assert [str(row) for row in (template, clock, action)] == [
        "Probe",
        f"{clock.pk} Probe",
        f"{clock.pk}/1 started",
    ]
    assert str(clock.levels.first()) == f"{clock.pk}/0"
    assert str(template.levels.first()) == f"{template.pk}/0"
    assert isinstance(clock_levels(clock)[0], domain.Level)
