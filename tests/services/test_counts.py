"""An evening without names: what is counted, what follows from it, and what there is not."""

import pytest

from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.kinds import describe
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.event.selectors.clock import counted, rebuy_chips
from tournaments.event.selectors.event import chips_in_play, players_left, screen_figures
from tournaments.event.services.clock import clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_copy, event_end, event_update
from tournaments.models import HeadCount
from tournaments.seating.services.tables import table_open

pytestmark = [pytest.mark.django_db, pytest.mark.planned(is_clock_only=True)]


def count(event, what, step=1, minute=0, **own):
    return f.drive(count_change, event, minute, what=what, step=step, **own)


def enter(event, number):
    for _time in range(number):
        count(event, "entries")


def figures(event):
    now = counted(event)
    return now.entries, now.left, now.rebuys, now.chips


def test_an_entry_brings_a_stack_who_is_out_leaves_it_and_a_rebuy_brings_chips(event):
    enter(event, 4)
    assert figures(event) == (4, 4, 0, 800)
    count(event, "entries", -1)
    f.assert_logged(event, "count.changed", what="entries", step=-1, entries=3, left=3)
    assert describe(f.last_action(event)) == "Gezählt: 3 im Spiel, 3 Einstiege, 0 Re-buys"
    count(event, "left", -1)
    assert figures(event) == (3, 2, 0, 600)
    count(event, "rebuys", chips=150)
    assert rebuy_chips(event) == 150
    count(event, "rebuys")
    assert figures(event) == (3, 2, 2, 900)
    assert players_left(event) == 2
    assert chips_in_play(event) == (900, True)
    f.drive(clock_start, event, 1)
    shown = screen_figures(f.fresh(event), f.after(2))
    wanted = {"players_left": 2, "entries": 3, "rebuys": 2, "tables": 0}
    wanted |= {"average_stack": 450, "is_final_table": False}
    assert wanted.items() <= shown.items()


def test_figures_that_cannot_be_are_refused(event):
    for what, step, own, code in (
        ("entries", -1, {}, "below_zero"),
        ("left", -1, {}, "below_zero"),
        ("left", 1, {}, "more_than_entries"),
        ("rebuys", -1, {}, "below_zero"),
        ("rebuys", 2, {}, "bad_count"),
        ("tables", 1, {}, "bad_count"),
        ("rebuys", 1, {"chips": 0}, "bad_chips"),
        ("rebuys", 1, {"chips": -5}, "bad_chips"),
        ("rebuys", 1, {"chips": 10**9 + 1}, "bad_chips"),
    ):
        f.refuses(code, count, event, what, step, **own)
    assert not HeadCount.objects.exists()


def test_only_the_director_counts_and_only_until_the_end(event):
    f.refuses("not_allowed", count, event, "entries", by=f.make_arno(event))
    f.drive(clock_start, event, 0)
    f.undo(event, at=f.after(0.5))
    assert not f.fresh(event).has_started
    f.drive(clock_start, event, 1)
    count(event, "entries", by=f.make_dora(event), minute=1)
    f.drive(event_end, event, 2)
    f.assert_logged(event, "event.ended", players_left=1)
    f.refuses("over", count, event, "entries", minute=3)


def test_the_last_one_left_has_won(event):
    enter(event, 2)
    f.drive(clock_start, event, 0)
    count(event, "left", -1, minute=5)
    f.refuses("last_one_wins", count, event, "left", -1, minute=6)
    # An entry counted by mistake can still be taken off.
    count(event, "left", minute=7)
    for minute in (8, 9):
        count(event, "entries", -1, minute=minute)
    assert figures(f.fresh(event))[:2] == (0, 0)


def test_a_count_is_taken_back_unless_the_figures_would_be_wrong(event):
    first = count(event, "entries")
    out = count(event, "left", -1)
    f.refuses("below_zero", f.undo, event, first)
    f.undo(event, out)
    undone = f.undo(event, first)
    assert figures(event) == (0, 0, 0, 0)
    f.undo(event, undone)
    assert figures(event) == (1, 1, 0, 200)


def test_there_are_no_names_and_no_tables(event):
    for service, own in (
        (registration_create, {"name": "Petra Probst"}),
        (registrations_import, {"people": [{"name": "Petra"}]}),
        (table_open, {}),
    ):
        f.refuses("clock_only", service, event, -60, **own)
    named = f.make_event(name="Mit Namen")
    f.refuses("has_names", count, named, "entries")


def test_it_is_settled_when_the_evening_is_made_and_copied_with_it(event):
    f.refuses("unknown_setting", event_update, event, -60, settings={"is_clock_only": False})
    action = event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL), source=event)
    copy = f.fresh(type(event)(pk=action.payload["event"]))
    assert copy.is_clock_only
    assert not copy.is_registration_open
