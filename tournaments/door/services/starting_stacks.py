"""Starting stacks of their own: by points in the final of a league, or typed."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.models import ChipMovement

Reason = ChipMovement.Reason
STACKS_GIVEN = Kind(
    "stacks.given", lazy("Eigene Startstapel für %(entries)s Teilnehmer"), Group.PEOPLE
)


@service(STACKS_GIVEN, Permission.MANAGE, Topic.ENTRIES)
def stacks_give(change: Change, *, stacks: Mapping[int, int]) -> None:
    """Give entries a starting stack of their own before the start, in place of the usual one."""
    event = change.event
    if event.has_started:
        raise Refused(_("Das Turnier läuft schon."), code="started")
    if not stacks:
        raise Refused(_("Niemand davon ist eingecheckt."), code="nobody")
    if set(stacks) - set(event_alive_entry_ids(event)):
        raise Refused(_("Jemand davon ist nicht mehr eingecheckt."), code="not_alive")
    if any(not 0 < chips <= MOST_CHIPS for chips in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    had = ChipMovement.objects.live().filter(entry__in=stacks)
    had = had.filter(reason__in=(Reason.STARTING_STACK, Reason.CARRIED))
    had.update(voided_by=change.action)
    ChipMovement.objects.bulk_create(
        ChipMovement(
            event=event,
            entry_id=entry,
            reason=Reason.CARRIED,
            amount=chips,
            made_by=change.action,
        )
        for entry, chips in sorted(stacks.items())
    )
    change.record(entries=len(stacks), chips=sum(stacks.values()))
