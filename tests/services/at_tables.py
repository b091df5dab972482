"""What happens at tables, through the services: a penalty, a hand, a move to the next free seat."""

from tests import factories as f
from tournaments.models import Seating
from tournaments.play.services.conduct import penalty_give
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move


def give(event, entry, minute=1, kind="hands", amount=2, **own):
    own = {"reason": "Handy am Tisch", **own}
    return f.drive(penalty_give, event, minute, entry=entry, kind=kind, amount=amount, **own)


def hand(event, minute, number=1):
    return f.drive(hand_begin, event, minute, table=f.table_of(event, number))


def move(event, entry, minute, number=2):
    seat = free_seats(event, [number])[number][0]
    table = f.table_of(event, number)
    return f.drive(entry_move, event, minute, entry=entry, table=table, seat=seat, reason="Test")


def seating(entry):
    return Seating.objects.live().get(entry=entry)
