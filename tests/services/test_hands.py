"""The tap for the next hand: one fact, cheap, taken back at once; what is in force rests on it."""

from datetime import timedelta

import pytest

from clock.models import Level
from clock.selectors import clock_state
from tests import factories as f
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import log_lines
from tournaments.event.selectors.level_words import level_in_words
from tournaments.event.services.clock import clock_next_level, clock_start
from tournaments.event.services.clock_hands import clock_counting_table, clock_last_hands
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Hand
from tournaments.play.domain.level_in_force import Ground
from tournaments.play.selectors.level_in_force import (
    clock_history,
    reason_of,
    table_in_force,
    tables_behind,
)
from tournaments.play.services.hands import hand_begin
from tournaments.seating.services.tables import table_break
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def event():
    return f.make_running_event(10, seats=5)


def tap(event, minute, number=1, by=SYSTEM):
    return hand_begin(
        Command(event=event, by=by, at=f.after(minute)), table=f.table_of(event, number)
    )


def hands(event, number=1):
    rows = Hand.objects.live().filter(table=f.table_of(event, number)).order_by("number")
    return list(rows.values_list("number", flat=True))


def test_hands_are_numbered_at_each_table(event):
    tap(event, 1)
    tap(event, 2.5)
    tap(event, 2.6, number=2)
    assert hands(event) == [1, 2]
    assert hands(event, 2) == [1]
    f.assert_logged(event, "hand.begun", table=2, hand=1)


def test_a_tap_is_cheap_and_tells_only_what_shows_hands(event, django_assert_max_num_queries):
    tap(event, 1)
    with django_assert_max_num_queries(18):
        action = tap(event, 2.5)
    assert action.news["changed"] == ["hands"]
    assert "anchor" not in action.news


def test_taps_and_their_undoing_stand_in_the_log_but_not_among_the_last_actions(event):
    before = [line.action.pk for line in log_lines(event, SYSTEM)]
    f.undo(event, tap(event, 1), at=f.after(1.5))
    assert [line.action.pk for line in log_lines(event, SYSTEM)] == before
    assert f.last_action(event).kind == "action.undone"


def test_no_hand_before_the_start_after_the_end_at_a_table_gone_or_twice_at_once():
    planned = f.make_seated_event(4)
    with f.refused("not_started", planned):
        tap(planned, 0)
    event = f.make_running_event(10, seats=5, capacity=20, name="Zweites")
    tap(event, 1)
    with f.refused("too_soon", event):
        hand_begin(
            Command(event=event, by=SYSTEM, at=f.after(1) + 4 * SECOND), table=f.table_of(event, 1)
        )
    gone = f.table_of(event, 2)
    for entry in f.at_table(event, 2)[:3] + f.at_table(event, 1)[:2]:
        f.out(event, entry)
    table_break(Command(event=event, by=SYSTEM, at=f.after(6)), table=gone)
    with f.refused("table_gone", event):
        hand_begin(Command(event=event, by=SYSTEM, at=f.after(7)), table=gone)
    event_end(Command(event=event, by=SYSTEM, at=f.after(8)))
    with f.refused("over", event):
        tap(event, 9)


def test_arbiters_tap_and_the_desk_does_not(event):
    arno, desk = f.make_arno(event), f.make_desk(event)
    tap(event, 1, by=arno)
    with f.refused("not_allowed", event):
        tap(event, 2, by=desk)


def test_a_tap_is_taken_back_and_put_back(event):
    tap(event, 1)
    second = tap(event, 2.5)
    undone = f.undo(event, second, at=f.after(2.6))
    assert hands(event) == [1]
    f.undo(event, undone, at=f.after(2.7))
    assert hands(event) == [1, 2]


def test_a_tap_cannot_be_put_back_beside_the_one_made_instead(event):
    undone = f.undo(event, tap(event, 1), at=f.after(1.2))
    tap(event, 1.4)
    with f.refused("needed", event):
        action_undo(Command(event=event, by=SYSTEM, at=f.after(2)), action=undone)
    assert hands(event) == [1]


def test_arno_takes_back_his_own_tap_and_not_doras(event):
    arno, dora = f.make_arno(event), f.make_dora(event)
    f.undo(event, tap(event, 1, by=arno), by=arno, at=f.after(1.5))
    with f.refused("not_allowed"):
        action_undo(Command(event=event, by=arno, at=f.after(3)), action=tap(event, 2, by=dora))


def in_force(event, minute, number=1):
    return table_in_force(event, f.table_of(event, number), f.after(minute))


def test_the_answer_comes_with_its_reason(event):
    assert reason_of(in_force(event, 21)) == (
        "Noch nichts getippt: angesagt seit 19:20, gilt ab der nächsten Hand."
    )
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(20) - SECOND), table=f.table_of(event, 1))
    answer = in_force(event, 29)
    assert reason_of(answer) == (
        "Hand 1 begann um 19:19:59, vor Stufe 2; bis zu ihrem Ende gilt Stufe 1."
    )
    assert reason_of(in_force(event, 30)) == (
        "Seit Hand 1 um 19:19:59 wurde nichts getippt, und so lange dauert keine Hand: "
        "angenommen ist Stufe 2, wie angesagt."
    )
    assert level_in_words(answer.level, event) == "1 / 1"
    tap(event, 31)
    assert in_force(event, 31).level.number == 2
    assert "als Stufe 2 schon angesagt war" in reason_of(in_force(event, 31))
    # The answer for a past instant stays what it was.
    assert in_force(event, 29) == answer


def test_each_table_has_its_own_level(event):
    tap(event, 19)
    tap(event, 19, number=2)
    tap(event, 21, number=2)
    assert [number for number, _answer in tables_behind(event, f.after(22))] == [1]
    assert in_force(event, 22, 2).level.number == 2


def test_tables_behind_cost_the_same_in_a_large_hall(django_assert_num_queries):
    event = f.make_running_event(40, seats=5)
    for number in range(1, 9):
        tap(event, 19, number)
    with django_assert_num_queries(3):
        assert len(tables_behind(event, f.after(21))) == 8


def test_nobody_is_behind_before_the_start_without_taps_or_after_the_end(event):
    assert tables_behind(f.make_seated_event(4, name="Geplant"), f.after(0)) == []
    assert tables_behind(event, f.after(50)) == []
    tap(event, 19)
    event_end(Command(event=event, by=SYSTEM, at=f.after(30)))
    assert tables_behind(f.fresh(event), f.after(31)) == []


def test_an_undone_level_still_holds_for_the_hand_begun_under_it(event):
    wrong = clock_next_level(Command(event=event, by=SYSTEM, at=f.after(5)))
    tap(event, 5.5)
    f.undo(event, wrong, at=f.after(6))
    answer = in_force(event, 7)
    assert (answer.level.number, answer.announced.number) == (2, 1)
    assert answer.ground is Ground.HAND_BEFORE
    tap(event, 8)
    assert in_force(event, 8).level.number == 1


def test_before_the_start_the_first_hand_is_said():
    event = f.make_seated_event(4)
    answer = in_force(event, -1)
    assert "Die erste Hand wird mit Stufe 1 gespielt" in reason_of(answer)
    clock_start(Command(event=event, by=SYSTEM, at=f.after(0)))
    assert clock_history(f.fresh(event)).at(f.after(1)).has_started


def test_the_blinds_are_said_whole():
    event = f.make_running_event(4, limit="split_limit")
    assert level_in_words(in_force(event, 1).level, event) == "1 / 1 – 2"


# --- The counting table


@pytest.fixture
def by_hands():
    """An event whose first level lasts two hands of the first table."""
    event = f.make_seated_event(10, seats=5)
    Level.objects.filter(clock=event.clock, position=0).update(duration_ms=None, hands=2)
    clock_counting_table(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=1)
    clock_start(Command(event=event, by=SYSTEM, at=f.after(0)))
    return f.fresh(event)


def level(event, minute):
    return clock_state(event.clock, f.after(minute)).level.number


def test_a_level_of_two_hands_gives_way_as_the_third_begins(by_hands):
    tap(by_hands, 1)
    tap(by_hands, 2, number=2)
    tap(by_hands, 3)
    assert level(by_hands, 3) == 1
    action = tap(by_hands, 5)
    assert {"clock", "hands"} <= set(action.news["changed"])
    assert level(by_hands, 5) == 2
    assert in_force(by_hands, 5).level.number == 2
    assert in_force(by_hands, 5, 2).level.number == 1


def test_taking_a_counting_tap_back_takes_the_count_back(by_hands):
    tap(by_hands, 1)
    tap(by_hands, 3)
    undone = f.undo(by_hands, tap(by_hands, 5), at=f.after(5.5))
    assert level(by_hands, 6) == 1
    assert hands(by_hands) == [1, 2]
    with f.refused("cannot_redo", by_hands):
        action_undo(Command(event=by_hands, by=SYSTEM, at=f.after(7)), action=undone)
    tap(by_hands, 8)
    assert level(by_hands, 8) == 2


def test_the_last_hands_count_from_the_first_that_begins_after_the_announcement(event):
    clock_counting_table(Command(event=event, by=SYSTEM, at=f.after(0.5)), table=1)
    tap(event, 1)
    clock_last_hands(Command(event=event, by=SYSTEM, at=f.after(2)), hands=3)
    left = []
    for minute in (3, 5, 7):
        tap(event, minute)
        left.append(clock_state(event.clock, f.after(minute)).last_hands)
    assert left == [3, 2, 1]


def test_other_tables_and_levels_of_time_count_nothing(event, by_hands):
    clock_counting_table(Command(event=event, by=SYSTEM, at=f.after(0.5)), table=1)
    tap(event, 1)
    assert tap(event, 3).news["changed"] == ["hands"]
    tap(by_hands, 1, number=2)
    assert tap(by_hands, 3, number=2).news["changed"] == ["hands"]
