"""Announce the end on every screen, half an hour and ten minutes before."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from tournaments.cashgame.selectors.ending import call_due
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.post.services.announcements import announce

MINUTE = timedelta(minutes=1)

CASH_END_CALLED = Kind(
    "cash_end.called",
    lazy("Cash Game: Ende in %(minutes)s Minuten angesagt"),
    Group.EVENT,
    is_announced=True,
)


@service(CASH_END_CALLED, Permission.ANNOUNCE, Topic.MESSAGES)
def cash_end_call(change: Change) -> None:
    """Announce the minutes until the end, when due. A late call gives fewer minutes."""
    now = change.action.recorded_at
    due = call_due(change.event, now, but=change.action)
    if due is None:
        raise Refused(_("Das Ende ist noch nicht anzusagen."), code="not_due")
    minutes = -((now - due.ends_at) // MINUTE)
    change.record(minutes=minutes, before=due.minutes, ends_at=round(due.ends_at.timestamp()))
    sentence = ngettext(
        "Das Cash Game endet in einer Minute.",
        "Das Cash Game endet in %(minutes)d Minuten.",
        minutes,
    )
    announce(change, sentence % {"minutes": minutes})
