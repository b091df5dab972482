"""Choose another counting table when the present one no longer plays hands.

Otherwise the clock of a level in hands would stop silently. This covers every change at the tables:
break, redraw, move, elimination, halt.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from krru.data import by_hand
from tournaments.changes.audit import Change, follows_change, topic_is
from tournaments.changes.kinds import Topic, tells_consequence
from tournaments.models import Event
from tournaments.seating.selectors.halts import tables_halted
from tournaments.seating.selectors.tables import table_counts, tables_of

FEWEST_FOR_A_HAND = 2
# Raw SQL: runs at every change of a table.
_PLAYERS = """
SELECT COUNT(*) FROM tournaments_seating WHERE table_id = %s AND voided_by_id IS NULL
"""

tells_consequence("counts_now", lazy("Tisch %(counts_now)s zählt jetzt die Hände"))


@follows_change(topic_is(Topic.TABLES))
def count_goes_on(change: Change) -> None:
    """Choose the next counting table: the one an undo restores, else the first that plays."""
    event = change.event
    if event.is_over:
        return
    counting = event.clock_by_hand().counting_table
    if counting is None:
        return
    given_back = _given_back(change, counting)
    if given_back is None and _plays(event, counting):
        return
    playing = _playing(event)
    if given_back in playing:
        _count_at(change, given_back)
    elif counting not in playing and playing:
        _count_at(change, playing[0])


def _plays(event: Event, number: int) -> bool:
    """Tell whether this table plays hands, without reading the other tables."""
    row = next(iter(tables_of(event, [number])), None)
    if row is None or not event.has_started:
        return row is not None
    (players,) = by_hand.ask(_PLAYERS, [row.pk])[0]
    return players >= FEWEST_FOR_A_HAND and row not in tables_halted(event)


def _playing(event: Event) -> list[int]:
    """Return the numbers of the tables that play hands; before the start, of all tables."""
    counts = table_counts(event)
    if not event.has_started:
        return [count.number for count in counts]
    halted = {table.number for table in tables_halted(event)}
    able = (count for count in counts if count.players >= FEWEST_FOR_A_HAND)
    return [count.number for count in able if count.number not in halted]


def _given_back(change: Change, counting: int) -> int | None:
    """Return the counting table before the undone change, unless staff chose one since."""
    undone = change.action.undoes
    given_on = undone.payload if undone else {}
    return given_on.get("counts_before") if given_on.get("counts_now") == counting else None


def _count_at(change: Change, number: int) -> None:
    clock = change.event.clock
    change.record(counts_before=clock.counting_table, counts_now=number)
    change.announce(Topic.CLOCK)
    clock.counting_table = number
    clock.save(update_fields=["counting_table"])
