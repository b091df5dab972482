"""A big screen on the director's own laptop, for its second display: paired without a code."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.links import keep_secret, secret_for
from tournaments.changes.views.requests import StaffRequest, club_command_of, request_key
from tournaments.screens.selectors.screens import screens_claimed
from tournaments.screens.services.screens import screen_change, screen_claim, screen_make
from tournaments.screens.views.big_screen import COOKIE, screen_of


@staff(Permission.MANAGE, people=False, methods=("POST",))
def open_here(request: StaffRequest) -> HttpResponse:
    """Make this browser a screen of this event, if it is none, and show it."""
    response = HttpResponseRedirect(reverse("screen-any"))
    command, screen = club_command_of(request), screen_of(request)
    if screen is None:
        secret = secret_for("screen", key=request_key(request))
        screen = screen_make(club=command.club, secret=secret, at=command.at)
        keep_secret(response, COOKIE, secret)
    if not screen.is_claimed:
        name = screen.name or _free_name(request)
        screen_claim(command, code=screen.code, name=name, event=request.event)
    elif screen.event_id != request.event.pk:
        screen_change(command, screen=screen, wanted={"event": request.event.pk})
    return response


def _free_name(request: StaffRequest) -> str:
    """Return "Leinwand" with the first unused number in the club."""
    taken = {row.name.casefold() for row in screens_claimed(request.event.club)}
    numbers = range(1, len(taken) + 2)
    names = (_("Leinwand %(number)d") % {"number": number} for number in numbers)
    return next(name for name in names if name.casefold() not in taken)
