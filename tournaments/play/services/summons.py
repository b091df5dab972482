"""Calls of a table for the director: called, on the way, settled."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Summons, Table
from tournaments.play.selectors.summons import WORDS, called_words, summons_of
from tournaments.seating.services.seats import live_table

DIRECTOR_CALLED = Kind(
    "director.called",
    lazy("Tisch %(table)s ruft die Turnierleitung: %(word)s"),
    Group.CONDUCT,
    words=called_words,
)


@service(DIRECTOR_CALLED, Permission.SEE_FLOOR, Topic.CONDUCT)
def director_call(change: Change, *, table: Table, reason: str) -> None:
    """Record that a table calls the director, with one of the fixed words."""
    row = live_table(change.event, table.pk)
    if reason not in WORDS:
        raise Refused(_("Dieses Wort gibt es nicht."), code="no_word")
    if summons_of(row) is not None:
        raise Refused(
            _("Tisch %(number)d hat schon gerufen.") % {"number": row.number}, code="called"
        )
    _note(change, row, reason, change.at)


DIRECTOR_COMING = Kind(
    "director.coming", lazy("Die Turnierleitung kommt an Tisch %(table)s"), Group.CONDUCT
)


@service(DIRECTOR_COMING, Permission.MANAGE, Topic.CONDUCT)
def director_come(change: Change, *, table: Table) -> None:
    """Record that the director is on the way to a table."""
    row = _taken(change, table)
    if row.is_coming:
        raise Refused(_("Das ist schon gesagt."), code="coming")
    _note(change, row.table, row.reason, row.called_at, is_coming=True)


DIRECTOR_SETTLED = Kind(
    "director.settled", lazy("Erledigt: der Ruf von Tisch %(table)s"), Group.CONDUCT
)


@service(DIRECTOR_SETTLED, Permission.SEE_FLOOR, Topic.CONDUCT)
def director_settle(change: Change, *, table: Table) -> None:
    """Record that the call of a table is settled."""
    row = _taken(change, table)
    change.record(table=row.table.number, reason=row.reason)


def _taken(change: Change, table: Table) -> Summons:
    """Return the open call of a table and end it."""
    row = summons_of(live_table(change.event, table.pk))
    if row is None:
        raise Refused(_("Dieser Tisch ruft nicht, oder nicht mehr."), code="not_called")
    Summons.objects.filter(pk=row.pk).update(voided_by=change.action)
    return row


def _note(
    change: Change, table: Table, reason: str, called_at: datetime, *, is_coming: bool = False
) -> None:
    Summons.objects.create(
        event=change.event,
        table=table,
        reason=reason,
        called_at=called_at,
        is_coming=is_coming,
        made_by=change.action,
    )
    change.record(table=table.number, reason=reason)
