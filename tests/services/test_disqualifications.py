"""Disqualified: only by the director, with a reason, and the stack leaves play."""

import pytest

from tests import bubble
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.event.selectors.event import chips_in_play, players_left
from tournaments.play.selectors.ranking import place_of, standings
from tournaments.play.services.elimination_details import elimination_correct, out_disqualify
from tournaments.play.services.eliminations import disqualification_count, entry_disqualify
from tournaments.seating.services.tables import entry_move
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db

LATER = f.after(5)


@pytest.fixture
def event():
    return f.make_running_event(5)


def test_krru_3_only_the_director_disqualifies(event):
    entry = f.entries_of(event)[0]
    own = {"event": event, "at": f.after(5), "entry": entry, "reason": "Chips eingesteckt"}
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        with f.refused("not_allowed", event):
            call_service(entry_disqualify, **own, by=who)


def test_tda_2024_71_a_disqualified_stack_leaves_play(event):
    entry = f.entries_of(event)[0]
    own = {"event": event, "by": f.make_dora(), "at": f.after(5), "entry": entry}
    call_service(entry_disqualify, **own, reason="Chips eingesteckt", stack=250)
    f.assert_logged(event, "entry.disqualified", entries=[entry.pk], stack=250)
    assert f.last_action(event).text.data["reason"] == "Chips eingesteckt"
    assert chips_in_play(event) == (750, True)
    assert place_of(event, entry) == 5
    assert next(line for line in standings(event) if line.entry == entry.pk).is_disqualified
    f.undo(event)
    assert (chips_in_play(event), players_left(event)) == ((1000, True), 5)


def test_an_uncounted_stack_makes_the_figure_uncertain_until_it_is_counted(event):
    entry = f.entries_of(event)[0]
    own = {"event": event, "by": SYSTEM, "at": f.after(5), "entry": entry}
    gone = call_service(entry_disqualify, **own, reason="Chips eingesteckt")
    assert chips_in_play(event) == (1000, False)
    call_service(disqualification_count, **own, stack=130)
    f.assert_logged(event, "disqualification.counted", entry=entry.pk, stack=130)
    assert chips_in_play(event) == (870, True)
    with f.refused("already_counted", event):
        call_service(disqualification_count, **own, stack=130)
    with f.refused("needed", event) as caught:
        f.undo(event, gone)
    assert "Stapel gezählt: Spieler 001" in str(caught.value)
    f.undo(event)
    assert chips_in_play(event) == (1000, False)
    f.undo(event, gone)
    assert chips_in_play(event) == (1000, True)


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"reason": "  "}, "no_reason"),
        ({"reason": "x", "stack": 1001}, "bad_stack"),
        ({"reason": "x", "stack": -1}, "bad_stack"),
    ],
)
def test_a_disqualification_says_why_and_counts_right(event, own, code):
    with f.refused(code, event):
        call_service(
            entry_disqualify,
            event=event,
            by=SYSTEM,
            at=f.after(5),
            entry=f.entries_of(event)[0],
            **own,
        )


def test_a_count_is_of_chips_that_can_be_there(event):
    own = {"event": event, "by": SYSTEM, "at": f.after(5), "entry": f.entries_of(event)[0]}
    with f.refused("already_counted", event):
        call_service(disqualification_count, **own, stack=5)
    call_service(entry_disqualify, **own, reason="Test")
    with f.refused("bad_stack", event):
        call_service(disqualification_count, **own, stack=1001)


def test_taken_back_after_the_seat_was_given_away_the_player_gets_another():
    event = f.make_running_event(6)
    entry, other = f.entries_of(event)[:2]
    seating = entry.seatings.live().get()
    own = {"event": event, "by": SYSTEM}
    gone = call_service(
        entry_disqualify, **own, at=f.after(5), entry=entry, reason="Karten gezeigt"
    )
    to = {"table": seating.table, "seat": seating.seat, "reason": "Sieht schlecht"}
    call_service(entry_move, **own, at=f.after(6), entry=other, **to)
    call_service(action_undo, **own, at=f.after(7), action=gone)
    assert f.seat_of(entry) not in (None, f.seat_of(other))


def test_tda_2024_71_who_is_out_already_keeps_the_place_and_no_chips_leave(event):
    entry, other = f.entries_of(event)[:2]
    f.out(event, entry, at=f.after(4))
    f.out(event, other, at=f.after(6))
    action = f.drive(out_disqualify, event, 10, entry=entry, reason="Chips eingesteckt")
    f.assert_logged(event, "out.disqualified", entries=[entry.pk])
    assert f.last_action(event).text.data["reason"] == "Chips eingesteckt"
    assert (place_of(event, entry), place_of(event, other)) == (5, 4)
    assert chips_in_play(event) == (1000, True)
    assert next(line for line in standings(event) if line.entry == entry.pk).is_disqualified
    with f.refused("cannot_disqualify", event):
        f.drive(out_disqualify, event, 11, entry=entry, reason="Noch einmal")
    f.undo(event, action)
    assert not next(line for line in standings(event) if line.entry == entry.pk).is_disqualified


def test_disqualified_afterwards_he_stays_in_the_hand_he_went_out_in():
    event = bubble.make_event()
    bubble.begin(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(11))
    f.out(event, two, at=f.after(12))
    f.drive(out_disqualify, event, 13, entry=one, reason="Chips eingesteckt")
    assert bubble.places(event) == {one.number: 8, two.number: 8}
    row = one.eliminations.get(voided_by=None)
    f.drive(elimination_correct, event, 14, eliminations=[row], to=f.after(11.5))
    assert bubble.places(event) == {one.number: 8, two.number: 8}


def test_who_cannot_be_disqualified_afterwards(event):
    one, two = f.entries_of(event)[:2]
    with f.refused("cannot_disqualify", event):
        f.drive(out_disqualify, event, 5, entry=one, reason="Test")
    f.out(event, two)
    with f.refused("no_reason", event):
        f.drive(out_disqualify, event, 6, entry=two, reason=" ")
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        with f.refused("not_allowed", event):
            f.drive(out_disqualify, event, 6, by=who, entry=two, reason="Test")
