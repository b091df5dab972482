"""Hand-for-hand over the rooms of one day of a contest: one release, one clock, shared places."""

import pytest

from tests import factories as f
from tests.bubble import begin, elapsed, end, make_event, release, report, report_all
from tests.flights import add, make_contest
from tournaments.contests.domain.stopping import StopRule
from tournaments.play.selectors.bubble import hand_for_hand_live, round_number
from tournaments.play.selectors.rooms import awaited_elsewhere, common_round, rooms_together

pytestmark = pytest.mark.django_db
# The tables of 2B: numbers are those of the hall.
HERE = (4, 5, 6)


@pytest.fixture(autouse=True)
def committed(django_capture_on_commit_callbacks):
    """Run what a change leaves to the commit, as without a test's transaction."""
    with pytest.MonkeyPatch.context() as patch:
        whole = f.drive

        def drive(*args, **own):
            with django_capture_on_commit_callbacks(execute=True):
                return whole(*args, **own)

        patch.setattr(f, "drive", drive)
        yield


@pytest.fixture
def rooms():
    """Day 2A and 2B with three tables of three each, numbered through the hall."""
    contest = make_contest()
    found = [make_event(name=f"Tag {label}") for label in ("2A", "2B")]
    for event, label in zip(found, ("2A", "2B"), strict=True):
        add(contest, event, label, stop=StopRule())
    return found


def numbers(rooms):
    return [round_number(f.fresh(event)) for event in rooms]


def test_hand_for_hand_two_rooms(rooms):
    """The next hand is dealt in both rooms after the last table of both."""
    first, second = rooms
    begin(first, rooms=True)
    assert numbers(rooms) == [0, 0]
    report_all(first, 0)
    report_all(second, 0, tables=(4, 6))
    reason = f.refuses("rooms_missing", release, first, 0)
    assert "2B: Tisch 5" in reason
    assert "2B: Tisch 5" in awaited_elsewhere(f.fresh(first), f.after(12))
    f.refuses("rooms_missing", end, first)
    report(second, 5, 0)
    before = [elapsed(event, 12) for event in rooms]
    release(first, 0)
    assert numbers(rooms) == [1, 1]
    taken = [elapsed(event, 13) - was for event, was in zip(rooms, before, strict=True)]
    assert taken[0] == taken[1] > taken[0] * 0
    f.assert_logged(second, "round.released", released=1)
    for event, outs in ((first, (1, 2, 3)), (second, (4, 5))):
        for table in outs:
            f.out(event, f.at_table(event, table)[0], at=f.after(13))
    found = common_round(rooms_together(f.fresh(first)))
    assert (found.reports_needed, found.left, found.place) == (6, 13, 14)
    assert not found.is_released
    report_all(first, 1, 14)
    report_all(second, 1, 14, tables=HERE)
    assert common_round(rooms_together(f.fresh(second))).is_released
    end(second, 15)
    assert [hand_for_hand_live(f.fresh(event)) for event in rooms] == [None, None]


def test_the_last_report_of_all_rooms_releases_the_next_hand_in_each(rooms):
    first, second = rooms
    begin(first, rooms=True, by_itself=True)
    report_all(first, 0)
    report_all(second, 0, tables=(4, 5))
    assert numbers(rooms) == [0, 0]
    report(second, 6, 0)
    assert numbers(rooms) == [1, 1]


def test_the_director_reports_the_rest_of_a_room_and_the_other_is_waited_for(rooms):
    first, second = rooms
    begin(first, rooms=True)
    release(first, 0, all_done=True)
    f.assert_logged(first, "round.released", outcome="waits")
    assert numbers(rooms) == [0, 0]
    release(second, 0, all_done=True)
    assert numbers(rooms) == [1, 1]


def test_a_room_alone_begins_for_itself(rooms):
    first, _second = rooms
    begin(first)
    assert numbers(rooms) == [0, None]
    report_all(first, 0)
    release(first, 0)
    alone = make_event()
    f.refuses("one_room", begin, alone, rooms=True)
