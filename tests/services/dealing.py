"""Hands tapped and buttons marked at a table, with the instants counted from the start of play."""

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.models import Hand
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.seating.selectors.button import hand_to_come


def two_tables(preset):
    """Return a running event with ten players at two full tables of five."""
    return f.make_running_event(10, seats=5, preset=preset)


def tap(event, minute, number=1, by=SYSTEM, **own):
    table = f.table_of(event, number)
    return call_service(hand_begin, event=event, by=by, at=f.after(minute), table=table, **own)


def mark(event, minute, seat, number=1, by=SYSTEM, **own):
    table = f.table_of(event, number)
    return call_service(
        button_mark, event=event, by=by, at=f.after(minute), table=table, seat=seat, **own
    )


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
