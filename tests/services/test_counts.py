"""An evening without names: what is counted, what follows from it, and what there is not."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.selectors.log import describe
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.event.selectors.clock import counted, rebuy_chips
from tournaments.event.selectors.event import chips_in_play, players_left, screen_figures
from tournaments.event.services.clock import clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_copy, event_end, event_update
from tournaments.models import HeadCount
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event(is_clock_only=True)


def count(event, what, step=1, by=SYSTEM, minute=0, **own):
    return call_service(
        count_change, event=event, by=by, at=f.after(minute), what=what, step=step, **own
    )


def figures(event):
    now = counted(event)
    return now.entries, now.left, now.rebuys, now.chips


def test_an_entry_brings_a_player_and_a_stack(event):
    count(event, "entries")
    count(event, "entries")
    assert figures(event) == (2, 2, 0, 400)
    count(event, "entries", -1)
    assert figures(event) == (1, 1, 0, 200)
    f.assert_logged(event, "count.changed", what="entries", step=-1, entries=1, left=1)
    assert describe(f.last_action(event)) == "Gezählt: 1 im Spiel, 1 Einstiege, 0 Re-buys"


def test_who_is_out_leaves_the_chips_and_a_rebuy_brings_some(event):
    for _time in range(3):
        count(event, "entries")
    count(event, "left", -1)
    assert figures(event) == (3, 2, 0, 600)
    count(event, "rebuys", chips=150)
    assert figures(event) == (3, 2, 1, 750)
    assert rebuy_chips(event) == 150
    count(event, "rebuys")
    assert figures(event) == (3, 2, 2, 900)
    assert players_left(event) == 2
    assert chips_in_play(event) == (900, True)


def test_the_screen_shows_what_was_counted(event):
    for _time in range(3):
        count(event, "entries")
    clock_start(Command(event=event, by=SYSTEM, at=f.after(0)))
    count(event, "left", -1, minute=1)
    shown = screen_figures(f.fresh(event), f.after(2))
    assert {name: shown[name] for name in ("players_left", "entries", "rebuys", "tables")} == {
        "players_left": 2, "entries": 3, "rebuys": 0, "tables": 0
    }  # fmt: skip
    assert (shown["average_stack"], shown["winner"], shown["is_final_table"]) == (300, None, False)


@pytest.mark.parametrize(
    ("what", "step", "code"),
    [
        ("entries", -1, "below_zero"),
        ("left", -1, "below_zero"),
        ("left", 1, "more_than_entries"),
        ("rebuys", -1, "below_zero"),
        ("rebuys", 2, "bad_count"),
        ("tables", 1, "bad_count"),
    ],
)
def test_figures_that_cannot_be_are_refused(event, what, step, code):
    with f.refused(code, event):
        count(event, what, step)
    assert not HeadCount.objects.exists()


@pytest.mark.parametrize("chips", [0, -5, 10**9 + 1])
def test_a_rebuy_brings_chips(event, chips):
    with f.refused("bad_chips", event):
        count(event, "rebuys", chips=chips)


def test_only_the_director_counts_and_only_until_the_end(event):
    with f.refused("not_allowed", event):
        count(event, "entries", by=f.make_arno(event))
    clock_start(Command(event=event, by=SYSTEM, at=f.after(0)))
    count(event, "entries", by=f.make_dora(event), minute=1)
    event_end(Command(event=event, by=SYSTEM, at=f.after(2)))
    f.assert_logged(event, "event.ended", players_left=1)
    with f.refused("over", event):
        count(event, "entries", minute=3)


def test_a_count_is_taken_back_unless_the_figures_would_be_wrong(event):
    first = count(event, "entries")
    out = count(event, "left", -1)
    with f.refused("below_zero", event):
        f.undo(event, first)
    f.undo(event, out)
    undone = f.undo(event, first)
    assert figures(event) == (0, 0, 0, 0)
    f.undo(event, undone)
    assert figures(event) == (1, 1, 0, 200)


def test_the_clock_starts_without_anybody_seated_and_its_start_is_undone(event):
    clock_start(Command(event=event, by=SYSTEM, at=f.after(0)))
    assert f.fresh(event).has_started
    f.undo(event, at=f.after(1))
    assert not f.fresh(event).has_started


def test_there_are_no_names_and_no_tables(event):
    with f.refused("clock_only", event):
        registration_create(Command(event=event, by=SYSTEM, at=f.ARRIVAL), name="Petra Probst")
    with f.refused("clock_only", event):
        registrations_import(
            Command(event=event, by=SYSTEM, at=f.ARRIVAL), people=[{"name": "Petra"}]
        )
    with f.refused("clock_only", event):
        table_open(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    named = f.make_event(name="Mit Namen")
    with f.refused("has_names", named):
        count(named, "entries")


def test_it_is_settled_when_the_evening_is_made_and_copied_with_it(event):
    with f.refused("unknown_setting", event):
        event_update(
            Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"is_clock_only": False}
        )
    action = event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.ARRIVAL), source=event)
    copy = f.fresh(type(event)(pk=action.payload["event"]))
    assert copy.is_clock_only
    assert not copy.is_registration_open
