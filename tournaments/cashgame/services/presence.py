"""Announced departures (S18), and absences from the seat."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.cashgame.domain.waiting import MOST_AWAY_MINUTES
from tournaments.cashgame.selectors.labels import time_in_words
from tournaments.cashgame.services.parts import live_seat, say_who
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import CashAway, CashLeave, Registration

LONGEST = timedelta(days=1)

CASH_LEAVE_ANNOUNCED = Kind(
    "cash_leave.announced",
    lazy("Cash-Tisch %(table)s: %(name)s geht um %(at)s"),
    Group.CONDUCT,
    words=lambda payload: {"at": time_in_words(payload, "leaves_at")},
)


@service(CASH_LEAVE_ANNOUNCED, Permission.CONFIRM_SEAT, Topic.TABLES, after_the_end=True)
def cash_leave_announce(change: Change, *, registration: Registration, leaves_at: datetime) -> None:
    """Record a player's announced departure; the latest announcement counts."""
    own_seat = live_seat(change, registration)
    if not change.at <= leaves_at <= change.at + LONGEST:
        raise Refused(_("Das liegt nicht mehr an diesem Abend."), code="bad_time")
    CashLeave.objects.live().filter(seat=own_seat).update(voided_by=change.action)
    CashLeave.objects.create(seat=own_seat, leaves_at=leaves_at, made_by=change.action)
    say_who(change, own_seat.registration, own_seat.table, leaves_at=round(leaves_at.timestamp()))


CASH_PLAYER_AWAY = Kind(
    "cash_player.away", lazy("Cash-Tisch %(table)s: %(name)s ist weg"), Group.CONDUCT
)


@service(CASH_PLAYER_AWAY, Permission.NOTE_ABSENCE, Topic.TABLES, after_the_end=True)
def cash_away(change: Change, *, registration: Registration, minutes: int) -> None:
    """Record that a player has left the seat, and for how long it is kept."""
    own_seat = live_seat(change, registration)
    if not 1 <= minutes <= MOST_AWAY_MINUTES:
        raise Refused(
            _("Ein Platz wird 1 bis %(most)d Minuten gehalten.") % {"most": MOST_AWAY_MINUTES},
            code="bad_minutes",
        )
    if CashAway.objects.live().filter(seat=own_seat).exists():
        raise Refused(_("Das ist schon eingetragen."), code="already_away")
    CashAway.objects.create(
        seat=own_seat,
        since=change.at,
        until=change.at + timedelta(minutes=minutes),
        made_by=change.action,
    )
    say_who(change, own_seat.registration, own_seat.table, minutes=minutes)


CASH_PLAYER_BACK = Kind(
    "cash_player.back", lazy("Cash-Tisch %(table)s: %(name)s ist wieder da"), Group.CONDUCT
)


@service(CASH_PLAYER_BACK, Permission.NOTE_ABSENCE, Topic.TABLES, after_the_end=True)
def cash_back(change: Change, *, registration: Registration) -> None:
    """Record that a player is back at the seat."""
    own_seat = live_seat(change, registration)
    rows = CashAway.objects.live().filter(seat=own_seat)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Niemand hat eingetragen, dass er weg ist."), code="not_away")
    say_who(change, own_seat.registration, own_seat.table)
