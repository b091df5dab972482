"""Late taps: the director lets the claimed time count, or that of the arrival."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Elimination, LateTap, LostStack, PurchaseWish, RebuyChance
from tournaments.play.services.elimination_details import (
    at_time,
    elimination_replace,
    knockouts_pass_on,
)
from tournaments.rebuys.selectors.offers import taps_open

TOPICS = (Topic.TABLES, Topic.ENTRIES, Topic.REGISTRATIONS)
WISHED = ("event_id", "entry_id", "what", "number", "stack")

LATE_TAP_ACCEPTED = Kind("late_tap.accepted", lazy("Nachgetragene Zeit gilt: %(name)s"), Group.OUTS)


@service(LATE_TAP_ACCEPTED, Permission.MANAGE, *TOPICS)
def late_tap_accept(change: Change, *, tap: LateTap) -> None:
    """Let the claimed time count: of a lost stack with its takers, or of a request."""
    for row in _decided(change, tap):
        if row.wish is not None:  # it lapses as one asked now
            PurchaseWish.objects.filter(pk=row.wish.pk).update(voided_by=change.action)
            copied = {name: getattr(row.wish, name) for name in WISHED}
            PurchaseWish.objects.create(**copied, asked_at=row.at, made_by=change.action)
            continue
        for out in Elimination.objects.live().filter(entry=row.entry_id):
            then = at_time(change, [out], row.at)[out.pk]
            elimination_replace(change, out, then, out.start_stack)
        chances = RebuyChance.objects.live().filter(entry=row.entry_id)
        for chance in chances.select_related("lost"):
            _antedate_loss(change, chance, row.at)


LATE_TAP_REFUSED = Kind(
    "late_tap.refused",
    lazy("Gilt ab der Meldung: %(name)s"),
    Group.OUTS,
    outcomes={"wish": lazy("Zu spät gemeldet: %(name)s")},
)


@service(LATE_TAP_REFUSED, Permission.MANAGE, *TOPICS)
def late_tap_refuse(change: Change, *, tap: LateTap) -> None:
    """Let the time of arrival count: a request is too late."""
    wishes = [row.wish_id for row in _decided(change, tap) if row.wish_id]
    if wishes:
        PurchaseWish.objects.filter(pk__in=wishes).update(voided_by=change.action)
        change.record(outcome="wish")


def _decided(change: Change, tap: LateTap) -> list[LateTap]:
    """Return all entries of a tap, now decided.

    :raises Refused: When it was decided or undone before.
    """
    every = taps_open(change.event)
    told = [row.made_by_id for row in every if row.pk == tap.pk]
    rows = [row for row in every if row.made_by_id in told]
    if not rows:
        raise Refused(_("Das ist inzwischen entschieden oder zurückgenommen."), code="gone")
    LateTap.objects.filter(pk__in=[row.pk for row in rows]).update(voided_by=change.action)
    change.record(entries=[row.entry_id for row in rows])
    change.tell(name=", ".join(row.entry.registration.person.name for row in rows))
    return rows


def _antedate_loss(change: Change, chance: RebuyChance, at: datetime) -> None:
    """Replace a lost stack and its held seat by the same ones, lost at an instant."""
    lost = chance.lost
    RebuyChance.objects.filter(pk=chance.pk).update(voided_by=change.action)
    LostStack.objects.filter(pk=lost.pk).update(voided_by=change.action)
    own = {"event_id": lost.event_id, "entry_id": lost.entry_id, "made_by": change.action}
    earlier = LostStack.objects.create(
        **own, at=at, group=lost.group, start_stack=lost.start_stack, table_id=lost.table_id
    )
    RebuyChance.objects.create(**own, lost=earlier, until=chance.until)
    knockouts_pass_on(change, lost, earlier)
