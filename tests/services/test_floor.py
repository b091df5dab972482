"""Tables opened, closed, broken; players moved; the final table. Only the director does that."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Entry, Table
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.tables import (
    balance_step,
    entry_move,
    final_table_draw,
    table_break,
    table_close,
    table_open,
)

pytestmark = pytest.mark.django_db

WHY = {"reason": "saß falsch"}


def free_seat(event, number):
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, number)}
    return next(seat for seat in range(1, 11) if seat not in taken)


def test_tables_are_opened_and_closed_and_both_taken_back():
    event, dora = f.make_seated_event(4), f.make_dora()
    table_open(Command(event=event, by=dora, at=f.START), count=2)
    f.assert_logged(event, "table.opened", tables_opened=[2, 3])
    table_close(Command(event=event, by=dora, at=f.START), table=f.table_of(event, 3))
    f.assert_logged(event, "table.closed", table=3)
    assert f.sizes(event) == {1: 4, 2: 0}
    f.undo(event)
    assert f.sizes(event) == {1: 4, 2: 0, 3: 0}
    with f.refused("table_gone", event):
        table_close(Command(event=event, by=dora, at=f.START), table=Table(pk=0))


@pytest.mark.parametrize("count", [0, 1201])
def test_no_more_tables_than_a_hall_holds(count):
    event = f.make_event()
    with f.refused("bad_count", event):
        table_open(Command(event=event, by=SYSTEM, at=f.START), count=count)


def test_a_table_somebody_sits_at_is_not_closed():
    event = f.make_seated_event(4)
    with f.refused("not_empty", event):
        table_close(Command(event=event, by=SYSTEM, at=f.START), table=f.table_of(event, 1))


def test_an_opened_table_is_not_taken_back_while_somebody_sits_there():
    event = f.make_running_event(4)
    opened = table_open(Command(event=event, by=SYSTEM, at=f.START))
    entry = f.entries_of(event)[0]
    table = f.table_of(event, 2)
    call_service(
        entry_move, event=event, by=SYSTEM, at=f.START, entry=entry, table=table, seat=1, **WHY
    )
    with f.refused("needed", event) as caught:
        f.undo(event, opened)
    assert "Spieler 001 umgesetzt: Tisch 2, Platz 1" in str(caught.value)


def test_a_move_and_back_and_forth():
    event, dora = f.make_running_event(12), f.make_dora()
    entry = f.at_table(event, 1)[0]
    here, seat = f.seat_of(entry), free_seat(event, 2)
    move = entry_move(
        Command(event=event, by=dora, at=f.after(1)),
        entry=entry,
        table=f.table_of(event, 2),
        seat=seat,
        reason="sieht schlecht",
        moved_from=here,
    )
    assert f.seat_of(entry) == (2, seat)
    f.assert_logged(event, "seat.moved", entry=entry.pk, table=2, seat=seat)
    assert f.last_action(event).text.data["reason"] == "sieht schlecht"
    undone = f.undo(event, move, by=dora)
    assert f.seat_of(entry) == here
    f.undo(event, undone)
    assert f.seat_of(entry) == (2, seat)


def test_a_move_is_not_taken_back_when_the_old_seat_is_held():
    event = f.make_running_event(4)
    first, second = f.entries_of(event)[:2]
    table, here = f.table_of(event, 1), f.seat_of(first)
    said = {"event": event, "by": SYSTEM, "table": table, **WHY}
    move = call_service(entry_move, **said, at=f.after(1), entry=first, seat=free_seat(event, 1))
    call_service(entry_move, **said, at=f.after(2), entry=second, seat=here[1])
    with f.refused("needed", event) as caught:
        f.undo(event, move)
    assert "Spieler 002 umgesetzt" in str(caught.value)


def test_a_move_is_not_taken_back_once_the_player_moved_on_or_is_out():
    event = f.make_running_event(4)
    first, second = f.entries_of(event)[:2]
    own = {"event": event, "by": SYSTEM, "at": f.after(1), "table": f.table_of(event, 1), **WHY}
    move = call_service(entry_move, **own, entry=first, seat=free_seat(event, 1))
    call_service(entry_move, **own, entry=first, seat=free_seat(event, 1))
    with f.refused("needed", event):
        f.undo(event, move)
    move = call_service(entry_move, **own, entry=second, seat=free_seat(event, 1))
    f.out(event, second)
    with f.refused("needed", event) as caught:
        f.undo(event, move)
    assert "Ausgeschieden: Spieler 002" in str(caught.value)


def test_a_move_goes_to_a_free_seat_that_is_there():
    event = f.make_running_event(4)
    first, second = f.entries_of(event)[:2]
    own = {"event": event, "by": SYSTEM, "at": f.after(1), "entry": first}
    table = f.table_of(event, 1)
    for seat in (0, 11, f.seat_of(second)[1], f.seat_of(first)[1]):
        with f.refused("seat_unfit", event):
            call_service(entry_move, **own, table=table, seat=seat)
    with f.refused("table_gone", event):
        call_service(entry_move, **own, table=Table(pk=0), seat=1)
    with f.refused("overtaken", event):
        call_service(entry_move, **own, table=table, seat=free_seat(event, 1), moved_from=(9, 9))
    with f.refused("not_seated", event):
        call_service(entry_move, **{**own, "entry": Entry(pk=0)}, table=table, seat=1)


def test_krru_3_only_the_director_moves_people():
    event = f.make_running_event(12)
    entry, table = f.at_table(event, 1)[0], f.table_of(event, 2)
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        own = {"event": event, "by": who, "at": f.after(1)}
        with f.refused("not_allowed", event):
            call_service(entry_move, **own, entry=entry, table=table, seat=free_seat(event, 2))
        with f.refused("not_allowed", event):
            call_service(table_break, **own, table=table)
        with f.refused("not_allowed", event):
            call_service(final_table_draw, **own)
        with f.refused("not_allowed", event):
            call_service(table_open, **own)


def carry_out(event, move, **changed):
    own = {
        "entry": Entry(pk=move.entry),
        "from_table": move.from_table,
        "to_table": move.to_table,
        "to_seat": move.to_seat,
        **changed,
    }
    return call_service(balance_step, event=event, by=SYSTEM, at=f.after(10), **own)


def test_tda_2024_11c_suggested_moves_are_carried_out_in_their_order():
    event = f.make_unbalanced_event()
    advice = floor_advice(event, f.after(10))
    assert advice.moves_in_all == len(advice.moves) == 2
    first = carry_out(event, advice.moves[0])
    f.assert_logged(event, "seat.balanced", rule="drawn.drawn", table=2)
    carry_out(event, advice.moves[1])
    assert f.sizes(event) == {1: 9, 2: 9, 3: 9}
    assert floor_advice(event, f.after(10)).moves == ()
    f.undo(event)
    f.undo(event, first)
    assert f.sizes(event) == {1: 10, 2: 7, 3: 10}


def test_a_suggestion_that_was_overtaken_is_refused():
    event = f.make_unbalanced_event()
    move = floor_advice(event, f.after(10)).moves[0]
    other = next(e for e in f.at_table(event, move.from_table) if e.pk != move.entry)
    for changed in ({"entry": other}, {"to_seat": move.to_seat % 10 + 1}, {"from_table": 3}):
        with f.refused("overtaken", event):
            carry_out(event, move, **changed)
    f.out(event, Entry.objects.get(pk=move.entry))
    with f.refused("overtaken", event):
        carry_out(event, move)


def test_a_closed_table_put_back_and_used_is_not_closed_again_by_an_undo():
    event = f.make_running_event(4)
    table_open(Command(event=event, by=SYSTEM, at=f.after(1)))
    table = f.table_of(event, 2)
    undone = f.undo(event, table_close(Command(event=event, by=SYSTEM, at=f.after(2)), table=table))
    entry = f.entries_of(event)[0]
    call_service(
        entry_move, event=event, by=SYSTEM, at=f.after(3), entry=entry, table=table, seat=1, **WHY
    )
    with f.refused("needed", event) as caught:
        f.undo(event, undone)
    assert "Spieler 001 umgesetzt: Tisch 2, Platz 1" in str(caught.value)
