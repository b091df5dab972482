"""Wishes to keep two people apart, for desk and director."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.changes.views.responses import undoable_response
from tournaments.event.views.context import page_context
from tournaments.models import KeepApart, Registration
from tournaments.seating.selectors.keep_apart import wishes_shown
from tournaments.seating.services.locks import keep_apart_drop, keep_apart_wish

LONGEST_NAME = 200


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def apart(request: StaffRequest) -> HttpResponse:
    """Show the wishes and the names to choose from; add a wish."""
    event = request.event
    if request.method == "POST":
        first, second = (_person(request, name) for name in ("first", "second"))
        return undoable_response(
            request, keep_apart_wish(command_of(request), first=first, second=second)
        )
    people = Registration.objects.live().filter(event=event).order_by("person__sort_name")
    context = {
        **page_context(request, event, request.actor),
        "wishes": wishes_shown(event),
        "names": list(people.values_list("person__name", flat=True)),
    }
    return render(request, "desk/keep_apart.html", context)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def drop(request: StaffRequest, wish: int) -> HttpResponse:
    """Delete a wish."""
    row = get_object_or_404(KeepApart, event=request.event, pk=wish)
    return undoable_response(request, keep_apart_drop(command_of(request), wish=row))


def _person(request: StaffRequest, name: str) -> Registration:
    """Return the only registration with this name."""
    said_name = request.POST.get(name, "").strip()[:LONGEST_NAME]
    rows = Registration.objects.live().filter(event=request.event, person__name__iexact=said_name)
    found = list(rows[:2])
    if not found:
        raise Refused(
            _("Angemeldet ist niemand mit dem Namen „%(name)s“.") % {"name": said_name},
            code="unknown_name",
        )
    if len(found) > 1:
        raise Refused(
            _("Den Namen „%(name)s“ gibt es mehrmals. Bitte die Daten erst unterscheidbar machen.")
            % {"name": said_name},
            code="name_twice",
        )
    return found[0]
