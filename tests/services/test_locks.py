"""Locked seats, people kept apart, and tables that are far short."""

import hashlib

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.dealing import carry_out
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_start
from tournaments.models import Action, Draw, Event, KeepApart, SeatLock, Table
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.draw_inputs import wishes_kept
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.selectors.layout import table_pictures
from tournaments.seating.selectors.tables import (
    free_seats,
    table_counts,
    table_far_short,
    tables_far_short,
)
from tournaments.seating.services.chairs import (
    keep_apart_drop,
    keep_apart_wish,
    seat_lock,
    seat_unlock,
    table_halt,
)
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import (
    entry_move,
    final_table_draw,
    table_break,
    table_open,
    tables_redraw,
)

pytestmark = pytest.mark.django_db


def lock(event, number, *seats, at=f.ARRIVAL):
    own = {"event": event, "by": SYSTEM, "at": at, "reason": "Stuhl kaputt"}
    for seat in seats:
        call_service(seat_lock, **own, table=f.table_of(event, number), seat=seat)


def free_of(event, number):
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, number)}
    return [seat for seat in range(1, 11) if seat not in taken]


def all_agree(event):
    shown = draw_pictures(event, list(draws_of(event)), to_staff=True)
    assert [picture.number for picture in shown if picture.agrees is not True] == []
    return shown


def test_a_seat_is_locked_with_its_reason_and_back():
    event, dora = f.make_seated_event(4), f.make_dora()
    free, own = free_of(event, 1), {"by": dora, "table": f.table_of(event, 1)}
    f.drive(seat_lock, event, -60, **own, seat=free[0], reason=" Stuhl kaputt ")
    f.assert_logged(event, "seat.locked", table=1, seat=free[0])
    assert f.last_action(event).text.data["reason"] == "Stuhl kaputt"
    assert free_seats(event)[1] == free[1:]
    assert table_counts(event) == [TableCount(1, 4, 9)]
    [picture] = table_pictures(event, f.START)
    assert [seat.seat for seat in picture.seats if seat.is_locked] == free[:1]
    unlocked = f.drive(seat_unlock, event, -60, **own, seat=free[0])
    f.assert_logged(event, "seat.unlocked", table=1, seat=free[0])
    assert free_seats(event)[1] == free
    f.undo(event)
    assert free_seats(event)[1] == free[1:]
    unlocked = f.drive(seat_unlock, event, 91, **own, seat=free[0])
    lock(event, 1, free[0], at=f.after(92))
    f.refuses("needed", f.undo, event, unlocked)


def test_a_lock_that_cannot_be_is_refused():
    event = f.make_seated_event(4)
    here = f.table_of(event, 1)
    lock(event, 1, 2)
    for code, table, seat, reason in (
        ("seat_unfit", here, 0, "Stuhl kaputt"),
        ("seat_unfit", here, 11, "Stuhl kaputt"),
        ("no_reason", here, 1, "  "),
        ("already_locked", here, 2, "Stuhl kaputt"),
        ("table_gone", Table(pk=0), 1, "Stuhl kaputt"),
    ):
        f.refuses(code, seat_lock, event, -60, table=table, seat=seat, reason=reason)
    f.refuses("not_locked", seat_unlock, event, -60, table=here, seat=1)


def test_who_sits_on_a_locked_seat_stays_and_nobody_follows_him():
    event = f.make_running_event(10)
    entry = f.at_table(event, 1)[2]
    _table, seat = f.seat_of(entry)
    lock(event, 1, seat)
    assert table_counts(event) == [TableCount(1, 10, 10)]
    f.out(event, entry)
    assert table_counts(event) == [TableCount(1, 9, 9)]
    f.check_in(event, f.register(event, "Walter Spät", at=f.after(6)), at=f.after(6))
    assert f.sizes(event) == {1: 9, 2: 1}


def test_no_draw_gives_a_locked_seat_and_each_can_be_recomputed():
    event = f.make_event(draw_mode=Event.DrawMode.FIELD)
    for number in range(23):
        f.check_in(event, f.register(event, f"Spieler {number:02}"))
    f.drive(table_open, event, -60, count=3)
    lock(event, 1, 1, 2)
    lock(event, 3, 10)
    f.drive(seats_draw, event, -60)
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    for entry in [*f.at_table(event, 3)[:4], *f.at_table(event, 1)[:2], *f.at_table(event, 2)[:2]]:
        f.out(event, entry)
    f.drive(table_break, event, 10, table=f.table_of(event, 3))
    f.check_in(event, f.register(event, "Walter Spät", at=f.after(11)), at=f.after(11))
    f.drive(tables_redraw, event, 12)
    shut = {(1, 1), (1, 2)}
    assert shut.isdisjoint(f.seats(event).values())
    found = all_agree(event)
    assert {picture.kind for picture in found} == {"field", "break", "seat", "redraw"}
    drawn = {(row["table"], row["seat"]) for picture in found for row in picture.outcome}
    assert (shut | {(3, 10)}).isdisjoint(drawn)


def test_no_suggestion_gives_a_locked_seat_and_by_hand_it_takes_a_reason():
    event = f.make_unbalanced_event()
    free, table = free_of(event, 2), f.table_of(event, 2)
    lock(event, 2, *free[:2], at=f.after(6))
    [move] = floor_advice(event, f.after(10)).moves
    assert move.to_seat == free[2]
    entry = next(one for one in f.entries_of(event) if one.pk == move.entry)
    own = {"entry": entry, "table": table, "seat": free[0]}
    assert "gesperrt" in f.refuses("reason_needed", entry_move, event, 7, **own)
    f.drive(entry_move, event, 7, **own, reason="kommt mit Rollstuhl")
    assert f.seat_of(entry) == (2, free[0])
    assert SeatLock.objects.live().filter(table__number=2).count() == 2


# Kept apart


def wish(event, one, other, at=f.ARRIVAL, by=SYSTEM):
    first, second = one.registration, other.registration
    return keep_apart_wish(Command(event=event, by=by, at=at), first=first, second=second)


def test_a_wish_is_made_refused_dropped_and_taken_back():
    event, elsewhere = f.make_seated_event(4), f.make_seated_event(2, name="Anderswo")
    one, other = f.entries_of(event)[:2]
    gone = f.register(event, "Weg Wieder")
    f.drive(registration_withdraw, event, -60, registration=gone)
    for code, first, second in (
        ("nobody", one.registration, one.registration),
        ("gone", one.registration, f.entries_of(elsewhere)[0].registration),
        ("gone", one.registration, gone),
    ):
        f.refuses(code, keep_apart_wish, event, -60, first=first, second=second)
    wish(event, other, one, by=f.make_desk(event))
    row = KeepApart.objects.get()
    f.assert_logged(event, "keep_apart.wished", wish=row.pk)
    f.refuses("already_wished", wish, event, one, other)
    f.drive(keep_apart_drop, event, -60, wish=row)
    f.assert_logged(event, "keep_apart.dropped", wish=row.pk)
    f.refuses("gone", keep_apart_drop, event, -60, wish=row)
    f.undo(event)
    assert KeepApart.objects.live().count() == 1


def test_every_draw_keeps_two_apart_while_there_is_another_way():
    event = f.make_event(draw_mode=Event.DrawMode.FIELD, draw_secret="02" * 32, seats=6)
    for number in range(18):
        f.check_in(event, f.register(event, f"Spieler {number:02}"))
    one, other, third = f.entries_of(event)[:3]
    wish(event, one, other)
    wish(event, one, third)

    def apart():
        tables = [f.seat_of(entry)[0] for entry in (one, other, third)]
        return tables[0] not in tables[1:]

    f.drive(seats_draw, event, -60)
    assert apart()
    f.drive(clock_start, event, 0)
    event = f.fresh(event)
    for number in (1, 2, 3):
        staying = [e for e in f.at_table(event, number) if e not in (one, other, third)]
        for entry in staying[:2]:
            f.out(event, entry)
    # Not his own table: with one of the others at each of those that stay there is no other way.
    number = next(number for number in (3, 2) if f.seat_of(one)[0] != number)
    f.drive(table_break, event, 9, table=f.table_of(event, number), reason="auf Wunsch")
    assert apart()
    f.drive(tables_redraw, event, 10)
    assert apart()
    all_agree(event)


def test_a_late_seat_is_drawn_at_another_table_while_one_has_room():
    event = f.make_running_event(13, seats=8)
    late = f.register(event, "Petra Probst", at=f.after(1))
    smaller = min(f.sizes(event).items(), key=lambda size: size[1])[0]
    for entry in f.at_table(event, smaller)[:3]:
        f.drive(keep_apart_wish, event, 1, first=entry.registration, second=late)
    entry = f.check_in(event, late, at=f.after(2))
    assert f.seat_of(entry)[0] != smaller
    assert "together" not in f.last_action(event).payload
    all_agree(event)


def test_where_it_cannot_be_kept_the_draw_says_so_and_without_wishes_nothing():
    event = f.make_running_event(11)
    one, other = f.entries_of(event)[:2]
    assert "wishes" not in Draw.objects.first().made_by.payload
    wish(event, one, other, at=f.after(1))
    f.out(event, next(e for e in f.at_table(event, 2) if e not in (one, other)))
    action = f.drive(final_table_draw, event, 9)
    assert action.payload["together"] == 2
    kept = wishes_kept(Action.objects.get(pk=action.pk))
    assert sorted(kept["together"]) == sorted([one.pk, other.pk])
    written = action.text.data["wishes"].encode()
    assert action.payload["wishes"] == hashlib.sha256(written).hexdigest()
    assert set(all_agree(event)[0].together) == {"Spieler 001", "Spieler 002"}


# Far short


def far_short_event():
    """Two tables of ten; three are out at the second."""
    event = f.make_running_event(20)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    return f.fresh(event)


def halt(event, number, minute=10, **own):
    return f.drive(table_halt, event, minute, table=f.table_of(event, number), **own)


def test_tda_2024_11d_a_table_three_short_halts_until_it_is_not():
    event = far_short_event()

    def state():
        return table_far_short(event, 2, f.after(13))

    [far] = tables_far_short(event, f.after(13))
    assert (far.number, far.short_by, far.is_waived) == (2, 3, None)
    assert table_far_short(event, 1, f.after(13)) is None
    halt(event, 2)
    f.assert_logged(event, "table.halted", table=2, short_by=3, outcome="halted")
    assert state().is_halted
    move = floor_advice(event, f.after(10)).moves[0]
    carry_out(event, move, 11)
    assert tables_far_short(event, f.after(13)) == []
    f.undo(event, at=f.after(12))
    assert state().is_waived is None  # whoever came and went is a new question
