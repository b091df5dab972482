"""A held seat without a re-buy: eliminate the player at the instant of the lost stack.

Takers recorded meanwhile are kept.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.models import (
    ChipMovement,
    Elimination,
    Entry,
    Knockout,
    LostStack,
    PurchaseWish,
    RebuyChance,
)
from tournaments.play.selectors.eliminations import outs_of
from tournaments.play.services.elimination_details import elimination_replace, knockouts_pass_on
from tournaments.play.services.eliminations import (
    already_out,
    put_out,
    refuse_if_nobody_is_left,
    stack_take_from_play,
)
from tournaments.rebuys.selectors.offers import chances_lapsed, chances_live, wishes_lapsed
from tournaments.rebuys.services.purchases import chances_end

REBUY_DECLINED = Kind(
    "rebuy.declined",
    lazy("Kein Re-buy, ausgeschieden: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(REBUY_DECLINED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def rebuy_decline(change: Change, *, entry: Entry, others: Sequence[Entry] = ()) -> None:
    """Record that a player with a held seat declines the re-buy; several answer together."""
    wanted = {entry.pk, *(other.pk for other in others)}
    rows = chances_live(change.event).filter(entry__in=wanted)
    found = sorted(rows, key=lambda row: (row.lost.at, row.pk))
    _put_out(change, found if len(found) == len(wanted) else [])


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
    """Eliminate the players whose held seats expired without a request."""
    _put_out(change, chances_lapsed(change.event, change.at))


def _put_out(change: Change, chances: Sequence[RebuyChance]) -> None:
    if not chances:
        raise Refused(_("Hier wird kein Platz für einen Re-buy gehalten."), code="no_chance")
    chances_end(change, [row.entry for row in chances])
    names = []
    for row in chances:
        lost = row.lost
        row.entry.event = change.event
        stack = {row.entry_id: lost.start_stack} if lost.start_stack is not None else {}
        (out,) = put_out(
            change,
            [row.entry],
            Elimination.Way.BUST,
            at=[lost.at],
            group=lost.group,
            start_stacks=stack,
            sequence=lost.made_by.sequence,
        )
        knockouts_pass_on(change, lost, out)
        names.append(row.entry.registration.person.name)
    LostStack.objects.filter(pk__in=[row.lost_id for row in chances]).update(
        voided_by=change.action
    )
    refuse_if_nobody_is_left(change)
    change.record(entries=[row.entry_id for row in chances])
    change.tell(name=", ".join(names))


# --- A player leaves and gives up the stack: it leaves play, and its bounty has no taker


STACK_SURRENDERED = Kind(
    "stack.surrendered",
    lazy("Gibt auf, Stapel aus dem Spiel: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
    outlives_the_end=True,
)


@service(STACK_SURRENDERED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES, after_the_end=True)
def stack_surrender(change: Change, *, entry: Entry, stack: int | None = None) -> None:
    """Record that a stack told as lost was given up: the player is out since, taken by no one.

    No re-buy follows; a re-entry may. The place is that of a bust at that instant.

    :param stack: The chips taken from play; while unknown, the average is approximate.
    """
    row = chances_live(change.event).filter(entry=entry).first()
    out = next(iter(outs_of(change.event, [entry.pk])), None)
    way = Elimination.Way.SURRENDERED
    if row is not None:
        lost = row.lost
        chances_end(change, [row.entry])
        Knockout.objects.live().filter(lost=lost).update(voided_by=change.action)
        LostStack.objects.filter(pk=lost.pk).update(voided_by=change.action)
        row.entry.event = change.event
        put_out(change, [row.entry], way, at=[lost.at], sequence=lost.made_by.sequence)
    elif out is None:
        raise Refused(_("Zuerst „Aus“ antippen, dann „Niemand: gibt auf“."), code="has_chips")
    elif out.way != Elimination.Way.BUST:
        raise Refused(already_out(out.entry), code="already_out")
    else:
        Knockout.objects.live().filter(elimination=out).update(voided_by=change.action)
        elimination_replace(change, out, (out.at, None), None, way=way, is_alone=True)
        change.tell(name=out.entry.registration.person.name)
    stack_take_from_play(change, entry, stack, ChipMovement.Reason.SURRENDER)
    change.record(entries=[entry.pk], stack=stack)
    refuse_if_nobody_is_left(change)


# --- Requests that were not confirmed in time


PURCHASES_LAPSED = Kind(
    "purchases.lapsed", lazy("Nicht rechtzeitig bestätigt: %(name)s"), Group.FEES
)


@service(PURCHASES_LAPSED, Permission.ASK_PURCHASE, Topic.REGISTRATIONS, Topic.ENTRIES)
def wishes_lapse(change: Change) -> None:
    """End the requests that were not confirmed in time."""
    rows = wishes_lapsed(change.event, change.at)
    if not rows:
        raise Refused(_("Hier wartet nichts auf Bestätigung."), code="nothing_asked")
    ended = PurchaseWish.objects.filter(pk__in=[row.pk for row in rows])
    ended.update(voided_by=change.action)
    change.record(entries=[row.entry_id for row in rows])
    change.tell(name=", ".join(row.entry.registration.person.name for row in rows))
