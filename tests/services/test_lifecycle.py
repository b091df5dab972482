"""An event made, copied, changed, cancelled, ended; the sample evening removed."""

from datetime import timedelta

import pytest

from clock.models import Level, ScheduleTemplate
from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.event.services.lifecycle import (
    event_cancel,
    event_copy,
    event_create,
    event_end,
    event_schedule_set,
    event_update,
)
from tournaments.models import Action, Event

pytestmark = pytest.mark.django_db


def update(event, by=SYSTEM, at=f.START, **settings):
    return event_update(Command(event=event, by=by, at=at), settings=settings)


def last_of_club():
    return Action.objects.filter(event=None).latest("sequence")


def test_an_event_has_its_own_copy_of_the_schedule_and_the_rules():
    event = f.make_event(schedule="T100")
    assert (event.schedule_name, event.starting_stack) == ("T100", 100)
    assert len(clock_levels(event.clock)) == 15
    assert event.rules["key"] == "krru-3"
    assert last_of_club().kind == "event.created"
    assert log_first_fault(event.club) is None


def test_levels_may_last_otherwise_than_the_template_says():
    event = f.make_event(level_minutes=25)
    assert {level.duration for level in clock_levels(event.clock)} == {timedelta(minutes=25)}


def test_two_of_one_name_on_one_day_have_different_addresses():
    slugs = [f.make_event().slug for _ in range(3)]
    assert len(set(slugs)) == 3


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"name": " "}, "no_name"),
        ({"game": "mau-mau"}, "unknown_game"),
        ({"limit": "some"}, "unknown_game"),
        ({"seats": 1}, "bad_seats"),
        ({"seats": 11}, "bad_seats"),
        ({"seats": 9, "game": "stud"}, "bad_seats"),
        ({"capacity": 1}, "bad_capacity"),
        ({"capacity": 50_001}, "bad_capacity"),
    ],
)
def test_an_event_that_cannot_be_is_refused(own, code):
    f.house()
    with f.refused(code):
        f.make_event(**own)
    assert not Event.objects.exists()


def test_only_directors_make_and_manage_events():
    event = f.make_event()
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        own = {"event": event, "by": who, "at": f.START}
        with f.refused("not_allowed"):
            f.make_event(by=who)
        with f.refused("not_allowed", event):
            event_copy(ClubCommand(club=event.club, by=who, at=f.START), source=event)
        with f.refused("not_allowed", event):
            call_service(event_update, **own, settings={"name": "X"})
        with f.refused("not_allowed", event):
            call_service(event_cancel, **own)
        with f.refused("not_allowed", event):
            call_service(event_end, **own)
        with f.refused("not_allowed", event):
            call_service(
                event_schedule_set, **own, schedule=ScheduleTemplate.objects.get(name="T100")
            )
    f.make_event(by=f.make_dora())


def test_last_weeks_event_is_copied_without_its_people():
    source = f.make_running_event(3, level_minutes=25, seats=8)
    made = event_copy(
        ClubCommand(club=source.club, by=f.make_dora(), at=f.after(300)), source=source
    )
    copy = Event.objects.get(pk=made.payload["event"])
    assert copy.starts_at == source.starts_at + timedelta(days=7)
    assert (copy.name, copy.seats_per_table) == (source.name, 8)
    assert copy.draw_secret != source.draw_secret
    assert f.entries_of(copy) == []
    assert [level.duration for level in clock_levels(copy.clock)] == [
        level.duration for level in clock_levels(source.clock)
    ]
    assert not copy.has_started


def test_settings_before_the_start_and_back():
    event = f.make_event()
    update(event, name="Samstag", capacity=20, starts_at=f.after(60), seats_per_table=9)
    action = f.assert_logged(
        event, "event.updated", settings=["capacity", "name", "seats_per_table", "starts_at"]
    )
    assert "Samstag" not in str(action.payload)
    f.undo(event)
    again = f.fresh(event)
    assert (again.name, again.capacity, again.starts_at) == ("Freitagsturnier", 60, f.START)


def test_settings_that_change_nothing_or_are_none():
    event = f.make_event()
    with f.refused("nothing_changed", event):
        update(event, capacity=60)
    with f.refused("unknown_setting", event):
        update(event, schedule_name="Geheim")
    with f.refused("unknown_setting", event):
        update(event, log_hash="0")
    with f.refused("bad_seats", event):
        update(event, seats_per_table=1)


def test_settings_are_compared_with_what_holds_under_the_lock():
    event = f.make_event()
    update(event, capacity=20)
    assert f.fresh(event).capacity == 20
    f.undo(event)
    assert f.fresh(event).capacity == event.capacity
    with f.refused("unknown_setting", event):
        update(event, rules={**event.rules, "deals_allowed": True})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("starts_at", f.after(5)), ("game", "omaha"), ("limit", "pot_limit"),
        ("seats_per_table", 9), ("starting_stack", 5), ("draw_mode", "field"),
    ],
)  # fmt: skip
def test_what_is_fixed_after_the_start(name, value):
    event = f.make_running_event(2)
    with f.refused("fixed_after_start", event):
        update(event, **{name: value})


def test_what_may_change_after_the_start():
    event = f.make_running_event(2)
    update(event, name="Neu", capacity=5, late_registration_level=4, is_registration_open=False)
    assert f.fresh(event).late_registration_level == 4


def test_what_is_fixed_after_the_first_check_in():
    event = f.make_seated_event(2)
    for name, value in (("seats_per_table", 9), ("starting_stack", 5), ("draw_mode", "field")):
        with f.refused("fixed_after_check_in", event):
            update(event, **{name: value})


def test_a_change_is_not_taken_back_when_it_is_fixed_by_now():
    event = f.make_event()
    changed = update(event, game="omaha")
    for name in ("Anna Auer", "Bert Berg"):
        f.check_in(event, f.register(event, name))
    from tournaments.event.services.clock import clock_start

    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    with f.refused("fixed_after_start", event):
        f.undo(event, changed)


def test_another_schedule_before_the_start_and_back():
    event = f.make_event()
    t100 = ScheduleTemplate.objects.get(name="T100")
    event_schedule_set(
        Command(event=event, by=f.make_dora(), at=f.START), schedule=t100, level_minutes=15
    )
    changed = f.fresh(event)
    assert (changed.schedule_name, changed.starting_stack) == ("T100", 100)
    assert clock_levels(changed.clock)[0].duration == timedelta(minutes=15)
    f.assert_logged(event, "event.schedule_set", clock_before=event.clock_id)
    f.undo(event)
    back = f.fresh(event)
    assert (back.schedule_name, back.starting_stack, back.clock_id) == ("T200", 200, event.clock_id)
    assert Level.objects.filter(clock=event.clock).exists()


def test_no_other_schedule_once_stacks_are_out_or_play_began():
    event = f.make_seated_event(2)
    own = {"event": event, "by": SYSTEM, "at": f.START}
    t100 = ScheduleTemplate.objects.get(name="T100")
    with f.refused("fixed_after_check_in", event):
        call_service(event_schedule_set, **own, schedule=t100)
    running = f.make_running_event(2, name="Läuft")
    with f.refused("fixed_after_start", running):
        call_service(event_schedule_set, **{**own, "event": running}, schedule=t100)


def test_a_schedule_is_not_taken_back_after_the_start():
    event = f.make_event()
    t300 = ScheduleTemplate.objects.get(name="T300")
    changed = event_schedule_set(Command(event=event, by=SYSTEM, at=f.ARRIVAL), schedule=t300)
    for name in ("Anna Auer", "Bert Berg"):
        f.check_in(event, f.register(event, name))
    from tournaments.event.services.clock import clock_start

    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    with f.refused("fixed_after_start", event):
        f.undo(event, changed)


def test_cancelled_and_back():
    event = f.make_running_event(2)
    event_cancel(Command(event=event, by=f.make_dora(), at=f.after(5)), reason="Stromausfall")
    f.assert_logged(event, "event.cancelled")
    assert f.last_action(event).text.data["reason"] == "Stromausfall"
    assert f.fresh(event).status == "cancelled"
    with f.refused("over", event):
        event_end(Command(event=event, by=SYSTEM, at=f.after(6)))
    f.undo(event)
    assert f.fresh(event).status == "running"


def test_ended_and_back():
    event = f.make_running_event(2)
    event_end(Command(event=event, by=f.make_dora(), at=f.after(5)))
    f.assert_logged(event, "event.ended", players_left=2)
    assert f.fresh(event).status == "ended"
    undone = f.undo(event)
    assert f.fresh(event).status == "running"
    with f.refused("cannot_redo", event):
        f.undo(event, undone)


def test_what_cannot_be_ended():
    planned = f.make_seated_event(2)
    with f.refused("not_started", planned):
        event_end(Command(event=planned, by=SYSTEM, at=f.START))
    event = f.make_running_event(3, name="Läuft")
    one, two, three = (entry.pk for entry in f.entries_of(event))
    own = {"event": event, "by": SYSTEM, "at": f.after(5)}
    with f.refused("count_incomplete", event):
        call_service(event_end, **own, stacks={one: 100, two: 500})
    with f.refused("not_alive", event):
        call_service(event_end, **own, stacks={one: 100, two: 500, three: 0, 0: 1})
    with f.refused("negative_stack", event):
        call_service(event_end, **own, stacks={one: 100, two: 501, three: -1})
    with f.refused("chips_differ", event) as caught:
        call_service(event_end, **own, stacks={one: 0, two: 7, three: 35})
    assert str(caught.value) == "Gezählt sind 42 Chips, im Spiel sind 600. Bitte nachzählen."
    command = Command(**own, knowingly=True)
    event_end(command, stacks={one: 0, two: 7, three: 35})


def test_nothing_of_an_ended_event_is_taken_back_before_its_end():
    event = f.make_running_event(3)
    start = f.last_action(event)
    event_end(Command(event=event, by=SYSTEM, at=f.after(5)))
    with f.refused("over", event):
        f.undo(event, start)


def test_a_given_secret_and_stack_are_taken():
    f.house()
    event = f.make_event(starting_stack=5000, draw_secret="ab" * 32)
    assert (event.starting_stack, event.draw_secret) == (5000, "ab" * 32)
    with f.refused("bad_stack"):
        event_create(
            ClubCommand(club=event.club, by=SYSTEM, at=f.START),
            name="X",
            starts_at=f.START,
            schedule=ScheduleTemplate.objects.get(name="T200"),
            preset=_preset(),
            game="holdem",
            limit="no_limit",
            seats_per_table=9,
            capacity=9,
            starting_stack=-5,
        )


def _preset():
    from tournaments.models import RulePreset

    return RulePreset.objects.get(key="tda-2024")
