"""Hand-for-hand, its rounds, reports and heads counted: changed, refused, undone."""

from datetime import timedelta

import pytest

from clock.selectors import clock_state
from tests import factories as f
from tests.bubble import (
    begin,
    count_heads,
    elapsed,
    end,
    first_round,
    in_the_money,
    make_event,
    release,
    report,
    report_all,
)
from tests.services.dealing import move
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.event.services.lifecycle import event_update
from tournaments.models import Seating
from tournaments.play.selectors.bubble import bubble_of, round_current
from tournaments.play.services.bubble import heads_check, money_reach
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.seating.services.breaking import table_break
from tournaments.seating.services.tables import table_open

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three tables of three, seven are paid."""
    return make_event()


def test_tda_2024_rp8_the_running_hands_are_finished_and_then_the_first_is_released(event):
    begin(event, by=f.make_dora())
    f.assert_logged(event, "hand_for_hand.begun", by_itself=False)
    told = announcement_payload(f.fresh(event), f.after(10))["announcement"]
    assert told["text"].startswith("Ab jetzt wird Hand für Hand gespielt.")
    assert told["url"]
    assert round_current(event).number == 0
    assert bubble_of(event).awaited == [1, 2, 3]
    assert "Tische 1, 2, 3" in f.refuses("tables_missing", release, event, 0)
    report(event, 2, 0, by=f.make_arno(event))
    f.assert_logged(event, "table.reported", table=2, round=0)
    assert bubble_of(event).awaited == [1, 3]
    report_all(event, 0, tables=(1, 3))
    release(event, 0)
    f.assert_logged(event, "round.released", released=1)
    assert (round_current(event).number, bubble_of(event).awaited) == (1, [1, 2, 3])


def test_the_director_reports_the_tables_that_are_missing_with_the_next_hand(event):
    begin(event)
    report(event, 2, 0)
    told = release(event, 0, 20, all_done=True)
    f.assert_logged(event, "round.released", released=1, tables=[1, 3])
    assert (round_current(event).number, bubble_of(event).awaited) == (1, [1, 2, 3])
    f.refuses("overtaken", release, event, 0, 21, all_done=True)
    f.undo(event, told)
    assert (round_current(event).number, bubble_of(event).awaited) == (0, [1, 3])


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


@pytest.mark.parametrize(("short", "level", "minutes"), [(False, 2, 1), (True, 4, 0)])
def test_minutes_beyond_a_level_come_off_the_next_and_the_level_is_told(
    event, short, level, minutes
):
    if short:
        for row in event.clock.levels.order_by("position")[1:3]:
            row.duration_ms = 30_000
            row.save()
    begin(event, 19)
    report_all(event, 0, 19)
    release(event, 0, 20)
    state = clock_state(f.fresh(event).clock, f.after(20))
    assert (state.level.number, state.elapsed) == (level, timedelta(minutes=minutes))
    told = announcement_payload(f.fresh(event), f.after(20))["announcement"]
    assert told["text"].startswith("Neue Blindstufe")
    f.undo(event)
    state = clock_state(f.fresh(event).clock, f.after(91))
    assert (state.level.number, state.elapsed) == (1, timedelta(minutes=19))


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


def test_what_cannot_begin_and_reports_that_come_late_or_twice(event):
    planned = f.make_seated_event(4, seats=2, name="Geplant")
    f.refuses("not_started", begin, planned)
    f.refuses("not_started", heads_check, planned, 9, table=planned.tables.first(), players=2)
    f.refuses("one_table", begin, f.make_running_event(4, name="Ein Tisch"))
    f.refuses("no_hand_for_hand", report, event, 1, 0)
    begin(event)
    f.refuses("already_begun", begin, event)
    f.refuses("overtaken", report, event, 1, 0, 9, recorded_at=f.after(12))
    report_all(event, 0)
    f.refuses("already_reported", report, event, 1, 0)
    release(event, 0)
    f.refuses("overtaken", report, event, 1, 0)
    f.refuses("overtaken", release, event, 0)


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
    f.refuses("tables_missing", end, event)


def move_first(event, *tables, to):
    for number in tables:
        move(event, f.at_table(event, number)[0], 14, to)


def test_who_comes_to_a_table_after_playing_the_hand_is_not_awaited_there_again():
    event = make_event(9, 3, 5)
    first_round(event)
    report_all(event, 1, tables=(1, 2))
    f.out(event, *f.at_table(event, 3)[:2], at=f.after(13))
    assert bubble_of(event).awaited == []
    move_first(event, 1, to=3)
    assert bubble_of(event).awaited == []
    release(event, 1, 15)
    assert bubble_of(event).awaited == [1, 2, 3]
    f.drive(table_open, event, 16)
    move_first(event, 2, to=4)
    assert bubble_of(event).awaited == [1, 2, 3]  # opened since, it does not play the hand


def test_the_end_is_taken_back_and_not_over_a_new_beginning(event):
    first_round(event)
    report_all(event, 1, 13)
    ended = end(event, 14)
    f.assert_logged(event, "hand_for_hand.ended", rounds=1)
    assert round_current(event) is None
    f.undo(event, ended)
    assert round_current(event).number == 1
    ended = end(event, 95)
    assert clock_state(f.fresh(event).clock, f.after(96)).is_running
    f.refuses("no_hand_for_hand", end, event, 96)
    begin(event, 97)
    f.refuses("needed", f.undo, event, ended, at=f.after(98))


def test_star_sydney_in_the_money_only_when_every_table_was_counted_and_agrees(event):
    assert "2 ausscheiden" in f.refuses("too_many_left", money_reach, event, 30)
    in_the_money(event)
    assert "Tische 1, 2, 3" in f.refuses("tables_open", money_reach, event, 30)
    count_heads(event, t3=2)
    assert "Tisch 3: 2 gezählt, 3 eingetragen" in f.refuses("tables_differ", money_reach, event, 31)
    f.drive(heads_check, event, 32, table=f.table_of(event, 3), players=3, by=f.make_arno(event))
    f.assert_logged(event, "heads.checked", table=3, players=3)
    f.drive(money_reach, event, 33, by=f.make_dora())
    f.assert_logged(event, "money.reached", left=7, paid=7)
    assert bubble_of(event).is_reached
    assert "im Geld" in announcement_payload(f.fresh(event), f.after(33))["announcement"]["text"]
    f.refuses("already_reached", money_reach, event, 34)
    f.undo(event)
    assert not bubble_of(event).is_reached


def test_a_count_holds_until_somebody_sits_down_or_leaves(event):
    f.out(event, f.at_table(event, 1)[0], at=f.after(20))
    count_heads(event, 21)
    assert bubble_of(event).open == []
    action = f.out(event, f.at_table(event, 2)[0], at=f.after(22))
    assert bubble_of(event).open == [2]
    undone = f.undo(event, action, at=f.after(23))
    assert bubble_of(event).open == [2]
    f.drive(heads_check, event, 24, table=f.table_of(event, 2), players=3)
    assert bubble_of(event).open == []
    f.undo(event, undone, at=f.after(25))
    assert bubble_of(event).open == [2]


def test_a_count_that_waited_on_a_phone_counts_as_of_when_it_was_made(event):
    in_the_money(event)
    count_heads(event, 30)
    f.out(event, f.at_table(event, 3)[0], at=f.after(32))
    table = f.table_of(event, 3)
    f.drive(heads_check, event, 31, table=table, players=3, recorded_at=f.after(33))
    assert bubble_of(event).open == [3]
    f.drive(heads_check, event, 34, table=table, players=2)
    assert bubble_of(event).open == []


def test_not_in_the_money_while_a_hand_runs_or_somebody_sits_nowhere(event):
    with f.refused("paid_places_unknown"):
        f.drive(money_reach, make_event(paid=0, name="Ohne Preise"), 30)
    first_round(event)
    in_the_money(event)
    count_heads(event)
    f.refuses("round_open", money_reach, event, 31)
    report_all(event, 1, 32)
    entry = f.at_table(event, 3)[0]
    Seating.objects.filter(entry=entry).update(voided_by=f.last_action(event))
    count_heads(event, 33)
    f.refuses("somebody_sits_nowhere", money_reach, event, 34)


def announce_the_money(event):
    in_the_money(event)
    count_heads(event)
    return f.drive(money_reach, event, 31)


@pytest.mark.parametrize(
    ("announce", "code"),
    [(begin, "fixed_at_the_bubble"), (announce_the_money, "fixed_in_the_money")],
)
def test_how_many_are_paid_is_fixed_once_it_was_announced(event, announce, code):
    for paid in (6, 7):
        changed = f.drive(event_update, event, 5, settings={"paid_places": paid})
    announced = announce(event)
    for paid in (3, 8):
        f.refuses(code, event_update, event, 32, settings={"paid_places": paid})
    f.refuses(code, f.undo, event, changed)
    f.undo(event, announced)
    assert clock_state(f.fresh(event).clock, f.after(91)).is_running
    f.drive(event_update, event, 95, settings={"paid_places": 8})
    assert f.fresh(event).paid_places == 8


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"paid_places": 61}, "bad_paid_places"),
        ({"paid_places": -1}, "bad_paid_places"),
        ({"redraw_at": [1]}, "bad_redraw"),
        ({"redraw_at": [18, 27]}, "bad_redraw"),
        ({"redraw_at": [18, 18]}, "bad_redraw"),
        ({"redraw_at": list(range(60, 30, -1))}, "bad_redraw"),
        ({"final_table_seats": 11}, "bad_final_table"),
        ({"final_table_seats": 1}, "bad_final_table"),
    ],
)
def test_settings_of_late_play_that_cannot_be(own, code):
    event = make_event()
    f.refuses(code, event_update, event, 5, settings=own)
