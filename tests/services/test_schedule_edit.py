"""The blind schedule edited: what has begun stays, everything else may change, all of it undone."""

from dataclasses import replace
from datetime import timedelta

import pytest

from clock.domain import Level, LevelKind
from clock.models import ClockAction
from clock.selectors import clock_begun, clock_levels, clock_past, clock_payload, clock_state
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.services.clock import (
    clock_jump,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.event.services.lifecycle import event_end, event_schedule_set
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.models import Message
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.practice.services.sample import sample_remove

pytestmark = pytest.mark.django_db
BREAK = Level(id=0, kind=LevelKind.BREAK, duration=timedelta(minutes=10))


@pytest.fixture
def event():
    return f.make_running_event(3)


def rows(event):
    return list(clock_levels(event.clock))


def edit(event, minute, wanted, by=SYSTEM, **own):
    based_on = own.pop("based_on", [level.id for level in rows(event)])
    return call_service(
        schedule_edit,
        event=event,
        by=by,
        at=f.after(minute),
        levels=wanted,
        based_on=based_on,
        **own,
    )


def content(event):
    return [(level.kind.value, level.duration, level.big_blind) for level in rows(event)]


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


def last(levels, **own):
    """Return the schedule with another last level."""
    return [*levels[:-1], replace(levels[-1], **own)]


def test_a_level_that_has_not_begun_is_changed(event):
    levels = rows(event)
    action = edit(event, 5, [levels[0], longer(levels[1], ante=1), *levels[2:]])
    logged = f.assert_logged(event, "schedule.edited", changed=1, added=0, removed=0, moved=0)
    assert logged.payload["changes"][0]["names"] == ["duration", "ante"]
    assert set(action.news["changed"]) >= {"clock", "settings"}
    assert rows(event)[1].duration == timedelta(minutes=30)
    assert shown(event, 5)[:3] == (1, 1, 5)
    assert shown(event, 49)[0] == 2
    assert shown(event, 50)[0] == 3


def test_a_break_is_put_in_and_a_level_is_taken_out(event):
    levels = rows(event)
    edit(event, 5, [levels[0], BREAK, *levels[2:]])
    f.assert_logged(event, "schedule.edited", changed=0, added=1, removed=1, moved=0)
    assert clock_state(event.clock, f.after(21)).level.is_break
    assert shown(event, 31)[:2] == (2, levels[2].big_blind)


def test_two_levels_change_places(event):
    levels = rows(event)
    swapped = [replace(levels[3], game="Omaha"), replace(levels[2], game="Hold'em")]
    edit(event, 5, [*levels[:2], *swapped, *levels[4:]])
    f.assert_logged(event, "schedule.edited", moved=1, changed=2)
    assert [level.game for level in rows(event)[2:4]] == ["Omaha", "Hold'em"]


@pytest.mark.parametrize(
    "wanted",
    [
        lambda levels: [longer(levels[0]), *levels[1:]],
        lambda levels: levels[1:],
        lambda levels: [BREAK, *levels],
        lambda levels: [levels[1], levels[0], *levels[2:]],
        lambda levels: [levels[0], longer(levels[1]), *levels[2:]],
    ],
    ids=["changed", "removed", "pushed", "moved", "the one that runs"],
)
def test_what_has_begun_stays(event, wanted):
    with f.refused("level_has_begun", event):
        edit(event, 25, wanted(rows(event)))


def test_a_level_that_began_and_was_left_again_stays(event):
    levels = rows(event)
    clock_jump(Command(event=event, by=SYSTEM, at=f.after(2)), level=levels[3].id)
    clock_previous_level(Command(event=event, by=SYSTEM, at=f.after(4)))
    assert clock_begun(event.clock, f.after(5)) == {levels[0].id, levels[2].id, levels[3].id}
    with f.refused("level_has_begun", event):
        edit(event, 5, [*levels[:3], longer(levels[3]), *levels[4:]])
    edit(event, 5, [*levels[:4], longer(levels[4]), *levels[5:]])


def test_a_jump_that_was_undone_has_begun_nothing(event):
    levels = rows(event)
    clock_jump(Command(event=event, by=SYSTEM, at=f.after(2)), level=levels[3].id)
    f.undo(event, at=f.after(3))
    edit(event, 5, [*levels[:3], longer(levels[3]), *levels[4:]])
    assert shown(event, 2.5)[0] == 4
    assert clock_state(event.clock, f.after(2.5)).level.duration == timedelta(minutes=20)


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("no_levels", lambda levels: []),
        ("no_play", lambda levels: [BREAK]),
        ("small_above_big", lambda levels: last(levels, small_blind=9999)),
        ("blinds_fall", lambda levels: last(levels, small_blind=1, big_blind=2)),
        ("length_not_positive", lambda levels: last(levels, duration=timedelta())),
        ("length_not_positive", lambda levels: last(levels, duration=-timedelta(minutes=1))),
        ("no_length", lambda levels: last(levels, duration=None)),
        ("two_lengths", lambda levels: last(levels, hands=3)),
        ("big_bet_below_big", lambda levels: last(levels, big_bet=1)),
        ("amount_negative", lambda levels: last(levels, ante=-1)),
        ("break_in_hands", lambda levels: [*levels, replace(BREAK, duration=None, hands=3)]),
        ("no_blinds", lambda levels: last(levels, small_blind=0, big_blind=0, big_bet=0)),
        ("too_many_levels", lambda levels: [*levels, *[BREAK] * 90]),
        ("nothing_changed", lambda levels: levels),
    ],
)
def test_a_schedule_that_cannot_be_is_refused_by_name(code, wanted):
    event = f.make_event()
    with f.refused(code, event):
        edit(event, -30, wanted(rows(event)))


def test_falling_blinds_are_refused_with_the_level_that_falls(event):
    levels = rows(event)
    with f.refused("blinds_fall", event) as caught:
        edit(event, 1, [*levels[:5], replace(levels[5], small_blind=1, big_blind=2), *levels[6:]])
    assert str(caught.value).startswith("Stufe 6:")


def test_an_edit_of_a_schedule_that_was_edited_meanwhile_is_refused(event):
    seen = rows(event)
    edit(event, 1, [*seen[:3], BREAK, *seen[3:]])
    with f.refused("stale", event):
        edit(event, 2, [*seen[:2], *seen[3:]], based_on=[level.id for level in seen])


def test_only_the_director_edits_and_only_while_the_evening_lasts(event):
    wanted = rows(event)[:-1]
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        with f.refused("not_allowed", event):
            edit(event, 1, wanted, by=who)
    event_end(Command(event=event, by=SYSTEM, at=f.after(2)))
    with f.refused("over", event):
        edit(event, 3, wanted)


def test_before_the_start_everything_may_change():
    event = f.make_seated_event(3)
    levels = rows(event)
    clock_next_level(Command(event=event, by=SYSTEM, at=f.after(-20)))
    edit(
        event,
        -10,
        [longer(levels[1]), longer(levels[0], big_blind=levels[1].big_blind), BREAK, *levels[2:]],
    )
    assert clock_payload(event.clock, f.after(-9))["anchor"]["level"] == rows(event)[1].id
    clock_previous_level(Command(event=event, by=SYSTEM, at=f.after(-5)))
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
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


def test_two_edits_at_the_same_instant_both_hold(event):
    edit(event, 5, [*rows(event)[:2], BREAK, *rows(event)[2:]])
    edit(event, 5, [*rows(event)[:4], BREAK, *rows(event)[4:]])
    kinds = [level.kind.value for level in rows(event)[:6]]
    assert kinds == ["play", "play", "break", "play", "break", "play"]


def test_a_level_added_after_the_last_one_ran_out_begins_when_it_was_added(event):
    levels = rows(event)
    edit(event, 1, levels[:2])
    assert clock_state(event.clock, f.after(100)).remaining == timedelta()
    edit(event, 120, [*rows(event), levels[2]])
    assert shown(event, 121)[:3] == (3, levels[2].big_blind, 1)


def test_the_clock_goes_on_through_an_edit_without_losing_a_millisecond(event):
    at = f.after(7) + timedelta(milliseconds=123)
    before = clock_state(event.clock, f.after(19))
    schedule_edit(
        Command(event=event, by=SYSTEM, at=at),
        levels=rows(event)[:5],
        based_on=[level.id for level in rows(event)],
    )
    after = clock_state(event.clock, f.after(19))
    assert (after.remaining, after.next_change_at) == (before.remaining, before.next_change_at)
    assert after.level_began_at == f.START


def test_an_edit_is_taken_back(event):
    before = content(event)
    edit(event, 5, [rows(event)[0], BREAK, *[longer(level) for level in rows(event)[3:]]])
    f.undo(event, at=f.after(8))
    assert content(event) == before
    assert shown(event, 21)[0] == 2


def test_an_edit_whose_level_has_begun_is_not_taken_back(event):
    action = edit(event, 5, [rows(event)[0], longer(rows(event)[1]), *rows(event)[2:]])
    with f.refused("level_has_begun", event):
        f.undo(event, action, at=f.after(25))


def test_edits_are_taken_back_in_their_order(event):
    before = content(event)
    first = edit(event, 5, rows(event)[:9])
    second = edit(event, 6, [*rows(event)[:3], BREAK, *rows(event)[3:]])
    with f.refused("needed", event):
        f.undo(event, first, at=f.after(7))
    undone = f.undo(event, second, at=f.after(8))
    with f.refused("cannot_redo", event):
        f.undo(event, undone, at=f.after(9))
    f.undo(event, first, at=f.after(10))
    assert content(event) == before


def test_an_edit_of_another_plan_is_not_taken_back():
    event = f.make_event()
    action = edit(event, -30, rows(event)[:5])
    schedule = f.ScheduleTemplate.objects.get(name="T200")
    event_schedule_set(Command(event=event, by=SYSTEM, at=f.after(-20)), schedule=schedule)
    with f.refused("needed", event):
        f.undo(event, action, at=f.after(-10))


def test_the_clock_is_driven_and_taken_back_after_an_edit(event):
    edit(event, 5, [rows(event)[0], longer(rows(event)[1]), *rows(event)[2:]])
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(22)))
    f.undo(event, at=f.after(24))
    assert shown(event, 30)[:3] == (2, 2, 10)


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
    with f.refused("nothing_changed", event):
        edit(event, 2, rows(event))
    f.undo(event, action, at=f.after(3))
    assert "Pause nach Stufe 3 entfällt" in told(event, 3)


def test_an_undo_of_an_edit_is_announced_and_many_changes_are_counted(event):
    levels = rows(event)
    edited = [levels[0], *(replace(row, duration=timedelta(minutes=15)) for row in levels[1:])]
    action = edit(event, 1, edited)
    assert "Stufe 4 dauert jetzt 15 Minuten; und 11 weitere Änderungen." in told(event, 1)
    f.undo(event, action, at=f.after(3))
    assert "Stufe 2 dauert jetzt 20 Minuten; " in told(event, 3)


def test_before_the_start_an_edit_is_announced_to_nobody():
    event = f.make_event()
    first, *rest = rows(event)
    edit(event, -20, [replace(first, duration=timedelta(minutes=25)), *rest])
    assert told(event, -20) is None
