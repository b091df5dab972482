"""Moves by hand, swaps and suggestions: what is asked for, who moves, what takes a reason."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.dashboard.selectors.tables import why_move
from tournaments.event.domain.games import Game
from tournaments.models import Draw, Entry, Table
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.balancing import floor_advice, moves_so_far
from tournaments.seating.services.chairs import seat_lock
from tournaments.seating.services.tables import balance_step, entry_move, seats_swap

pytestmark = pytest.mark.django_db


def free(event, number):
    return next(seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values())


def carry_out(event, move, minute=10):
    return f.drive(
        balance_step,
        event,
        minute,
        entry=Entry(pk=move.entry),
        from_table=move.from_table,
        to_table=move.to_table,
        to_seat=move.to_seat,
    )


def test_a_move_the_procedure_asks_for_needs_no_reason_any_other_does():
    event = f.make_unbalanced_event()
    move = floor_advice(event, f.after(10)).moves[0]
    entry = Entry.objects.get(pk=move.entry)
    other = next(e for e in f.at_table(event, move.from_table) if e.pk != move.entry)
    own = {"event": event, "by": SYSTEM, "at": f.after(6), "table": f.table_of(event, 2)}
    seats = [seat for seat in range(1, 11) if (2, seat) not in f.seats(event).values()]
    wrong = next(seat for seat in seats if seat != move.to_seat)
    for changed, sentence in (
        ({"entry": other, "seat": move.to_seat}, "jemand anderes"),
        ({"entry": entry, "seat": wrong}, "anderen Platz"),
    ):
        with f.refused("reason_needed", event) as caught:
            call_service(entry_move, **own, **changed)
        assert sentence in str(caught.value)
        assert "Grund" in str(caught.value)
    call_service(entry_move, **own, entry=entry, seat=move.to_seat)
    assert f.seat_of(entry) == (2, move.to_seat)
    back = {**own, "table": f.table_of(event, 1), "seat": free(event, 1)}
    with f.refused("reason_needed", event):
        call_service(entry_move, **back, entry=entry)
    call_service(entry_move, **back, entry=entry, reason="doch nicht")
    moved = f.assert_logged(event, "seat.moved", entry=entry.pk, table=1, seat=back["seat"])
    assert moved.text.data["reason"] == "doch nicht"


def test_a_move_is_not_taken_back_once_the_seat_is_held_or_the_player_moved_on_or_is_out():
    event = f.make_running_event(4)
    first, second, third = f.entries_of(event)[:3]
    here = f.seat_of(first)[1]

    def to(entry, seat=None):
        own = {"table": f.table_of(event, 1), "seat": seat or free(event, 1), "reason": "Test"}
        return f.drive(entry_move, event, 1, entry=entry, **own)

    def stands_in_the_way(move, sentence):
        assert sentence in f.refuses("needed", f.undo, event, move)

    move = to(first)
    to(second, here)
    stands_in_the_way(move, "Spieler 002 umgesetzt")
    moves = [to(third), to(third)]
    stands_in_the_way(moves[0], "Spieler 003 umgesetzt")
    f.out(event, third)
    stands_in_the_way(moves[1], "Ausgeschieden: Spieler 003")


def test_moves_and_swaps_that_cannot_be_are_refused():
    event = f.make_running_event(4)
    first, second, gone = f.entries_of(event)[:3]
    f.out(event, gone)
    table, seat = f.table_of(event, 1), free(event, 1)
    for code, changed in (
        ("seat_unfit", {"seat": 0}),
        ("seat_unfit", {"seat": 11}),
        ("seat_unfit", {"seat": f.seat_of(second)[1]}),
        ("seat_unfit", {"seat": f.seat_of(first)[1]}),
        ("table_gone", {"table": Table(pk=0)}),
        ("overtaken", {"moved_from": (9, 9)}),
        ("not_seated", {"entry": Entry(pk=0)}),
    ):
        with f.refused(code, event):
            own = {"entry": first, "table": table, "seat": seat, **changed}
            f.drive(entry_move, event, 6, **own)
    for code, changed in (
        ("nobody", {"second": first}),
        ("not_seated", {"second": gone}),
        ("overtaken", {"places": (f.seat_of(first), (2, 9))}),
        ("reason_needed", {"reason": "  "}),
    ):
        with f.refused(code, event):
            own = {"first": first, "second": second, "reason": "Streit", **changed}
            f.drive(seats_swap, event, 6, **own)


def test_two_change_seats_in_one_step_and_back():
    event, dora = f.make_running_event(14), f.make_dora()
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    here, there = f.seat_of(one), f.seat_of(other)
    f.drive(
        seats_swap,
        event,
        1,
        by=dora,
        first=one,
        second=other,
        reason="Streit am Tisch",
        places=(here, there),
    )
    assert (f.seat_of(one), f.seat_of(other)) == (there, here)
    f.assert_logged(event, "seats.swapped", entries=[one.pk, other.pk])
    assert f.last_action(event).text.data["reason"] == "Streit am Tisch"
    undone = f.undo(event)
    assert (f.seat_of(one), f.seat_of(other)) == (here, there)
    f.undo(event, undone)
    assert (f.seat_of(one), f.seat_of(other)) == (there, here)


def test_tda_2024_11c_a_suggestion_says_why_these_two_tables():
    event = f.make_unbalanced_event()
    advice = floor_advice(event, f.after(10))
    lines = why_move(advice.moves[0], advice.transfers[0])
    assert lines[0] == "Beides ausgelost, weil die Buttons nicht bekannt sind."
    assert lines[1] == ("Tisch 1 gibt ab: mit 10 unter den größten, davon die niedrigste Nummer.")
    assert lines[2] == "Tisch 2 bekommt, weil er mit 7 der kleinste ist."
    assert lines[3] == "TDA 2024 11-C."  # drawn: 11-A had no part in it


def test_nobody_is_moved_twice_while_someone_else_could_have_been():
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    *moved, never = f.at_table(event, 1)
    for entry in moved:
        _number, seat = f.seat_of(entry)
        for number, to in ((2, free(event, 2)), (1, seat)):
            own = {"table": f.table_of(event, number), "seat": to, "reason": "Probe"}
            f.drive(entry_move, event, 6, entry=entry, **own)
    assert moves_so_far([entry.pk for entry in (*moved, never)]) == dict.fromkeys(
        [entry.pk for entry in moved], 2
    )
    assert floor_advice(event, f.after(10)).moves[0].entry == never.pk
    f.undo(event)
    assert moves_so_far([moved[-1].pk])[moved[-1].pk] == 1


def test_tda_2024_11a_stud_the_last_seat_opened_is_filled():
    event = f.make_running_event(16, seats=8, game=Game.STUD, limit="split_limit")
    first, second = f.at_table(event, 2)[:2]
    f.out(event, first, at=f.after(5))
    table, seat = f.seat_of(second)
    f.out(event, second, at=f.after(6))
    move = floor_advice(event, f.after(10)).moves[0]
    assert (move.to_table, move.to_seat) == (table, seat)
    assert (move.from_seat, move.reason_code) == (seat, "position.last_opened")
    assert move.lots == ()
    carry_out(event, move)
    assert f.seat_of(Entry(pk=move.entry)) == (table, seat)
    f.assert_logged(event, "seat.balanced", rule="position.last_opened")
    assert not Draw.objects.filter(event=event, kind="balance").exists()


def test_tda_2024_11a_in_mixed_games_the_next_big_blind_moves_also_while_stud_is_played():
    event = f.make_running_event(16, seats=8)
    f.drive(hand_begin, event, 1, table=f.table_of(event, 1), button=1)
    for entry in f.at_table(event, 2)[:2]:
        f.out(event, entry, at=f.after(2))
    before = floor_advice(f.fresh(event), f.after(10)).moves[0]
    Level.objects.filter(clock=event.clock, position=0).update(game="Razz")
    tapped = Command(event=f.fresh(event), by=SYSTEM, at=f.after(4))
    hand_begin(tapped, table=f.table_of(event, 1))
    move = floor_advice(f.fresh(event), f.after(10)).moves[0]
    # The button was frozen at seat 1 (TDA 2024 11-B): after this hand it goes on to seat 2, the
    # blinds to 3 and 4, as if the hand of stud had not been.
    assert (move.entry, move.from_seat) == (before.entry, before.from_seat)
    assert move.from_seat == 4
    assert not move.reason_code.startswith("position.")
    carry_out(event, move)


def tap(event, minute, number=1, **own):
    f.drive(hand_begin, event, minute, table=f.table_of(event, number), **own)


def test_a_player_on_a_locked_seat_stays():
    """Case 12-fester-platz: the next one moves, and the lock is said."""
    event = f.make_running_event(12, seats=6)
    table = f.table_of(event, 1)
    f.drive(seat_lock, event, 1, table=table, seat=3, reason="Rollstuhl")
    f.out(event, *f.at_table(event, 2)[:2], at=f.after(2))
    tap(event, 3, button=6)
    advice = floor_advice(f.fresh(event), f.after(4))
    move = advice.moves[0]
    assert move.from_seat == 4
    assert "gesperrten Platz" in " ".join(why_move(move, advice.transfers[0]))


def test_the_button_is_frozen_while_stud_is_played():
    """Case X3 (TDA 2024 11-B): the next big blind by the frozen button moves."""
    event = f.make_running_event(20, seats=10, preset="tda-2024")
    Level.objects.filter(clock=event.clock, position=1).update(game="Seven Card Stud")
    for minute in range(1, 20, 2):
        tap(event, minute, **({"button": 1} if minute == 1 else {}))
    f.out(event, *f.at_table(event, 2)[:3], at=f.after(37.5))
    move = floor_advice(f.fresh(event), f.after(38.5)).moves[0]
    assert (move.from_table, move.from_seat) == (1, 3)
    assert move.reason_code.startswith("next_big_blind.")
    assert move.asks == ()
