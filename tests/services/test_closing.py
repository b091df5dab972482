"""Closing time: announced two levels ahead, then stacks are counted, and places follow."""

from __future__ import annotations

import pytest

from clock.selectors import clock_levels
from tests import factories as f
from tournaments.dashboard.selectors.due_money import closing_items
from tournaments.dashboard.selectors.items import DueKind, Urgency
from tournaments.event.selectors.event import closing_of
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import ClosingCall
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.places import closing_announce
from tournaments.play.services.stacks import stacks_count
from tournaments.post.selectors.announcements import announcement_payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(8, seats=8)


def announce(event, minute=1, **own):
    return f.drive(closing_announce, event, minute, **own)


def kinds(event, minute):
    return [item.kind for item in closing_items(f.fresh(event), f.after(minute))]


def length(event):
    return clock_levels(event.clock)[0].duration.total_seconds() / 60


def test_it_is_announced_two_levels_ahead_on_the_screens_until_it_is_taken_back(event):
    announce(event)
    f.assert_logged(event, "closing.announced", number=3, stays=True)
    closing = closing_of(f.fresh(event), f.after(2))
    assert (closing.number, closing.is_over) == (3, False)
    assert closing.ends_at == f.after(3 * length(event))
    told = announcement_payload(f.fresh(event), f.after(30))
    assert told["standing"].startswith("Sperrstunde: Gespielt wird bis zum Ende von Stufe 3.")
    f.undo(event, at=f.after(31))
    assert closing_of(f.fresh(event), f.after(32)) is None
    assert announcement_payload(f.fresh(event), f.after(33))["standing"] == ""


def test_it_is_refused_where_it_says_nothing(event):
    announce(event)
    with f.refused("already_announced", event):
        announce(event, 2)
    with f.refused("not_allowed", event):
        announce(event, 2, by=f.make_arno(event))
    with f.refused("not_started", planned := f.make_seated_event(4)):
        announce(planned)
    assert ClosingCall.objects.count() == 1


def test_it_needs_two_more_levels_in_the_schedule(event):
    levels = clock_levels(event.clock)
    late = sum(level.duration.total_seconds() / 60 for level in levels[:-1]) + 1
    with f.refused("no_levels", event):
        announce(event, late)


def test_after_the_last_level_the_clock_is_stopped_stacks_are_counted_and_rank(event):
    announce(event)
    assert kinds(event, 2) == [DueKind.CLOSING]
    over = 3 * length(event) + 1
    assert kinds(event, over) == [DueKind.CLOCK_RUNS]
    f.drive(clock_pause, event, over)
    assert kinds(event, over) == [DueKind.CLOSING_COUNT]
    entries, each = f.entries_of(event), event.starting_stack
    stacks = {entry.pk: each for entry in entries}
    stacks[entries[0].pk], stacks[entries[1].pk] = 2 * each - 1, 1
    f.drive(stacks_count, event, over + 1, table=f.table_of(event, 1), stacks=stacks)
    assert kinds(event, over + 2) == [DueKind.CLOSING_END]
    f.drive(event_end, event, over + 3, stacks=stacks)
    places = places_of(f.fresh(event))
    assert places[entries[0].pk] == 1
    assert places[entries[1].pk] == len(entries)
    assert {places[entry.pk] for entry in entries[2:]} == {2}
    assert announcement_payload(f.fresh(event), f.after(over + 10))["standing"] == ""


@pytest.mark.parametrize("wrong", ["24:00", "abc", "7:5", "2330", "٢٣:٣٠"])
def test_what_is_no_time_of_day_is_refused(event, wrong):
    with f.refused("bad_closing_time", event):
        f.drive(event_update, event, 2, settings={"closing_time": wrong})
    assert f.fresh(event).closing_time == ""


def test_it_is_proposed_while_it_can_still_be_announced_in_time(event):
    # Play begins at 19:00 in the hall; nobody is out after ten minutes.
    f.drive(event_update, event, 2, settings={"closing_time": "06:00"})
    assert kinds(event, 10) == []
    f.drive(event_update, event, 3, settings={"closing_time": "20:30"})
    early, late = (closing_items(f.fresh(event), f.after(minute)) for minute in (4, 25))
    assert [item.kind for item in (*early, *late)] == [DueKind.CLOSING_PROPOSED] * 2
    assert (early[0].urgency, late[0].urgency) == (Urgency.LATER, Urgency.SOON)
    assert "Sperrstunde ist um 20:30" in early[0].note
