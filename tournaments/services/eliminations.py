"""Out: by losing all chips, or by disqualification. Places are computed, never written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused
from tournaments.kinds import Group, Kind, Places, Topic
from tournaments.models import ChipMovement, Elimination, Entry, Event, Seating
from tournaments.selectors.bubble import round_at
from tournaments.selectors.event import players_left

# One after the other, but told at once: what decides their order.
STEP = timedelta(microseconds=1)


ENTRY_ELIMINATED = Kind(
    "entry.eliminated",
    lazy("Ausgeschieden: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(ENTRY_ELIMINATED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def entries_eliminate(
    change: Change,
    *,
    entries: Sequence[Entry],
    start_stacks: Mapping[int, int] | None = None,
    is_one_hand: bool = True,
) -> None:
    """Record that entries are out: in the same hand, or one after the other as they are listed.

    `start_stacks` (entry id to chips at the start of that hand) ranks those of one hand: the
    larger stack places higher, equal or unknown stacks share the place.
    """
    if not entries or len({entry.pk for entry in entries}) != len(entries):
        raise Refused(_("Bitte wählen, wer ausgeschieden ist."), code="nobody")
    stacks = start_stacks or {}
    if any(amount < 1 for amount in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    group = change.action.pk if len(entries) > 1 and is_one_hand else None
    for before_last, entry in zip(reversed(range(len(entries))), entries, strict=True):
        _put_out(
            change,
            entry,
            Elimination.Way.BUST,
            at=change.at if is_one_hand else change.at - before_last * STEP,
            group=group,
            start_stack=stacks.get(entry.pk),
        )
    refuse_if_nobody_is_left(change.event)
    change.record(entries=[entry.pk for entry in entries])


ENTRY_DISQUALIFIED = Kind(
    "entry.disqualified",
    lazy("Disqualifiziert: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(ENTRY_DISQUALIFIED, Permission.DISQUALIFY, Topic.TABLES, Topic.ENTRIES)
def entry_disqualify(
    change: Change, *, entry: Entry, reason: str, stack: int | None = None
) -> None:
    """Disqualify: out for good, the chips leave play (TDA 71), the place is that of the next out.

    `stack` is what was counted; while it is unknown the average is only approximate.
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    _put_out(change, entry, Elimination.Way.DISQUALIFIED)
    refuse_if_nobody_is_left(change.event)
    _take_from_play(change, entry, stack)
    change.record(entries=[entry.pk], stack=stack)
    change.tell(reason=reason.strip())


DISQUALIFICATION_COUNTED = Kind(
    "disqualification.counted", lazy("Stapel gezählt: %(name)s"), Group.OUTS
)


@service(
    DISQUALIFICATION_COUNTED, Permission.DISQUALIFY, Topic.TABLES, Topic.ENTRIES, after_the_end=True
)
def disqualification_count(change: Change, *, entry: Entry, stack: int) -> None:
    """State the stack of a disqualified player that was not known at the time."""
    rows = ChipMovement.objects.live().filter(
        entry=entry, event=change.event, reason=ChipMovement.Reason.DISQUALIFICATION
    )
    row = rows.filter(amount=None).select_related("entry__registration__person").first()
    if row is None:
        raise Refused(_("Dieser Stapel ist schon gezählt."), code="already_counted")
    rows.update(voided_by=change.action)
    _take_from_play(change, entry, stack)
    change.record(entry=entry.pk, stack=stack)
    change.tell(name=row.entry.registration.person.name)


def refuse_if_nobody_is_left(event: Event) -> None:
    """Refuse a change after which everybody would be out.

    Asked after the change, inside its transaction. While somebody sits there is no need to count,
    so that the cost of one elimination does not grow with the field.

    :raises Refused: When nobody is in play any more.
    """
    if not Seating.objects.live().filter(event=event).exists() and players_left(event) < 1:
        raise Refused(
            _("Einer bleibt übrig: Wer zuletzt sitzt, hat gewonnen."), code="last_one_wins"
        )


def obstacle_to_eliminate(event: Event, entry: Entry) -> str | None:
    """Return why this entry cannot go out now, or None."""
    if entry.event_id != event.pk or entry.voided_by_id is not None:
        return _("Dieser Teilnehmer gehört nicht zu diesem Turnier.")
    if not event.has_started:
        return _("Das Turnier hat noch nicht begonnen.")
    if Elimination.objects.live().filter(entry=entry).exists():
        return _("%(name)s ist schon ausgeschieden.") % {"name": entry.registration.person.name}
    return None


def _put_out(
    change: Change,
    entry: Entry,
    way: str,
    *,
    at: datetime | None = None,
    group: int | None = None,
    start_stack: int | None = None,
) -> None:
    event = change.event
    row = Entry.objects.select_related("registration__person").get(pk=entry.pk)
    reason = obstacle_to_eliminate(event, row)
    if reason:
        raise Refused(reason, code="cannot_eliminate")
    seating = Seating.objects.live().select_related("table").filter(entry=row).first()
    Elimination.objects.create(
        event=event,
        entry=row,
        way=way,
        at=at or change.at,
        sequence=change.action.sequence,
        group=group,
        round=round_at(event, at or change.at) if way == Elimination.Way.BUST else None,
        start_stack=start_stack,
        table=seating.table if seating else None,
        seat=seating.seat if seating else None,
        made_by=change.action,
    )
    if seating:
        Seating.objects.filter(pk=seating.pk).update(voided_by=change.action)
        # Several may be out at once: each keeps the table and seat that were left.
        left = change.action.payload.get("seats_left", [])
        change.record(seats_left=[*left, [row.pk, seating.table.number, seating.seat]])
    names = change.texts.get("name")
    name = row.registration.person.name
    change.tell(name=f"{names}, {name}" if names else name)


def _take_from_play(change: Change, entry: Entry, stack: int | None) -> None:
    most = change.event.starting_stack * Entry.objects.live().filter(event=change.event).count()
    if stack is not None and not 0 <= stack <= most:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="bad_stack")
    ChipMovement.objects.create(
        event=change.event,
        entry=entry,
        reason=ChipMovement.Reason.DISQUALIFICATION,
        amount=None if stack is None else -stack,
        made_by=change.action,
    )
