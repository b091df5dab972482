"""Heads counted near the money, "in the money", and the settings it rests on."""

import pytest

from tests import factories as f
from tests.bubble import begin, count_heads, first_round, in_the_money, make_event, report_all
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.models import Event, Seating
from tournaments.play.selectors.bubble import bubble_of, provisional_entries
from tournaments.play.services.bubble import heads_check, money_reach
from tournaments.post.selectors.announcements import announcement_payload

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three tables of three, seven are paid."""
    return make_event()


def test_star_sydney_in_the_money_only_when_every_table_was_counted_and_agrees(event):
    with f.refused("too_many_left", event) as caught:
        f.drive(money_reach, event, 30)
    assert "2 ausscheiden" in str(caught.value)
    in_the_money(event)
    with f.refused("tables_open", event) as caught:
        f.drive(money_reach, event, 30)
    assert "Tische 1, 2, 3" in str(caught.value)
    count_heads(event, t3=2)
    with f.refused("tables_differ", event) as caught:
        f.drive(money_reach, event, 31)
    assert "Tisch 3: 2 gezählt, 3 eingetragen" in str(caught.value)
    f.drive(heads_check, event, 32, table=f.table_of(event, 3), players=3, by=f.make_arno(event))
    f.assert_logged(event, "heads.checked", table=3, players=3)
    f.drive(money_reach, event, 33, by=f.make_dora())
    f.assert_logged(event, "money.reached", left=7, paid=7)
    assert bubble_of(event).is_reached
    assert "im Geld" in announcement_payload(f.fresh(event), f.after(33))["announcement"]["text"]
    with f.refused("already_reached", event):
        f.drive(money_reach, event, 34)
    f.undo(event)
    assert not bubble_of(event).is_reached


def test_a_count_holds_until_somebody_sits_down_or_leaves(event):
    f.out(event, f.at_table(event, 1)[0], at=f.after(20))
    count_heads(event, 21)
    assert bubble_of(event).open == []
    action = f.out(event, f.at_table(event, 2)[0], at=f.after(22))
    assert bubble_of(event).open == [2]
    f.undo(event, action, at=f.after(23))
    assert bubble_of(event).open == [2]
    f.drive(heads_check, event, 24, table=f.table_of(event, 2), players=3)
    assert bubble_of(event).open == []
    f.undo(event, at=f.after(25))
    assert bubble_of(event).open == [2]


def test_an_undo_of_an_undo_asks_for_the_heads_again(event):
    action = f.out(event, f.at_table(event, 2)[0], at=f.after(20))
    undone = f.undo(event, action, at=f.after(21))
    count_heads(event, 22)
    f.undo(event, undone, at=f.after(23))
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


def test_counts_that_cannot_be(event):
    table = f.table_of(event, 1)
    for players in (-1, 4):
        with f.refused("bad_count", event):
            f.drive(heads_check, event, 30, table=table, players=players)
    with f.refused("not_started"):
        planned = f.make_seated_event(4, seats=2, name="Geplant")
        f.drive(heads_check, planned, 30, table=f.table_of(planned, 1), players=2)


def test_not_in_the_money_while_a_hand_runs_or_somebody_sits_nowhere(event):
    with f.refused("paid_places_unknown"):
        f.drive(money_reach, make_event(paid=0, name="Ohne Preise"), 30)
    first_round(event)
    in_the_money(event)
    count_heads(event)
    with f.refused("round_open", event):
        f.drive(money_reach, event, 31)
    report_all(event, 1, 32)
    entry = f.at_table(event, 3)[0]
    Seating.objects.filter(entry=entry).update(voided_by=f.last_action(event))
    count_heads(event, 33)
    with f.refused("somebody_sits_nowhere", event):
        f.drive(money_reach, event, 34)


def test_near_the_money_is_a_tables_worth_above_it():
    event = make_event(12, 3, 7)
    assert not bubble_of(event).is_near
    f.out(event, f.at_table(event, 1)[0])
    bubble = bubble_of(event)
    assert (bubble.is_near, bubble.to_money, bubble.may_burst) == (True, 4, True)


def test_how_many_are_paid_is_fixed_once_hand_for_hand_was_announced(event):
    f.drive(event_update, event, 5, settings={"paid_places": 6})
    changed = f.last_action(event)
    begun = begin(event)
    for paid in (5, 8):
        with f.refused("fixed_at_the_bubble", event):
            f.drive(event_update, event, 11, settings={"paid_places": paid})
    with f.refused("fixed_at_the_bubble", event):
        f.undo(event, changed)
    f.undo(event, begun)
    f.drive(event_update, event, 95, settings={"paid_places": 5})
    assert f.fresh(event).paid_places == 5


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
    with f.refused(code, event):
        f.drive(event_update, event, 5, settings=own)


def test_a_copy_has_the_settings_of_late_play():
    source = make_event(redraw_at=[6, 4], final_table_seats=3)
    action = event_copy(ClubCommand(club=source.club, by=SYSTEM, at=f.after(5)), source=source)
    made = Event.objects.get(pk=action.payload["event"])
    assert (made.paid_places, made.redraw_at, made.final_table_seats) == (7, [6, 4], 3)


def test_asking_costs_the_same_in_every_field(django_assert_max_num_queries):
    event = make_event(30, 3, 7)
    begin(event)
    count_heads(event)
    with django_assert_max_num_queries(14):
        bubble_of(event)
    with django_assert_max_num_queries(6):
        found = provisional_entries(event)
    assert found == frozenset()
