"""Who may do what in play and seating: a table of roles, each refused the rest in a sentence."""

import pytest

from tests import factories as f
from tournaments.changes.access import Actor, Role, roles_that_may
from tournaments.changes.audit import services
from tournaments.changes.commands import Command

pytestmark = pytest.mark.django_db

LEADS = {Role.DIRECTOR, Role.SYSTEM}
ARBITERS = LEADS | {Role.ARBITER}
DESK = LEADS | {Role.DESK}
STAFF = ARBITERS | DESK

MAY = {
    # KRRU 3: people are moved, disqualified and placed by the director alone.
    "seat.moved": LEADS,
    "seats.swapped": LEADS,
    "seat.balanced": LEADS,
    "seats.balanced": LEADS,
    "seat.locked": LEADS,
    "table.opened": LEADS,
    "table.broken": LEADS,
    "table.halted": LEADS,
    "tables.redrawn": LEADS,
    "final_table.drawn": LEADS,
    "seats.drawn": LEADS,
    "entry.disqualified": LEADS,
    "out.disqualified": LEADS,
    "place.overruled": LEADS,
    "hand_for_hand.begun": LEADS,
    "hand_for_hand.ended": LEADS,
    "round.released": LEADS,
    "money.reached": LEADS,
    "clock_call.started": ARBITERS,
    "dealer.drawn": ARBITERS,
    "dealers.drawn": ARBITERS,
    "seats.drawn_by_cards": ARBITERS,
    "table.reported": ARBITERS,
    "heads.checked": ARBITERS,
    "button.marked": ARBITERS,
    "knockout.set": ARBITERS,
    "elimination.corrected": ARBITERS,
    "penalty.given": ARBITERS,
    "keep_apart.wished": DESK,
    "entry.left": STAFF,
    "seating.arrived": STAFF | {Role.PLAYER},
}


@pytest.mark.parametrize("kind", MAY)
def test_who_may(kind):
    event, service = f.make_event(), services()[kind]
    assert roles_that_may(service.permission) == MAY[kind]
    for role in set(Role) - MAY[kind]:
        with f.refused("not_allowed", event):
            service(Command(event=event, by=Actor(role=role), at=f.START))
