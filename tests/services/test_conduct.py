"""Penalties that count down and go along, who is away; each with its refusals."""

from uuid import uuid4

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.at_tables import give, hand, move, seating
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.changes.access import SYSTEM
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Absence, Action, Penalty, PenaltyServed
from tournaments.play.services.conduct import (
    entry_leave,
    entry_return,
    penalty_give,
    penalty_serve,
    seating_arrive,
)
from tournaments.seating.selectors.conduct import (
    hands_are_tapped,
    marks_of,
    penalties_of,
    penalties_sat_out,
)
from tournaments.seating.selectors.layout import table_pictures

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_running_event(10, seats=6)


def left(entry):
    return [view.served.left for view in penalties_of([entry.pk]).get(entry.pk, [])]


def sits_out(event, entry):
    return marks_of(f.fresh(event)).get(entry.pk) is not None


# Penalties


def test_a_warning_is_kept_with_its_reason_outside_the_chain(event, entry):
    action = give(event, entry, kind="warning", amount=0, reason=" Umgangston ")
    f.assert_logged(event, "penalty.given", entry=entry.pk, outcome="warning", hands=0)
    assert "reason" not in action.payload
    (view,) = penalties_of([entry.pk])[entry.pk]
    assert (view.is_warning, view.reason, view.served.sits_out) == (True, "Umgangston", False)
    assert not sits_out(event, entry)


def test_tda_2024_71_rounds_are_hands_for_everybody_at_the_table_when_given(event, entry):
    f.out(event, f.at_table(event, 1)[4])
    give(event, entry, 6, kind="rounds", amount=2)
    f.assert_logged(event, "penalty.given", hands=8, rounds=2, outcome="hands")
    assert left(entry) == [8]


def test_tda_2024_71_tapped_hands_count_it_down(event, entry):
    hand(event, 0.5)
    give(event, entry, 1)
    assert left(entry) == [2]
    hand(event, 2)
    assert left(entry) == [1]
    hand(event, 4)
    assert left(entry) == [0]
    assert [view.penalty.entry_id for view in penalties_sat_out(event)] == [entry.pk]
    hand(event, 6)
    assert not penalties_sat_out(event)
    f.undo(event)
    assert sits_out(event, entry)


def test_a_penalty_follows_its_player_to_a_new_table(event, entry):
    give(event, entry, 1, amount=3)
    hand(event, 2)
    move(event, entry, 3)
    hand(event, 4, number=1)
    assert left(entry) == [2]
    hand(event, 5, number=2)
    assert left(entry) == [1]
    picture = table_pictures(f.fresh(event), f.after(2), [2])[0]
    assert [seat.mark.misses for seat in picture.seats if seat.entry == entry.pk] == [1]


def test_a_move_taken_back_was_none(event, entry):
    give(event, entry, 1, amount=5)
    move(event, entry, 2)
    hand(event, 3, number=2)
    assert left(entry) == [4]
    move_back = Action.objects.get(event=event, kind="seat.moved")
    f.undo(event, move_back, at=f.after(4))
    assert left(entry) == [5]
    hand(event, 5, number=1)
    assert left(entry) == [4]


def test_where_no_hands_are_tapped_staff_counts(event, entry):
    give(event, entry, 1)
    penalty = Penalty.objects.get()
    assert not hands_are_tapped(event, seating(entry).table_id, f.after(2))
    f.drive(penalty_serve, event, 2, penalty=penalty, left=2)
    f.assert_logged(event, "penalty.served", penalty=penalty.pk, left=1)
    with f.refused("overtaken", event):
        f.drive(penalty_serve, event, 3, penalty=penalty, left=2)
    f.drive(penalty_serve, event, 4, penalty=penalty, left=1)
    assert (left(entry), sits_out(event, entry)) == ([0], False)
    with f.refused("already_served", event):
        f.drive(penalty_serve, event, 5, penalty=penalty, left=1)
    f.undo(event)
    assert left(entry) == [1]


def test_a_table_where_hands_are_tapped_is_known(event, entry):
    hand(event, 1)
    table = seating(entry).table_id
    assert hands_are_tapped(event, table, f.after(9))
    assert not hands_are_tapped(event, table, f.after(30))


def test_a_penalty_taken_back_is_gone_with_what_was_counted(event, entry):
    action = give(event, entry)
    f.drive(penalty_serve, event, 2, penalty=Penalty.objects.get(), left=2)
    f.undo(event, action)
    assert not left(entry)
    assert not PenaltyServed.objects.live().exists()
    with f.refused("gone", event):
        f.drive(penalty_serve, event, 3, penalty=Penalty.objects.get(), left=2)


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"reason": "  "}, "no_reason"),
        ({"reason": "x" * 201}, "long_reason"),
        ({"amount": 0}, "bad_amount"),
        ({"amount": 51}, "bad_amount"),
        ({"kind": "rounds", "amount": 11}, "bad_amount"),
        ({"kind": "lashes"}, "bad_amount"),
    ],
)
def test_penalties_that_make_no_sense(event, entry, own, code):
    with f.refused(code, event):
        give(event, entry, **own)


def test_who_is_out_or_of_another_event_gets_no_penalty(event, entry):
    f.out(event, entry)
    with f.refused("already_out", event):
        give(event, entry, 6)
    stranger = f.entries_of(f.make_running_event(2, name="Anderes"))[0]
    with f.refused("not_here", event):
        give(event, stranger, 6)


def test_rounds_need_a_table():
    event = f.make_event(draw_mode="field")
    entry = f.check_in(event, f.register(event))
    with f.refused("not_seated", event):
        give(event, entry, kind="rounds", amount=1)
    give(event, entry, kind="hands", amount=1)


def test_arbiters_and_directors_penalise_and_nobody_else(event, entry):
    for who in (f.ZENO, f.petra_of(entry.registration), f.make_desk(event)):
        with f.refused("not_allowed", event):
            give(event, entry, by=who)
    give(event, entry, by=f.make_arno(event))
    give(event, entry, by=f.make_dora())


# Away


def test_krru_away_is_seen_and_timed_until_back(event, entry):
    arno = f.make_arno(event)
    f.drive(entry_leave, event, 3, entry=entry, by=arno)
    f.assert_logged(event, "entry.left", entry=entry.pk)
    assert marks_of(f.fresh(event))[entry.pk].away_since == f.after(3)
    with f.refused("already_away", event):
        f.drive(entry_leave, event, 4, entry=entry)
    f.drive(entry_return, event, 8, entry=entry, by=arno)
    f.assert_logged(event, "entry.returned", entry=entry.pk)
    assert not marks_of(f.fresh(event))
    with f.refused("not_away", event):
        f.drive(entry_return, event, 9, entry=entry)


def test_a_return_is_taken_back_unless_he_left_again(event, entry):
    f.drive(entry_leave, event, 3, entry=entry)
    back = f.drive(entry_return, event, 4, entry=entry)
    f.undo(event, back, at=f.after(5))
    assert Absence.objects.live().get().left_at == f.after(3)
    back = f.drive(entry_return, event, 6, entry=entry)
    f.drive(entry_leave, event, 7, entry=entry)
    with f.refused("needed", event):
        f.undo(event, back)


def test_taps_that_come_late_keep_their_order(event, entry):
    f.drive(entry_leave, event, 5, entry=entry)
    late = {"event": event, "by": SYSTEM, "entry": entry, "recorded_at": f.after(9)}
    with f.refused("overtaken", event):
        call_service(entry_return, at=f.after(4), **late)
    f.drive(entry_return, event, 7, entry=entry)
    with f.refused("overtaken", event):
        call_service(entry_leave, at=f.after(6), **late)


def test_who_has_no_seat_is_away_from_none(event, entry):
    f.out(event, entry)
    with f.refused("already_out", event):
        f.drive(entry_leave, event, 6, entry=entry)
    planned = f.make_event(draw_mode="field", name="Geplant")
    waiting = f.check_in(planned, f.register(planned))
    with f.refused("not_seated", planned):
        f.drive(entry_leave, planned, 1, entry=waiting)


def test_an_absence_goes_along_to_a_new_table_and_is_forgotten_with_an_out(event, entry):
    f.drive(entry_leave, event, 3, entry=entry)
    move(event, entry, 4)
    assert marks_of(f.fresh(event))[entry.pk].away_since
    action = f.out(event, entry, at=f.after(6))
    assert not marks_of(f.fresh(event))
    f.undo(event, action)
    assert marks_of(f.fresh(event))[entry.pk].away_since


def test_after_the_end_nothing_is_told(event, entry):
    f.drive(event_end, event, 9)
    calls = (
        (penalty_give, {"entry": entry, "kind": "warning", "reason": "x"}),
        (entry_leave, {"entry": entry}),
        (seating_arrive, {"seatings": [seating(entry)]}),
    )
    for service, own in calls:
        with f.refused("over", event):
            f.drive(service, event, 10, **own)


def test_the_same_tap_sent_twice_counts_once(event, entry):
    key = uuid4()
    for _time in range(2):
        give(event, entry, key=key)
    assert left(entry) == [2]


def test_what_is_marked_costs_the_same_in_every_field(django_assert_max_num_queries):
    event = f.make_running_event(30)
    for entry in f.at_table(event, 1)[:3]:
        give(event, entry)
        f.drive(entry_leave, event, 2, entry=entry)
    for entry in f.at_table(event, 2)[:2]:
        f.out(event, entry)
    for entry in f.at_table(event, 1)[3:5]:
        move(event, entry, 6)
    hand(event, 7)
    event = f.fresh(event)
    with django_assert_max_num_queries(8):
        assert len(marks_of(event)) == 5
    with django_assert_max_num_queries(8):
        assert len(marks_of(event, [entry.pk for entry in f.entries_of(event)][:40])) == 5


# Two at once


@pytest.mark.django_db(transaction=True)
def test_two_arbiters_count_the_same_hand_as_missed():
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    give(event, entry)
    own = {"penalty": Penalty.objects.get(), "left": 2}
    assert_one_effect(at_once(*[call(penalty_serve, event, **own)] * 3), "overtaken")
    assert left(entry) == [1]
    assert_sound(event)


@pytest.mark.django_db(transaction=True)
def test_two_arbiters_note_the_same_player_as_away_and_as_back():
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    assert_one_effect(at_once(*[call(entry_leave, event, entry=entry)] * 2), "already_away")
    assert_one_effect(at_once(*[call(entry_return, event, entry=entry)] * 2), "not_away")
    assert_sound(event)
