"""What is told of an out afterwards: by whom, when in truth, with how many chips.

None of it stands in the way of recording it; places follow from what is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Elimination, Entry, Knockout

COPIED = ("event_id", "entry_id", "way", "sequence", "group", "round_id", "table_id", "seat")


KNOCKOUT_SET = Kind(
    "knockout.set",
    lazy("%(name)s ausgeschieden gegen %(takers)s"),
    Group.OUTS,
    outcomes={"unknown": lazy("Offen, gegen wen: %(name)s")},
)


@service(KNOCKOUT_SET, Permission.ELIMINATE, Topic.ENTRIES)
def knockout_set(
    change: Change, *, eliminations: Sequence[Elimination], takers: Sequence[Entry]
) -> None:
    """State who took the last chips of these; several where a pot was shared, nobody: not known."""
    outs = _live(change, eliminations)
    _refuse_takers(change, outs, takers)
    Knockout.objects.live().filter(elimination__in=outs).update(voided_by=change.action)
    Knockout.objects.bulk_create(
        Knockout(elimination=row, by=taker, made_by=change.action)
        for row in outs
        for taker in takers
    )
    change.record(
        entries=[row.entry_id for row in outs],
        takers=[taker.pk for taker in takers],
        outcome="known" if takers else "unknown",
    )
    change.tell(name=_names([row.entry for row in outs]), takers=_names(takers))


def _refuse_takers(change: Change, outs: list[Elimination], takers: Sequence[Entry]) -> None:
    """Who goes out takes nobody's chips in that hand, nor does who was out before."""
    ids = [taker.pk for taker in takers]
    here = Entry.objects.live().filter(event=change.event, pk__in=ids).count()
    if here != len(ids) or len(set(ids)) != len(ids):
        raise Refused(_("Diesen Teilnehmer gibt es hier nicht."), code="not_here")
    last = max(row.at for row in outs)
    gone = Elimination.objects.live().filter(entry__in=ids, at__lte=last)
    row = gone.select_related("entry__registration__person").first()
    if row is not None:
        raise Refused(
            _("%(name)s war da schon ausgeschieden.") % {"name": _names([row.entry])},
            code="out_before",
        )


ELIMINATION_CORRECTED = Kind(
    "elimination.corrected",
    lazy("Zeit des Ausscheidens berichtigt: %(name)s"),
    Group.OUTS,
    outcomes={"stacks": lazy("Stapel vor der Hand: %(name)s")},
)


@service(ELIMINATION_CORRECTED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def elimination_correct(
    change: Change,
    *,
    eliminations: Sequence[Elimination],
    to: datetime | None = None,
    start_stacks: Mapping[int, int] | None = None,
) -> None:
    """Set the true time of an out, or the stacks at the start of its hand; the places follow.

    Those of one hand went out at one time: all of them are set. `start_stacks` is by entry id.
    """
    rows = _live(change, eliminations)
    if to is not None:
        rows = _of_one_hand(rows)
        _refuse_time(change, rows, to)
    stacks = dict(start_stacks or {})
    if any(amount < 1 for amount in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    if not set(stacks) <= {row.entry_id for row in rows}:
        raise Refused(_("Diesen Teilnehmer gibt es hier nicht."), code="not_here")
    changed = [
        row
        for row in rows
        if (to or row.at, stacks.get(row.entry_id, row.start_stack)) != (row.at, row.start_stack)
    ]
    if not changed:
        raise Refused(_("Das steht schon so da."), code="nothing")
    for row in changed:
        _replace(change, row, to or row.at, stacks.get(row.entry_id, row.start_stack))
    change.record(
        entries=[row.entry_id for row in changed],
        stacks=[[entry, amount] for entry, amount in sorted(stacks.items())],
        outcome="stacks" if to is None else "time",
    )
    change.tell(name=_names([row.entry for row in changed]))


def _refuse_time(change: Change, rows: list[Elimination], to: datetime) -> None:
    started = change.event.started_by
    if to > change.at:
        raise Refused(_("Das liegt in der Zukunft."), code="in_future")
    if started is None or to < started.at or any(to < row.entry.entered_at for row in rows):
        raise Refused(_("Da hat das Spiel noch nicht begonnen."), code="before_start")


def _replace(change: Change, row: Elimination, at: datetime, stack: int | None) -> None:
    """Write an out anew, with who took the chips: facts are never changed in place."""
    takers = Knockout.objects.live().filter(elimination=row)
    by = list(takers.values_list("by_id", flat=True))
    takers.update(voided_by=change.action)
    Elimination.objects.filter(pk=row.pk).update(voided_by=change.action)
    copy = Elimination.objects.create(
        **{name: getattr(row, name) for name in COPIED},
        at=at,
        start_stack=stack,
        made_by=change.action,
    )
    Knockout.objects.bulk_create(
        Knockout(elimination=copy, by_id=taker, made_by=change.action) for taker in by
    )


def _of_one_hand(rows: list[Elimination]) -> list[Elimination]:
    groups = {row.group for row in rows if row.group is not None}
    others = Elimination.objects.live().filter(event=rows[0].event_id, group__in=groups)
    together = {row.pk: row for row in (*rows, *_with_names(others))} if groups else {}
    return list(together.values()) or rows


def _live(change: Change, eliminations: Sequence[Elimination]) -> list[Elimination]:
    """Return the outs as they are now.

    :raises Refused: When one of them was taken back or written anew since.
    """
    ids = {row.pk for row in eliminations}
    rows = Elimination.objects.live().filter(event=change.event, pk__in=ids)
    found = list(_with_names(rows))
    if not found or len(found) != len(ids):
        raise Refused(_("Das wurde inzwischen zurückgenommen oder geändert."), code="gone")
    return found


def _with_names(rows: QuerySet[Elimination]) -> QuerySet[Elimination]:
    return rows.select_related("entry__registration__person").order_by("at", "pk")


def _names(entries: Sequence[Entry]) -> str:
    return ", ".join(entry.registration.person.name for entry in entries)
