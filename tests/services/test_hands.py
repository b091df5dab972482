"""The tap for the next hand: where one may begin, what is in force, and what it counts."""

from datetime import timedelta

import pytest

from clock.models import Level
from clock.selectors import clock_state
from tests import factories as f
from tests.bubble import begin, make_event, release, report
from tests.calling import call_service
from tests.pressing import done, press, url_of, words_of
from tests.pressing import refused as refused_on_the_page
from tests.services import dealing
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_lines
from tournaments.dashboard.selectors.due_play import summons_items
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.services.clock import clock_next_level, clock_pause, clock_start
from tournaments.event.services.clock_hands import clock_counting_table, clock_last_hands
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import ClockCall, ClockCallEnd, Hand, Summons
from tournaments.play.selectors.calls import calls_open
from tournaments.play.selectors.level_in_force import reason_of, table_in_force
from tournaments.play.services.calls import (
    clock_call_run_out,
    clock_call_start,
    clock_call_stop,
    director_call,
    director_come,
    director_settle,
)
from tournaments.play.services.hands import hand_begin
from tournaments.rules.services.rules import event_rules_change
from tournaments.seating.services.chairs import table_halt
from tournaments.seating.services.tables import table_break

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=5)]


def tap(event, minute, number=1, *, told=None):
    recorded_at = None if told is None else f.after(told)
    return dealing.tap(event, minute, number, recorded_at=recorded_at)


def hands(event, number=1):
    rows = Hand.objects.live().filter(table=f.table_of(event, number)).order_by("number")
    return list(rows.values_list("number", flat=True))


def test_a_tap_is_cheap_numbered_and_tells_only_what_shows_hands(
    event, django_assert_max_num_queries
):
    before = [line.action.pk for line in log_lines(event, SYSTEM)]
    tap(event, 1)
    with django_assert_max_num_queries(18):
        action = tap(event, 2.5)
    assert action.news["changed"] == ["hands"]
    assert "anchor" not in action.news
    tap(event, 2.6, 2)
    assert (hands(event), hands(event, 2)) == ([1, 2], [1])
    f.assert_logged(event, "hand.begun", table=2, hand=1)
    # They are in the log, but not among the last actions.
    assert [line.action.pk for line in log_lines(event, SYSTEM)] == before


def test_no_hand_before_the_start_after_the_end_at_a_table_gone_or_twice_at_once():
    planned = f.make_seated_event(4)
    f.refuses("not_started", tap, planned, 0)
    f.drive(event_cancel, planned, 0)
    event = f.make_running_event(10, seats=5, capacity=20, name="Zweites")
    tap(event, 1)
    f.refuses("too_soon", tap, event, 1 + 4 / 60)
    gone = f.table_of(event, 2)
    for entry in f.at_table(event, 2)[:3] + f.at_table(event, 1)[:2]:
        f.out(event, entry)
    f.drive(table_break, event, 6, table=gone)
    f.refuses("table_gone", hand_begin, event, 7, table=gone)
    f.drive(event_end, event, 8)
    f.refuses("over", tap, event, 9)


def test_a_tap_is_taken_back_and_put_back_unless_another_was_made_instead(event):
    tap(event, 1)
    undone = f.undo(event, tap(event, 2.5), at=f.after(2.6))
    assert hands(event) == [1]
    f.undo(event, undone, at=f.after(2.7))
    assert hands(event) == [1, 2]
    undone = f.undo(event, tap(event, 4), at=f.after(4.2))
    tap(event, 4.4)
    f.refuses("needed", f.undo, event, undone, at=f.after(5))
    assert hands(event) == [1, 2, 3]


def in_force(event, minute, number=1):
    return table_in_force(event, f.table_of(event, number), f.after(minute))


def test_the_answer_comes_with_its_reason(event):
    first = "Die erste Hand wird mit Stufe 1 gespielt"
    assert first in reason_of(in_force(f.make_seated_event(4, name="Geplant"), -1))
    assert reason_of(in_force(event, 21)) == ("Angesagt seit 19:20, gilt ab der nächsten Hand.")
    f.drive(hand_begin, event, 20 - 1 / 60, table=f.table_of(event, 1))
    answer = in_force(event, 29)
    assert reason_of(answer) == (
        "Hand 1 begann um 19:19:59, vor Stufe 2. Bis zu ihrem Ende gilt Stufe 1."
    )
    assert reason_of(in_force(event, 30)) == (
        "Seit Hand 1 um 19:19:59 nichts getippt: Stufe 2, wie angesagt."
    )
    assert level_in_words(answer.level, event) == "1 / 1"
    tap(event, 31)
    assert in_force(event, 31).level.number == 2
    assert "als Stufe 2 schon angesagt war" in reason_of(in_force(event, 31))
    # The answer for a past instant stays what it was.
    assert in_force(event, 29) == answer


# --- The counting table


@pytest.fixture
def by_hands():
    """An event whose first level lasts two hands of the first table."""
    event = f.make_seated_event(10, seats=5)
    Level.objects.filter(clock=event.clock, position=0).update(duration_ms=None, hands=2)
    f.drive(clock_counting_table, event, -60, table=1)
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def level(event, minute):
    return clock_state(event.clock, f.after(minute)).level.number


def test_a_level_of_two_hands_gives_way_as_the_third_begins(by_hands):
    tap(by_hands, 1)
    for minute in (2, 2.5):
        assert tap(by_hands, minute, 2).news["changed"] == ["hands"]
    tap(by_hands, 3)
    assert level(by_hands, 3) == 1
    action = tap(by_hands, 5)
    assert {"clock", "hands"} <= set(action.news["changed"])
    assert level(by_hands, 5) == 2
    assert in_force(by_hands, 5).level.number == 2
    assert in_force(by_hands, 5, 2).level.number == 1
    assert tap(by_hands, 6).news["changed"] == ["hands"]  # level 2 lasts its time


def test_taking_a_counting_tap_back_takes_the_count_back(by_hands):
    tap(by_hands, 1)
    tap(by_hands, 3)
    undone = f.undo(by_hands, tap(by_hands, 5), at=f.after(5.5))
    assert level(by_hands, 6) == 1
    assert hands(by_hands) == [1, 2]
    f.refuses("cannot_redo", f.undo, by_hands, undone, at=f.after(7))
    tap(by_hands, 8)
    assert level(by_hands, 8) == 2


def test_the_last_hands_count_from_the_first_that_begins_after_the_announcement(event):
    f.drive(clock_counting_table, event, 0.5, table=1)
    tap(event, 1)
    f.drive(clock_last_hands, event, 2, hands=3)
    left = []
    for minute in (3, 5, 7):
        tap(event, minute)
        left.append(clock_state(event.clock, f.after(minute)).last_hands)
    assert left == [3, 2, 1]


# Where none is played, no hand begins; a tap that was right when it was made is taken


def test_no_hand_begins_with_the_clock_standing_unless_the_last_hands_are_played(client):
    event = f.make_running_event(10, seats=5)
    f.drive(clock_pause, event, 5)
    assert (
        f.refuses("clock_stands", tap, event, 6) == "Die Uhr steht. Gespielt wird, wenn sie läuft."
    )
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Keine neue Hand Die Uhr steht." in words_of(client, event, "floor-table", 1)
    assert "Keine neue Hand Die Uhr steht." in words_of(client, event, "floor-button", 1)
    refused_on_the_page(client, event, "floor-hand", 1, sentence="Die Uhr steht.")
    tap(event, 4, told=7)
    assert Hand.objects.get().began_at == f.after(4)
    f.drive(clock_last_hands, event, 8, hands=2)
    tap(event, 9)
    f.drive(clock_start, event, 10)
    tap(event, 11)
    assert "Keine neue Hand" not in words_of(client, event, "floor-button", 1)


def test_no_hand_begins_in_a_break():
    event = f.make_running_event(10, seats=5)
    row = event.clock.levels.order_by("position")[1]
    row.kind, row.duration_ms = "break", 15 * 60_000
    row.save()
    f.drive(clock_next_level, event, 5)
    f.refuses("break", tap, event, 6)
    tap(event, 4, told=7)
    tap(event, 21)


def test_tda_2024_11d_no_hand_begins_at_a_halted_table():
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    tap(event, 8, 2)
    f.drive(table_halt, event, 10, table=f.table_of(event, 2))
    assert "Tisch 2 ist angehalten" in f.refuses("halted", tap, event, 11, 2)
    tap(event, 9, 2, told=11)
    tap(event, 11, 1)
    f.drive(table_halt, event, 12, table=f.table_of(event, 2), is_waived=True)
    tap(event, 13, 2)


def test_tda_2024_rp8_no_hand_begins_at_a_table_that_has_reported_before_the_next_is_released(
    client,
):
    event = make_event()
    begin(event)
    tap(event, 10.5, 1)  # told late: the hand that runs
    report(event, 1, 0, 11)
    for other in (2, 3):
        with f.refused("reported", event) as caught:
            tap(event, 12, 1)
        report(event, other, 0, 12)
    assert "Tisch 1 ist fertig gemeldet." in str(caught.value)
    f.refuses("reported", tap, event, 12, 1)
    release(event, 0, 13)
    tap(event, 13.5, 1)
    report(event, 1, 1, 14)
    f.refuses("reported", tap, event, 15, 1)
    f.sign_browser_in(client, Role.ARBITER, event)
    phone = words_of(client, event, "floor-button", 1)
    assert "Keine neue Hand Tisch 1 ist fertig gemeldet." in phone
    assert "Keine neue Hand" not in words_of(client, event, "floor-button", 2)
    tap(event, 15, 2)


# --- A player on the clock, and calls for the director: start, outcome, undo of each


@pytest.fixture
def petra(event):
    return f.at_table(event, 1)[0]


def call(event, entry, minute=5, by=SYSTEM, **own):
    at = f.after(minute)
    action = call_service(clock_call_start, event=event, by=by, at=at, entry=entry, **own)
    return ClockCall.objects.get(made_by=action)


def end(service, event, row, seconds, by=SYSTEM, **own):
    at = row.began_at + timedelta(seconds=seconds)
    return call_service(service, event=event, by=by, at=at, call=row, **own)


SAID = {"dead": "Zeit abgelaufen, Hand tot", "check": "Zeit abgelaufen, Check"}


@pytest.mark.parametrize(
    ("preset", "has_watch", "not_yet", "over", "outcome"),
    [
        ("krru-3", False, 8.9, 10, "dead"),
        ("krru-3", True, 38, 40, "dead"),
        ("tda-2024", False, 28, 30, "check"),
    ],
    ids=["krru_s9", "krru_s9_with_a_watch", "tda_29"],
)
def test_how_long_it_takes_and_what_it_comes_to(preset, has_watch, not_yet, over, outcome):
    event = f.make_running_event(4, preset=preset)
    petra = f.entries_of(event)[0]
    row = call(event, petra, has_watch=has_watch)
    f.assert_logged(event, "clock_call.started", entry=petra.pk, table=1, watch=has_watch)
    f.refuses("not_over", end, clock_call_run_out, event, row, not_yet, outcome=outcome)
    wrong = "check" if outcome == "dead" else "fold"
    f.refuses("bad_outcome", end, clock_call_run_out, event, row, over, outcome=wrong)
    action = end(clock_call_run_out, event, row, over, outcome=outcome)
    f.assert_logged(event, "clock_call.ran_out", outcome=outcome, call=row.pk)
    assert describe(f.last_action(event)).startswith(SAID[outcome])
    assert ClockCallEnd.objects.get().made_by == action
    assert not calls_open(event).exists()


@pytest.mark.parametrize(("preset", "may"), [("krru-3", False), ("tda-2024", True)])
def test_the_rules_say_whether_arbiters_may_and_the_director_changes_that(preset, may):
    event = f.make_running_event(4, preset=preset)
    petra, arno = f.entries_of(event)[0], f.make_arno(event)
    for may_now in (may, not may):
        event = f.fresh(event)
        if may_now:
            end(clock_call_stop, event, call(event, petra, by=arno), 3, by=arno)
        else:
            f.refuses("not_allowed", call, event, petra, by=arno)
        f.drive(event_rules_change, event, 8, rules={"arbiters_may_call_clock": not may_now})


def test_one_at_a_table_only_of_who_sits_there_and_while_play_goes_on(event, petra):
    planned = f.make_seated_event(4, name="Geplant")
    f.refuses("not_started", call, planned, f.entries_of(planned)[0])
    with f.refused("no_watch"):
        tda = f.make_running_event(4, preset="tda-2024", name="TDA")
        call(tda, f.entries_of(tda)[0], has_watch=True)
    row = call(event, petra)
    assert petra.registration.person.name in f.refuses(
        "already_called", call, event, f.at_table(event, 1)[1]
    )
    call(event, f.at_table(event, 2)[0])
    f.out(event, petra, at=f.after(6))
    assert row not in calls_open(event)
    f.refuses("not_seated", call, event, petra, 7)
    call(event, f.at_table(event, 1)[0], 8)
    f.drive(event_end, event, 9)
    f.refuses("over", call, event, f.at_table(event, 1)[1], 10)


def test_a_call_is_due_until_it_is_done(client):
    event = f.make_running_event(6)
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Turnierleitung rufen" in words_of(client, event, "floor-table", 1)
    told = done(client, event, "floor-summon", 1, reason="rule")
    assert "Tisch 1 ruft die Turnierleitung: Regelfrage" in told
    f.assert_logged(event, "director.called", table=1, reason="rule")
    assert "Turnierleitung gerufen." in words_of(client, event, "floor-table-panel", 1)
    again = {"reason": "chips", "sentence": "hat schon gerufen"}
    refused_on_the_page(client, event, "floor-summon", 1, **again)
    assert press(client, event, "floor-summons-come", 1).status_code == 403
    (item,) = summons_items(event)
    assert (item.title, item.number) == ("Tisch 1 ruft: Regelfrage", 1)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    due = client.get(url_of(event, "director-due")).content.decode()
    assert due.index("Tisch 1 ruft: Regelfrage") == due.index("Tisch 1")
    assert url_of(event, "floor-summons-come", 1) in due
    done(client, event, "floor-summons-come", 1)
    assert "Die Turnierleitung kommt." in words_of(client, event, "floor-table-panel", 1)
    done(client, event, "floor-summons-settle", 1)
    assert summons_items(event) == []
    f.undo(event, at=f.last_action(event).at)
    assert Summons.objects.live().get().is_coming


def test_what_makes_no_sense_is_refused():
    event = f.make_running_event(6)
    table, arno, dora = f.table_of(event, 1), f.make_arno(event), f.make_dora(event)
    f.refuses("no_word", director_call, event, 1, by=arno, table=table, reason="pizza")
    f.refuses("not_called", director_come, event, 1, by=dora, table=table)
    f.refuses("not_called", director_settle, event, 1, by=arno, table=table)
    f.drive(director_call, event, 1, by=arno, table=table, reason="chips")
    f.drive(director_come, event, 1, by=dora, table=table)
    f.refuses("coming", director_come, event, 1, by=dora, table=table)
    f.refuses("not_allowed", director_settle, event, 1, by=f.ZENO, table=table)
