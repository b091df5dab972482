"""A satellite by target stack: enough chips, counted by staff, win a seat at once."""

from __future__ import annotations

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.models import ChipMovement, Elimination, Entry, Event
from tournaments.play.services.eliminations import (
    put_out,
    refuse_if_nobody_is_left,
    stack_take_from_play,
)
from tournaments.prizes.selectors.plans import seats_left

SEAT_WON = Kind(
    "seat.won",
    lazy("Zielstapel erreicht, Platz gewonnen: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(SEAT_WON, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def seat_win(change: Change, *, entry: Entry, stack: int) -> None:
    """Give a seat for a counted stack of the target or more; all of it leaves play."""
    obstacle = obstacle_to_win(change.event)
    if obstacle is not None:
        raise obstacle
    target = change.event.prize_plan.target_stack
    if stack < target:
        raise Refused(
            _("Für den Platz braucht es %(target)s Chips.") % {"target": intcomma(target)},
            code="below_target",
        )
    put_out(change, [entry], Elimination.Way.SEAT, at=[change.at])
    stack_take_from_play(change, entry, stack, ChipMovement.Reason.SEAT_WON)
    change.record(entries=[entry.pk], stack=stack)
    refuse_if_nobody_is_left(change)


def obstacle_to_win(event: Event) -> Refused | None:
    """Return why no seat can be won by a stack now, or None."""
    if not event.prize_plan.target_stack:
        return Refused(_("Dieser Satellit hat keinen Zielstapel."), code="no_target")
    if not seats_left(event):
        return Refused(_("Alle Plätze sind vergeben."), code="no_seats")
    return None
