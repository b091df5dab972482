"""An evening on which things are bought again, and how a test does something there."""

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Event
from tournaments.payouts.selectors.prizes import payouts
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.selectors.plans import prizes_frozen
from tournaments.undo.services.undo import action_undo

TERMS = {
    "fee_cents": 1000,
    "fee_parts": [["house", 200, ""]],
    "rebuy_level": 3,
    "rebuy_cents": 500,
    "rebuy_parts": [["extra", 100, "Personal"]],
    "rebuy_chips": 300,
    "rebuy_most": 2,
    "addon_level": 3,
    "addon_cents": 400,
    "addon_chips": 500,
    "late_registration_level": 3,
    "reentry_most": 1,
}


def evening(players: int = 6, **settings) -> Event:
    return f.make_running_event(players, **TERMS | settings)


def do(service, event, minute, *, by=SYSTEM, knowingly=False, **own):
    command = Command(event=event, by=by, at=f.after(minute), knowingly=knowingly)
    return service(command, **own)


def lose(event, entry, minute=1, **own):
    return do(entries_eliminate, event, minute, entries=[entry], **own)


def undo(event, action, minute=9):
    return call_service(action_undo, event=event, by=SYSTEM, at=f.after(minute), action=action)


def numbers_missing(numbers):
    """Return the numbers of receipts missing between 1 and the highest."""
    found = set(numbers)
    return [number for number in range(1, max(found, default=0) + 1) if number not in found]


def debts(event):
    """Return the players paid more than their prize."""
    is_fixed = prizes_frozen(f.fresh(event)) is not None
    return [row for row in payouts(event) if row.owed_back] if is_fixed else []
