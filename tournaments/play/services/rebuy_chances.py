"""A held seat that is not used: the player is out, by the instant at which the chips were gone."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.entries.selectors.chances import chances_lapsed
from tournaments.entries.services.chances import chances_end
from tournaments.models import Elimination, Entry, RebuyChance
from tournaments.play.services.eliminations import put_out, refuse_if_nobody_is_left

REBUY_DECLINED = Kind(
    "rebuy.declined",
    lazy("Kein Re-buy, ausgeschieden: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(REBUY_DECLINED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def rebuy_decline(change: Change, *, entry: Entry) -> None:
    """Record that somebody whose seat is held buys nothing."""
    rows = RebuyChance.objects.live().filter(event=change.event, entry=entry)
    _put_out(change, list(rows.select_related("entry__registration__person", "made_by")))


REBUYS_LAPSED = Kind(
    "rebuys.lapsed",
    lazy("Zeit für den Re-buy um, ausgeschieden: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(REBUYS_LAPSED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def rebuys_lapse(change: Change) -> None:
    """Record that those are out whose seats were held long enough, and who asked for nothing."""
    _put_out(change, chances_lapsed(change.event, change.at))


def _put_out(change: Change, chances: Sequence[RebuyChance]) -> None:
    if not chances:
        raise Refused(_("Hier wird kein Platz für einen Re-buy gehalten."), code="no_chance")
    chances_end(change, [row.entry for row in chances])
    names = []
    for row in chances:
        row.entry.event = change.event
        stack = {row.entry_id: row.start_stack} if row.start_stack is not None else {}
        put_out(
            change,
            [row.entry],
            Elimination.Way.BUST,
            at=[row.at],
            group=row.group,
            start_stacks=stack,
            sequence=row.made_by.sequence,
        )
        names.append(row.entry.registration.person.name)
    refuse_if_nobody_is_left(change)
    change.record(entries=[row.entry_id for row in chances])
    change.tell(name=", ".join(names))
