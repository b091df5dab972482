"""Locked seats, and people kept apart."""

import hashlib

import pytest

from tests import factories as f
from tests.calling import call_service
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
from tournaments.seating.selectors.tables import free_seats, table_counts
from tournaments.seating.services.locks import (
    keep_apart_drop,
    keep_apart_wish,
    seat_lock,
    seat_unlock,
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
    for seat in seats:
        table = f.table_of(event, number)
        seat_lock(
            Command(event=event, by=SYSTEM, at=at), table=table, seat=seat, reason="Stuhl kaputt"
        )


def free_of(event, number):
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, number)}
    return [seat for seat in range(1, 11) if seat not in taken]


def all_agree(event):
    shown = draw_pictures(event, list(draws_of(event)), to_staff=True)
    assert [picture.number for picture in shown if picture.agrees is not True] == []
    return shown


# Locked seats


def test_a_seat_is_locked_with_its_reason_and_back():
    event, dora = f.make_seated_event(4), f.make_dora()
    free = free_of(event, 1)
    said = {"event": event, "by": dora, "at": f.ARRIVAL, "table": f.table_of(event, 1)}
    call_service(seat_lock, **said, seat=free[0], reason=" Stuhl kaputt ")
    f.assert_logged(event, "seat.locked", table=1, seat=free[0])
    assert f.last_action(event).text.data["reason"] == "Stuhl kaputt"
    assert free_seats(event)[1] == free[1:]
    assert table_counts(event) == [TableCount(1, 4, 9)]
    assert [
        seat.seat for seat in table_pictures(event, f.START)[0].seats if seat.is_locked
    ] == free[:1]
    call_service(seat_unlock, **said, seat=free[0])
    f.assert_logged(event, "seat.unlocked", table=1, seat=free[0])
    assert free_seats(event)[1] == free
    f.undo(event)
    assert free_seats(event)[1] == free[1:]


def test_a_lock_that_cannot_be_is_refused():
    event = f.make_seated_event(4)
    said = {"event": event, "by": SYSTEM, "at": f.ARRIVAL, "table": f.table_of(event, 1)}
    for seat in (0, 11):
        with f.refused("seat_unfit", event):
            call_service(seat_lock, **said, seat=seat, reason="Stuhl kaputt")
    with f.refused("no_reason", event):
        call_service(seat_lock, **said, seat=1, reason="  ")
    with f.refused("not_locked", event):
        call_service(seat_unlock, **said, seat=1)
    call_service(seat_lock, **said, seat=1, reason="Stuhl kaputt")
    with f.refused("already_locked", event):
        call_service(seat_lock, **said, seat=1, reason="Stuhl kaputt")
    with f.refused("table_gone", event):
        call_service(seat_lock, **{**said, "table": Table(pk=0)}, seat=1, reason="Stuhl kaputt")
    for who in (f.ZENO, f.make_desk(event), f.make_arno(event)):
        with f.refused("not_allowed", event):
            call_service(seat_lock, **{**said, "by": who}, seat=2, reason="Stuhl kaputt")


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
    table_open(Command(event=event, by=SYSTEM, at=f.ARRIVAL), count=3)
    lock(event, 1, 1, 2)
    lock(event, 3, 10)
    seats_draw(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    event = f.fresh(event)
    for entry in [*f.at_table(event, 3)[:4], *f.at_table(event, 1)[:2], *f.at_table(event, 2)[:2]]:
        f.out(event, entry)
    table_break(Command(event=event, by=SYSTEM, at=f.after(10)), table=f.table_of(event, 3))
    f.check_in(event, f.register(event, "Walter Spät", at=f.after(11)), at=f.after(11))
    tables_redraw(Command(event=event, by=SYSTEM, at=f.after(12)))
    shut = {(1, 1), (1, 2)}
    assert shut.isdisjoint(f.seats(event).values())
    found = all_agree(event)
    assert {picture.kind for picture in found} == {"field", "break", "seat", "redraw"}
    drawn = {(row["table"], row["seat"]) for picture in found for row in picture.outcome}
    assert (shut | {(3, 10)}).isdisjoint(drawn)


def test_no_suggestion_gives_a_locked_seat_and_by_hand_it_takes_a_reason():
    event = f.make_unbalanced_event()
    free = free_of(event, 2)
    lock(event, 2, *free[:2], at=f.after(6))
    [move] = floor_advice(event, f.after(10)).moves
    assert move.to_seat == free[2]
    entry = next(one for one in f.entries_of(event) if one.pk == move.entry)
    said = {"event": event, "by": SYSTEM, "at": f.after(7), "entry": entry}
    with f.refused("reason_needed", event) as caught:
        call_service(entry_move, **said, table=f.table_of(event, 2), seat=free[0])
    assert "gesperrt" in str(caught.value)
    call_service(
        entry_move, **said, table=f.table_of(event, 2), seat=free[0], reason="kommt mit Rollstuhl"
    )
    assert f.seat_of(entry) == (2, free[0])
    assert SeatLock.objects.live().filter(table__number=2).count() == 2


def test_an_undone_unlocking_finds_the_seat_locked_again():
    event = f.make_seated_event(4)
    lock(event, 1, 1)
    said = {"event": event, "by": SYSTEM, "at": f.ARRIVAL, "table": f.table_of(event, 1)}
    unlocked = call_service(seat_unlock, **said, seat=1)
    lock(event, 1, 1)
    with f.refused("needed", event):
        f.undo(event, unlocked)


# Kept apart


def wish(event, one, other, at=f.ARRIVAL, by=SYSTEM):
    first, second = one.registration, other.registration
    return keep_apart_wish(Command(event=event, by=by, at=at), first=first, second=second)


def test_a_wish_is_made_dropped_and_both_taken_back():
    event = f.make_seated_event(4)
    one, other = f.entries_of(event)[:2]
    wish(event, other, one, by=f.make_desk(event))
    row = KeepApart.objects.get()
    f.assert_logged(event, "keep_apart.wished", wish=row.pk)
    with f.refused("already_wished", event):
        wish(event, one, other)
    keep_apart_drop(Command(event=event, by=SYSTEM, at=f.ARRIVAL), wish=row)
    f.assert_logged(event, "keep_apart.dropped", wish=row.pk)
    with f.refused("gone", event):
        keep_apart_drop(Command(event=event, by=SYSTEM, at=f.ARRIVAL), wish=row)
    f.undo(event)
    assert KeepApart.objects.live().count() == 1


def test_a_wish_that_cannot_be_is_refused():
    event, elsewhere = f.make_seated_event(3), f.make_seated_event(2, name="Anderswo")
    one, other = f.entries_of(event)[:2]
    with f.refused("nobody", event):
        wish(event, one, one)
    with f.refused("gone", event):
        wish(event, one, f.entries_of(elsewhere)[0])
    gone = f.register(event, "Weg Wieder")
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=gone)
    with f.refused("gone", event):
        keep_apart_wish(
            Command(event=event, by=SYSTEM, at=f.ARRIVAL), first=one.registration, second=gone
        )
    with f.refused("not_allowed", event):
        wish(event, one, other, by=f.make_arno(event))


@pytest.mark.parametrize("secret", ["01" * 32, "02" * 32, "03" * 32])
def test_every_draw_keeps_two_apart_while_there_is_another_way(secret):
    event = f.make_event(draw_mode=Event.DrawMode.FIELD, draw_secret=secret, seats=6)
    for number in range(18):
        f.check_in(event, f.register(event, f"Spieler {number:02}"))
    one, other, third = f.entries_of(event)[:3]
    wish(event, one, other)
    wish(event, one, third)

    def apart():
        tables = [f.seat_of(entry)[0] for entry in (one, other, third)]
        return tables[0] not in tables[1:]

    seats_draw(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    assert apart()
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    event = f.fresh(event)
    for number in (1, 2, 3):
        staying = [e for e in f.at_table(event, number) if e not in (one, other, third)]
        for entry in staying[:2]:
            f.out(event, entry)
    # Not his own table: with one of the others at each of those that stay there is no other way.
    number = next(number for number in (3, 2) if f.seat_of(one)[0] != number)
    own = {"table": f.table_of(event, number), "reason": "auf Wunsch"}
    call_service(table_break, event=event, by=SYSTEM, at=f.after(9), **own)
    assert apart()
    tables_redraw(Command(event=event, by=SYSTEM, at=f.after(10)))
    assert apart()
    all_agree(event)


def test_a_late_seat_is_drawn_at_another_table_while_one_has_room():
    event = f.make_running_event(13, seats=8)
    late = f.register(event, "Petra Probst", at=f.after(1))
    smaller = min(f.sizes(event).items(), key=lambda size: size[1])[0]
    for entry in f.at_table(event, smaller)[:3]:
        keep_apart_wish(
            Command(event=event, by=SYSTEM, at=f.after(1)), first=entry.registration, second=late
        )
    entry = f.check_in(event, late, at=f.after(2))
    assert f.seat_of(entry)[0] != smaller
    assert "together" not in f.last_action(event).payload
    all_agree(event)


def test_where_it_cannot_be_kept_the_draw_says_so():
    event = f.make_running_event(11)
    one, other = f.entries_of(event)[:2]
    wish(event, one, other, at=f.after(1))
    f.out(event, next(e for e in f.at_table(event, 2) if e not in (one, other)))
    action = final_table_draw(Command(event=event, by=SYSTEM, at=f.after(9)))
    assert action.payload["together"] == 2
    kept = wishes_kept(Action.objects.get(pk=action.pk))
    assert sorted(kept["together"]) == sorted([one.pk, other.pk])
    written = action.text.data["wishes"].encode()
    assert action.payload["wishes"] == hashlib.sha256(written).hexdigest()
    names = {"Spieler 001", "Spieler 002"}
    assert set(all_agree(event)[0].together) == names


def test_without_wishes_nothing_is_written_of_them():
    event = f.make_seated_event(4)
    assert "wishes" not in Draw.objects.first().made_by.payload
    assert set(f.last_action(event).payload) & {"wishes", "together"} == set()
