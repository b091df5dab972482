"""Hands tapped, buttons marked, penalties and moves at tables, in minutes from the start."""

from tests import factories as f
from tournaments.models import Entry, Hand, Seating
from tournaments.play.services.conduct import penalty_give
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.seating.selectors.button import hand_to_come
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import balance_step, entry_move


def two_tables(preset):
    """Return a running event with ten players at two full tables of five."""
    return f.make_running_event(10, seats=5, preset=preset)


def tap(event, minute, number=1, **own):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, number), **own)


def mark(event, minute, seat, number=1, **own):
    own |= {"table": f.table_of(event, number), "seat": seat}
    return f.drive(button_mark, event, minute, **own)


def give(event, entry, minute=1, kind="hands", amount=2, **own):
    own = {"reason": "Handy am Tisch", **own}
    return f.drive(penalty_give, event, minute, entry=entry, kind=kind, amount=amount, **own)


def free(event, number):
    return free_seats(event, [number])[number][0]


def move(event, entry, minute, number=2, seat=None):
    """Move somebody by hand, to a free seat unless one is named."""
    own = {"table": f.table_of(event, number), "seat": seat or free(event, number)}
    return f.drive(entry_move, event, minute, entry=entry, reason="Test", **own)


def carry_out(event, move, minute=10, **changed):
    """Carry a suggested move out."""
    own = {name: getattr(move, name) for name in ("from_table", "to_table", "to_seat")}
    own |= {"entry": Entry(pk=move.entry), **changed}
    return f.drive(balance_step, event, minute, **own)


def seating(entry):
    return Seating.objects.live().get(entry=entry)


def at_seat(event, seat, number=1):
    return next(entry for entry in f.at_table(event, number) if f.seat_of(entry)[1] == seat)


def out(event, seat, minute, number=1):
    f.out(event, at_seat(event, seat, number), at=f.after(minute))


def posts(event, number=1):
    """Return button, small and big blind of the last hand."""
    hand = Hand.objects.live().filter(table=f.table_of(event, number)).order_by("-number").first()
    return (hand.button, hand.small_blind, hand.big_blind)


def to_come(event, minute, number=1):
    found = hand_to_come(f.fresh(event), f.table_of(event, number), f.after(minute)).posts
    return found and (found.button, found.small_blind, found.big_blind)
