"""Hand-for-hand, its rounds and reports: changed, refused, undone."""

from datetime import timedelta

import pytest

from clock.selectors import clock_state
from tests import factories as f
from tests.bubble import (
    begin,
    elapsed,
    end,
    first_round,
    make_event,
    release,
    report,
    report_all,
)
from tournaments.event.services.clock import clock_jump, clock_next_level, clock_pause, clock_start
from tournaments.models import HandForHand, HandReport, HandRound
from tournaments.play.selectors.bubble import bubble_of, round_current
from tournaments.play.services.bubble import (
    hand_for_hand_end,
    heads_check,
    money_reach,
    round_release,
)
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.tables import entry_move, table_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three tables of three, seven are paid."""
    return make_event()


# Rounds


def test_tda_2024_rp8_the_running_hands_are_finished_and_then_the_first_is_released(event):
    begin(event, by=f.make_dora())
    f.assert_logged(event, "hand_for_hand.begun", by_itself=False)
    assert round_current(event).number == 0
    assert bubble_of(event).awaited == [1, 2, 3]
    with f.refused("tables_missing", event) as caught:
        release(event, 0)
    assert "Tische 1, 2, 3" in str(caught.value)
    report(event, 2, 0, by=f.make_arno(event))
    f.assert_logged(event, "table.reported", table=2, round=0)
    assert bubble_of(event).awaited == [1, 3]
    report_all(event, 0, tables=(1, 3))
    release(event, 0)
    f.assert_logged(event, "round.released", released=1)
    assert (round_current(event).number, bubble_of(event).awaited) == (1, [1, 2, 3])


def test_the_next_hand_releases_itself_if_the_director_chose_so(event):
    begin(event, by_itself=True)
    report_all(event, 0)
    action = f.assert_logged(event, "table.reported", table=3, round=0, released=1)
    assert round_current(event).number == 1
    f.undo(event, action)
    assert round_current(event).number == 0
    assert bubble_of(event).awaited == [3]


def test_rp8_each_hand_takes_its_minutes_off_the_clock_which_stands(event):
    begin(event, 10)
    assert not clock_state(f.fresh(event).clock, f.after(11)).is_running
    report_all(event, 0)
    assert elapsed(event, 15) == timedelta(minutes=10)
    release(event, 0)
    assert elapsed(event, 20) == timedelta(minutes=12)
    report_all(event, 1, 13)
    release(event, 1, 14)
    assert elapsed(event, 20) == timedelta(minutes=14)
    report_all(event, 2, 15)
    end(event, 16)
    assert elapsed(event, 17) == timedelta(minutes=15)


def test_minutes_beyond_a_level_come_off_the_next_and_the_level_is_told(event):
    begin(event, 19)
    report_all(event, 0, 19)
    release(event, 0, 20)
    state = clock_state(f.fresh(event).clock, f.after(20))
    assert (state.level.number, state.elapsed) == (2, timedelta(minutes=1))
    told = announcement_payload(f.fresh(event), f.after(20))["announcement"]
    assert told["text"].startswith("Neue Blindstufe zwei")
    f.undo(event)
    state = clock_state(f.fresh(event).clock, f.after(91))
    assert (state.level.number, state.elapsed) == (1, timedelta(minutes=19))


def test_a_break_begins_whole_and_no_hand_is_released_in_it():
    event = make_event()
    levels = list(event.clock.levels.order_by("position"))
    row = levels[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    f.drive(clock_next_level, event, 5)
    with f.refused("break", event):
        begin(event)
    f.drive(clock_jump, event, 6, level=levels[0].pk)
    begin(event, 25)
    report_all(event, 0, 25)
    release(event, 0, 25)
    state = clock_state(f.fresh(event).clock, f.after(26))
    assert (state.level.id, state.elapsed, state.is_running) == (row.pk, timedelta(), False)
    report_all(event, 1, 27)
    with f.refused("break", event):
        release(event, 1, 28)


def test_a_clock_that_runs_counts_by_itself(event):
    begin(event, 10)
    f.drive(clock_start, event, 11)
    report_all(event, 0, 11)
    release(event, 0, 12)
    assert elapsed(event, 13) == timedelta(minutes=12)
    report_all(event, 1, 13)
    f.drive(clock_pause, event, 14)
    end(event, 15)
    assert not clock_state(f.fresh(event).clock, f.after(16)).is_running


def test_what_cannot_begin(event):
    begin(event)
    with f.refused("already_begun", event):
        begin(event)
    with f.refused("not_started"):
        begin(f.make_seated_event(4, seats=2, name="Geplant"))
    with f.refused("one_table"):
        begin(f.make_running_event(4, name="Ein Tisch"))


def test_who_may(event):
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        with f.refused("not_allowed", event):
            begin(event, by=who)
    begin(event)
    for who in (f.ZENO, f.make_desk(event), f.petra_of(f.entries_of(event)[0].registration)):
        with f.refused("not_allowed", event):
            report(event, 1, 0, by=who)
        with f.refused("not_allowed", event):
            f.drive(heads_check, event, 12, by=who, table=f.table_of(event, 1), players=3)
    report_all(event, 0)
    for service, own in (
        (round_release, {"after": 0}),
        (hand_for_hand_end, {}),
        (money_reach, {}),
    ):
        with f.refused("not_allowed", event):
            f.drive(service, event, 13, by=f.make_arno(event), **own)


def test_reports_that_come_late_or_twice(event):
    with f.refused("no_hand_for_hand", event):
        report(event, 1, 0)
    begin(event)
    with f.refused("overtaken", event):
        report(event, 1, 0, 9, recorded_at=f.after(12))
    report_all(event, 0)
    with f.refused("already_reported", event):
        report(event, 1, 0)
    release(event, 0)
    with f.refused("overtaken", event):
        report(event, 1, 0)
    with f.refused("overtaken", event):
        release(event, 0)


def test_a_table_broken_or_emptied_meanwhile_does_not_block():
    event = make_event(8, 4, 5)
    f.out(event, f.at_table(event, 1)[0])
    begin(event)
    report_all(event, 0, tables=(1, 2))
    release(event, 0)
    report(event, 1, 1)
    one, two, three = f.at_table(event, 2)[:3]
    f.out(event, one, two, at=f.after(13))
    assert bubble_of(event).awaited == [2]
    f.out(event, three, at=f.after(13))
    assert bubble_of(event).awaited == []
    f.drive(table_break, event, 14, table=f.table_of(event, 2))
    release(event, 1, 15)
    assert bubble_of(event).awaited == [1]
    with f.refused("tables_missing", event):
        end(event)


def test_who_comes_to_a_table_after_playing_the_hand_is_not_awaited_there_again():
    event = make_event(9, 3, 5)
    first_round(event)
    report_all(event, 1, tables=(1, 2))
    f.out(event, *f.at_table(event, 3)[:2], at=f.after(13))
    assert bubble_of(event).awaited == []
    mover, table = f.at_table(event, 1)[0], f.table_of(event, 3)
    seat = f.seat_of(f.at_table(event, 3)[0])[1] % 3 + 1
    f.drive(entry_move, event, 14, entry=mover, table=table, seat=seat, reason="Test")
    assert bubble_of(event).awaited == []
    release(event, 1, 15)
    assert bubble_of(event).awaited == [1, 2, 3]


def test_a_table_opened_since_does_not_play_the_hand():
    event = make_event(9, 4)
    first_round(event)
    f.drive(table_open, event, 13)
    entry = f.at_table(event, 1)[0]
    other = f.at_table(event, 2)[0]
    table = f.table_of(event, 4)
    for seat, who in enumerate((entry, other), start=1):
        f.drive(entry_move, event, 14, entry=who, table=table, seat=seat, reason="Test")
    assert bubble_of(event).awaited == [1, 2, 3]


def test_what_is_taken_back(event):
    begun = begin(event)
    reported = report(event, 1, 0)
    with f.refused("needed", event):
        f.undo(event, begun)
    f.undo(event, reported)
    f.undo(event, begun)
    assert not HandForHand.objects.live().exists()
    assert not HandRound.objects.live().exists()
    assert clock_state(f.fresh(event).clock, f.after(91)).is_running


def test_a_report_is_not_taken_back_once_the_next_hand_runs(event):
    begin(event)
    reported = report(event, 1, 0)
    report_all(event, 0, tables=(2, 3))
    released = release(event, 0)
    with f.refused("needed", event) as caught:
        f.undo(event, reported)
    assert "Hand 1 freigegeben" in str(caught.value)
    f.undo(event, released)
    f.undo(event, reported)
    assert bubble_of(event).awaited == [1]
    assert HandReport.objects.live().count() == 2


def test_the_end_is_taken_back_and_not_over_a_new_beginning(event):
    first_round(event)
    report_all(event, 1, 13)
    ended = end(event, 14)
    f.assert_logged(event, "hand_for_hand.ended", rounds=1)
    assert round_current(event) is None
    f.undo(event, ended)
    assert round_current(event).number == 1
    ended = end(event, 95)
    with f.refused("no_hand_for_hand", event):
        end(event, 96)
    begin(event, 97)
    with f.refused("needed", event):
        f.undo(event, ended)


def test_it_is_said_in_the_hall(event):
    begin(event)
    told = announcement_payload(f.fresh(event), f.after(10))["announcement"]
    assert told["text"].startswith("Ab jetzt wird Hand für Hand gespielt.")
    assert told["url"]
    report(event, 1, 0, 10)
    assert announcement_payload(f.fresh(event), f.after(10))["announcement"]["id"] == told["id"]


def test_the_clock_moves_over_short_levels(event):
    for row in event.clock.levels.order_by("position")[1:3]:
        row.duration_ms = 30_000
        row.save()
    begin(event, 19)
    report_all(event, 0, 19)
    release(event, 0, 19)
    state = clock_state(f.fresh(event).clock, f.after(20))
    assert (state.level.number, state.elapsed) == (4, timedelta())
