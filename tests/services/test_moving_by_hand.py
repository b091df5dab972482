"""Moves by hand, swaps, redraws, stud: what the procedure asks for, and what takes a reason."""

import pytest

from clock.models import Level
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.dashboard.selectors.tables import why_move
from tournaments.event.domain.games import Game
from tournaments.models import Draw, Entry, Event
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.balancing import floor_advice, moves_so_far
from tournaments.seating.services.tables import (
    balance_step,
    entry_move,
    final_table_draw,
    seats_swap,
    table_break,
    tables_redraw,
)

pytestmark = pytest.mark.django_db


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


def settings(event, **values):
    Event.objects.filter(pk=event.pk).update(**values)
    return f.fresh(event)


# By hand


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


def free(event, number):
    return next(seat for seat in range(1, 11) if (number, seat) not in f.seats(event).values())


def test_two_change_seats_in_one_step_and_back():
    event, dora = f.make_running_event(14), f.make_dora()
    one, other = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    here, there = f.seat_of(one), f.seat_of(other)
    seats_swap(
        Command(event=event, by=dora, at=f.after(1)),
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


def test_a_swap_that_cannot_be_is_refused():
    event = f.make_running_event(14)
    one, other, gone = f.at_table(event, 1)[:3]
    f.out(event, gone)
    own = {"event": event, "by": SYSTEM, "at": f.after(6), "first": one, "reason": "Streit"}
    places = (f.seat_of(one), (2, 9))
    with f.refused("nobody", event):
        call_service(seats_swap, **own, second=one)
    with f.refused("not_seated", event):
        call_service(seats_swap, **own, second=gone)
    with f.refused("overtaken", event):
        call_service(seats_swap, **own, second=other, places=places)
    with f.refused("reason_needed", event):
        call_service(seats_swap, **{**own, "reason": "  "}, second=other)
    with f.refused("not_allowed", event):
        call_service(seats_swap, **{**own, "by": f.make_arno(event)}, second=other)


# Breaking by choice, and two directors at once


def test_a_table_out_of_the_published_order_takes_a_reason():
    event = f.make_running_event(24)
    for number in (1, 2):
        for entry in f.at_table(event, number)[:2]:
            f.out(event, entry)
    said = {"event": event, "by": SYSTEM, "at": f.after(9), "table": f.table_of(event, 1)}
    with f.refused("reason_needed", event) as caught:
        call_service(table_break, **said)
    assert "Tisch 3 der nächste" in str(caught.value)
    call_service(table_break, **said, reason="Tisch wird gebraucht")
    assert sorted(f.sizes(event)) == [2, 3]
    assert f.last_action(event).text.data["reason"] == "Tisch wird gebraucht"


def test_two_directors_break_the_same_table():
    event, dora, dirk = f.make_running_event(20), f.make_dora(), f.make_dora()
    for entry in [*f.at_table(event, 1)[:5], *f.at_table(event, 2)[:5]]:
        f.out(event, entry)
    table = f.table_of(event, 2)
    table_break(Command(event=event, by=dora, at=f.after(9)), table=table)
    with f.refused("table_gone", event) as caught:
        table_break(Command(event=event, by=dirk, at=f.after(9)), table=table)
    assert "gibt es nicht mehr" in str(caught.value)


# Suggestions


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
    moved = f.at_table(event, 1)[:9]
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    for entry in moved:
        _number, seat = f.seat_of(entry)
        seats = {"table": f.table_of(event, 2), "seat": free(event, 2)}
        f.drive(entry_move, event, 6, entry=entry, **seats, reason="Probe")
        back = {"table": f.table_of(event, 1), "seat": seat}
        f.drive(entry_move, event, 6, entry=entry, **back, reason="Probe")
    never = next(e for e in f.at_table(event, 1) if e not in moved)
    assert moves_so_far([entry.pk for entry in f.at_table(event, 1)]) == {
        entry.pk: 2 for entry in moved
    }
    assert floor_advice(event, f.after(10)).moves[0].entry == never.pk
    f.undo(event)
    assert moves_so_far([moved[-1].pk])[moved[-1].pk] == 1


def test_a_drawn_move_is_kept_with_the_lots_it_was_drawn_among():
    event = f.make_unbalanced_event()
    move = floor_advice(event, f.after(10)).moves[0]
    carry_out(event, move)
    draw = Draw.objects.latest("number")
    assert tuple(draw.items) == move.lots
    assert f"entry:{move.entry}" in draw.items


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
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(1)), table=f.table_of(event, 1), button=1)
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


# Redraws and the final table


def test_a_redraw_at_its_number_seats_all_anew_over_the_fewest_tables():
    event = settings(f.make_running_event(30), redraw_at=[18, 9])
    assert floor_advice(event, f.after(10)).redraws_at is None
    for number in (1, 2, 3):
        for entry in f.at_table(event, number)[:4]:
            f.out(event, entry)
    assert floor_advice(event, f.after(10)).redraws_at == 18
    before = f.seats(event)
    action = f.drive(tables_redraw, event, 9, by=f.make_dora(event))
    f.assert_logged(event, "tables.redrawn", entries=18, closed=[3])
    assert f.sizes(event) == {1: 9, 2: 9}
    moved = {pk: (table, seat) for pk, table, seat in action.payload["moves"]}
    assert moved.items() <= f.seats(event).items()
    advice = floor_advice(event, f.after(10))
    assert (advice.redraws_at, advice.moves, advice.breaks_table) == (None, (), None)
    undone = f.undo(event)
    assert f.seats(event) == before
    assert floor_advice(event, f.after(10)).redraws_at == 18
    f.undo(event, undone)
    assert f.sizes(event) == {1: 9, 2: 9}


def test_a_redraw_that_cannot_be_is_refused():
    planned = f.make_seated_event(4)
    with f.refused("cannot_redraw", planned):
        tables_redraw(Command(event=planned, by=SYSTEM, at=f.ARRIVAL))
    event = f.make_running_event(3, name="Klein")
    f.out(event, *f.at_table(event, 1)[:2])
    with f.refused("cannot_redraw", event):
        f.drive(tables_redraw, event, 9)
    with f.refused("not_allowed", event):
        f.drive(tables_redraw, event, 9, by=f.make_arno(event))


def test_the_final_table_has_the_seats_that_were_set():
    event = settings(f.make_running_event(11), final_table_seats=6)
    for entry in f.entries_of(event)[:4]:
        f.out(event, entry)
    assert not floor_advice(event, f.after(10)).draws_final
    with f.refused("cannot_draw_final", event) as caught:
        f.drive(final_table_draw, event, 9)
    assert "hat 6 Plätze" in str(caught.value)
    f.out(event, next(e for e in f.entries_of(event) if f.seat_of(e)))
    assert floor_advice(event, f.after(10)).draws_final
    f.drive(final_table_draw, event, 9)
    assert f.table_of(event, 1).seats == 6


def test_what_a_page_is_told_costs_no_more_in_a_larger_hall(django_assert_max_num_queries):
    event = f.make_unbalanced_event(50)
    with django_assert_max_num_queries(16):
        assert floor_advice(event, f.after(10)).moves
