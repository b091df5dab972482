"""A cash evening for tests: an event with cash tables, people at them, and what the books say."""

from tests import factories as f
from tests.calling import call_service
from tournaments.cashgame.selectors.books import chips_on_table
from tournaments.cashgame.services.seats import cash_sit
from tournaments.cashgame.services.tables import cash_table_open
from tournaments.changes.access import SYSTEM
from tournaments.changes.kinds import describe
from tournaments.door.services.registration import registration_create
from tournaments.event.services.lifecycle import event_update
from tournaments.models import CashTable, Posting, Registration
from tournaments.undo.services.undo import action_undo

USUAL = {
    "game": "holdem",
    "limit": "no_limit",
    "seats": 4,
    "small_blind_cents": 50,
    "big_blind_cents": 100,
    "minimum": 20,
    "maximum": 100,
}


def make_cash_event(**own):
    return f.make_event(**{"kind": "cash_game", **own})


def say(service, event, by=SYSTEM, minute=0, at=None, **own):
    return call_service(service, event=event, by=by, at=at or f.after(minute), **own)


def open_table(event, minute=0, **own):
    action = say(cash_table_open, event, minute=minute, **(USUAL | own))
    return CashTable.objects.get(pk=action.payload["cash_table"])


def sit(event, table, name, seat, cents=5000, **own):
    guest = f.register(event, name)
    say(cash_sit, event, registration=guest, table=table, seat=seat, cents=cents, **own)
    return guest


def words(event):
    return describe(f.last_action(event))


def undo_last(event, minute=90):
    return say(action_undo, event, minute=minute, action=f.last_action(event))


def on(table):
    return chips_on_table(table)


def assert_balanced(event):
    """Every booking sums to zero, and no table holds less than nothing."""
    by_action = {}
    rows = Posting.objects.live().filter(event=event)
    for made_by, cents in rows.values_list("made_by", "amount_cents"):
        by_action[made_by] = by_action.get(made_by, 0) + cents
    assert not any(by_action.values())
    assert all(on(table) >= 0 for table in CashTable.objects.live().filter(event=event))


def a_cash_table(event, guest, *, seat=1, minute=3):
    """Make an event one with cash tables, where somebody sits and nobody pays; return the table."""
    say(event_update, event, minute=minute, settings={"kind": "both"})
    table = open_table(event, minute=minute, is_noted=True, fee_way="time", fee_cents=100)
    # A player of the running tournament sits at no cash table.
    if guest.entries.exists() and f.fresh(event).has_started:
        made = say(registration_create, event, minute=minute, name="Gitta Gast", is_cash_guest=True)
        guest = Registration.objects.get(pk=made.payload["registration"])
    own = {"registration": guest, "table": table, "seat": seat, "cents": 5000}
    say(cash_sit, event, minute=minute, **own)
    return table
