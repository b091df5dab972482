"""The clock's controls on the dashboard: one service call each, refused beside the button."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.access import Permission
from tournaments.services.clock import (
    clock_adjust,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.views.asked import whole_number
from tournaments.views.frame import StaffRequest, said, staff
from tournaments.views.undo import done


@staff(Permission.DRIVE_CLOCK, methods=("POST",))
def start(request: StaffRequest) -> HttpResponse:
    """Start the clock, or go on after a pause; the first start begins the tournament."""
    return done(request, clock_start(**said(request)))


@staff(Permission.DRIVE_CLOCK, methods=("POST",))
def pause(request: StaffRequest) -> HttpResponse:
    return done(request, clock_pause(**said(request)))


@staff(Permission.DRIVE_CLOCK, methods=("POST",))
def next_level(request: StaffRequest) -> HttpResponse:
    return done(request, clock_next_level(**said(request)))


@staff(Permission.DRIVE_CLOCK, methods=("POST",))
def previous_level(request: StaffRequest) -> HttpResponse:
    return done(request, clock_previous_level(**said(request)))


@staff(Permission.DRIVE_CLOCK, methods=("POST",))
def adjust(request: StaffRequest) -> HttpResponse:
    """Give the players time (`seconds` above zero) or take it (below)."""
    seconds = whole_number(request, "seconds")
    return done(request, clock_adjust(**said(request), seconds=seconds), _adjusted(seconds))


def _adjusted(seconds: int) -> str:
    minutes, rest = divmod(abs(seconds), 60)
    if rest or not minutes:
        return _("Uhr verstellt: %(seconds)s Sekunden") % {"seconds": seconds}
    if seconds > 0:
        text = ngettext("Eine Minute mehr", "%(count)s Minuten mehr", minutes)
    else:
        text = ngettext("Eine Minute weniger", "%(count)s Minuten weniger", minutes)
    return text % {"count": minutes}
