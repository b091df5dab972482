"""Counted stacks, from a break or for a deal. They affect no place before the end."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.event import chips_in_play, entry_names, event_alive_entry_ids
from tournaments.event.selectors.stacks import stacks_counted_now
from tournaments.event.services.ending import refuse_if_not_in_play, write_counts
from tournaments.models import Table
from tournaments.seating.selectors.tables import tables_seated
from tournaments.seating.services.seats import live_table

STACKS_COUNTED = Kind(
    "stacks.counted",
    lazy("Stapel gezählt: %(name)s"),
    Group.OUTS,
    outcomes={"table": lazy("Stapel an Tisch %(table)s gezählt")},
)


@service(STACKS_COUNTED, Permission.COUNT_HEADS, Topic.ENTRIES)
def stacks_count(change: Change, *, stacks: Mapping[int, int], table: Table | None = None) -> None:
    """Record counted stacks of entries in play, by entry.

    With all entries counted, the sum must equal the chips in play. A count of one table is refused
    only above all chips in play, as the wrong table is not known yet.
    """
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    if not stacks:
        raise Refused(_("Bitte die Chips von mindestens einem angeben."), code="nobody")
    refuse_stacks(change, stacks)
    known = stacks_counted_now(change.event, change.at)
    fresh = {entry: chips for entry, chips in stacks.items() if known.get(entry) != chips}
    if not fresh:
        raise Refused(_("Das steht schon so da."), code="nothing")
    if table is not None:
        _refuse_at_table(change, table, stacks)
    elif not change.knowingly:
        _refuse_sum(change, {**known, **fresh})
    write_counts(change, fresh)
    change.record(
        entries=sorted(fresh), stacks=[[entry, chips] for entry, chips in sorted(fresh.items())]
    )
    names = entry_names(set(fresh))
    change.tell(name=", ".join(names[entry] for entry in fresh))


def refuse_stacks(change: Change, stacks: Mapping[int, int]) -> None:
    """Refuse stacks of eliminated entries and stacks without chips."""
    if set(stacks) - set(event_alive_entry_ids(change.event)):
        raise Refused(_("Gezählt wird nur, wer noch im Spiel ist."), code="not_alive")
    if any(not 0 < chips <= MOST_CHIPS for chips in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")


def _refuse_at_table(change: Change, table: Table, stacks: Mapping[int, int]) -> None:
    row = live_table(change.event, table.pk)
    players = tables_seated(change.event, [row.number])[row.number].players
    if not set(stacks) <= set(players.values()):
        raise Refused(_("Jemand sitzt nicht mehr an diesem Tisch. Bitte neu laden."), code="moved")
    if sum(stacks.values()) > chips_in_play(change.event)[0]:
        refuse_if_not_in_play(change.event, sum(stacks.values()))
    change.record(outcome="table", table=row.number)


def _refuse_sum(change: Change, counted: Mapping[int, int]) -> None:
    if len(counted) == len(event_alive_entry_ids(change.event)):
        refuse_if_not_in_play(change.event, sum(counted.values()))
