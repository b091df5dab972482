"""Steps towards the money, through the services: an event of three tables of three, seven paid."""

from clock.selectors import clock_state
from tests import factories as f
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.bubble import (
    hand_for_hand_begin,
    hand_for_hand_end,
    heads_check,
    round_release,
    table_report,
)


def make_event(players=9, seats=3, paid=7, **own):
    return f.make_running_event(players, seats=seats, paid_places=paid, **own)


def begin(event, minute=10, **own):
    return f.drive(hand_for_hand_begin, event, minute, **own)


def report(event, table, number, minute=11, **own):
    return f.drive(
        table_report, event, minute, table=f.table_of(event, table), number=number, **own
    )


def report_all(event, number, minute=11, *, tables=(1, 2, 3)):
    for table in tables:
        report(event, table, number, minute)


def release(event, after, minute=12, **own):
    return f.drive(round_release, event, minute, after=after, **own)


def first_round(event, **own):
    begin(event, **own)
    report_all(event, 0)
    if not own.get("by_itself"):
        release(event, 0)


def count_heads(event, minute=30, **heads):
    """Confirm every table, those named by another number than sits there."""
    for table, players in f.sizes(event).items():
        counted = heads.get(f"t{table}", players)
        f.drive(heads_check, event, minute, table=f.table_of(event, table), players=counted)


def end(event, minute=25, **own):
    return f.drive(hand_for_hand_end, event, minute, **own)


def places(event):
    found = places_of(f.fresh(event))
    return {entry.number: found[entry.pk] for entry in f.entries_of(event) if entry.pk in found}


def elapsed(event, minute):
    return clock_state(f.fresh(event).clock, f.after(minute)).elapsed


def in_the_money(event):
    """Two go out, so that seven are left."""
    for table in (1, 2):
        f.out(event, f.at_table(event, table)[0], at=f.after(20 + table))
