"""A planned schedule becomes the tournament's, and is taken back."""

from __future__ import annotations

import pytest

from clock.selectors import clock_levels
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.planning.planner import Wish, evening_planned
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.event.services.schedule.planned import event_schedule_plan

pytestmark = pytest.mark.django_db
STEFFEN = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
LEVELS = evening_planned(
    Wish(players=10, stack=100, minutes=210, break_every=4, ante_from=5), STEFFEN
).levels


def plan(event, levels=LEVELS, stack=100, **own):
    wanted = {"event": event, "by": SYSTEM, "at": f.ARRIVAL} | own
    return call_service(
        event_schedule_plan, **wanted, levels=levels, name="Plan bis 23:30", starting_stack=stack
    )


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
        (row.kind, row.duration, row.amounts, row.ante_kind, row.colour_up) for row in LEVELS
    ]
    f.assert_logged(event, "event.schedule_planned", clock_before=clock, stack_before=200)
    f.undo(event, action)
    again = f.fresh(event)
    assert (again.schedule_name, again.starting_stack, amounts(event)) == ("T200", 200, before)


def test_an_edit_before_it_is_taken_back_after_it():
    event = f.make_event(schedule="T200")
    levels = clock_levels(event.clock)
    edit = call_service(
        schedule_edit,
        event=event,
        by=SYSTEM,
        at=f.ARRIVAL,
        levels=levels[:-1],
        based_on=[row.id for row in levels],
    )
    plan(f.fresh(event))
    with pytest.raises(Refused, match="noch einmal geändert"):
        f.undo(event, edit)


@pytest.mark.parametrize(
    ("own", "code"),
    [({"levels": ()}, "no_levels"), ({"stack": 0}, "bad_stack"), ({"stack": 10**9}, "bad_stack")],
)
def test_what_is_no_schedule_changes_nothing(own, code):
    event = f.make_event(schedule="T200")
    before = amounts(event)
    with pytest.raises(Refused) as refusal:
        plan(event, **own)
    assert refusal.value.code == code
    assert (amounts(event), f.fresh(event).starting_stack) == (before, 200)


def test_once_it_has_begun_the_schedule_is_edited_row_by_row():
    event = f.make_running_event(6)
    before = amounts(event)
    with pytest.raises(Refused) as refusal:
        plan(event, at=f.after(1))
    assert refusal.value.code == "fixed_after_start"
    assert amounts(event) == before


def test_stacks_that_are_dealt_stay_as_large():
    event = f.make_event(schedule="T200")
    f.check_in(event, f.register(event))
    with pytest.raises(Refused) as refusal:
        plan(event)
    assert refusal.value.code == "fixed_after_check_in"
    plan(event, stack=200)
    assert f.fresh(event).schedule_name == "Plan bis 23:30"
