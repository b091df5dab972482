"""The clock and its blind schedule: what drives and edits them is undone, and the past stays."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clock.domain import Level, LevelKind
from clock.models import ClockAction
from clock.selectors import clock_begun, clock_levels, clock_past, clock_payload, clock_state
from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.kinds import describe
from tournaments.event.domain.planning.planner import Wish, evening_planned
from tournaments.event.selectors.clock import clock_at
from tournaments.event.services.clock import (
    clock_adjust,
    clock_jump,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.event.services.lifecycle import event_end, event_schedule_set
from tournaments.event.services.schedule.edit import schedule_edit, schedule_paced
from tournaments.event.services.schedule.own import event_schedule_plan
from tournaments.models import Action, Message
from tournaments.play.domain.level_in_force import Ground
from tournaments.play.selectors.level_in_force import in_force_then
from tournaments.play.services.hands import hand_begin
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.practice.services.rehearsal import sample_remove
from tournaments.seating.services.tables import table_close, table_open

pytestmark = [pytest.mark.django_db, pytest.mark.running(3)]
BREAK = Level(id=0, kind=LevelKind.BREAK, duration=timedelta(minutes=10))


def undo(event, minute, action=None):
    return f.undo(event, action, at=f.after(minute))


def time_left(event, minute):
    state = clock_state(event.clock, f.after(minute))
    return state.level.number, state.remaining / timedelta(minutes=1), state.is_running


def test_the_first_start_begins_the_event_where_two_are_seated(event):
    f.assert_logged(event, "clock.started", begins_event=True)
    assert event.has_started
    assert time_left(event, 5) == (1, 15, True)
    f.refuses("already_running", clock_start, event, 1)
    empty = f.make_event(name="Leer")
    f.refuses("nobody_seated", clock_start, empty, 1)
    with f.refused("too_few"):
        f.drive(clock_start, f.make_seated_event(1, name="Allein"), 1)


def test_pause_and_resume(event):
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        f.refuses("not_allowed", clock_pause, event, 4, by=who)
    f.drive(clock_pause, event, 5)
    f.assert_logged(event, "clock.paused")
    assert time_left(event, 30) == (1, 15, False)
    f.refuses("not_running", clock_pause, event, 6)
    for seconds in (0, 7201, -7201):
        f.refuses("bad_shift", clock_adjust, event, 6, seconds=seconds)
    f.drive(clock_start, event, 60, by=f.make_dora())
    assert f.last_action(event).payload.get("begins_event") is None
    assert time_left(event, 70) == (1, 5, True)


def test_time_is_given_and_taken_within_the_level(event):
    for seconds, left, told in (
        (60, (1, 16, True), "Eine Minute mehr"),
        (-120, (1, 14, True), "2 Minuten weniger"),
        (-90, (1, 12.5, True), "Uhr verstellt: -90 Sekunden"),
        (-3600, (2, 20, True), "60 Minuten weniger"),
    ):
        action = f.drive(clock_adjust, event, 5, seconds=seconds)
        f.assert_logged(event, "clock.adjusted", seconds=seconds)
        assert (describe(action), time_left(event, 5)) == (told, left)


@pytest.mark.parametrize(
    ("service", "own"),
    [
        (clock_pause, {}),
        (clock_adjust, {"seconds": 300}),
        (clock_adjust, {"seconds": -300}),
        (clock_next_level, {}),
    ],
)
def test_taken_back_as_if_it_had_not_been_and_the_past_stays(event, service, own):
    untouched = time_left(event, 9)
    f.drive(service, event, 6, **own)
    then = time_left(event, 7)
    undo(event, 8)
    assert time_left(event, 9) == untouched
    assert time_left(event, 7) == then
    assert ClockAction.objects.filter(clock=event.clock).count() == 3


def test_only_the_latest_action_of_the_clock_is_taken_back_and_only_once(event):
    pause = f.drive(clock_pause, event, 5)
    f.drive(clock_start, event, 6)
    f.refuses("not_latest", undo, event, 7, pause)
    undone = undo(event, 8)
    f.refuses("cannot_redo", undo, event, 9, undone)


def test_the_start_is_taken_back_while_nobody_is_out(event):
    undo(event, 1)
    assert not f.fresh(event).has_started
    again = f.drive(clock_start, event, 10)
    assert f.fresh(event).has_started
    assert time_left(event, 15) == (1, 15, True)
    out = f.out(event, f.entries_of(event)[0], at=f.after(16))
    f.refuses("needed", undo, event, 17, again)
    undo(event, 18, out)
    undo(event, 19, again)
    assert not f.fresh(event).has_started


def test_after_the_end_the_clock_stands(event):
    f.drive(event_end, event, 30)
    assert time_left(event, 60) == (2, 10, False)
    f.refuses("over", clock_start, event, 61)


# Past instants, whatever happened since


def test_before_another_plan_was_chosen_the_old_one_answers():
    event = f.make_seated_event(3)
    schedule = f.ScheduleTemplate.objects.get(name="T200")
    f.drive(event_schedule_set, event, -20, schedule=schedule, level_minutes=7)
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    assert clock_at(event, f.after(-30)).state.level.duration == timedelta(minutes=20)
    assert clock_at(event, f.after(-10)).state.level.duration == timedelta(minutes=7)
    undo(event, 1)
    undo(event, 2, Action.objects.get(event=event, kind="event.schedule_set"))
    event = f.fresh(event)
    assert clock_at(event, f.after(0.5)).state.is_running
    assert clock_at(event, f.after(3)).state.level.duration == timedelta(minutes=20)


def level_then(event, minute, number=1):
    return in_force_then(event, number, f.after(minute)).level.number


def test_tda_2024_23_a_past_hand_answers_by_the_level_it_began_under(event):
    f.drive(hand_begin, event, 19, table=f.table_of(event, 1))
    taken = f.drive(hand_begin, event, 25, table=f.table_of(event, 1))
    undo(event, 28, taken)
    # What was taken back later counted until then.
    minutes = (19, 20, 24, 25, 26, 28)
    assert [level_then(event, minute) for minute in minutes] == [1, 1, 1, 2, 2, 1]
    answer = in_force_then(event, 1, f.after(24))
    assert (answer.ground, answer.hand.number, answer.is_behind) == (Ground.HAND_BEFORE, 1, True)
    answer = in_force_then(event, 1, f.after(90))
    assert (answer.level.number, answer.ground) == (5, Ground.ASSUMED)
    assert in_force_then(event, 1, f.after(9)).ground is Ground.NOT_TAPPED
    assert in_force_then(event, 1, f.after(-1)).ground is Ground.NOT_STARTED


def test_a_table_answers_for_the_time_it_was_there(event):
    assert in_force_then(event, 7, f.after(5)) is None
    opened = f.drive(table_open, event, 5)
    number = max(opened.payload["tables_opened"])
    f.drive(table_close, event, 15, table=f.table_of(event, number))
    assert in_force_then(event, number, f.after(4)) is None
    assert level_then(event, 10, number) == 1
    assert in_force_then(event, number, f.after(16)) is None


# Edit or plan the blind schedule: levels that have begun stay


def rows(event):
    return list(clock_levels(event.clock))


def edit(event, minute, wanted, by=SYSTEM, **own):
    own.setdefault("based_on", [level.id for level in rows(event)])
    return f.drive(schedule_edit, event, minute, by=by, levels=wanted, **own)


def shown(event, minute):
    state = clock_state(event.clock, f.after(minute))
    following = state.next_level and state.next_level.big_blind
    return (
        state.level.number,
        state.level.big_blind,
        state.elapsed / timedelta(minutes=1),
        following,
    )


def longer(level, **own):
    return replace(level, **({"duration": timedelta(minutes=30)} | own))


def test_levels_that_have_not_begun_are_changed_moved_added_and_taken_out(event):
    levels = rows(event)
    swapped = [replace(levels[4], game="Omaha"), replace(levels[3], game="Hold'em")]
    wanted = [levels[0], longer(levels[1], ante=1), BREAK, *swapped, *levels[5:]]
    action = edit(event, 5, wanted)
    logged = f.assert_logged(event, "schedule.edited", changed=3, added=1, removed=1, moved=1)
    assert ["duration", "ante"] in [change["names"] for change in logged.payload["changes"]]
    assert set(action.news["changed"]) >= {"clock", "settings"}
    assert [level.game for level in rows(event)[3:5]] == ["Omaha", "Hold'em"]
    assert shown(event, 5)[:3] == (1, 1, 5)
    assert shown(event, 49)[0] == 2
    assert clock_state(event.clock, f.after(50)).level.is_break
    assert shown(event, 61)[:2] == (3, levels[4].big_blind)


def test_a_level_that_began_and_was_left_again_stays_and_a_jump_undone_has_begun_nothing(event):
    levels = rows(event)
    f.drive(clock_jump, event, 1, level=levels[5].id)
    f.undo(event, at=f.after(1.5))
    f.drive(clock_jump, event, 2, level=levels[3].id)
    f.drive(clock_previous_level, event, 4)
    assert clock_begun(event.clock, f.after(5)) == {levels[0].id, levels[2].id, levels[3].id}
    f.refuses("level_has_begun", edit, event, 5, [*levels[:3], longer(levels[3]), *levels[4:]])
    running = [*levels[:2], longer(levels[2]), *levels[3:]]
    for wanted in ([longer(levels[0]), *levels[1:]], running, levels[1:], [BREAK, *levels]):
        f.refuses("level_has_begun", edit, event, 5, wanted)
    edit(event, 5, [*levels[:5], longer(levels[5]), *levels[6:]])
    assert shown(event, 1.2)[0] == 6
    assert clock_state(event.clock, f.after(1.2)).level.duration == timedelta(minutes=20)


def test_a_schedule_that_cannot_be_is_refused_by_name():
    event = f.make_event()
    levels = rows(event)
    f.refuses("no_levels", edit, event, -30, [])
    f.refuses("too_many_levels", edit, event, -30, [*levels, *[BREAK] * 90])
    low = [*levels[:-1], replace(levels[-1], small_blind=1, big_blind=2)]
    assert f.refuses("blinds_fall", edit, event, -30, low).startswith("Stufe 15:")


def test_no_edit_by_others_of_what_was_edited_meanwhile_or_once_it_is_over(event):
    seen = rows(event)
    f.refuses("not_allowed", edit, event, 1, seen[:-1], by=f.make_arno(event))
    edit(event, 1, [*seen[:3], BREAK, *seen[3:]])
    with f.refused("stale", event):
        edit(event, 2, [*seen[:2], *seen[3:]], based_on=[level.id for level in seen])
    f.drive(event_end, event, 2)
    f.refuses("over", edit, event, 3, seen[:-1])


def test_before_the_start_everything_may_change():
    event = f.make_seated_event(3)
    levels = rows(event)
    f.drive(clock_next_level, event, -20)
    second = longer(levels[0], big_blind=levels[1].big_blind)
    edit(event, -10, [longer(levels[1]), second, BREAK, *levels[2:]])
    assert told(event, -10) is None
    assert clock_payload(event.clock, f.after(-9))["anchor"]["level"] == rows(event)[1].id
    f.drive(clock_previous_level, event, -5)
    f.drive(clock_start, event, 0)
    assert shown(event, 29)[0] == 1
    assert shown(event, 31)[0] == 2
    assert clock_state(event.clock, f.after(61)).level.is_break


def test_the_past_keeps_what_it_showed(event):
    levels = rows(event)
    then = [shown(event, minute) for minute in (1, 5, 19, 24)]
    edit(event, 25, [*levels[:2], BREAK, *[longer(level) for level in levels[2:]]])
    edit(event, 45, [*rows(event)[:4], BREAK, *rows(event)[4:]])
    assert [shown(event, minute) for minute in (1, 5, 19, 24)] == then
    assert clock_past(event.clock).levels(f.after(24)) == tuple(levels)


def test_a_level_added_after_the_last_one_ran_out_begins_when_it_was_added(event):
    levels = rows(event)
    edit(event, 1, levels[:2])
    assert clock_state(event.clock, f.after(100)).remaining == timedelta()
    edit(event, 120, [*rows(event), levels[2]])
    assert shown(event, 121)[:3] == (3, levels[2].big_blind, 1)


def test_the_clock_goes_on_through_an_edit_without_losing_a_millisecond(event):
    before = clock_state(event.clock, f.after(19))
    edit(event, 7 + 0.123 / 60, rows(event)[:5])
    after = clock_state(event.clock, f.after(19))
    assert (after.remaining, after.next_change_at) == (before.remaining, before.next_change_at)
    assert after.level_began_at == f.START


def test_edits_are_taken_back_in_their_order_while_nothing_of_them_has_begun(event):
    def content():
        return [(level.kind.value, level.duration, level.big_blind) for level in rows(event)]

    before = content()
    first = edit(event, 5, [rows(event)[0], longer(rows(event)[1]), *rows(event)[2:9]])
    second = edit(event, 6, [*rows(event)[:3], BREAK, *rows(event)[3:]])
    f.refuses("needed", f.undo, event, first, at=f.after(7))
    undone = f.undo(event, second, at=f.after(8))
    f.refuses("cannot_redo", f.undo, event, undone, at=f.after(9))
    f.undo(event, first, at=f.after(10))
    assert content() == before
    third = edit(event, 11, [rows(event)[0], longer(rows(event)[1]), *rows(event)[2:]])
    f.drive(clock_pause, event, 22)
    f.undo(event, at=f.after(24))
    assert shown(event, 30)[:3] == (2, 2, 10)
    f.refuses("level_has_begun", f.undo, event, third, at=f.after(31))


def test_an_edited_sample_can_be_removed():
    event = f.make_running_event(3, is_sample=True)
    edit(event, 5, rows(event)[:5])
    sample_remove(ClubCommand(club=event.club, by=SYSTEM, at=f.after(6)), event=event)
    assert not ClockAction.objects.exists()


def told(event, minute):
    found = announcement_payload(f.fresh(event), f.after(minute))["announcement"]
    return found and found["text"]


def test_an_edit_during_play_is_announced_and_names_what_changed(event):
    first, second, third, *rest = rows(event)
    longer = replace(second, duration=timedelta(minutes=25))
    action = edit(event, 1, [first, longer, replace(third, ante=1), BREAK, *rest])
    assert told(event, 1) == (
        "Der Blindplan ist geändert: Stufe 2 dauert jetzt 25 Minuten; Stufe 3 hat jetzt Ante 1; "
        "neu: Pause nach Stufe 3, 10 Minuten."
    )
    assert Message.objects.live().count() == 1
    f.refuses("nothing_changed", edit, event, 2, rows(event))
    f.undo(event, action, at=f.after(3))
    assert "Pause nach Stufe 3 entfällt" in told(event, 3)
    others = [replace(row, ante=5) for row in rows(event)[1:]]
    edit(event, 4, [first, *others])
    assert "Stufe 4 hat jetzt Ante 5; und 11 weitere Änderungen." in told(event, 4)
    by_hands = replace(rows(event)[1], duration=None, hands=2)
    edit(event, 5, [first, by_hands, *rows(event)[2:]])
    assert "Stufe 2 dauert jetzt 2 Hände" in told(event, 5)


def test_all_levels_to_come_get_another_length_in_one_act(event):
    before = rows(event)
    f.refuses("nothing_changed", edit, event, 24, schedule_paced(event, 20, f.after(24)))
    edit(event, 4, [*before[:4], BREAK, *before[4:]])
    edit(event, 25, schedule_paced(f.fresh(event), 15, f.after(25)))
    minutes = [row.duration / timedelta(minutes=1) for row in rows(event)]
    assert minutes == [20, 20, 15, 15, 10, *[15] * 11]
    assert told(event, 25) == (
        "Der Blindplan ist geändert: Stufe 3 bis Stufe 15 dauern jetzt 15 Minuten."
    )
    f.undo(event, at=f.after(26))
    assert {row.duration for row in rows(event) if not row.is_break} == {before[0].duration}
    with f.refused("length_not_positive", event):
        edit(event, 27, schedule_paced(f.fresh(event), 0, f.after(27)))


STEFFEN = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
PLANNED = evening_planned(
    Wish(players=10, stack=100, minutes=210, break_every=4, ante_from=5), STEFFEN
).levels


def plan(event, levels=PLANNED, stack=100, minute=-60):
    own = {"levels": levels, "name": "Plan bis 23:30", "starting_stack": stack}
    return f.drive(event_schedule_plan, event, minute, **own)


def amounts(event):
    return [
        (row.kind, row.duration, row.amounts, row.ante_kind, row.colour_up)
        for row in clock_levels(f.fresh(event).clock)
    ]


def test_a_planned_schedule_is_played_and_taken_back():
    event = f.make_event(schedule="T200")
    before, clock = amounts(event), event.clock_id
    action = plan(event)
    now = f.fresh(event)
    assert (now.schedule_name, now.starting_stack) == ("Plan bis 23:30", 100)
    assert amounts(event) == [
        (row.kind, row.duration, row.amounts, row.ante_kind, row.colour_up) for row in PLANNED
    ]
    f.assert_logged(event, "event.schedule_planned", clock_before=clock, stack_before=200)
    f.undo(event, action)
    again = f.fresh(event)
    assert (again.schedule_name, again.starting_stack, amounts(event)) == ("T200", 200, before)


def test_an_edit_of_the_plan_before_is_not_taken_back():
    event = f.make_event(schedule="T200")
    action = edit(event, -60, rows(event)[:-1])
    plan(f.fresh(event))
    assert "noch einmal geändert" in f.refuses("needed", f.undo, event, action)


def test_what_is_no_schedule_changes_nothing():
    event = f.make_event(schedule="T200")
    before = amounts(event)
    f.refuses("no_levels", plan, event, levels=())
    for stack in (0, 10**9):
        f.refuses("bad_stack", plan, event, stack=stack)
    assert (amounts(event), f.fresh(event).starting_stack) == (before, 200)
