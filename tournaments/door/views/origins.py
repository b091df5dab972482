"""All registrations of one device or connection since some time: looked at, then taken back."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.dateparse import parse_datetime
from django.utils.timezone import localtime, make_aware
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.door.selectors.origins import origin_registrations, same_origin
from tournaments.door.services.origins import registrations_clear
from tournaments.event.views.context import page_context
from tournaments.models import Registration

TYPED = "%Y-%m-%dT%H:%M"


@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def clear(request: StaffRequest, registration: int) -> HttpResponse:
    """Show who would go and who would stay; posted, take them back: one entry, one undo."""
    rows = Registration.objects.select_related("event")
    row = get_object_or_404(rows, event=request.event, pk=registration)
    typed = (request.POST if request.method == "POST" else request.GET).get("since")
    since = _instant(typed) if typed is not None else _first(row)
    if request.method == "POST":
        command = command_of(request)
        return undoable_response(
            request, registrations_clear(command, registration=row, since=since)
        )
    template = "desk/origin.html"
    context = {
        "event": request.event,
        "registration": row,
        "since": f"{localtime(since):{TYPED}}",
        "found": same_origin(row, since),
    }
    if request.htmx:
        return render(request, template, context)
    page = page_context(request, request.event, request.actor)
    return render(request, "desk/sheet_page.html", {**page, **context, "sheet": template})


def _first(row: Registration) -> datetime:
    """Return the minute in which the first of this origin registered."""
    first = origin_registrations(row).first() or row
    return first.registered_at.replace(second=0, microsecond=0)


def _instant(typed: str) -> datetime:
    try:
        found = parse_datetime(typed)
    except ValueError:
        found = None
    if found is None:
        raise Refused(_("Bitte Tag und Uhrzeit angeben."), code="bad_time")
    return found if found.tzinfo else make_aware(found)
